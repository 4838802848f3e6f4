use super::*;
use crate::Cell;

#[test]
fn boards_are_no_higher_than_wide_and_have_lines_to_draw() {
    let all: Vec<Start> = boards_up_to(31).into_iter().flatten().collect();
    let has = |rows, cols, variant| {
        all.contains(&Start { board: Board::new(rows, cols).unwrap(), variant })
    };
    for (cols, variant, open) in
        [(10, Variant::Standard, 31), (15, Variant::Icelandic, 30), (21, Variant::Swedish, 20)]
    {
        assert!(has(1, cols, variant));
        let start = Start { board: Board::new(1, cols).unwrap(), variant };
        assert_eq!(start.open(), open);
    }
    assert!(has(3, 4, Variant::Standard) && !has(4, 3, Variant::Standard));
    assert!(!has(2, 6, Variant::Standard)); // 32
    assert!(has(3, 5, Variant::Icelandic) && !has(4, 4, Variant::Icelandic)); // 30 and 32
    assert!(has(4, 5, Variant::Swedish)); // 31
    assert!(!has(1, 1, Variant::Swedish)); // nothing to draw
    assert!(boards_up_to(0).is_empty());
    assert!(boards_up_to(64).iter().flatten().all(|start| start.open() <= 64));
}

/// Published values, by David Wilson and by Barker and Korf.
#[test]
fn values_are_those_published() {
    let job = analysis().prepare(&[("lines", "24")], None).unwrap();
    let tables = job.run(&Monitor::default()).unwrap();
    let golden = include_str!("../../../tests/golden/dots_boards.csv");
    let mut compared = 0;
    for line in golden.lines().skip(1) {
        let mut fields = line.split(',');
        let board = Board::parse(fields.next().unwrap()).unwrap();
        let value: i32 = fields.next().unwrap().parse().unwrap();
        let start = Start { board, variant: Variant::Standard };
        let sides: [Cell; 3] =
            [board.rows().into(), board.cols().into(), start.variant.name().into()];
        let is_of = |row: &&Vec<Cell>| row[..3] == sides;
        if let Some(row) = tables[0].rows.iter().find(is_of) {
            assert_eq!(row[7], value.into(), "{board}");
            compared += 1;
        }
    }
    assert_eq!(compared, 4); // 1x2, 2x2, 2x3, 3x3
    // 1x1: the second player draws the last of four lines.
    let one: Vec<Cell> = ["standard"].map(Cell::from).to_vec();
    assert_eq!(tables[0].rows[0][2..3], one);
    assert_eq!(tables[0].rows[0][7..], [Cell::from(-1), 4_u32.into(), 1_u32.into()]);
    let perfect = |row: &&Vec<Cell>| row[5] == Cell::Truth(true);
    let best: Cell = tables[1].rows.iter().filter(perfect).count().into();
    let sum = tables[0].rows.iter().map(|row| match &row[8] {
        Cell::Integer(count) => count.clone(),
        _ => 0.into(),
    });
    assert_eq!(Cell::from(sum.sum::<num_bigint::BigInt>()), best);
}

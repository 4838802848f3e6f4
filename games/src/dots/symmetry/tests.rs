use super::*;
use bsq_engine::game::Game;

fn played(rules: &Rules, mut random: u64) -> Vec<Position> {
    let mut positions = vec![rules.start()];
    while let Some(position) = positions.last() {
        let moves = rules.moves(position);
        if moves.is_empty() {
            break;
        }
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        positions.push(rules.play(position, moves[(random >> 33) as usize % moves.len()]));
    }
    positions
}

#[test]
fn the_canonical_position_is_the_least_image() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 5), (6, 1), (1, 8), (2, 2), (3, 4), (5, 5)] {
        let rules = Rules::standard(Board::new(rows, cols).unwrap());
        for position in played(&rules, 7) {
            let images = rules.images(&position);
            assert_eq!(images.iter().min(), Some(&rules.canonical(&position)));
            let distinct: BTreeSet<_> = images.iter().collect();
            assert_eq!(distinct.len(), images.len());
            let closed = rules.board.closed(position.lines).count_ones();
            for image in images {
                let [first, second] = image.taken;
                assert_eq!(rules.board.closed(image.lines), first | second);
                assert_eq!(first.count_ones() + second.count_ones(), closed);
            }
        }
    }
}

/// Positions with one line, and with the two lines of a corner, counted by hand.
#[test]
fn classes_of_one_and_two_lines() {
    let classes = |(rows, cols), size: u32| {
        let rules = Rules::standard(Board::new(rows, cols).unwrap());
        let sets = choices(rules.board.all(), size).map(Position::of_lines);
        sets.map(|position| rules.canonical(&position)).collect::<BTreeSet<_>>().len()
    };
    // On 1x1 all lines are equivalent; on 1x2 the middle one differs; on 1x3 the middle ones and
    // those along the border of the middle box differ as well.
    assert_eq!([classes((1, 1), 1), classes((1, 2), 1), classes((1, 3), 1)], [1, 2, 3]);
    assert_eq!([classes((1, 1), 2), classes((1, 2), 2)], [1, 3]);
    // On 2x2 a line is along the border or not. Two of the border: in one corner, in
    // neighbouring ones or in opposite ones. One of each: the corner is beside the inner line
    // or not. Two inner ones: at a right angle or straight.
    assert_eq!([classes((2, 2), 1), classes((2, 2), 2)], [2, 7]);
}

/// One line of each set within which lines are exchanged, and others that no symmetry fixes: every
/// combination of the two is counted.
#[test]
fn images_are_few() {
    for ((rows, cols), most) in [
        ((1, 4), 2 * 3 * 2 * 2 * 3),
        ((1, 5), 4 * 3 * 3),
        ((1, 21), 4 * 3 * 3),
        ((21, 1), 4 * 3 * 3),
        ((2, 12), 4 * 16),
        ((5, 5), 8 * 16),
    ] {
        let rules = Rules::standard(Board::new(rows, cols).unwrap());
        let sets = exchanged(&rules.board);
        let others = rules.board.all() & !sets.iter().fold(0, |all, set| all | set);
        let others = first(others, others.count_ones() / 3) & 0x7777_7777_7777_7777;
        let lines = sets.into_iter().fold(others, |lines, set| lines | first(set, 1));
        assert_eq!(rules.images(&Position::of_lines(lines)).len(), most, "{rows}x{cols}");
    }
}

use super::*;
use crate::british_square::permute;
use proptest::prelude::*;

/// All boards of at most `most` cells.
fn board(most: usize) -> impl Strategy<Value = Board> {
    let boards: Vec<Board> = (1..=most)
        .flat_map(|rows| (1..=most / rows).map(move |cols| (rows, cols)))
        .map(|(rows, cols)| Board::new(rows, cols).unwrap())
        .collect();
    proptest::sample::select(boards)
}

fn agree<W: PairKey + std::fmt::Debug>(board: &Board, own: Cells, opponent: Vec<Cells>) {
    let (own, all) = (own & board.all(), board.all());
    let opponent = opponent.into_iter().map(|set| set & all).chain([0, all]);
    let opponent: Vec<Cells> = opponent.collect();
    let plainly = |opponent: &Cells| {
        let image = |p: &Vec<usize>| W::of(permute(*opponent, p), permute(own, p));
        board.symmetries().iter().map(image).min().unwrap()
    };
    let expected: Vec<W> = opponent.iter().map(plainly).collect();
    for kernel in Kernel::available() {
        let table = PairTable::new(board, kernel);
        let mut words = vec![W::default(); opponent.len()];
        W::pair_each(&table, &table.set(own), &opponent, &mut words);
        assert_eq!(words, expected, "{board} {kernel:?}");
    }
}

proptest! {
    #[test]
    fn small_keys_agree_with_permuting_cell_by_cell(
        board in board(u64::SET_BITS),
        own: u64,
        opponent in proptest::collection::vec(any::<u64>(), 0..5),
    ) {
        agree::<u64>(&board, own, opponent);
    }

    #[test]
    fn large_keys_agree_with_permuting_cell_by_cell(
        board in board(u128::SET_BITS),
        own: u64,
        opponent in proptest::collection::vec(any::<u64>(), 0..5),
    ) {
        agree::<u128>(&board, own, opponent);
    }
}

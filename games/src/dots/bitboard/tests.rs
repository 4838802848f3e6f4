use super::*;
use proptest::prelude::*;

fn boards() -> impl Strategy<Value = Board> {
    let sizes = vec![(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (5, 5), (4, 6), (1, 21), (21, 1)];
    prop::sample::select(sizes).prop_map(|(rows, cols)| Board::new(rows, cols).unwrap())
}

proptest! {
    #[test]
    fn degrees_are_counted(board in boards(), drawn: u64) {
        let bitboard = Bitboard::new(board);
        let drawn = drawn & board.all();
        let open = bitboard.open(drawn);
        prop_assert_eq!(bitboard.drawn(open), drawn);
        let degrees = bitboard.degrees(open);
        for cell in 0..board.boxes() {
            let place = bitboard.place(cell / board.cols(), cell % board.cols());
            let count = (board.sides(cell) & !drawn).count_ones();
            let classes = [degrees.one, degrees.two, degrees.more];
            let classes = classes.map(|set| set >> place & 1);
            prop_assert_eq!(classes, [count == 1, count == 2, count > 2].map(u64::from));
        }
    }

    #[test]
    fn images_have_one_word(board in boards(), drawn: u64, side: prop::sample::Index) {
        let bitboard = Bitboard::new(board);
        let drawn = drawn & board.all();
        let symmetries = board.symmetries();
        let symmetry = &symmetries[side.index(symmetries.len())];
        let image = lines_of(drawn).fold(0, |set, line| set | 1 << symmetry[line]);
        let word = bitboard.canonical(bitboard.open(drawn));
        prop_assert_eq!(bitboard.canonical(bitboard.open(image)), word);
        prop_assert_eq!(word.count_ones(), bitboard.open(drawn).count());
        for group in board.exchanges() {
            // The first lines of the group, as many as are set.
            let count = (drawn & group).count_ones() as usize;
            let first = lines_of(group).take(count).fold(0, |set, line| set | 1 << line);
            let exchanged = drawn & !group | first;
            prop_assert_eq!(bitboard.canonical(bitboard.open(exchanged)), word);
        }
    }
}

/// Two sets of lines have the same word only if they are images of each other.
#[test]
fn a_word_is_for_images_alone() {
    let board = Board::new(2, 2).unwrap();
    let bitboard = Bitboard::new(board);
    let words: std::collections::HashSet<u64> =
        (0..1 << 12).map(|drawn| bitboard.canonical(bitboard.open(drawn))).collect();
    // Without images: 3^4 pairs at the corners times 2^4 lines inside. By Burnside's lemma.
    let mut classes = std::collections::HashSet::new();
    for drawn in 0..1_u64 << 12 {
        let images = board.symmetries().into_iter().map(|symmetry| {
            let image = lines_of(drawn).fold(0_u64, |set, line| set | 1 << symmetry[line]);
            board.exchanges().into_iter().fold(image, |set, group| {
                let count = (set & group).count_ones() as usize;
                let first = lines_of(group).take(count).fold(0, |set, line| set | 1 << line);
                set & !group | first
            })
        });
        classes.insert(images.min().unwrap());
    }
    assert_eq!(words.len(), classes.len());
}

use super::*;
use crate::british_square::permute;
use proptest::prelude::*;

proptest! {
    #[test]
    fn kernels_agree_with_permuting_cell_by_cell(
        (rows, cols) in (1usize..=5, 1usize..=5),
        first in 0u64..1 << 25,
        second in 0u64..1 << 25,
        turn in 1u64..50,
    ) {
        let board = Board::new(rows, cols).unwrap();
        let (first, second) = (first & board.all(), second & board.all());
        let plainly = |first: Cells, second: Cells, turn: u64| {
            let word = |p: &Vec<usize>| permute(first, p) | permute(second, p) << SET_BITS;
            board.symmetries().iter().map(word).min().unwrap() | turn << TURN_SHIFT
        };
        for kernel in Kernel::available() {
            let table = ImageTable::new(&board, kernel);
            let mut images = table.set(first, Half::Low).plus(&table.set(second, Half::High));
            for lane in &mut images.0 {
                *lane += turn << TURN_SHIFT;
            }
            prop_assert_eq!(images.smallest(), plainly(first, second, turn));
            for (half, own) in [(Half::Low, first), (Half::High, second)] {
                let cells = board.all() & !own;
                let count = cells.count_ones() as usize;
                let (mut words, mut numbers) = (vec![0; count], vec![0; count]);
                let places = Placements { words: &mut words, cells: &mut numbers, tag: 7 << 8 };
                table.place_each(&images, half, cells, places);
                let tagged = cells_of(cells).map(|cell| 7 << 8 | cell as u16);
                prop_assert!(numbers.into_iter().eq(tagged));
                for (word, cell) in words.into_iter().zip(cells_of(cells)) {
                    let (mut a, mut b) = (first, second);
                    *(if half == Half::Low { &mut a } else { &mut b }) |= 1 << cell;
                    prop_assert_eq!(word, plainly(a, b, turn + 1));
                    prop_assert_eq!(table.place(&images, half, cell).smallest(), word);
                }
            }
        }
    }
}

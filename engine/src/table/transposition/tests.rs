use super::*;
use crate::table::tests::on_four_threads;
use proptest::prelude::*;
use std::collections::HashMap;

proptest! {
    #[test]
    fn scrambling_is_undone(a: u64, b: u64, bits in 1_u32..=64) {
        let pair = (a & mask(bits), b & mask(bits));
        prop_assert_eq!(scramble(scramble(pair, bits), bits), pair);
    }

    /// A look-up of a pair returns the bounds last stored for it.
    #[test]
    fn an_entry_is_for_its_pair_alone(
        puts in prop::collection::vec((any::<[u64; 2]>(), -64_i32..=63, 0_i32..60), 1..200),
        cells in 1_usize..=60,
        buckets in 1_usize..40,
    ) {
        let table = TranspositionTable::with_buckets(cells, buckets).unwrap();
        let mut last = HashMap::new();
        for ([a, b], lower, width) in puts {
            let pair = (a & mask(cells as u32) & 7, b & mask(cells as u32) & 7);
            let bounds = Bounds { lower, upper: (lower + width).min(63) };
            table.put(&table.locate(pair), bounds, 1 + (a % 40) as u32);
            prop_assert_eq!(table.get(&table.locate(pair)), Some(bounds));
            last.insert(pair, bounds);
        }
        for entry in table.iter() {
            prop_assert_eq!(last.get(&entry.pair), Some(&entry.bounds));
            prop_assert_eq!(table.get(&table.locate(entry.pair)), Some(entry.bounds));
        }
    }
}

#[test]
fn what_took_most_work_stays() {
    let table = TranspositionTable::with_buckets(50, 1).unwrap();
    let known = Bounds { lower: -3, upper: 5 };
    table.put(&table.locate((7, 9)), known, 30);
    for cheap in 0..100 {
        table.put(&table.locate((cheap, 1 << 40)), known, 1 + cheap as u32 % 20);
    }
    assert_eq!(table.get(&table.locate((7, 9))), Some(known));
    assert_eq!(table.iter().count(), table.slots());
    assert_eq!(table.fill(), 1.0);
}

#[test]
fn threads_never_see_half_an_entry() {
    const ROUNDS: u64 = if cfg!(miri) { 200 } else { 20_000 };
    let table = TranspositionTable::with_buckets(60, 2).unwrap();
    let value = |pair: (u64, u64)| (pair.0 * 7 + pair.1 * 3) as i32 % 60 - 30;
    on_four_threads(|thread| {
        for i in 0..ROUNDS {
            let pair = ((i * 31 + thread) % 50, (i * 17) % 40);
            let place = table.locate(pair);
            if let Some(bounds) = table.get(&place) {
                assert_eq!((bounds.lower, bounds.upper), (value(pair), value(pair)));
            }
            let bounds = Bounds { lower: value(pair), upper: value(pair) };
            table.put(&place, bounds, (i % 9) as u32);
        }
    });
}

// The table has 128 MiB.
#[cfg_attr(miri, ignore)]
#[test]
fn the_largest_board_needs_a_table_of_some_size() {
    assert_eq!(TranspositionTable::min_buckets(53), 1);
    assert_eq!(TranspositionTable::min_buckets(64), 1 << 21);
    let table = TranspositionTable::with_buckets(64, 1).unwrap();
    let known = Bounds { lower: 1, upper: 2 };
    let pair = (u64::MAX, u64::MAX - 1);
    table.put(&table.locate(pair), known, 3);
    assert_eq!(table.iter().next(), Some(Entry { pair, bounds: known, effort: 3 }));
}

use super::*;
use crate::table::tests::on_four_threads;

fn put(table: &ShardedTable, key: u64, value: i32) -> Result<(), ShardFull> {
    match table.claim(key, table.locate(key))? {
        Claim::New(slot) => table.settle(slot, value),
        other => panic!("{key} was there: {other:?}"),
    }
    Ok(())
}

#[test]
fn holds_what_was_put_until_every_slot_is_taken() {
    let table = ShardedTable::with_shards(1, 4).unwrap();
    for key in 1..=32 {
        assert_eq!(table.get(key), None);
        put(&table, key, key as i32 - 16).unwrap();
    }
    for key in 1..=32 {
        assert_eq!(table.get(key), Some(key as i32 - 16));
        assert_eq!(table.claim(key, table.locate(key)), Ok(Claim::Known(key as i32 - 16)));
    }
    let full = put(&table, 99, 0).unwrap_err();
    assert_eq!(full, ShardFull { shard: 0, shards: 1, slots: 32 });
    assert_eq!(table.iter().count(), 32);
}

#[test]
fn a_full_shard_leaves_the_others_alone() {
    let table = ShardedTable::with_shards(4, 1).unwrap();
    let results: Vec<bool> = (1..200).map(|key| put(&table, key, 1).is_ok()).collect();
    assert_eq!(results.iter().filter(|&&stored| stored).count(), 32);
    assert_eq!(table.iter().count(), 32);
}

#[test]
fn an_open_entry_has_no_value() {
    let table = ShardedTable::with_capacity_for(10).unwrap();
    let Ok(Claim::New(slot)) = table.claim(7, table.locate(7)) else { panic!() };
    assert_eq!(table.claim(7, table.locate(7)), Ok(Claim::Open(slot)));
    assert_eq!((table.get(7), table.value_in(slot)), (None, None));
    table.settle(slot, -127);
    assert_eq!((table.get(7), table.value_in(slot)), (Some(-127), Some(-127)));
}

#[test]
fn threads_claim_each_key_once() {
    const KEYS: u64 = if cfg!(miri) { 200 } else { 20_000 };
    let table = ShardedTable::with_shards(4, KEYS as usize / 16).unwrap();
    let claimed = std::sync::atomic::AtomicUsize::new(0);
    on_four_threads(|thread| {
        for i in 0..KEYS {
            let key = 1 + (i * 7919 + thread * 4999) % KEYS;
            if let Ok(Claim::New(slot)) = table.claim(key, table.locate(key)) {
                claimed.fetch_add(1, Ordering::Relaxed);
                table.settle(slot, (key % 255) as i32 - 127);
            }
        }
    });
    assert_eq!(claimed.into_inner(), KEYS as usize);
    assert!(table.iter().all(|(key, value)| value == (key % 255) as i32 - 127));
    assert_eq!(table.iter().count(), KEYS as usize);
}

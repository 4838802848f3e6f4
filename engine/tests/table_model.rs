//! Tests all interleavings of threads on a tiny table with loom:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --release -p bsq-engine --test table_model
//! ```
#![cfg(loom)]

use bsq_engine::table::{Claim, ShardFull, ShardedTable};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

/// Claims a key as a solver does, so that exactly one thread computes its value.
fn claim_and_settle(table: &ShardedTable, key: u64, claims: &AtomicUsize) {
    if let Ok(Claim::New(slot)) = table.claim(key, table.locate(key)) {
        claims.fetch_add(1, Ordering::Relaxed);
        table.settle(slot, key as i32);
    }
}

#[test]
fn a_key_is_claimed_once_and_keeps_its_value() {
    loom::model(|| {
        let table = Arc::new(ShardedTable::with_shards(1, 1).unwrap());
        let claims = Arc::new(AtomicUsize::new(0));
        let other = {
            let (table, claims) = (table.clone(), claims.clone());
            thread::spawn(move || {
                claim_and_settle(&table, 5, &claims);
                claim_and_settle(&table, 13, &claims);
            })
        };
        claim_and_settle(&table, 13, &claims);
        claim_and_settle(&table, 5, &claims);
        // The claim of another thread may not be settled yet, but its value is never wrong.
        assert!(matches!(table.get(5), None | Some(5)));
        other.join().unwrap();
        assert_eq!(claims.load(Ordering::Relaxed), 2);
        assert_eq!((table.get(5), table.get(13)), (Some(5), Some(13)));
        assert_eq!(table.iter().count(), 2);
    });
}

#[test]
fn two_threads_fill_a_shard_without_losing_a_key() {
    loom::model(|| {
        let table = Arc::new(ShardedTable::with_shards(1, 1).unwrap());
        for key in 1..=7 {
            claim_and_settle(&table, key, &AtomicUsize::new(0));
        }
        // One slot is left for two keys.
        let other = {
            let table = table.clone();
            thread::spawn(move || table.claim(20, table.locate(20)).is_ok())
        };
        let mine = table.claim(21, table.locate(21));
        let other = other.join().unwrap();
        assert!(other != mine.is_ok(), "one of them gets it");
        if let Err(full) = mine {
            assert_eq!(full, ShardFull { shard: 0, shards: 1, slots: 8 });
        }
        for key in 1..=7 {
            assert_eq!(table.get(key), Some(key as i32));
        }
    });
}

#[test]
fn who_waits_for_a_value_gets_it() {
    loom::model(|| {
        let table = Arc::new(ShardedTable::with_shards(1, 1).unwrap());
        let Ok(Claim::New(slot)) = table.claim(9, table.locate(9)) else {
            panic!("the table is empty")
        };
        let waiting = {
            let table = table.clone();
            thread::spawn(move || match table.claim(9, table.locate(9)) {
                Ok(Claim::Open(slot)) => loop {
                    if let Some(value) = table.value_in(slot) {
                        break value;
                    }
                    thread::yield_now();
                },
                Ok(Claim::Known(value)) => value,
                other => panic!("{other:?}"),
            })
        };
        table.settle(slot, -3);
        assert_eq!(waiting.join().unwrap(), -3);
    });
}

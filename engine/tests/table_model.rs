//! Tests all interleavings of threads on tiny tables, and on the other structures that threads share,
//! with loom:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --release -p bsq-engine --test table_model
//! ```
//!
//! Models that would take minutes are limited to interleavings with few preemptions. With
//! `LOOM_MAX_PREEMPTIONS` all models have that limit instead.
#![cfg(loom)]

use bsq_engine::explore::is_repeated;
use bsq_engine::game::Game;
use bsq_engine::levels::{Plan, Pool, Shares};
use bsq_engine::monitor::{Halt, Monitor, Progress, SolveError, WorkLimit};
use bsq_engine::nim::{Heaps, Nim};
use bsq_engine::strong::{AcyclicGame, Failure, search_nodes};
use bsq_engine::table::{Bounds, Claim, InProgress, ShardFull, ShardedTable, TranspositionTable};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use loom::thread;

/// Runs a model in the interleavings with at most so many preemptions, unless the environment has
/// another limit.
fn with_preemptions(most: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound.get_or_insert(most);
    builder.max_branches = 10_000;
    builder.check(model);
}

/// Runs both on the same data, one on a thread of its own, and returns both results.
fn both<T: Send + Sync + 'static, A: 'static, B>(
    shared: T,
    one: impl FnOnce(&T) -> A + 'static,
    other: impl FnOnce(&T) -> B,
) -> (A, B, Arc<T>) {
    let shared = Arc::new(shared);
    let there = shared.clone();
    let thread = thread::spawn(move || one(&there));
    let here = other(&shared);
    (thread.join().unwrap(), here, shared)
}

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

/// Territories are valued by every thread that meets them before their value is known.
#[test]
fn a_key_that_both_settle_keeps_its_value() {
    loom::model(|| {
        let settle = |table: &ShardedTable| {
            if let Claim::New(slot) | Claim::Open(slot) = table.claim(6, table.locate(6)).unwrap() {
                table.settle(slot, -100);
            }
            assert_eq!(table.get(6), Some(-100), "this thread settled it, or saw it settled");
        };
        let (.., table) = both(ShardedTable::with_shards(1, 1).unwrap(), settle, settle);
        assert_eq!(table.iter().collect::<Vec<_>>(), [(6, -100)]);
    });
}

#[test]
fn a_glance_sees_no_value_of_another_key() {
    loom::model(|| {
        let table = ShardedTable::with_shards(1, 1).unwrap();
        // Three keys with the same first two slots, of which the third one is not in the table.
        let home = table.locate(1);
        let mut others = (2..).filter(|&key| table.locate(key) == home);
        let (near, absent) = (others.next().unwrap(), others.next().unwrap());
        let fill = move |table: &ShardedTable| {
            for key in [near, 1] {
                claim_and_settle(table, key, &AtomicUsize::new(0));
            }
        };
        let look = move |table: &ShardedTable| {
            for key in [1, near] {
                let (seen, value) = table.glance(key, home);
                assert!(!seen || i32::from(value) == key as i32);
                assert!(!table.glance(absent, home).0);
            }
        };
        let (.., table) = both(table, fill, look);
        assert_eq!(table.glance(1, home), (true, 1));
        assert_eq!(table.glance(near, home), (true, near as i8));
        assert!(!table.glance(absent, home).0, "its slots have other keys");
    });
}

#[test]
fn a_key_is_claimed_once_behind_a_full_bucket() {
    loom::model(|| {
        let table = ShardedTable::with_shards(1, 2).unwrap();
        let bucket = |key| table.locate(key) / 8;
        let keys: Vec<u64> = (1..).filter(|&key| bucket(key) == bucket(1)).take(9).collect();
        for &key in &keys[..7] {
            claim_and_settle(&table, key, &AtomicUsize::new(0));
        }
        // One of the two keys takes the last slot of the bucket, the other one goes to the next.
        let (first, second) = (keys[7], keys[8]);
        let claim = |keys: [u64; 2]| {
            move |table: &ShardedTable| {
                let claims = AtomicUsize::new(0);
                for key in keys {
                    claim_and_settle(table, key, &claims);
                }
                claims.load(Ordering::Relaxed)
            }
        };
        let (one, other, table) = both(table, claim([first, second]), claim([second, first]));
        assert_eq!(one + other, 2);
        assert_eq!(table.iter().count(), 9);
        assert!(keys.iter().all(|&key| table.get(key) == Some(key as i32)));
    });
}

/// Bounds that depend on the pair, so that parts of two entries are not an entry of either.
fn bounds(pair: (u64, u64), width: i32) -> Bounds {
    let middle = 40 * pair.0 as i32 - 20 * pair.1 as i32;
    Bounds { lower: middle - width, upper: middle + width }
}

/// Each look-up finds bounds that some thread stored for that pair, or nothing.
#[test]
fn bounds_belong_to_their_pair() {
    with_preemptions(3, || {
        let table = TranspositionTable::with_buckets(2, 1).unwrap();
        // Two of the four slots are in use, and more work went into them.
        for pair in [(3, 0), (0, 3)] {
            table.put(&table.locate(pair), bounds(pair, 1), 20);
        }
        let pairs = [(1, 0), (0, 1), (1, 1)];
        let put_and_get = |first: usize, width: i32| {
            move |table: &TranspositionTable| {
                for i in [first, first + 1] {
                    let slot = table.locate(pairs[i]);
                    table.put(&slot, bounds(pairs[i], width), 3);
                }
                for pair in pairs {
                    if let Some(found) = table.get(&table.locate(pair)) {
                        assert!(found == bounds(pair, 1) || found == bounds(pair, 2));
                    }
                }
            }
        };
        let (.., table) = both(table, put_and_get(0, 1), put_and_get(1, 2));
        for entry in table.iter() {
            assert!([1, 2].map(|width| bounds(entry.pair, width)).contains(&entry.bounds));
        }
        assert_eq!(table.get(&table.locate((3, 0))), Some(bounds((3, 0), 1)));
        assert_eq!(table.get(&table.locate((0, 3))), Some(bounds((0, 3), 1)));
        assert!(pairs.iter().any(|&pair| table.get(&table.locate(pair)).is_some()));
    });
}

/// Marks may be lost while others are set, but none remains, which would postpone moves for ever.
#[test]
fn no_position_stays_in_progress() {
    loom::model(|| {
        // There are two slots for three positions.
        let search = |positions: [u64; 2]| {
            move |searching: &InProgress| {
                for position in positions {
                    searching.begin(position);
                    searching.end(position);
                }
            }
        };
        let (.., searching) = both(InProgress::default(), search([1, 2]), search([2, 3]));
        assert!((1..=3).all(|position| !searching.has(position)));
    });
}

/// A thread that looks sees no other position than those that are searched. (In a model of its own:
/// loom forgets that a store was overwritten if a thread loads it late.)
#[test]
fn no_position_is_in_progress_that_no_thread_searches() {
    loom::model(|| {
        let search = |searching: &InProgress| {
            searching.begin(1);
            searching.end(1);
        };
        let look = |searching: &InProgress| {
            searching.begin(3);
            let found = [1, 2, 3].map(|position| searching.has(position));
            searching.end(3);
            found
        };
        let (_, [_, other, _], _) = both(InProgress::default(), search, look);
        assert!(!other);
    });
}

/// The positions of Nim one move after the start.
fn after_moves(game: &Nim, start: &Heaps) -> Vec<Heaps> {
    game.moves(start).into_iter().map(|mv| game.play(start, mv)).collect()
}

/// What the threads of a search share.
struct Searching {
    table: ShardedTable,
    failure: Failure,
    stop: AtomicBool,
}

impl Searching {
    fn new(buckets: usize) -> Searching {
        let table = ShardedTable::with_shards(1, buckets).unwrap();
        Searching { table, failure: Failure::default(), stop: AtomicBool::new(false) }
    }

    fn run(&self, game: &Nim, nodes: &[Heaps]) -> Result<u64, SolveError> {
        let monitor = Monitor { stop: Some(&self.stop), ..Monitor::default() };
        search_nodes(game, nodes, &self.table, &self.failure, &monitor)
    }
}

/// A thread waits for the values that the other one claimed.
#[test]
fn threads_that_search_the_same_positions_share_their_values() {
    with_preemptions(2, || {
        const GAME: Nim = Nim([1, 1, 1]);
        let root = Heaps { heaps: GAME.0, moves: 0 };
        let below = |order: [usize; 2]| {
            move |search: &Searching| {
                let nodes = after_moves(&GAME, &root);
                search.run(&GAME, &order.map(|i| nodes[i])).unwrap()
            }
        };
        let (one, other, search) = both(Searching::new(2), below([0, 1]), below([1, 0]));
        let rest = search.run(&GAME, &[root]).unwrap();
        assert_eq!(one + other + rest, 8, "each subset of three heaps is found once");
        assert_eq!(search.table.get(GAME.key(&root)), Some(1));
        assert_eq!(search.table.iter().count(), 8);
    });
}

/// A thread does not wait for the value of a thread that has failed, and the first error is kept.
#[test]
fn threads_end_when_one_of_them_fails() {
    with_preemptions(3, || {
        const GAME: Nim = Nim([2, 0, 0]);
        let root = Heaps { heaps: GAME.0, moves: 0 };
        let nodes = after_moves(&GAME, &root);
        let search = Searching::new(1);
        // Two slots are left for the root, the first node, and the end after it.
        for key in [GAME.key(&nodes[1])].into_iter().chain(100..105) {
            claim_and_settle(&search.table, key, &AtomicUsize::new(0));
        }
        let node = nodes[0];
        let below = move |search: &Searching| search.run(&GAME, &[node]);
        let above = move |search: &Searching| search.run(&GAME, &[root]);
        let (below, above, search) = both(search, below, above);
        assert!(below.is_err() || above.is_err());
        let full = SolveError::Full(ShardFull { shard: 0, shards: 1, slots: 8 });
        assert_eq!(search.failure.first.get(), Some(&full));
    });
}

/// Both threads need a value that one of them has claimed when the caller stops them.
#[test]
fn threads_end_when_the_caller_stops_them() {
    with_preemptions(2, || {
        const GAME: Nim = Nim([1, 1, 0]);
        let root = Heaps { heaps: GAME.0, moves: 0 };
        let nodes = after_moves(&GAME, &root);
        let search = Arc::new(Searching::new(1));
        let (caller, there, node) = (search.clone(), search.clone(), nodes[0]);
        let caller = thread::spawn(move || caller.stop.store(true, Ordering::Relaxed));
        let other = thread::spawn(move || there.run(&GAME, &[node]));
        let found = [search.run(&GAME, &nodes[1..]), other.join().unwrap()];
        caller.join().unwrap();
        match found {
            [Ok(one), Ok(other)] => assert_eq!(one + other, 3),
            found => {
                assert!(found.contains(&Err(SolveError::Stopped)));
                assert_eq!(search.failure.first.get(), Some(&SolveError::Stopped));
            }
        }
    });
}

#[test]
fn a_rank_found_twice_is_not_from_an_earlier_ply() {
    loom::model(|| {
        // The first rank is new, the second one was found in the first ply.
        let ranks = [AtomicU8::new(0), AtomicU8::new(1)];
        let find = |ranks: &[AtomicU8; 2]| [is_repeated(&ranks[0], 2), is_repeated(&ranks[1], 2)];
        let (one, other, ranks) = both(ranks, find, find);
        assert_eq!([one, other], [[false, true]; 2]);
        assert_eq!(ranks.each_ref().map(|ply| ply.load(Ordering::Relaxed)), [2, 1]);
    });
}

fn plan(max_blocks: usize) -> Plan {
    Plan { max_blocks, ..Plan::of(1 << 30, 1 << 30, 2) }
}

/// The pool has a block for each that a thread may take, as blocks of the old level return to it.
#[test]
fn a_share_of_the_blocks_is_in_the_pool() {
    with_preemptions(3, || {
        let (plan, threads) = (plan(4), 2);
        let pool = Pool::new(&plan);
        let level = [pool.take().unwrap(), pool.take().unwrap()];
        let shares = Shares::new(&plan, threads, level.len());
        let expand = |block: Vec<u64>| {
            |(pool, shares): &(Pool, Shares)| {
                shares.give(pool, block);
                let mut taken = Vec::new();
                while taken.len() < shares.quota() {
                    taken.push(pool.take().expect("a share is in the pool"));
                }
                taken.len()
            }
        };
        let [one, other] = level.map(expand);
        let (one, other, shared) = both((pool, shares), one, other);
        assert!((1..=2).contains(&one) && (1..=2).contains(&other));
        assert_eq!((shared.1.unused(), shared.1.quota()), (4, 2));
    });
}

#[test]
fn at_most_half_of_the_blocks_are_kept() {
    loom::model(|| {
        let keep =
            |shares: &Shares| [3, 2].map(|blocks| if shares.keep(blocks) { blocks } else { 0 });
        let (one, other, shares) = both(Shares::new(&plan(8), 2, 0), keep, keep);
        let kept: usize = one.iter().chain(&other).sum();
        assert!(kept <= 4);
        // What was not kept is not counted.
        assert!(shares.keep(4 - kept) && !shares.keep(1));
    });
}

/// What threads borrow, which loom's cannot but from a value that is never freed.
fn lent<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Searches on two threads, while the caller may cancel the search. Returns whether each of them has
/// a result.
fn search_twice(halt: &'static Halt, stop: Option<&'static AtomicBool>) -> [bool; 2] {
    let search = || {
        let found = (0..2).try_for_each(|_| halt.check());
        halt.finish();
        found.is_ok()
    };
    let caller = stop.map(|stop| thread::spawn(|| stop.store(true, Ordering::Relaxed)));
    let other = thread::spawn(search);
    let found = [search(), other.join().unwrap()];
    caller.map(|caller| caller.join().unwrap());
    found
}

#[test]
fn a_search_has_a_result_unless_the_caller_cancels_it() {
    loom::model(|| {
        let found = search_twice(lent(Halt::new(lent(Monitor::default()))), None);
        assert!(found.contains(&true));
    });
    loom::model(|| {
        let stop = lent(AtomicBool::new(false));
        let halt = lent(Halt::new(lent(Monitor { stop: Some(stop), ..Monitor::default() })));
        let found = search_twice(halt, Some(stop));
        assert!(found.contains(&true) || halt.monitor.check().is_err());
    });
}

#[test]
fn work_over_the_limit_stops_a_job() {
    for (most, exceeded) in [(4, true), (5, false)] {
        loom::model(move || {
            let limit = lent(WorkLimit::new(lent(Monitor::default()), most));
            let work = move || {
                limit.advance(2);
                let stopped = limit.monitor().check().is_err();
                assert!(!stopped || exceeded, "only the limit stops the job");
                stopped
            };
            let other = thread::spawn(work);
            limit.advance(1);
            work();
            other.join().unwrap();
            assert_eq!(limit.is_exceeded(), exceeded);
            assert_eq!(limit.monitor().check().is_err(), exceeded);
        });
    }
}

//! Tests the tasks of `bsq_engine::strong`: that idle threads steal them, and that no search hangs.
#![cfg(not(loom))]

use bsq_engine::game::{Game, Player};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::nim::{Heaps, Nim};
use bsq_engine::strong::{AcyclicGame, Edges, Visitor, solve, solve_visiting};
use bsq_engine::table::ShardFull;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(work)
}

/// Fails the whole test process if the work takes more than a minute: a search that hangs never
/// returns.
fn within_a_minute(work: impl FnOnce()) {
    let (ended, end) = std::sync::mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        if end.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
            eprintln!("a search hangs");
            std::process::abort();
        }
    });
    work();
    drop(ended);
    watchdog.join().unwrap();
}

/// Nim, but `before` is called before a position is expanded.
struct Hooked<F> {
    nim: Nim,
    before: F,
    max_positions: u64,
}

fn hooked<F: Fn() + Sync>(nim: Nim, before: F) -> Hooked<F> {
    Hooked { max_positions: nim.max_positions(), nim, before }
}

impl<F: Fn() + Sync> AcyclicGame for Hooked<F> {
    type Node = Heaps;

    fn key(&self, node: &Heaps) -> u64 {
        self.nim.key(node)
    }

    fn to_move(&self, node: &Heaps) -> Player {
        AcyclicGame::to_move(&self.nim, node)
    }

    fn expand(&self, node: &Heaps, edges: &mut Edges) {
        (self.before)();
        self.nim.expand(node, edges);
    }

    fn child(&self, node: &Heaps, mv: Option<u8>) -> Heaps {
        self.nim.child(node, mv)
    }

    fn max_moves(&self) -> usize {
        self.nim.max_moves()
    }

    fn max_positions(&self) -> u64 {
        self.max_positions
    }
}

/// The thread that runs the task of the root spawns all tasks after it. It waits, in the next task
/// and without a claim, until the other thread has run a task, which that thread can only have
/// stolen.
#[test]
fn an_idle_thread_steals_tasks() {
    let (root_thread, stolen) = (OnceLock::new(), AtomicBool::new(false));
    let before = || {
        let this = std::thread::current().id();
        let is_root = root_thread.set(this).is_ok();
        if root_thread.get() != Some(&this) {
            stolen.store(true, Ordering::Relaxed);
        }
        let begin = Instant::now();
        while !is_root && !stolen.load(Ordering::Relaxed) {
            assert!(begin.elapsed() < Duration::from_secs(20), "no task was stolen");
            std::thread::yield_now();
        }
    };
    let nim = Nim([5, 6, 7]);
    let start = nim.start();
    let game = hooked(nim, before);
    let solved = on_threads(2, || solve(&game, &start, &Monitor::default()).unwrap());
    assert!(solved.stolen_tasks() > 0);
    assert!(solved.stolen_tasks() < solved.tasks());
}

/// Searches of Nim on more threads than there are processors, so that threads often wait for values
/// of interrupted ones.
#[test]
fn no_search_hangs() {
    let nim = Nim([3, 4, 5]);
    let search = || assert_eq!(value_of(&nim), 1);
    within_a_minute(|| on_threads(8, || (0..1000).for_each(|_| search())));
    // A thread that waits for its search runs tasks of others.
    within_a_minute(|| on_threads(8, || (0..200).into_par_iter().for_each(|_| search())));
    within_a_minute(|| {
        std::thread::scope(|scope| {
            for threads in [2, 3, 5] {
                scope.spawn(move || on_threads(threads, || (0..200).for_each(|_| search())));
            }
        });
    });
}

fn value_of(nim: &Nim) -> i32 {
    solve(nim, &nim.start(), &Monitor::default()).unwrap().value()
}

/// A visitor that panics, quietly, when all visitors together have seen so many positions.
struct PanicsAt<'a> {
    seen: &'a AtomicU32,
    at: u32,
}

impl<N> Visitor<N> for PanicsAt<'_> {
    fn fresh(&self) -> Self {
        PanicsAt { ..*self }
    }

    fn visit(&mut self, _node: &N, _moves: u64, _values: &[i8]) {
        panic_at(self.seen, self.at);
    }

    fn absorb(&mut self, _other: Self) {}
}

fn panic_at(seen: &AtomicU32, at: u32) {
    if seen.fetch_add(1, Ordering::Relaxed) == at {
        resume_unwind(Box::new("on purpose"));
    }
}

/// Searches that panic in the game or in a visitor, or are stopped, each at other positions.
#[test]
fn no_search_hangs_that_fails() {
    let nim = Nim([5, 6, 7]);
    let start = nim.start();
    within_a_minute(|| {
        for at in (0..1000).step_by(7) {
            let seen = AtomicU32::new(0);
            let faulty = hooked(nim.clone(), || panic_at(&seen, at));
            let search = || on_threads(8, || solve(&faulty, &start, &Monitor::default()).is_ok());
            assert!(catch_unwind(AssertUnwindSafe(search)).is_err());

            let seen = AtomicU32::new(0);
            let visitor = PanicsAt { seen: &seen, at };
            let search = || solve_visiting(&nim, &start, visitor, &Monitor::default()).is_ok();
            let search = || on_threads(8, search);
            assert!(catch_unwind(AssertUnwindSafe(search)).is_err());

            let (seen, stop) = (AtomicU32::new(0), AtomicBool::new(false));
            let before = || {
                if seen.fetch_add(1, Ordering::Relaxed) == at {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let stopped = hooked(nim.clone(), before);
            let monitor = Monitor { stop: Some(&stop), ..Monitor::default() };
            let ended = on_threads(8, || solve(&stopped, &start, &monitor).err());
            assert_eq!(ended, Some(SolveError::Stopped));
        }
    });
}

/// No task begins after one has failed, so few positions are expanded after that.
#[test]
fn no_task_begins_after_a_failure() {
    let nim = Nim([5, 6, 7]);
    let seen = AtomicU32::new(0);
    let faulty = hooked(nim.clone(), || panic_at(&seen, 100));
    let search = || on_threads(1, || solve(&faulty, &nim.start(), &Monitor::default()).is_ok());
    assert!(catch_unwind(AssertUnwindSafe(search)).is_err());
    assert_eq!(seen.into_inner(), 101);
}

/// Tables that overflow, each after another number of positions.
#[test]
fn no_search_hangs_in_a_full_table() {
    let nim = Nim([15, 15, 15]);
    within_a_minute(|| {
        for round in 0..200 {
            let max_positions = 2000 + 50 * round;
            let game = Hooked { nim: nim.clone(), before: || (), max_positions };
            let ended = on_threads(8, || solve(&game, &nim.start(), &Monitor::default()).err());
            assert!(matches!(ended, Some(SolveError::Full(ShardFull { .. }))), "{ended:?}");
        }
    });
}

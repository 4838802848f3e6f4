//! The limits of the machine with which `docs/performance.md` compares the rates of jobs: cycles,
//! memory bandwidth, and random access to memory as the tables use it.
//!
//! `cargo bench --bench limits` takes 20 seconds and 1 GiB; with `-- --test` it takes 1 MiB.

use bsq_engine::random::Random;
use bsq_engine::table::Lines;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

/// A cache line of a table.
type Line = [AtomicU64; 8];
/// Work on a table, with a seed. Returns the number of units done.
type Job = fn(&[Line], u64) -> usize;
/// Each limit is the best of this number of rounds.
const ROUNDS: usize = 5;
/// Operations of a round.
const OPERATIONS: usize = 1 << 26;

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let lines = if is_test { 1 << 14 } else { 1 << 24 };
    let all = thread::available_parallelism().map_or(1, usize::from);
    let table: Lines<Line> = Lines::zeroed(lines).expect("the memory is available");
    // Pages that were never written would share one page of memory.
    for (number, word) in (0..).zip(table.iter().flatten()) {
        word.store(mix(number), Ordering::Relaxed);
    }
    println!("| limit | 1 thread | {all} threads |\n| --- | --- | --- |");
    let jobs: [(&str, &str, f64, Job); 5] = [
        ("dependent operations, one per cycle", "G/s", 1e9, dependent),
        ("independent operations", "G/s", 1e9, independent),
        ("sequential reading", "GB/s", 1e9, sequential),
        ("random cache lines", "M/s", 1e6, random),
        ("random cache lines, each address from the last line", "M/s", 1e6, followed),
    ];
    for (name, unit, scale, job) in jobs {
        let [one, more] = [1, all].map(|threads| rate(threads, &table, job) / scale);
        println!("| {name} | {one:.1} {unit} | {more:.1} {unit} |");
    }
}

/// The number of units that all threads do in a second, in the best round.
fn rate(threads: usize, table: &[Line], job: Job) -> f64 {
    let round = |round: usize| {
        let start = Instant::now();
        let done: usize = thread::scope(|scope| {
            // Each round and thread has its own seed, so that no lines are in the cache.
            let seed = |thread| mix((round * threads + thread) as u64);
            let work = |thread| scope.spawn(move || job(table, seed(thread)));
            let threads: Vec<_> = (0..threads).map(work).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        done as f64 / start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(round).fold(0.0, f64::max)
}

/// Operations of which each needs the result of the one before.
fn dependent(_: &[Line], seed: u64) -> usize {
    chains([seed])
}

/// Operations that need no results of their neighbours.
fn independent(_: &[Line], seed: u64) -> usize {
    chains([0, 1, 2, 3, 4, 5, 6, 7].map(|number| seed ^ number))
}

/// Chains of operations side by side.
fn chains<const N: usize>(mut words: [u64; N]) -> usize {
    for step in 0..OPERATIONS as u64 {
        // Different rotations, which the compiler does not combine to vectors.
        for (by, word) in (7..).zip(&mut words) {
            *word = (*word ^ step).rotate_left(by);
        }
    }
    black_box(words);
    2 * N * OPERATIONS
}

/// Reads the table from one end to the other; returns the number of bytes.
fn sequential(table: &[Line], _: u64) -> usize {
    let sum = |line: &Line| {
        line.iter().map(|word| word.load(Ordering::Relaxed)).fold(0, u64::wrapping_add)
    };
    black_box(table.iter().map(sum).fold(0, u64::wrapping_add));
    size_of_val(table)
}

/// Reads cache lines at independent addresses.
fn random(table: &[Line], seed: u64) -> usize {
    let lines = OPERATIONS / 16;
    black_box((0..lines as u64).map(|at| read(table, seed ^ at)).fold(0, u64::wrapping_add));
    lines
}

/// Reads cache lines of which each determines the next one.
fn followed(table: &[Line], mut word: u64) -> usize {
    let lines = OPERATIONS / 64;
    // The number of the step keeps the addresses from repeating.
    for step in 0..lines as u64 {
        word = read(table, word ^ step);
    }
    black_box(word);
    lines
}

/// The first word of a pseudo-random cache line of the table, whose length is a power of two.
fn read(table: &[Line], seed: u64) -> u64 {
    table[mix(seed) as usize & (table.len() - 1)][0].load(Ordering::Relaxed)
}

/// Distributes numbers evenly over all words.
fn mix(number: u64) -> u64 {
    Random(number).bits()
}

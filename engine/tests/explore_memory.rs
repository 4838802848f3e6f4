//! The memory of the explorer, as counted by the allocator. In a process of its own, with one test,
//! because other tests would allocate meanwhile.

use bsq_engine::explore::{Limits, bytes_for, explore, perft};
use bsq_engine::monitor::Monitor;
use bsq_engine::nim::Nim;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The memory for successors that are not in the table yet.
const SUCCESSORS: u64 = 40 << 20;

/// The peak of the memory that a job takes, in bytes.
fn peak(job: impl FnOnce()) -> u64 {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    job();
    (ALLOCATOR.peak_usage() - before) as u64
}

#[test]
fn the_explorer_takes_no_more_memory_than_announced() {
    let (nim, monitor) = (Nim([15, 15, 15]), Monitor::default());
    let canonical = explore(nim.clone(), Limits::default(), &monitor).unwrap().count().canonical;
    let most = bytes_for::<Nim>(canonical) + SUCCESSORS;
    let hashed = peak(|| {
        let explored = explore(nim.clone(), Limits::default(), &monitor).unwrap();
        explored.solve(&monitor).unwrap();
    });
    assert!(hashed <= most, "{hashed} bytes for {canonical} positions, of at most {most}");

    // The smallest limit with which a count succeeds is close to the memory that it takes.
    let count = |memory| {
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        perft(&nim, 20, limits, &monitor).map(drop)
    };
    let mut limit = 1 << 16;
    while count(limit).is_err() {
        limit += limit / 8;
    }
    let taken = peak(|| count(limit).unwrap());
    assert!(taken <= limit + limit / 2 + SUCCESSORS / 4, "{taken} bytes with a limit of {limit}");
}

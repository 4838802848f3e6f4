//! Solvers whose tables grow.

use crate::error::HasKind;
use crate::evaluate::Learned;
use crate::monitor::{Monitor, SolveError, WorkLimit};
use parking_lot::Mutex;
use std::sync::OnceLock;

/// How many times as large as the one before it a table is, except the last one.
const GROWTH: u64 = 16;
/// The bytes of a table for each position searched in it, before the search goes on with the next
/// one: half an entry.
const BYTES_PER_POSITION: u64 = 8;
/// The entries that are copied between two looks at whether the search is over.
const COPIED: usize = 1 << 8;

/// Solvers of the same positions with tables of increasing size.
///
/// A small table is in the caches, and the system need not provide the memory of a large one. Each
/// solver is made by the first search that is too long for the one before, with what that one has
/// learned.
pub struct Growing<S> {
    /// The size of each table in bytes, in ascending order, and its solver.
    solvers: Vec<(u64, OnceLock<S>)>,
    /// Held while a solver is made, so that each is made once.
    making: Mutex<()>,
}

/// A solver, or several that share the work.
pub trait Learner {
    /// The solvers whose tables grow, in a fixed order.
    fn learned(&self) -> Vec<&dyn Learned>;
}

impl<S: Learned> Learner for S {
    fn learned(&self) -> Vec<&dyn Learned> {
        vec![self]
    }
}

impl<S: Learner> Growing<S> {
    /// No solver yet. The first one will have a table of `first` bytes, and all together of `sum`.
    pub fn new(first: u64, sum: u64) -> Growing<S> {
        let sizes = std::iter::successors(Some(first), |size| size.checked_mul(GROWTH));
        let mut sizes: Vec<u64> = sizes.take_while(|&size| size < sum / (GROWTH / 4)).collect();
        sizes.push(sum - sizes.iter().sum::<u64>());
        let solvers = sizes.into_iter().map(|size| (size, OnceLock::new())).collect();
        Growing { solvers, making: Mutex::default() }
    }

    /// The solver with the largest table so far, and its number.
    fn numbered(&self) -> Option<(usize, &S)> {
        let mut solvers = self.solvers.iter().enumerate().rev();
        solvers.find_map(|(number, (_, solver))| Some((number, solver.get()?)))
    }

    /// The solver with the largest table so far.
    pub fn largest(&self) -> Option<&S> {
        self.numbered().map(|(_, solver)| solver)
    }

    /// All solvers so far.
    pub fn iter(&self) -> impl Iterator<Item = &S> {
        self.solvers.iter().filter_map(|(_, solver)| solver.get())
    }

    /// The sizes of the tables in bytes, of those that are not made yet as well.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.solvers.iter().map(|(bytes, _)| *bytes)
    }

    /// The solver with the largest table so far, if that has at least so many bytes. Otherwise makes the
    /// first one that has, or the last one.
    ///
    /// # Errors
    ///
    /// Those of `make`.
    pub fn grow<E: From<SolveError>>(
        &self,
        bytes: u64,
        make: impl Fn(u64) -> Result<S, E>,
    ) -> Result<&S, E> {
        let suffices = self.sizes().position(|size| size >= bytes);
        let number = suffices.unwrap_or(self.solvers.len() - 1);
        match self.numbered() {
            Some((largest, solver)) if largest >= number => Ok(solver),
            _ => self.solver(number, &Monitor::default(), make),
        }
    }

    /// A solver, which is made if need be, unless the monitor stops that.
    fn solver<E: From<SolveError>>(
        &self,
        number: usize,
        monitor: &Monitor,
        make: impl Fn(u64) -> Result<S, E>,
    ) -> Result<&S, E> {
        let (bytes, solver) = &self.solvers[number];
        // A search need not wait while a larger table is made.
        if let Some(solver) = solver.get() {
            return Ok(solver);
        }
        let _making = self.making.lock();
        if let Some(solver) = solver.get() {
            return Ok(solver);
        }
        let new = make(*bytes)?;
        if let Some((_, smaller)) = self.numbered() {
            for (new, smaller) in new.learned().into_iter().zip(smaller.learned()) {
                for (at, entry) in smaller.entries().enumerate() {
                    if at.is_multiple_of(COPIED) {
                        monitor.check()?;
                    }
                    new.add_entry(&entry);
                }
                new.add_nodes(smaller.nodes());
            }
        }
        Ok(solver.get_or_init(|| new))
    }

    /// Searches with the largest table so far, and goes on with the next one when it is too small.
    /// `make` makes a solver with a table of so many bytes.
    ///
    /// # Errors
    ///
    /// Those of `make` and `search`.
    pub fn search<T, E: From<SolveError> + HasKind>(
        &self,
        monitor: &Monitor,
        make: impl Fn(u64) -> Result<S, E>,
        search: impl Fn(&S, &Monitor) -> Result<T, E>,
    ) -> Result<T, E> {
        monitor.begin("positions", 0);
        let first = self.numbered().map_or(0, |(number, _)| number);
        let last = self.solvers.len() - 1;
        for number in first..last {
            let solver = self.solver(number, monitor, &make)?;
            let nodes: u64 = solver.learned().iter().map(|solver| solver.nodes()).sum();
            let left = (self.solvers[number].0 / BYTES_PER_POSITION).saturating_sub(nodes);
            let limit = WorkLimit::new(monitor, left);
            let found = search(solver, &limit.monitor());
            if found.is_ok() || !limit.is_exceeded() {
                return found;
            }
            monitor.check()?;
        }
        search(self.solver(last, monitor, &make)?, monitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nim::Nim;
    use crate::search::Search;

    #[test]
    fn tables_grow_up_to_the_memory() {
        const GIB: u64 = 1 << 30;
        let sizes = |sum| Growing::<Search<Nim>>::new(64 << 20, sum).sizes().collect::<Vec<u64>>();
        assert_eq!(sizes(1 << 20), [1 << 20]);
        assert_eq!(sizes(256 << 20), [256 << 20]);
        assert_eq!(sizes(GIB), [64 << 20, 960 << 20]);
        assert_eq!(sizes(13 * GIB), [64 << 20, GIB, (12 << 30) - (64 << 20)]);
        assert!((0..63).map(|bits| sizes(1 << bits)).all(|sizes| sizes.is_sorted()));
        assert_eq!(sizes(u64::MAX).iter().sum::<u64>(), u64::MAX);
    }
}

//! The positions of a solution as a dataset.

use super::ExploreError;
use super::solve::Solution;
use super::store::{Chunk, Slot};
use crate::dataset::{Collector, Entry, collect_parts};
use crate::game::{Game, Value};
use crate::monitor::Monitor;

/// A position in the store of a solution.
struct Stored<'a, G: Game> {
    solution: &'a Solution<G>,
    slot: Slot,
    position: &'a G::Position,
    ply: u32,
}

impl<G: Game> Entry<G> for Stored<'_, G> {
    fn position(&self) -> &G::Position {
        self.position
    }

    fn ply(&self) -> Option<u32> {
        Some(self.ply)
    }

    fn value(&self) -> Value {
        self.solution.value_at(self.slot, self.position)
    }

    fn orbit_size(&self) -> u64 {
        self.solution.images(self.position)
    }

    fn legal_moves(&self) -> u32 {
        self.solution.game.moves(self.position).len() as u32
    }

    fn each_move(&self, mut see: impl FnMut(&G::Move, Value)) {
        self.solution.each_move(self.position, |mv, value| see(&mv, value));
    }
}

impl<G: Game> Solution<G> {
    /// Passes all positions to a collector: by ply, the fewest from the first position, and within a
    /// ply in an order that does not depend on the number of threads. Values are those of
    /// [`value`](Solution::value). The first position has the given ply.
    ///
    /// # Errors
    ///
    /// If the monitor stops the job.
    pub fn collect<C: Collector<G>>(
        &self,
        first_ply: u32,
        mut collector: C,
        monitor: &Monitor,
    ) -> Result<C, ExploreError> {
        monitor.begin("positions", self.count().canonical);
        for ply in 0..self.plies().len() {
            if collector.is_full() {
                break;
            }
            let see = |seen: &mut C, chunk: &Chunk| {
                self.store.each(chunk, |slot, position| {
                    let ply = first_ply + ply as u32;
                    seen.see(&Stored { solution: self, slot, position, ply });
                });
                monitor.advance(chunk.1.len() as u64);
                Ok::<(), ExploreError>(())
            };
            let chunks = self.store.chunks(ply);
            collector = collect_parts(collector, &chunks, monitor, see)?;
        }
        Ok(collector)
    }
}

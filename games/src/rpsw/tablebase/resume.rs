//! Solves a game with a checkpoint after every iteration of lost positions.

use super::LEAST_PLIES;
use super::checkpoint::{Checkpoint, CheckpointError};
use super::solution::Solution;
use crate::rpsw::retrograde::{Found, Layout, LostPositions, Retrograde};
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::monitor::{Monitor, SolveError};

impl Solution {
    /// Solves the game from a checkpoint on, and replaces the checkpoint after every second
    /// iteration.
    pub fn solve_with(
        layout: Layout,
        checkpoint: &mut Checkpoint,
        monitor: &Monitor,
    ) -> Result<Solution, InterruptedError> {
        let mut lost = LostPositions::new(layout.rows(), layout.places(), LEAST_PLIES);
        let rounds = checkpoint.restore(&mut lost)?;
        let solved = {
            let codes = |plies, row| lost.codes(plies, row);
            let mut kept = rounds.len() as u32;
            let stopped = |kept| move |error| InterruptedError::of(error, kept);
            let record = |plies, row, found: &Found| lost.record(plies, row, found);
            let analysis = match kept {
                0 => Retrograde::begin(&layout).map(Some),
                _ => Retrograde::resume(&layout, rounds, codes, monitor),
            };
            let analysis = analysis.map_err(stopped(kept))?;
            let mut analysis = analysis.ok_or_else(|| checkpoint.damaged())?;
            while let Some(iteration) = analysis.iterate(&record, monitor).map_err(stopped(kept))? {
                if iteration.plies.is_multiple_of(2) {
                    kept = iteration.plies;
                    checkpoint.save(layout.rules(), analysis.iterations(), &lost)?;
                }
            }
            analysis.finish()
        };
        Ok(Solution::of(layout, solved, lost, LEAST_PLIES))
    }
}

/// Why a game was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterruptedError {
    /// The caller cancelled the solver after a checkpoint.
    #[error("stopped after round {rounds}; the rounds up to there are kept")]
    StoppedAfter {
        /// The last iteration in the checkpoint.
        rounds: u32,
    },
    /// The solver failed, or was cancelled without a checkpoint.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The checkpoint cannot be written or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

impl HasKind for InterruptedError {
    fn kind(&self) -> Kind {
        match self {
            InterruptedError::StoppedAfter { .. } => Kind::Stopped,
            InterruptedError::Solve(error) => error.kind(),
            InterruptedError::Checkpoint(error) => error.kind(),
        }
    }
}

impl InterruptedError {
    /// The error of a solver when the checkpoint has the given number of iterations.
    fn of(error: SolveError, kept: u32) -> InterruptedError {
        match error {
            SolveError::Stopped if kept > 0 => InterruptedError::StoppedAfter { rounds: kept },
            error => error.into(),
        }
    }
}

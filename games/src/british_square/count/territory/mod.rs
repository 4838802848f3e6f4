//! Playouts, counted backward over territories.
//!
//! The playouts that continue a state are those that continue each of its moves, and they depend
//! only on the cells that each player may still use. A **contested** cell can be closed, or closes
//! cells to the opponent when occupied; a **free** cell does neither and stays free. Only the
//! numbers of free cells matter: each is worth a point, and they can be filled in any order. A
//! state without contested cells has a known number of playouts.
//!
//! * `state`: the states and their moves;
//! * `backward`: finds all states and counts their playouts;
//! * `tally`: the numbers of playouts, as wide as necessary.

mod backward;
mod state;
mod tally;

pub use tally::Width;

use crate::british_square::rules::Rules;
use bsq_engine::monitor::{Monitor, SolveError};
use num_bigint::BigUint;
use state::Game;
use std::collections::BTreeMap;

/// Whether playouts under these rules can be counted by territory: a limit on pieces must not be
/// reachable.
pub fn supports(rules: &Rules) -> bool {
    rules.pieces.is_none_or(|limit| limit as usize >= rules.board.cells())
}

/// An error in counting playouts by territory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TerritoryCountError {
    /// The rules are not [supported](supports).
    #[error("playouts cannot be counted by territory where pieces are limited")]
    Pieces,
    /// The count was cancelled, or needs more memory than allowed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The number of playouts that end with each score, in pieces without the bias.
///
/// # Errors
///
/// [`TerritoryCountError::Pieces`] if the rules are not supported, and [`SolveError::OverLimit`] if
/// the memory of the monitor does not suffice.
///
/// ```
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::territory;
/// use bsq_engine::monitor::Monitor;
/// let rules = Rules::standard(4, 4).unwrap();
/// let playouts = territory::playouts_by_score(&rules, &Monitor::default()).unwrap();
/// assert_eq!(playouts.values().sum::<num_bigint::BigUint>(), 47_601_792_u64.into());
/// ```
pub fn playouts_by_score(
    rules: &Rules,
    monitor: &Monitor,
) -> Result<BTreeMap<i32, BigUint>, TerritoryCountError> {
    count_at_least(rules, Width::Bits64, monitor)
}

/// Like [`playouts_by_score`], with tallies of at least the given width, for tests of the wider
/// ones.
pub fn count_at_least(
    rules: &Rules,
    least: Width,
    monitor: &Monitor,
) -> Result<BTreeMap<i32, BigUint>, TerritoryCountError> {
    if !supports(rules) {
        return Err(TerritoryCountError::Pieces);
    }
    if rules.forbidden_opening() == rules.board.all() {
        // The only cell is the centre: the first player passes, the second takes it.
        return Ok(BTreeMap::from([(-1, 1u8.into())]));
    }
    Ok(backward::count(&Game::new(rules), least, monitor)?)
}

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

use crate::british_square::rules::{Move, Position, Rules};
use bsq_engine::monitor::{Monitor, SolveError};
use num_bigint::BigUint;
use state::Game;
use std::collections::BTreeMap;

/// Whether playouts under these rules can be counted by territory: a limit on pieces must not be
/// reachable.
pub fn supports(rules: &Rules) -> bool {
    rules.pieces.is_none_or(|limit| limit as usize >= rules.board.cells())
}

/// The moves of a position, each with the playouts through it: how many end with each score, in pieces
/// without the bias.
pub type ByMove = Vec<(Move, BTreeMap<i32, BigUint>)>;

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
    let by_move = by_move(rules, &rules.start(), least, monitor)?;
    Ok(together(by_move.into_iter().map(|(_, playouts)| playouts)))
}

/// The playouts from a position on through each of its moves: how many end with each score, in pieces
/// without the bias. Empty if the game is over.
///
/// # Errors
///
/// As for [`playouts_by_score`].
///
/// ```
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::territory;
///
/// let rules = Rules::standard(1, 3).unwrap();
/// let found = territory::playouts_by_move(&rules, &rules.start(), &Monitor::default()).unwrap();
/// // Either end, then the other player takes the other end, and nobody can take the centre.
/// let counts: Vec<u32> = found.iter().map(|(_, counts)| counts[&0].to_u32_digits()[0]).collect();
/// assert_eq!(counts, [1, 1]);
/// ```
pub fn playouts_by_move(
    rules: &Rules,
    position: &Position,
    monitor: &Monitor,
) -> Result<ByMove, TerritoryCountError> {
    by_move(rules, position, Width::Bits64, monitor)
}

fn by_move(
    rules: &Rules,
    position: &Position,
    least: Width,
    monitor: &Monitor,
) -> Result<ByMove, TerritoryCountError> {
    if !supports(rules) {
        return Err(TerritoryCountError::Pieces);
    }
    let moves = rules.moves(position);
    if let [Move::Pass] = moves[..] {
        let passed = rules.play(position, Move::Pass);
        let through = by_move(rules, &passed, least, monitor)?.into_iter();
        return Ok(vec![(Move::Pass, together(through.map(|(_, playouts)| playouts)))]);
    }
    let game = Game::new(rules);
    let through = backward::count(&game, &game.after_each(position), least, monitor)?;
    let (lead, sign) = (position.lead(), position.to_move.sign());
    let scored = through.into_iter().map(|to_come| -> BTreeMap<i32, BigUint> {
        to_come.into_iter().map(|(score, count)| (lead + sign * score, count)).collect()
    });
    Ok(moves.into_iter().zip(scored).collect())
}

/// The sums of counts by score.
pub fn together(
    counts: impl IntoIterator<Item = BTreeMap<i32, BigUint>>,
) -> BTreeMap<i32, BigUint> {
    let mut sums = BTreeMap::new();
    for (score, count) in counts.into_iter().flatten() {
        *sums.entry(score).or_default() += count;
    }
    sums
}

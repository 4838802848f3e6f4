//! States and playouts, counted by the explorer of any game, which knows only the rules.
//!
//! It takes some 60 bytes for each state, so 5x5 takes half a gigabyte and ten seconds. It is the
//! check of the other counts, and finds all numbers at once.

use super::census::{Census, StateCounts};
use crate::british_square::rules::{Move, Position, Rules};
use bsq_engine::explore::{ExploreError, Limits, explore_from};
use bsq_engine::monitor::Monitor;
use std::collections::BTreeMap;

/// Counts the states and playouts of a game. The rules must be [valid](Rules::check).
///
/// # Errors
///
/// [`ExploreError::OverLimit`] if the states do not fit in the memory allowed, and
/// [`ExploreError::Solve`] if the count was cancelled.
///
/// ```
/// use bsq_engine::explore::Limits;
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::explorer::census;
///
/// let rules = Rules::standard(3, 4).unwrap();
/// let census = census(&rules, Limits::default(), &Monitor::default()).unwrap();
/// assert_eq!((census.states(), census.terminals()), (1_167, 43));
/// assert_eq!(census.playouts(), 67_728u32.into());
/// ```
pub fn census(rules: &Rules, limits: Limits, monitor: &Monitor) -> Result<Census, ExploreError> {
    census_from(rules, &rules.start(), limits, monitor)
}

/// Counts the states that play reaches from a position, and the playouts from there. States that are
/// images of each other count once if the limits say [`Merging::All`](bsq_engine::explore::Merging).
///
/// # Errors
///
/// As for [`census`].
pub fn census_from(
    rules: &Rules,
    start: &Position,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Census, ExploreError> {
    let explored = explore_from(Rules { bias: 0, ..rules.clone() }, start, limits, monitor)?;
    let lead = |points: Option<i32>| points.expect("a final position has a score");
    let mut states = StateCounts::default();
    let key = |ply, position: &_| {
        let moves = explored.game().moves(position);
        let placements = moves.iter().filter(|mv| **mv != Move::Pass).count();
        (!moves.is_empty()).then_some((ply, placements))
    };
    for ((ply, placements), count) in explored.count_by(monitor, key)? {
        states.add(start.turn + ply as u32, placements as u32, count.canonical.into());
    }
    for (turn, ply) in (start.turn..).zip(explored.plies()) {
        for (result, count) in &ply.terminals {
            let lead = lead(result.and_then(|result| result.points()));
            states.add_terminals(turn, lead, count.canonical.into());
        }
    }
    let mut playouts = BTreeMap::new();
    for (result, count) in explored.playouts(monitor)?.by_result {
        playouts.insert(lead(result.and_then(|result| result.points())), count);
    }
    Ok(Census::new(states, playouts))
}

//! Checks of counts that were read or received.

use super::census::{Census, LevelCount, ScoreCount};

/// More states than a turn of any count can have, and few enough that no sum over the turns and
/// moves of a game overflows.
pub(super) const MAX_STATES: u64 = 1 << 48;
/// The largest number of moves in a state, and the largest final score.
const MAX_MOVES: usize = 64;
/// More turns than any count can have.
const MAX_TURNS: usize = 1 << 10;

impl Census {
    /// Whether the numbers can be those of a count. A census that was read or received may be wrong.
    pub(super) fn is_sound(&self) -> bool {
        let terminals =
            |terminals: &mut dyn Iterator<Item = u64>| terminals.map(u128::from).sum::<u128>();
        let ended = terminals(&mut self.scores.values().map(|count| count.terminals));
        let is_level = |level: &LevelCount| {
            level.by_moves.len() <= MAX_MOVES + 1 && level.states_at_most() <= MAX_STATES.into()
        };
        let is_score = |(score, count): (&i32, &ScoreCount)| {
            score.unsigned_abs() as usize <= MAX_MOVES && count.playouts >= count.terminals.into()
        };
        self.levels.len() < MAX_TURNS
            && self.levels.iter().all(is_level)
            && self.scores.iter().all(is_score)
            && ended == terminals(&mut self.levels.iter().map(|level| level.terminals))
    }

    /// The number of states, in a sum that cannot overflow.
    pub(super) fn states_at_most(&self) -> u128 {
        self.levels.iter().map(LevelCount::states_at_most).sum()
    }
}

impl LevelCount {
    /// The number of states, in a sum that cannot overflow.
    pub(super) fn states_at_most(&self) -> u128 {
        let states = self.by_moves.iter().map(|&states| u128::from(states));
        u128::from(self.terminals) + states.sum::<u128>()
    }

    /// The number of moves and passes, at least that of their successors.
    pub(super) fn successors_at_most(&self) -> u128 {
        let moves = self.by_moves.iter().zip(0u128..);
        moves.map(|(&states, moves)| u128::from(states) * moves.max(1)).sum()
    }
}

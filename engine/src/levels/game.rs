//! The trait of a game whose states are enumerated level by level.

use super::state::StateKey;

/// A placement game: a move adds a cell to the mover's set and leaves the opponent's set alone.
///
/// In a placement game, pieces are put on a board and never moved or removed (Faridi, Huntemann and
/// Nowakowski, *Games and Complexes I*, 2019). Turns are counted from 1 and include passes, so the
/// states of a game form levels: every move leads from one turn to the next.
///
/// The states of a level with the same opponent's set form a **row**. A move changes the mover's
/// set only, so its successor is determined by the row and the mover's new set. That lets the
/// algorithm add the paths of equal successors within a row.
pub trait PlacementGame: Sync {
    /// The key of a state: wide enough for the cells of the game.
    type Key: StateKey;
    /// Data that is computed once for all states of a row.
    type Row;

    /// Returns the row of an opponent's set.
    fn row(&self, opponent: u64) -> Self::Row;
    /// Returns the options of the player to move with the set `own`, on the given turn.
    fn options(&self, row: &Self::Row, own: u64, turn: u32) -> Options;
    /// Writes the canonical key of each successor of a row. `own` are the mover's sets after the
    /// turn, none twice; in the successor the opponent is to move.
    fn canonical_successors(&self, row: &Self::Row, own: &[u64], keys: &mut [Self::Key]);
    /// Whether a symmetry other than the identity fixes the opponent's set, so that two of the
    /// mover's sets may have the same canonical successor.
    fn symmetric(&self, row: &Self::Row) -> bool;
    /// An upper bound on the number of moves in a state, at least 1.
    fn max_moves(&self) -> u32;
    /// An upper bound on the number of states of all turns. May take half a second.
    fn max_states(&self) -> u64;
    /// A set that contains all cells of the game. States received from other processes are checked
    /// against it.
    fn cells(&self) -> u64 {
        u64::MAX >> (64 - Self::Key::SET_BITS)
    }
    /// The rules in words, by which a checkpoint identifies the game.
    fn rules(&self) -> String;
}

/// The options of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Options {
    /// Add one of these cells, of which there is at least one.
    Place(u64),
    /// Pass: the player has no move now or later, but the opponent has.
    Pass,
    /// The game is over with this score.
    Terminal(i32),
}

//! The depth to win of a position, derived from the entries of a tablebase.
//!
//! A tablebase stores the drawn positions and those lost in four plies or more. A search of one or
//! two plies finds the other results: a win in one ply, a loss in two, and any other win, which
//! takes one ply more than the shortest loss that a move leads to.

use super::rules::{Position, Rules};
use bsq_engine::game::{Game, Player, Value};
use std::cmp::Reverse;

/// The outcome of a position for the player to move, with the depth to win (DTW) in plies. The
/// winner prefers a short game, the loser a long one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dtw {
    /// The player to move wins, after an odd number of plies.
    Won(u32),
    /// The player to move loses, after an even number of plies: 0 if the game is over.
    Lost(u32),
    /// Neither player can win, or the player to move has no legal move.
    Drawn,
}

impl Dtw {
    /// The result for the opponent, one ply earlier.
    pub fn before(self) -> Dtw {
        match self {
            Dtw::Won(plies) => Dtw::Lost(plies + 1),
            Dtw::Lost(plies) => Dtw::Won(plies + 1),
            Dtw::Drawn => Dtw::Drawn,
        }
    }

    /// Returns a key that orders results from the worst for the player to move to the best. Quick
    /// wins have the greatest keys, quick losses the least.
    pub fn rank(self) -> impl Ord + use<> {
        match self {
            Dtw::Won(plies) => (2, Reverse(plies), 0),
            Dtw::Drawn => (1, Reverse(0), 0),
            Dtw::Lost(plies) => (0, Reverse(0), plies),
        }
    }

    /// The depth to win, unless the position is drawn.
    pub fn plies(self) -> Option<u32> {
        match self {
            Dtw::Won(plies) | Dtw::Lost(plies) => Some(plies),
            Dtw::Drawn => None,
        }
    }

    /// The value of a position in which `to_move` is to move.
    pub(super) fn value(self, to_move: Player) -> Value {
        match self {
            Dtw::Won(plies) => Value::win(to_move, plies),
            Dtw::Lost(plies) => Value::win(to_move.other(), plies),
            Dtw::Drawn => Value::DRAW,
        }
    }
}

impl Rules {
    /// The depth to win of a position; `None` if the stored entries contradict the rules.
    ///
    /// `probe` is called for positions that are not over, have a legal move, and are neither won in
    /// one ply nor lost in two. It returns a loss in at least four plies or a draw, and `None` for
    /// wins.
    pub(super) fn depth_to_win<E>(
        &self,
        position: &Position,
        probe: impl Fn(&Position) -> Result<Option<Dtw>, E>,
    ) -> Result<Option<Dtw>, E> {
        let stored = |position: &Position| match self.shallow(position) {
            Some(found) => Ok(Some(found)),
            None => probe(position),
        };
        if let Some(found) = stored(position)? {
            return Ok(Some(found));
        }
        let mut shortest: Option<u32> = None;
        for mv in self.moves(position) {
            if let Some(Dtw::Lost(plies)) = stored(&self.play(position, mv))? {
                shortest = Some(shortest.map_or(plies, |least| least.min(plies)));
            }
        }
        Ok(shortest.map(|plies| Dtw::Won(plies + 1)))
    }

    /// The depth to win if a search of two plies finds it.
    fn shallow(&self, position: &Position) -> Option<Dtw> {
        if self.winner(position).is_some() {
            // Players can win only on their own turns.
            return Some(Dtw::Lost(0));
        }
        if self.wins_at_once(position) {
            return Some(Dtw::Won(1));
        }
        let moves = self.moves(position);
        if moves.is_empty() {
            return Some(Dtw::Drawn);
        }
        let mut after = moves.iter().map(|&mv| self.play(position, mv));
        after.all(|next| self.wins_at_once(&next)).then_some(Dtw::Lost(2))
    }
}

//! The position in which a heuristic chooses a move.

use crate::british_square::{Board, Cells, Position, Rules};
use bsq_engine::game::Player;

/// A position in which the player to move has at least one legal placement, seen by that player.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// The board.
    pub board: &'a Board,
    /// The reach of each cell: the cells that a piece on it closes to the opponent.
    pub reach: &'a [Cells],
    /// The mover's pieces.
    pub own: Cells,
    /// The opponent's pieces.
    pub opponent: Cells,
    /// The legal moves.
    pub legal: Cells,
    /// The cells that the mover may still use: the legal moves and, on the first turn, a forbidden
    /// centre.
    pub own_usable: Cells,
    /// The cells that the opponent may still use.
    pub opponent_usable: Cells,
    /// The player to move.
    pub player: Player,
    /// The turn, from 1.
    pub turn: u32,
}

impl<'a> Decision<'a> {
    /// Creates the decision at a position.
    ///
    /// `reach` has an entry for each cell of the board. `legal` is the set of legal moves.
    #[inline]
    pub fn new(
        rules: &'a Rules,
        reach: &'a [Cells],
        position: &Position,
        legal: Cells,
    ) -> Decision<'a> {
        let [own, opponent] = position.seen_by(position.to_move);
        let forbidden = if position.turn == 1 { rules.forbidden_opening() } else { 0 };
        Decision {
            board: &rules.board,
            reach,
            own,
            opponent,
            legal,
            own_usable: legal | forbidden,
            opponent_usable: rules.usable(opponent, own),
            player: position.to_move,
            turn: position.turn,
        }
    }
}

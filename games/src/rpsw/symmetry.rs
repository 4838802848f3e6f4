//! The symmetry of the game: a position and its mirror image have the same value.

use super::board::Square;
use super::rules::{Placement, Position, Rules};
use bsq_engine::game::Symmetric;

/// The identity and the reflection that reverses columns.
impl Symmetric for Rules {
    fn images(&self, position: &Position) -> Vec<Position> {
        let mirror = |placement: Placement| {
            placement.map(|square| square.map(|square: Square| self.board.mirrored(square)))
        };
        let mirror = Position { pieces: position.pieces.map(mirror), ..*position };
        if mirror == *position { vec![mirror] } else { vec![*position, mirror] }
    }

    fn canonical(&self, position: &Position) -> Position {
        *self.images(position).iter().min().expect("the position itself")
    }
}

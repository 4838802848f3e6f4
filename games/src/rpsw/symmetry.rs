//! The symmetry of the game: a position and its mirror image have the same value.

use super::board::Square;
use super::rules::{Placement, Position, Rules};

impl Rules {
    /// The position, and its mirror image with reversed columns if that differs.
    pub fn images(&self, position: &Position) -> Vec<Position> {
        let mirror = |placement: Placement| {
            placement.map(|square| square.map(|square: Square| self.board.mirrored(square)))
        };
        let mirror = Position { pieces: position.pieces.map(mirror), ..*position };
        if mirror == *position { vec![mirror] } else { vec![*position, mirror] }
    }

    /// The smaller one of the position and its mirror image.
    pub fn canonical(&self, position: &Position) -> Position {
        *self.images(position).iter().min().expect("the position itself")
    }
}

//! Positions as scenes.

use super::board::Square;
use super::notation::letter;
use super::rules::{Move, Piece, Position, Rules};
use bsq_engine::game::Player;
use bsq_engine::view::{Mark, Place, Scene, Shape, State, View};

impl View for Rules {
    /// The second player's home row is at the top.
    fn scene(&self, position: &Position) -> Scene {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        let place = |y: usize, x: usize| {
            let square = ((rows - 1 - y) * cols + x) as Square;
            let piece = self.piece_on(position, square);
            Place {
                name: self.square_name(square),
                shape: Shape::Cell,
                x,
                y,
                state: if piece.is_some() { State::Taken } else { State::Empty },
                owner: piece.map(|(player, _)| player),
                symbol: piece.map(|(player, kind)| letter(player, kind).to_string()),
            }
        };
        let places = (0..rows).flat_map(|y| (0..cols).map(move |x| place(y, x))).collect();
        Scene { rows, cols, places }
    }

    /// The square that the piece leaves, and the one to which it goes.
    fn places(&self, _: &Position, mv: Move) -> Vec<String> {
        [mv.from, mv.to].map(|square| self.square_name(square)).into()
    }

    fn marks(&self) -> Vec<Mark> {
        let mark = |player, kind| Mark {
            most: Some(1),
            ..Mark::in_cells(letter(player, kind), Some(player))
        };
        let of = |player| Piece::ALL.map(|kind| mark(player, kind));
        Player::BOTH.into_iter().flat_map(of).collect()
    }

    fn mover(&self, player: Player) -> Option<String> {
        Some(player.to_string())
    }
}

//! Positions as scenes.

use super::rules::{Position, Rules};
use bsq_engine::game::Player;
use bsq_engine::view::{Mark, Scene, View};

impl View for Rules {
    fn scene(&self, position: &Position) -> Scene {
        let (rows, cols) = (self.board().rows(), self.board().cols());
        let has = |player: &Player, cell| position.pieces[player.index()] >> cell & 1 == 1;
        let owner = |cell| Player::BOTH.into_iter().find(|player| has(player, cell));
        Scene::of_pieces(rows, cols, ["X", "O"], owner)
    }

    fn places(&self, _: &Position, cell: usize) -> Vec<String> {
        vec![self.board().coordinate(cell)]
    }

    fn marks(&self) -> Vec<Mark> {
        Player::BOTH.map(|player| Mark::in_cells(['X', 'O'][player.index()], Some(player))).into()
    }
}

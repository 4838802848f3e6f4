//! Positions as scenes.

use super::{Move, Position, Rules, symbol};
use bsq_engine::game::Player;
use bsq_engine::view::{Mark, Scene, State, View};

impl View for Rules {
    fn scene(&self, position: &Position) -> Scene {
        let usable = Player::BOTH.map(|player| {
            let [own, opponent] = position.seen_by(player);
            self.usable(own, opponent)
        });
        Scene::of_cells(self.board.rows(), self.board.cols(), |cell| {
            let has = |set: u64| set >> cell & 1 == 1;
            let piece =
                |player: Player| (State::Taken, Some(player), Some(symbol(player).to_string()));
            match (position.pieces.map(has), usable.map(has)) {
                ([true, _], _) => piece(Player::First),
                ([_, true], _) => piece(Player::Second),
                (_, [true, true]) => (State::Empty, None, None),
                (_, [true, false]) => (State::Claimed, Some(Player::First), None),
                (_, [false, true]) => (State::Claimed, Some(Player::Second), None),
                (_, [false, false]) => (State::Blocked, None, None),
            }
        })
    }

    fn places(&self, _: &Position, mv: Move) -> Vec<String> {
        match mv {
            Move::Place(cell) => vec![self.board.coordinate(cell)],
            Move::Pass => Vec::new(),
        }
    }

    fn marks(&self) -> Vec<Mark> {
        Player::BOTH.map(|player| Mark::in_cells(symbol(player), Some(player))).into()
    }

    fn mover(&self, player: Player) -> Option<String> {
        Some(symbol(player).to_string())
    }
}

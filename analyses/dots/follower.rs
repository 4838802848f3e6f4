//! What a player is sure of who follows a rule of thumb from the start.

use super::{Ground, PassError, Rule};
use bsq_engine::game::Player;
use bsq_engine::game::dots::{Lines, lines_of};
use bsq_engine::solve::Monitor;
use bsq_engine::solve::dots::Every;
use std::collections::HashMap;

/// Positions between two looks at what the caller wants.
const POSITIONS_AT_A_TIME: usize = 1 << 12;

/// A search over all games of a player who keeps to the lines that a rule likes, and of these takes
/// the worst one, against an opponent who may draw any.
pub struct Follower<'a> {
    ground: &'a Ground,
    every: &'a Every,
    rule: Rule,
    monitor: &'a Monitor<'a>,
    /// By the open lines, of all images the same, and whether the follower is to move.
    known: HashMap<(u64, bool), i32>,
}

impl<'a> Follower<'a> {
    /// A follower of a rule on the board of those values, which is that of the ground too.
    pub fn new(
        ground: &'a Ground,
        every: &'a Every,
        rule: Rule,
        monitor: &'a Monitor<'a>,
    ) -> Follower<'a> {
        Follower { ground, every, rule, monitor, known: HashMap::new() }
    }

    /// The score that the follower is sure of: first player's boxes minus the second player's.
    pub fn score(&mut self, follower: Player) -> Result<i32, PassError> {
        let sure = self.sure(0, follower == Player::First)?;
        Ok(follower.sign() * sure)
    }

    /// Boxes still to come of which the follower is sure, the follower's minus the opponent's.
    fn sure(&mut self, drawn: Lines, follows: bool) -> Result<i32, PassError> {
        let field = self.ground.field();
        let key = (field.canonical(field.open(drawn)), follows);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let situation = self.ground.situation(drawn);
        let moves = if follows { situation.liked_by(self.rule) } else { situation.lines() };
        let mut worst = None;
        for line in lines_of(moves) {
            let score = match self.every.closes(drawn, line) {
                0 => self.sure(drawn | 1 << line, !follows)?,
                closed => {
                    let sign = if follows { 1 } else { -1 };
                    sign * closed + self.sure(drawn | 1 << line, follows)?
                }
            };
            worst = Some(worst.map_or(score, |worst: i32| worst.min(score)));
        }
        let sure = worst.unwrap_or(0);
        self.known.insert(key, sure);
        if self.known.len().is_multiple_of(POSITIONS_AT_A_TIME) {
            self.monitor.check()?;
        }
        Ok(sure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bsq_engine::game::Game;
    use bsq_engine::game::dots::{Board, Position, Rules};

    /// The same by the rules of the game, every position by itself.
    struct Plain<'a> {
        rules: Rules,
        ground: &'a Ground,
        rule: Rule,
        follower: Player,
        known: HashMap<(Lines, Player), i32>,
    }

    impl Plain<'_> {
        /// The follower's boxes still to come minus the opponent's.
        fn sure(&mut self, drawn: Lines, to_move: Player) -> i32 {
            if let Some(&known) = self.known.get(&(drawn, to_move)) {
                return known;
            }
            let position = Position { to_move, ..Position::of_lines(drawn) };
            let situation = self.ground.situation(drawn);
            let mut worst = None;
            for line in self.rules.moves(&position) {
                if to_move == self.follower && situation.liked_by(self.rule) >> line & 1 == 0 {
                    continue;
                }
                let next = self.rules.play(&position, line);
                let boxes = self.follower.sign() * self.rules.score(&next);
                let score = boxes + self.sure(next.lines, next.to_move);
                worst = Some(worst.map_or(score, |worst: i32| worst.min(score)));
            }
            let sure = worst.unwrap_or(0);
            self.known.insert((drawn, to_move), sure);
            sure
        }
    }

    #[test]
    fn a_follower_is_sure_of_what_the_rules_of_the_game_say() {
        let monitor = Monitor::default();
        for (rows, cols) in [(1, 1), (1, 2), (1, 4), (2, 2)] {
            let board = Board::new(rows, cols).unwrap();
            let (ground, every) = (Ground::new(board), Every::new(board, &monitor).unwrap());
            for rule in Rule::ALL {
                for player in [Player::First, Player::Second] {
                    let rules = Rules::standard(board);
                    let known = HashMap::new();
                    let mut plain = Plain { rules, ground: &ground, rule, follower: player, known };
                    let wanted = player.sign() * plain.sure(0, Player::First);
                    let found = Follower::new(&ground, &every, rule, &monitor).score(player);
                    assert_eq!(found, Ok(wanted), "{board} {rule:?} {player:?}");
                }
            }
        }
    }
}

//! What a player is sure of who follows a rule of thumb from the start.

use super::{Ground, PassError, Rule};
use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_games::dots::search::Every;
use bsq_games::dots::{Lines, lines_of};
use std::collections::HashMap;

/// Positions between two looks at what the caller wants.
const POSITIONS_AT_A_TIME: usize = 1 << 12;

/// Which of several lines that a rule likes is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The worst.
    Worst,
    /// The best, as far as that can be known.
    Best,
}

impl Ties {
    fn pick(self, one: i32, other: i32) -> i32 {
        match self {
            Ties::Worst => one.min(other),
            Ties::Best => one.max(other),
        }
    }
}

/// A search over all games of a player who keeps to the lines that a rule likes, against an
/// opponent who may draw any.
pub struct Follower<'a> {
    ground: &'a Ground,
    every: &'a Every,
    rule: Rule,
    ties: Ties,
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
        ties: Ties,
        monitor: &'a Monitor<'a>,
    ) -> Follower<'a> {
        Follower { ground, every, rule, ties, monitor, known: HashMap::new() }
    }

    /// The score that the follower is sure of: first player's boxes minus the second player's.
    pub fn score(&mut self, follower: Player) -> Result<i32, PassError> {
        let sure = self.sure(0, follower == Player::First)?;
        Ok(follower.sign() * sure)
    }

    /// Boxes still to come of which the follower is sure, the follower's minus the opponent's.
    fn sure(&mut self, drawn: Lines, follows: bool) -> Result<i32, PassError> {
        let field = self.ground.bitboard();
        let key = (field.canonical(field.open(drawn)), follows);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let situation = self.ground.situation(drawn);
        let (moves, ties) = match follows {
            true => (situation.liked_by(self.rule), self.ties),
            false => (situation.lines(), Ties::Worst),
        };
        let mut sure = None;
        for line in lines_of(moves) {
            let score = match self.every.closes(drawn, line) {
                0 => self.sure(drawn | 1 << line, !follows)?,
                closed => {
                    let sign = if follows { 1 } else { -1 };
                    sign * closed + self.sure(drawn | 1 << line, follows)?
                }
            };
            sure = Some(sure.map_or(score, |sure| ties.pick(sure, score)));
        }
        let sure = sure.unwrap_or(0);
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
    use bsq_games::dots::{Board, Position, Rules};

    /// The same by the rules of the game, every position by itself.
    struct Plain<'a> {
        rules: Rules,
        ground: &'a Ground,
        rule: Rule,
        best: bool,
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
            let mut scores = Vec::new();
            for line in self.rules.moves(&position) {
                if to_move == self.follower && situation.liked_by(self.rule) >> line & 1 == 0 {
                    continue;
                }
                let next = self.rules.play(&position, line);
                let boxes = self.follower.sign() * self.rules.score(&next);
                scores.push(boxes + self.sure(next.lines, next.to_move));
            }
            let sure = match self.best && to_move == self.follower {
                true => scores.into_iter().max(),
                false => scores.into_iter().min(),
            };
            let sure = sure.unwrap_or(0);
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
                for (ties, follower) in [
                    (Ties::Worst, Player::First),
                    (Ties::Worst, Player::Second),
                    (Ties::Best, Player::First),
                    (Ties::Best, Player::Second),
                ] {
                    let (rules, best) = (Rules::standard(board), ties == Ties::Best);
                    let known = HashMap::new();
                    let mut plain = Plain { rules, ground: &ground, rule, best, follower, known };
                    let wanted = follower.sign() * plain.sure(0, Player::First);
                    let mut found = Follower::new(&ground, &every, rule, ties, &monitor);
                    assert_eq!(found.score(follower), Ok(wanted), "{board} {rule:?} {follower:?}");
                }
            }
        }
    }
}

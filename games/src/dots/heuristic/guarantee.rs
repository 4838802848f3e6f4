//! The worst-case value of a game for a player who follows a rule of thumb from the start.

use super::{Layout, Rule};
use crate::dots::search::Every;
use crate::dots::{Lines, lines_of};
pub use crate::ties::Ties;
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use std::collections::HashMap;

/// Positions valued between two checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 12;

/// A search over all games between a player who only draws lines that a rule likes, the follower,
/// and an opponent who may draw any line.
pub struct Follower<'a> {
    layout: &'a Layout,
    every: &'a Every,
    rule: Rule,
    ties: Ties,
    monitor: &'a Monitor<'a>,
    /// Guaranteed boxes still to come, by the canonical open lines and whether the follower is to
    /// move.
    known: HashMap<(u64, bool), i32>,
}

impl<'a> Follower<'a> {
    /// A follower of a rule, with ties broken in that way. `layout` and `every` are of the same
    /// board.
    pub fn new(
        layout: &'a Layout,
        every: &'a Every,
        rule: Rule,
        ties: Ties,
        monitor: &'a Monitor<'a>,
    ) -> Follower<'a> {
        Follower { layout, every, rule, ties, monitor, known: HashMap::new() }
    }

    /// The score that is guaranteed to the follower: first player's boxes minus second player's.
    ///
    /// # Errors
    ///
    /// Fails if the caller stops the search.
    pub fn score(&mut self, follower: Player) -> Result<i32, SolveError> {
        Ok(follower.sign() * self.guaranteed(0, follower == Player::First)?)
    }

    /// The guaranteed boxes still to come: the follower's minus the opponent's.
    fn guaranteed(&mut self, drawn: Lines, follows: bool) -> Result<i32, SolveError> {
        let bitboard = self.layout.bitboard();
        let key = (bitboard.canonical(bitboard.open(drawn)), follows);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let situation = self.layout.situation(drawn);
        let (moves, ties) = match follows {
            true => (situation.liked_by(self.rule), self.ties),
            false => (situation.lines(), Ties::Worst),
        };
        let mut best: Option<i32> = None;
        for line in lines_of(moves) {
            let score = match self.every.closes(drawn, line) {
                0 => self.guaranteed(drawn | 1 << line, !follows)?,
                closed => {
                    let sign = if follows { 1 } else { -1 };
                    sign * closed + self.guaranteed(drawn | 1 << line, follows)?
                }
            };
            best = Some(best.map_or(score, |best| match ties {
                Ties::Worst => best.min(score),
                Ties::Best => best.max(score),
            }));
        }
        let guaranteed = best.unwrap_or(0);
        self.known.insert(key, guaranteed);
        if self.known.len().is_multiple_of(CHECK_INTERVAL) {
            self.monitor.check()?;
        }
        Ok(guaranteed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots::{Board, Position, Rules};
    use bsq_engine::game::Game;

    /// The guarantee by plain recursion over the rules of the game, without symmetry.
    struct Plain<'a> {
        rules: Rules,
        layout: &'a Layout,
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
            let situation = self.layout.situation(drawn);
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
    fn guarantees_are_those_of_plain_recursion() {
        let monitor = Monitor::default();
        for (rows, cols) in [(1, 1), (1, 2), (1, 4), (2, 2)] {
            let board = Board::new(rows, cols).unwrap();
            let (layout, every) = (Layout::new(board), Every::new(board, &monitor).unwrap());
            for rule in Rule::ALL {
                for (ties, follower) in [
                    (Ties::Worst, Player::First),
                    (Ties::Worst, Player::Second),
                    (Ties::Best, Player::First),
                    (Ties::Best, Player::Second),
                ] {
                    let (rules, best) = (Rules::standard(board), ties == Ties::Best);
                    let known = HashMap::new();
                    let mut plain = Plain { rules, layout: &layout, rule, best, follower, known };
                    let wanted = follower.sign() * plain.sure(0, Player::First);
                    let mut found = Follower::new(&layout, &every, rule, ties, &monitor);
                    assert_eq!(found.score(follower), Ok(wanted), "{board} {rule:?} {follower:?}");
                }
            }
        }
    }
}

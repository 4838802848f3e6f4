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

//! The worst-case value of a game for a player who follows a rule of thumb from the start.

use super::{Layout, Rule};
use crate::dots::search::Every;
use crate::dots::{Lines, Word, lines_of};
pub use crate::ties::Ties;
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use std::collections::HashMap;

/// Positions valued between two checks for cancellation.
const CHECK_INTERVAL: usize = 1 << 12;

/// A search over all games between a player who only draws lines that a rule likes, the follower,
/// and an opponent who may draw any line.
pub struct Follower<'a, W = u64> {
    layout: &'a Layout<W>,
    every: &'a Every,
    rule: Rule,
    ties: Ties,
    monitor: &'a Monitor<'a>,
    /// Guaranteed boxes still to come, by the canonical open lines and whether the follower is to
    /// move.
    known: HashMap<(u64, bool), i32>,
}

impl<'a, W: Word> Follower<'a, W> {
    /// A follower of a rule, with ties broken in that way. `layout` and `every` are of the same
    /// board.
    pub fn new(
        layout: &'a Layout<W>,
        every: &'a Every,
        rule: Rule,
        ties: Ties,
        monitor: &'a Monitor<'a>,
    ) -> Follower<'a, W> {
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
        let (moves, ties) = if follows {
            (situation.liked_by(self.rule), self.ties)
        } else {
            (situation.lines(), Ties::Worst)
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
mod tests;

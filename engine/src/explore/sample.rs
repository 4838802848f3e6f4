//! Uniformly random playouts.

use super::flow::{Amount, Flow};
use super::{ExploreError, Limits};
use crate::game::Game;
use crate::monitor::Monitor;
use crate::parallel;
use crate::random::Random;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::ops::AddAssign;

/// The number of positions in a task of a thread.
const CHUNK: usize = 512;

/// The number of playouts from every position that play reaches from the first one, from which playouts
/// are drawn with equal probability.
///
/// Play chooses a move with the probability of the playouts after it divided by those of the position.
pub struct PlayoutSampler<'a, G: Game> {
    game: &'a G,
    start: G::Position,
    limits: Limits,
    /// By ply, the number of playouts from each canonical position.
    plies: Vec<Counts<G::Position>>,
}

type Counts<P> = HashMap<P, u128, FixedState>;

/// Whether play reaches a position.
#[derive(Clone)]
struct Reached;

impl AddAssign for Reached {
    fn add_assign(&mut self, _: Reached) {}
}

impl Amount for Reached {
    type Sum = Reached;

    fn plus(&self, _: &Reached) -> Option<Reached> {
        Some(Reached)
    }
}

impl<'a, G: Game> PlayoutSampler<'a, G> {
    /// Counts the playouts. The game must end: where positions can
    /// [recur](super::Exploration::is_acyclic), the function may not return.
    ///
    /// # Errors
    ///
    /// If the positions do not fit in the memory allowed, if a position has 2^128 playouts or more, or if
    /// the monitor stops the count.
    ///
    /// ```
    /// use bsq_engine::explore::{Limits, PlayoutSampler};
    /// use bsq_engine::game::Game;
    /// use bsq_engine::monitor::Monitor;
    /// use bsq_engine::nim::Nim;
    /// use bsq_engine::random::Random;
    ///
    /// let (nim, monitor) = (Nim([1, 2, 3]), Monitor::default());
    /// let sampler = PlayoutSampler::new(&nim, &nim.start(), Limits::default(), &monitor).unwrap();
    /// assert_eq!(sampler.playouts(), 182);
    /// let playout = sampler.draw(&mut Random(1));
    /// assert_eq!(playout[0], nim.start());
    /// assert!(nim.moves(playout.last().unwrap()).is_empty());
    /// ```
    pub fn new(
        game: &'a G,
        start: &G::Position,
        limits: Limits,
        monitor: &Monitor,
    ) -> Result<PlayoutSampler<'a, G>, ExploreError> {
        let normal = |position: &G::Position| game.reduced(position);
        let divide = |position: &G::Position, reached: &Reached| {
            game.moves(position).into_iter().map(|mv| (mv, reached.clone())).collect()
        };
        let flow = Flow { game, depth: None, normal: &normal, divide: &divide, limits, monitor };
        let (mut levels, mut positions): (Vec<Vec<G::Position>>, u64) = (Vec::new(), 0);
        let each = &mut |level: &[(G::Position, Reached)]| {
            positions += level.len() as u64;
            // The table of counts has spare room.
            let bytes = positions * 3 * size_of::<(G::Position, u128)>() as u64;
            levels.push(level.iter().map(|(position, _)| position.clone()).collect());
            match limits.memory {
                Some(limit) if bytes > limit => {
                    Err(ExploreError::OverLimit { positions, bytes: limit })
                }
                _ => Ok(()),
            }
        };
        flow.follow(start, Reached, each)?.expect("nothing is counted yet");
        let mut sampler = PlayoutSampler { game, start: start.clone(), limits, plies: Vec::new() };
        for level in levels.into_iter().rev() {
            let after = sampler.plies.last();
            let counted = parallel::try_map(level.chunks(CHUNK), |part| {
                monitor.check()?;
                part.iter().map(|position| sampler.counted(position, after)).collect()
            });
            let counted: Vec<Vec<u128>> = counted?;
            let counts = level.into_iter().zip(counted.into_iter().flatten()).collect();
            sampler.plies.push(counts);
        }
        sampler.plies.reverse();
        Ok(sampler)
    }

    /// The number of playouts from a position, given those of the positions a ply later.
    fn counted(
        &self,
        position: &G::Position,
        after: Option<&Counts<G::Position>>,
    ) -> Result<u128, ExploreError> {
        let moves = self.game.moves(position);
        if moves.is_empty() {
            return Ok(1);
        }
        let mut sum = 0u128;
        for mv in moves {
            let next = self.game.play(position, mv);
            let more = after.map_or(0, |after| after[&self.representative(&next)]);
            sum = sum.checked_add(more).ok_or(ExploreError::TooManyPlayouts)?;
        }
        Ok(sum)
    }

    fn representative(&self, position: &G::Position) -> G::Position {
        self.limits.representative(self.game, self.game.reduced(position))
    }

    /// The number of playouts from the first position.
    pub fn playouts(&self) -> u128 {
        self.plies[0][&self.representative(&self.start)]
    }

    /// Draws a playout: its positions, from the first one to the end.
    pub fn draw(&self, random: &mut Random) -> Vec<G::Position> {
        let mut playout = vec![self.start.clone()];
        let mut of_position = self.playouts();
        for counts in &self.plies[1..] {
            let position = &playout[playout.len() - 1];
            let mut left = below(random, of_position);
            let drawn = self.game.moves(position).into_iter().find_map(|mv| {
                let next = self.game.play(position, mv);
                let count = counts[&self.representative(&next)];
                match left.checked_sub(count) {
                    Some(rest) => {
                        left = rest;
                        None
                    }
                    None => Some((next, count)),
                }
            });
            let Some((next, count)) = drawn else { break };
            playout.push(next);
            of_position = count;
        }
        playout
    }
}

/// A number less than `limit`, which is not 0, each with the same probability.
fn below(random: &mut Random, limit: u128) -> u128 {
    let unused = limit.leading_zeros();
    loop {
        let bits = (u128::from(random.bits()) << 64 | u128::from(random.bits())) >> unused;
        if bits < limit {
            return bits;
        }
    }
}

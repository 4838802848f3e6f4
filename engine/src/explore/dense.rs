//! The set of explored positions of a game with a dense numbering: two bytes for each rank.

use super::store::{DRAW, Store, UNKNOWN};
use super::{ExploreError, Limits};
use crate::game::{Game, Ranked};
use crate::parallel;
use crate::sync::{AtomicU8, Ordering};
use std::ops::Range;

/// Positions by rank.
pub struct Dense {
    /// For each rank, 0 if the position was not found, otherwise its ply plus 1.
    plies: Vec<AtomicU8>,
    values: Vec<i8>,
    /// The ply that is being built.
    ply: u8,
}

/// The number of ranks in a chunk.
const CHUNK: usize = 1 << 14;
/// A draw and an unknown value in a byte.
const DRAW_BYTE: i8 = i8::MIN;
const UNKNOWN_BYTE: i8 = i8::MIN + 1;

impl Dense {
    pub(super) fn new<G: Ranked>(game: &G, limits: Limits) -> Result<Dense, ExploreError> {
        let positions = game.ranks();
        let needed = positions.saturating_mul(2);
        if let Some(bytes) = limits.memory.filter(|&bytes| needed > bytes) {
            return Err(ExploreError::OverLimit { positions, bytes });
        }
        let too_many = ExploreError::TooMany { positions };
        let length = usize::try_from(positions).map_err(|_| too_many.clone())?;
        let (mut plies, mut values) = (Vec::new(), Vec::new());
        if plies.try_reserve_exact(length).is_err() || values.try_reserve_exact(length).is_err() {
            return Err(too_many);
        }
        plies.resize_with(length, AtomicU8::default);
        values.resize(length, UNKNOWN_BYTE);
        Ok(Dense { plies, values, ply: 0 })
    }
}

impl<G: Ranked> Store<G> for Dense {
    type Key = usize;
    type Place = usize;
    type Chunk = (u8, Range<usize>);
    type Found = Vec<usize>;
    const WIN: i32 = i8::MAX as i32 - 1;

    fn chunks(&self, ply: usize) -> Vec<(u8, Range<usize>)> {
        let starts = (0..self.plies.len()).step_by(CHUNK);
        let end = |start: usize| self.plies.len().min(start + CHUNK);
        starts.map(|start| (ply as u8 + 1, start..end(start))).collect()
    }

    fn each(
        &self,
        game: &G,
        (mark, range): &(u8, Range<usize>),
        mut see: impl FnMut(usize, &<G as Game>::Position),
    ) {
        for (rank, found) in range.clone().zip(&self.plies[range.clone()]) {
            if found.load(Ordering::Relaxed) == *mark {
                see(rank, &game.unrank(rank as u64));
            }
        }
    }

    fn find(&self, game: &G, position: <G as Game>::Position, found: &mut Vec<usize>) {
        found.push(game.rank(&position) as usize);
    }

    fn merge(&mut self, found: Vec<Vec<usize>>) -> Result<bool, ExploreError> {
        let mark = self.ply + 1;
        // Every rank is marked, also after a repeated one.
        let merge = |ranks: Vec<usize>| {
            ranks.into_iter().filter(|&rank| is_repeated(&self.plies[rank], mark)).count() > 0
        };
        Ok(parallel::map(found, merge).contains(&true))
    }

    fn end_ply(&mut self) -> Result<(), ExploreError> {
        // The ply after the last one ends as well, and marks are plies plus 1.
        let most = i32::from(u8::MAX) - 4;
        match i32::from(self.ply) <= most + 1 {
            true => self.ply += 1,
            false => return Err(ExploreError::OutOfRange { most }),
        }
        Ok(())
    }

    fn key(&self, game: &G, position: &<G as Game>::Position) -> usize {
        game.rank(position) as usize
    }

    fn place(&self, rank: usize, _: &<G as Game>::Position) -> Option<usize> {
        let found = self.plies.get(rank)?.load(Ordering::Relaxed) > 0;
        found.then_some(rank)
    }

    fn has(&self, game: &G, rank: usize, position: &<G as Game>::Position) -> bool {
        game.unrank(rank as u64) == *position
    }

    fn fill(&mut self, value: i32) {
        self.values.fill(byte(value));
    }

    fn value(&self, rank: usize) -> i32 {
        match self.values[rank] {
            DRAW_BYTE => DRAW,
            UNKNOWN_BYTE => UNKNOWN,
            value => value.into(),
        }
    }

    fn set(&mut self, rank: usize, value: i32) {
        self.values[rank] = byte(value);
    }

    fn bytes(&self) -> u64 {
        2 * self.plies.len() as u64
    }
}

/// Marks a rank as found, and returns whether it was found in an earlier ply.
///
/// Between two plies, all threads store the same mark, and only over 0. So a look at the mark and
/// the store need not be one operation.
pub fn is_repeated(ply: &AtomicU8, mark: u8) -> bool {
    match ply.load(Ordering::Relaxed) {
        0 => {
            ply.store(mark, Ordering::Relaxed);
            false
        }
        earlier => earlier < mark,
    }
}

/// A value as a byte.
fn byte(value: i32) -> i8 {
    match value {
        DRAW => DRAW_BYTE,
        UNKNOWN => UNKNOWN_BYTE,
        value => i8::try_from(value).expect("values are at most WIN"),
    }
}

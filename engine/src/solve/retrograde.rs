//! Retrograde analysis: which positions are won and lost for the player to move, and in how many
//! plies, from the ends of the game backward, all positions of a round at once.
//!
//! Two tables hold a bit for each position: lost for the mover, and won. A row of a table has the
//! same pieces of one player, so a move of that player leads to whole other rows, and a move of
//! the other stays in its row. Odd rounds find what is won: some move leads to a lost position.
//! Even rounds find what is lost: every move leads to a won one. A round that finds nothing is the
//! last, and what no round has found is drawn.

use super::{Monitor, SolveError};
use crate::table::Lines;
use rayon::prelude::*;

/// Words in a cache line.
const LINE: usize = 16;
/// Rows done between two looks at whether to stop.
const ROWS_AT_A_TIME: usize = 16;

/// A game whose rounds can be worked out row by row.
///
/// A row is an array of words, in parts of equal length; a bit is a position, or nothing at all.
/// Sets of parts are bits too.
pub trait Rounds: Sync {
    /// What positions are counted by.
    type Tally: Default + Send;

    /// How many rows there are.
    fn rows(&self) -> usize;
    /// Words in a row.
    fn words(&self) -> usize;
    /// Parts of a row, at most 32.
    fn parts(&self) -> usize;

    /// Parts of a row in which something may be won since these parts of each row were lost.
    fn won_parts(&self, row: usize, lost: &[u32]) -> u32;
    /// Writes what is won in these parts of a row; what is no position is 0.
    fn won(&self, row: usize, lost: &Rows, parts: u32, out: &mut [u32]);
    /// Adds what is won in the first round without any position being lost.
    fn won_at_once(&self, row: usize, out: &mut [u32]);
    /// Parts of a row in which something may be lost since these parts of each row were won.
    fn lost_parts(&self, row: usize, won: &[u32]) -> u32;
    /// Writes what is lost in these parts of a row; what is no position is 0.
    fn lost(&self, row: usize, won: &Rows, parts: u32, out: &mut [u32]);
    /// Writes into bits of a won row that are no positions, after these parts have changed, and
    /// tells which parts have changed now. Such bits are never counted.
    fn complete_won(&self, row: usize, parts: u32, words: &mut [u32]) -> u32;
    /// Writes all positions of a row.
    fn positions(&self, row: usize, out: &mut [u32]);
    /// Adds positions of a row, words of one of its parts, to a tally.
    fn tally(&self, row: usize, part: usize, words: &[u32], tally: &mut Self::Tally);
    /// Adds a tally to another.
    fn merge(&self, into: &mut Self::Tally, other: Self::Tally);
}

/// Rows of bits, each beginning on a cache line.
pub struct Rows {
    lines: Lines<[u32; LINE]>,
    words: usize,
}

impl Rows {
    fn empty<G: Rounds>(game: &G) -> Result<Rows, SolveError> {
        let (rows, words) = (game.rows(), game.words());
        let lines = rows.checked_mul(words.div_ceil(LINE)).and_then(Lines::zeroed);
        let positions = rows as u64 * words as u64 * 32;
        let lines = lines.ok_or(SolveError::NoRoom { positions })?;
        Ok(Rows { lines, words })
    }

    fn lines_a_row(&self) -> usize {
        self.words.div_ceil(LINE)
    }

    /// The words of a row.
    pub fn row(&self, row: usize) -> &[u32] {
        let lines = self.lines_a_row();
        &self.lines[row * lines..(row + 1) * lines].as_flattened()[..self.words]
    }

    /// Every row, to be written.
    fn par_rows_mut(&mut self) -> impl IndexedParallelIterator<Item = &mut [u32]> {
        let (lines, words) = (self.lines_a_row(), self.words);
        let rows = self.lines.par_chunks_mut(lines);
        rows.map(move |row| &mut row.as_flattened_mut()[..words])
    }
}

/// What a round has found.
#[derive(Clone, Debug)]
pub struct Round<T> {
    /// In how many plies these positions are decided, with best play of both.
    pub plies: u32,
    /// Which.
    pub found: T,
}

/// Hears of every position when it is decided.
pub trait Witness: Sync {
    /// Whether it wants to hear of what is decided in so many plies.
    fn listens(&self, plies: u32) -> bool;
    /// Positions of a row, won for the mover after an odd number of plies, lost after an even one:
    /// the numbers of words, ascending, and bits in them. A row comes up at most once a round, in
    /// any order and on any thread.
    fn decided(&self, plies: u32, row: usize, found: &[(u32, u32)]);
}

/// Nobody listens.
impl Witness for () {
    fn listens(&self, _: u32) -> bool {
        false
    }

    fn decided(&self, _: u32, _: usize, _: &[(u32, u32)]) {}
}

/// Every position, decided as far as it ever is.
pub struct Solved<T> {
    /// Lost for the mover.
    pub lost: Rows,
    /// Won for the mover, with bits that are no positions.
    pub won: Rows,
    /// What each round has found, the first ones first, without the last one that found nothing.
    pub rounds: Vec<Round<T>>,
    /// All positions.
    pub positions: T,
}

/// Bytes that the tables of a game take.
pub fn table_bytes<G: Rounds>(game: &G) -> u64 {
    2 * game.rows() as u64 * (game.words().div_ceil(LINE) * LINE * size_of::<u32>()) as u64
}

/// Decides every position.
pub fn solve<G: Rounds>(
    game: &G,
    witness: &impl Witness,
    monitor: &Monitor,
) -> Result<Solved<G::Tally>, SolveError> {
    let mut lost = Rows::empty(game)?;
    let mut won = Rows::empty(game)?;
    let positions = count_positions(game);
    let mut changed = vec![u32::MAX; game.rows()];
    let mut rounds = Vec::new();
    for plies in 1.. {
        monitor.begin(&format!("rows, ply {plies}"), game.rows() as u64);
        let round = Half { game, witness, monitor, plies };
        let (found, tally) = match plies % 2 {
            1 => round.run(&mut won, &lost, &changed)?,
            _ => round.run(&mut lost, &won, &changed)?,
        };
        if found.iter().all(|&parts| parts == 0) {
            break;
        }
        rounds.push(Round { plies, found: tally });
        changed = found;
    }
    Ok(Solved { lost, won, rounds, positions })
}

fn count_positions<G: Rounds>(game: &G) -> G::Tally {
    let count = |mut tally: G::Tally, row: usize| {
        let mut words = vec![0; game.words()];
        game.positions(row, &mut words);
        for (part, words) in words.chunks(game.words() / game.parts()).enumerate() {
            game.tally(row, part, words, &mut tally);
        }
        tally
    };
    let merge = |mut one: G::Tally, other: G::Tally| {
        game.merge(&mut one, other);
        one
    };
    (0..game.rows()).into_par_iter().fold(G::Tally::default, count).reduce(G::Tally::default, merge)
}

/// One round: one of the tables is written, the other one read.
struct Half<'a, G, W> {
    game: &'a G,
    witness: &'a W,
    monitor: &'a Monitor<'a>,
    plies: u32,
}

impl<G: Rounds, W: Witness> Half<'_, G, W> {
    /// The parts of each row in which something was found, and how much.
    fn run(
        &self,
        written: &mut Rows,
        read: &Rows,
        changed: &[u32],
    ) -> Result<(Vec<u32>, G::Tally), SolveError> {
        let mut found = vec![0; self.game.rows()];
        let rows = written.par_rows_mut().zip(&mut found).enumerate();
        let work = |(mut scratch, mut tally): (Vec<u32>, G::Tally),
                    (row, (words, found)): (usize, (&mut [u32], &mut u32))|
         -> Result<(Vec<u32>, G::Tally), SolveError> {
            if row % ROWS_AT_A_TIME == 0 {
                self.monitor.check()?;
                self.monitor.advance(ROWS_AT_A_TIME as u64);
            }
            *found = self.row(row, read, changed, words, &mut scratch, &mut tally);
            Ok((scratch, tally))
        };
        let begin = || Ok((vec![0; self.game.words()], G::Tally::default()));
        let tally = rows
            .fold(begin, |state, row| work(state?, row))
            .map(|state: Result<(Vec<u32>, G::Tally), SolveError>| state.map(|(_, tally)| tally))
            .try_reduce(G::Tally::default, |mut one, other| {
                self.game.merge(&mut one, other);
                Ok(one)
            })?;
        Ok((found, tally))
    }

    /// Works out a row and adds what is new to it.
    fn row(
        &self,
        row: usize,
        read: &Rows,
        changed: &[u32],
        words: &mut [u32],
        scratch: &mut [u32],
        tally: &mut G::Tally,
    ) -> u32 {
        let (game, is_won) = (self.game, self.plies % 2 == 1);
        let parts = match is_won {
            true => game.won_parts(row, changed),
            false => game.lost_parts(row, changed),
        };
        if parts == 0 {
            return 0;
        }
        match is_won {
            true => {
                game.won(row, read, parts, scratch);
                if self.plies == 1 {
                    game.won_at_once(row, scratch);
                }
            }
            false => game.lost(row, read, parts, scratch),
        }
        let length = game.words() / game.parts();
        let mut found = 0;
        for part in (0..game.parts()).filter(|part| parts >> part & 1 == 1) {
            let new = &mut scratch[part * length..(part + 1) * length];
            let known = &mut words[part * length..(part + 1) * length];
            let mut any = 0;
            for (new, known) in new.iter_mut().zip(known) {
                *new &= !*known;
                *known |= *new;
                any |= *new;
            }
            if any != 0 {
                found |= 1 << part;
                game.tally(row, part, new, tally);
            }
        }
        if found != 0 && self.witness.listens(self.plies) {
            let new = (0..game.parts()).filter(|part| found >> part & 1 == 1);
            let new = new.flat_map(|part| part * length..(part + 1) * length);
            let new = new.map(|word| (word as u32, scratch[word]));
            self.witness.decided(
                self.plies,
                row,
                &new.filter(|new| new.1 != 0).collect::<Vec<_>>(),
            );
        }
        match is_won && (found != 0 || self.plies == 1) {
            true => game.complete_won(row, if self.plies == 1 { u32::MAX } else { found }, words),
            false => found,
        }
    }
}

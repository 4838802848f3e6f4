//! Retrograde analysis: which positions are won and lost for the player to move, and in how many
//! plies, from the ends of the game backward, all positions of a round at once.
//!
//! Two tables hold a bit for each position: lost for the mover, and won. A row of a table has the
//! same pieces of one player, so a move of that player leads to whole other rows, and a move of
//! the other stays in its row. Odd rounds find what is won: some move leads to a lost position.
//! Even rounds find what is lost: every move leads to a won one. A round that finds nothing is the
//! last, and what no round has found is drawn.
//!
//! Beside each table is noted which words the last round has changed in it. The next round looks
//! only at what these words bear on.

use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::table::Lines;
use rayon::prelude::*;

/// Words in a cache line.
const LINE: usize = 16;
/// Rows done between two looks at whether to stop.
const ROWS_AT_A_TIME: usize = 16;
/// Words that are worked on together: those of a part of a row, and zeros.
pub const LANES: usize = 24;

/// Words of a part of a row; behind the last one there are zeros.
pub type Part = [u32; LANES];

/// A game whose rounds can be worked out row by row.
///
/// A row is an array of words; a bit is a position, or nothing at all. It has sections of equal
/// length, a section has as many parts as there are sections, and a part as many words.
pub trait Rounds: Sync {
    /// What positions are counted by.
    type Tally: Default + Send;
    /// Room to work in; nothing in it is kept from row to row.
    type Scratch: Send;

    /// How many rows there are.
    fn rows(&self) -> usize;
    /// Sections of a row, parts of a section, words of a part: at most [`LANES`].
    fn sections(&self) -> usize;
    /// Room to work in.
    fn scratch(&self) -> Self::Scratch;

    /// Finds what is won in a row since the fresh words of the other table were lost, and is not
    /// known yet. If it is the first round that looks at the row it also finds what is won without
    /// any position being lost.
    fn won(
        &self,
        row: usize,
        lost: &Table,
        known: &[u32],
        is_first: bool,
        scratch: &mut Self::Scratch,
        found: &mut Found,
    );
    /// Finds what is lost in a row since the fresh words of the other table were won, and is not
    /// known yet.
    fn lost(&self, row: usize, won: &Table, known: &[u32], found: &mut Found);
    /// Writes into bits of a won row that are no positions, after this was found in it, and notes
    /// which words have changed by it. Such bits are never counted.
    fn complete_won(&self, row: usize, found: &Found, is_first: bool, words: RowMut);
    /// Finds all positions of a row.
    fn positions(&self, row: usize, found: &mut Found);
    /// Adds positions of a row to a tally.
    fn tally(&self, row: usize, found: &Found, tally: &mut Self::Tally);
    /// How many positions a tally has.
    fn count(&self, tally: &Self::Tally) -> u64;
    /// Adds a tally to another.
    fn merge(&self, into: &mut Self::Tally, other: Self::Tally);
}

/// Positions of a row: numbers of parts, ascending, and words that are not all zero.
#[derive(Default)]
pub struct Found(Vec<(usize, Part)>);

impl Found {
    /// Adds a part.
    #[inline]
    pub fn push(&mut self, part: usize, words: Part) {
        self.0.push((part, words));
    }

    /// Every part.
    pub fn parts(&self) -> impl Iterator<Item = (usize, &Part)> {
        self.0.iter().map(|(part, words)| (*part, words))
    }

    /// The numbers of words, ascending, and what is in them, where that is not zero.
    pub fn words(&self, length: usize) -> Vec<(u32, u32)> {
        let words = self.parts().flat_map(|(part, words)| {
            let numbered = words.iter().enumerate();
            numbered.map(move |(i, &word)| ((part * length + i) as u32, word))
        });
        words.filter(|found| found.1 != 0).collect()
    }
}

/// Rows of bits, each beginning on a cache line.
pub struct Rows {
    lines: Lines<[u32; LINE]>,
    /// Words in a row.
    words: usize,
    /// Lines that a row takes, so that [`LANES`] words can be read wherever a part begins.
    lines_a_row: usize,
}

impl Rows {
    fn empty<G: Rounds>(game: &G) -> Result<Rows, SolveError> {
        let (rows, words) = (game.rows(), game.sections().pow(3));
        let lines_a_row = lines_a_row(game);
        let lines = rows.checked_mul(lines_a_row).and_then(Lines::zeroed);
        let positions = rows as u64 * words as u64 * 32;
        let lines = lines.ok_or(SolveError::NoRoom { positions })?;
        Ok(Rows { lines, words, lines_a_row })
    }

    /// The words of a row.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.padded(row)[..self.words]
    }

    /// The words of a row and what is behind them: from where any part begins there are
    /// [`LANES`] words.
    #[inline]
    pub fn padded(&self, row: usize) -> &[u32] {
        self.lines[row * self.lines_a_row..(row + 1) * self.lines_a_row].as_flattened()
    }

    /// Every row with what is behind it, to be written.
    fn par_rows_mut(&mut self) -> impl IndexedParallelIterator<Item = &mut [u32]> {
        let rows = self.lines.par_chunks_mut(self.lines_a_row);
        rows.map(|row| row.as_flattened_mut())
    }
}

fn lines_a_row<G: Rounds>(game: &G) -> usize {
    let length = game.sections();
    (length.pow(3) - length + LANES).div_ceil(LINE)
}

/// What changed in a table when it was last written.
struct Fresh {
    /// For each part of each row a bit for each word.
    words: Vec<u32>,
    /// For each row a bit for each section.
    sections: Vec<u32>,
    /// How many positions each row has, whenever they were found.
    weights: Vec<u32>,
}

impl Fresh {
    fn none<G: Rounds>(game: &G) -> Fresh {
        let rows = game.rows();
        Fresh {
            words: vec![0; rows * game.sections().pow(2)],
            sections: vec![0; rows],
            weights: vec![0; rows],
        }
    }
}

impl Fresh {
    /// Everything is.
    fn all<G: Rounds>(&mut self, game: &G) {
        let each = u32::MAX >> (u32::BITS - game.sections() as u32);
        self.words.fill(each);
        self.sections.fill(each);
    }

    /// Nothing is.
    fn forget(&mut self) {
        self.words.fill(0);
        self.sections.fill(0);
    }
}

/// A table, and what has changed in it.
pub struct Table<'a> {
    rows: &'a Rows,
    fresh: &'a Fresh,
    parts: usize,
}

impl Table<'_> {
    /// The words of a row and what is behind them, as [`Rows::padded`] has them.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        self.rows.padded(row)
    }

    /// The sections of a row that have changed, a bit each.
    #[inline]
    pub fn sections(&self, row: usize) -> u32 {
        self.fresh.sections[row]
    }

    /// The words of each part of a row that have changed, a bit each.
    #[inline]
    pub fn fresh(&self, row: usize) -> &[u32] {
        &self.fresh.words[row * self.parts..(row + 1) * self.parts]
    }

    /// How many positions a row has.
    #[inline]
    pub fn weight(&self, row: usize) -> u32 {
        self.fresh.weights[row]
    }
}

/// A row to be written.
pub struct RowMut<'a> {
    /// Its words and what is behind them.
    pub words: &'a mut [u32],
    /// The words of each part that have changed, a bit each.
    pub fresh: &'a mut [u32],
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
    let fresh = game.sections().pow(2) + 2;
    2 * game.rows() as u64 * ((lines_a_row(game) * LINE + fresh) * size_of::<u32>()) as u64
}

/// Decides every position.
pub fn solve<G: Rounds>(
    game: &G,
    witness: &impl Witness,
    monitor: &Monitor,
) -> Result<Solved<G::Tally>, SolveError> {
    let mut analysis = Analysis::begin(game)?;
    while analysis.round(witness, monitor)?.is_some() {}
    Ok(analysis.finish())
}

/// An analysis between two rounds.
pub struct Analysis<'g, G: Rounds> {
    game: &'g G,
    lost: Rows,
    won: Rows,
    fresh_lost: Fresh,
    fresh_won: Fresh,
    rounds: Vec<Round<G::Tally>>,
    positions: G::Tally,
}

impl<'g, G: Rounds> Analysis<'g, G> {
    /// Before the first round.
    pub fn begin(game: &'g G) -> Result<Analysis<'g, G>, SolveError> {
        Ok(Analysis {
            lost: Rows::empty(game)?,
            won: Rows::empty(game)?,
            fresh_lost: Fresh::none(game),
            fresh_won: Fresh::none(game),
            rounds: Vec::new(),
            positions: count_positions(game),
            game,
        })
    }

    /// What the rounds so far have found.
    pub fn rounds(&self) -> &[Round<G::Tally>] {
        &self.rounds
    }

    /// Plays a round; none if it found nothing, and so is the last.
    pub fn round(
        &mut self,
        witness: &impl Witness,
        monitor: &Monitor,
    ) -> Result<Option<&Round<G::Tally>>, SolveError> {
        let plies = self.rounds.len() as u32 + 1;
        let last = self.rounds.last().map(|round| {
            let result = if round.plies % 2 == 1 { "won" } else { "lost" };
            let count = self.game.count(&round.found);
            format!(", after {count} {result} in {}", round.plies)
        });
        let what = format!("ply {plies}{}", last.unwrap_or_default());
        monitor.begin(&what, self.game.rows() as u64);
        let Some(found) = self.half(plies, witness, monitor)? else { return Ok(None) };
        self.rounds.push(Round { plies, found });
        Ok(self.rounds.last())
    }

    /// What an analysis that goes on has left.
    pub fn finish(self) -> Solved<G::Tally> {
        let Analysis { lost, won, rounds, positions, .. } = self;
        Solved { lost, won, rounds, positions }
    }

    fn half(
        &mut self,
        plies: u32,
        witness: &impl Witness,
        monitor: &Monitor,
    ) -> Result<Option<G::Tally>, SolveError> {
        let (game, parts) = (self.game, self.game.sections().pow(2));
        let half = Half { game, witness, monitor, plies };
        let lost = (&mut self.lost, &mut self.fresh_lost);
        let won = (&mut self.won, &mut self.fresh_won);
        let (written, read) = if plies % 2 == 1 { (won, lost) } else { (lost, won) };
        half.run(written.0, written.1, &Table { rows: read.0, fresh: read.1, parts })
    }

    /// Takes an analysis up again after these rounds, of which the last one found lost positions:
    /// their codes, by plies and row. A code is a word times the words of a part, plus a bit. The
    /// first two rounds are played again, of the codes of the others use is made.
    pub fn resume(
        game: &'g G,
        rounds: Vec<Round<G::Tally>>,
        codes: impl Fn(u32, usize) -> Vec<u32> + Sync,
        monitor: &Monitor,
    ) -> Result<Analysis<'g, G>, SolveError> {
        let mut analysis = Analysis::begin(game)?;
        for _ in 0..2 {
            analysis.round(&(), monitor)?;
        }
        let last = rounds.len() as u32;
        if last > 2 {
            for plies in (4..last).step_by(2) {
                analysis.add_lost(|row| codes(plies, row));
            }
            // What is won by now follows from what was lost before the last round.
            analysis.fresh_lost.all(game);
            monitor.begin("what was won before", game.rows() as u64);
            analysis.half(1, &(), monitor)?;
            analysis.fresh_lost.forget();
            analysis.add_lost(|row| codes(last, row));
        }
        analysis.rounds = rounds;
        Ok(analysis)
    }

    /// Adds lost positions, which are fresh.
    fn add_lost(&mut self, codes: impl Fn(usize) -> Vec<u32> + Sync) {
        let length = self.game.sections();
        let Fresh { words, sections, weights } = &mut self.fresh_lost;
        let rows = self.lost.par_rows_mut().zip(words.par_chunks_mut(length * length));
        let rows = rows.zip(sections).zip(weights).enumerate();
        rows.for_each(|(row, (((bits, fresh), sections), weight))| {
            let codes = codes(row);
            *weight += codes.len() as u32;
            for code in codes {
                let (word, bit) = (code as usize / length, code as usize % length);
                bits[word] |= 1 << bit;
                fresh[word / length] |= 1 << (word % length);
                *sections |= 1 << (word / length / length);
            }
        });
    }
}

fn count_positions<G: Rounds>(game: &G) -> G::Tally {
    let count = |(mut found, mut tally): (Found, G::Tally), row: usize| {
        found.0.clear();
        game.positions(row, &mut found);
        game.tally(row, &found, &mut tally);
        (found, tally)
    };
    let merge = |mut one: G::Tally, other: G::Tally| {
        game.merge(&mut one, other);
        one
    };
    let rows = (0..game.rows()).into_par_iter().fold(Default::default, count);
    rows.map(|(_, tally)| tally).reduce(G::Tally::default, merge)
}

/// One round: one of the tables is written, the other one read.
struct Half<'a, G, W> {
    game: &'a G,
    witness: &'a W,
    monitor: &'a Monitor<'a>,
    plies: u32,
}

/// What a thread works with.
struct Worker<G: Rounds> {
    scratch: G::Scratch,
    found: Found,
    tally: G::Tally,
    any: bool,
}

impl<G: Rounds, W: Witness> Half<'_, G, W> {
    /// How much was found, if anything.
    fn run(
        &self,
        written: &mut Rows,
        fresh: &mut Fresh,
        read: &Table,
    ) -> Result<Option<G::Tally>, SolveError> {
        let parts = read.parts;
        let rows = written.par_rows_mut().zip(fresh.words.par_chunks_mut(parts));
        let rows = rows.zip(&mut fresh.sections).zip(&mut fresh.weights).enumerate();
        let begin = || {
            let (scratch, found) = (self.game.scratch(), Found::default());
            Ok(Worker { scratch, found, tally: G::Tally::default(), any: false })
        };
        type Item<'a> = (((&'a mut [u32], &'a mut [u32]), &'a mut u32), &'a mut u32);
        let work = |worker: Result<Worker<G>, SolveError>, (row, item): (usize, Item)| {
            let mut worker = worker?;
            let (((words, fresh), sections), weight) = item;
            if row % ROWS_AT_A_TIME == 0 {
                self.monitor.check()?;
                self.monitor.advance(ROWS_AT_A_TIME as u64);
            }
            // What was fresh in the round before the last one is no more.
            if *sections != 0 {
                fresh.fill(0);
            }
            *sections = self.row(row, read, RowMut { words, fresh }, weight, &mut worker);
            Ok(worker)
        };
        let done = rows.fold(begin, work).map(|worker| worker.map(|done| (done.any, done.tally)));
        let done = done.try_reduce(Default::default, |mut one, other| {
            self.game.merge(&mut one.1, other.1);
            Ok((one.0 | other.0, one.1))
        })?;
        Ok(done.0.then_some(done.1))
    }

    /// Works out a row and adds what is new to it; tells which of its sections have changed.
    fn row(
        &self,
        row: usize,
        read: &Table,
        out: RowMut,
        weight: &mut u32,
        worker: &mut Worker<G>,
    ) -> u32 {
        let (game, is_won, is_first) = (self.game, self.plies % 2 == 1, self.plies == 1);
        let Worker { scratch, found, tally, any } = worker;
        found.0.clear();
        match is_won {
            true => game.won(row, read, out.words, is_first, scratch, found),
            false => game.lost(row, read, out.words, found),
        }
        if found.0.is_empty() && !(is_won && is_first) {
            return 0;
        }
        *any |= !found.0.is_empty();
        let length = game.sections();
        *weight += add(found, length, out.words, out.fresh);
        game.tally(row, found, tally);
        if !found.0.is_empty() && self.witness.listens(self.plies) {
            self.witness.decided(self.plies, row, &found.words(length));
        }
        let RowMut { words, fresh } = out;
        if is_won {
            game.complete_won(row, found, is_first, RowMut { words, fresh });
        }
        let sections = fresh.chunks_exact(length).enumerate();
        sections.map(|(i, parts)| u32::from(parts.iter().any(|&bits| bits != 0)) << i).sum()
    }
}

/// Adds what was found to a row, and notes which words have changed; tells how much it was.
fn add(found: &Found, length: usize, words: &mut [u32], fresh: &mut [u32]) -> u32 {
    let mut weight = 0;
    for (part, new) in found.parts() {
        for (word, new) in words[part * length..][..LANES].iter_mut().zip(new) {
            *word |= new;
        }
        fresh[part] |= nonzero(new);
        weight += new.iter().map(|word| word.count_ones()).sum::<u32>();
    }
    weight
}

/// The words of a part that are not zero, a bit each.
#[inline(always)]
pub fn nonzero(words: &Part) -> u32 {
    words.iter().enumerate().fold(0, |all, (i, &word)| all | u32::from(word != 0) << i)
}

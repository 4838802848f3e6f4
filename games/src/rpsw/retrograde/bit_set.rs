//! Sets of positions as rows of bits, with the words that an iteration changed.
//!
//! With `n` places of a piece, a row has `n`^3 words of 32 bits, of which `n` are used. It consists
//! of `n` sections of `n` parts of `n` words. [`Layout`](super::Layout) maps bits to positions.

use super::part::{LANES, Part};
use bsq_engine::monitor::SolveError;
use bsq_engine::table::Lines;

/// Words in a cache line.
const LINE: usize = 16;

/// Rows that a thread takes at a time. Neighbouring rows read the same rows of other sets.
const ROWS_AT_A_TIME: usize = 16;

/// A set of positions: rows of bits, each of which begins on a cache line.
pub struct BitSet {
    lines: Lines<[u32; LINE]>,
    /// Words in a row.
    words: usize,
    /// Cache lines of a row, so that [`LANES`] words can be read from the start of any part.
    lines_per_row: usize,
}

impl BitSet {
    /// An empty set.
    fn new(rows: usize, places: usize) -> Result<BitSet, SolveError> {
        let (words, lines_per_row) = (places.pow(3), lines_per_row(places));
        let lines = rows.checked_mul(lines_per_row).and_then(Lines::zeroed);
        let positions = rows as u64 * words as u64 * 32;
        let lines = lines.ok_or(SolveError::NoRoom { positions })?;
        Ok(BitSet { lines, words, lines_per_row })
    }

    /// The words of a row.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.padded(row)[..self.words]
    }

    /// The words of a row with padding: [`LANES`] words follow the start of any part.
    #[inline]
    fn padded(&self, row: usize) -> &[u32] {
        self.lines[row * self.lines_per_row..(row + 1) * self.lines_per_row].as_flattened()
    }
}

fn lines_per_row(places: usize) -> usize {
    (places.pow(3) - places + LANES).div_ceil(LINE)
}

/// Bytes of the two sets of a game with this number of rows, including the marks of changed words.
pub(super) fn bytes(rows: usize, places: usize) -> u64 {
    let changes = places.pow(2) + 2;
    2 * rows as u64 * ((lines_per_row(places) * LINE + changes) * size_of::<u32>()) as u64
}

/// A set with the words that the last iteration changed in it.
pub(super) struct TrackedSet {
    pub bits: BitSet,
    places: usize,
    /// For each part of each row a bit for each changed word.
    changed_words: Vec<u32>,
    /// For each row a bit for each section with changed words.
    changed_sections: Vec<u32>,
    /// Positions in each row.
    weights: Vec<u32>,
}

impl TrackedSet {
    /// An empty set.
    pub fn new(rows: usize, places: usize) -> Result<TrackedSet, SolveError> {
        Ok(TrackedSet {
            bits: BitSet::new(rows, places)?,
            places,
            changed_words: vec![0; rows * places * places],
            changed_sections: vec![0; rows],
            weights: vec![0; rows],
        })
    }

    /// Marks every word as changed.
    pub fn mark_all(&mut self) {
        let each = u32::MAX >> (u32::BITS - self.places as u32);
        self.changed_words.fill(each);
        self.changed_sections.fill(each);
    }

    /// Marks every word as unchanged.
    pub fn unmark_all(&mut self) {
        self.changed_words.fill(0);
        self.changed_sections.fill(0);
    }

    /// The words of a row with padding: [`LANES`] words follow the start of any part.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        self.bits.padded(row)
    }

    /// The changed sections of a row, a bit each.
    #[inline]
    pub fn changed_sections(&self, row: usize) -> u32 {
        self.changed_sections[row]
    }

    /// The changed words of each part of a row, a bit each.
    #[inline]
    pub fn changed_words(&self, row: usize) -> &[u32] {
        let parts = self.places * self.places;
        &self.changed_words[row * parts..(row + 1) * parts]
    }

    /// The number of positions in a row.
    #[inline]
    pub fn weight(&self, row: usize) -> u32 {
        self.weights[row]
    }

    /// Iterates over blocks of [`ROWS_AT_A_TIME`] mutable rows with their numbers.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = Vec<(usize, RowMut<'_>)>> + Send {
        let mut rows = self.rows_mut().enumerate();
        std::iter::from_fn(move || {
            let block: Vec<_> = rows.by_ref().take(ROWS_AT_A_TIME).collect();
            (!block.is_empty()).then_some(block)
        })
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = RowMut<'_>> + Send {
        let rows = self.bits.lines.chunks_mut(self.bits.lines_per_row);
        let changed = self.changed_words.chunks_mut(self.places * self.places);
        let notes = self.changed_sections.iter_mut().zip(&mut self.weights);
        rows.zip(changed).zip(notes).map(|((row, changed), (sections, weight))| RowMut {
            words: row.as_flattened_mut(),
            changed,
            sections,
            weight,
        })
    }
}

/// A mutable row.
pub(super) struct RowMut<'a> {
    /// Its words, with padding.
    pub words: &'a mut [u32],
    /// The changed words of each part, a bit each.
    pub changed: &'a mut [u32],
    /// The sections with changed words, a bit each.
    pub sections: &'a mut u32,
    /// The number of positions in the row.
    pub weight: &'a mut u32,
}

impl RowMut<'_> {
    /// Adds positions, and marks their words as changed.
    pub fn add(&mut self, found: &Found, places: usize) {
        for (part, new) in found.parts() {
            for (word, new) in self.words[part * places..][..LANES].iter_mut().zip(new) {
                *word |= new;
            }
            self.changed[part] |= nonzero(new);
            *self.weight += new.iter().map(|word| word.count_ones()).sum::<u32>();
        }
    }

    /// Marks the sections in which there are changed words.
    pub fn mark_sections(&mut self, places: usize) {
        let sections = self.changed.chunks_exact(places).enumerate();
        *self.sections =
            sections.map(|(i, parts)| u32::from(parts.iter().any(|&bits| bits != 0)) << i).sum();
    }

    /// Marks every word as unchanged.
    pub fn unmark(&mut self) {
        if *self.sections != 0 {
            self.changed.fill(0);
            *self.sections = 0;
        }
    }
}

/// Positions of a row: its parts in ascending order, each with its number.
#[derive(Default)]
pub struct Found(Vec<(usize, Part)>);

impl Found {
    /// Removes all positions.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether there is no part.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a part. Its number is greater than those before.
    #[inline]
    pub(super) fn push(&mut self, part: usize, words: Part) {
        self.0.push((part, words));
    }

    /// The positions with these codes, which ascend.
    pub(super) fn of_codes(codes: Vec<u32>, places: usize) -> Found {
        let mut found = Found::default();
        for code in codes {
            let (word, bit) = (code as usize / places, code as usize % places);
            let part = word / places;
            if found.0.last().is_none_or(|(last, _)| *last != part) {
                found.push(part, [0; LANES]);
            }
            if let Some((_, words)) = found.0.last_mut() {
                words[word % places] |= 1 << bit;
            }
        }
        found
    }

    /// Every part with its number.
    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, &Part)> {
        self.0.iter().map(|(part, words)| (*part, words))
    }

    /// The words that are not zero, each with its number in the row, in ascending order. `places`
    /// is the number of words of a part.
    pub fn words(&self, places: usize) -> Vec<(u32, u32)> {
        let words = self.parts().flat_map(|(part, words)| {
            let numbered = words.iter().enumerate();
            numbered.map(move |(i, &word)| ((part * places + i) as u32, word))
        });
        words.filter(|found| found.1 != 0).collect()
    }
}

/// The words of a part that are not zero, a bit each.
#[inline(always)]
pub(super) fn nonzero(words: &Part) -> u32 {
    words.iter().enumerate().fold(0, |all, (i, &word)| all | u32::from(word != 0) << i)
}

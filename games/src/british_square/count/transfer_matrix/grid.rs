//! Numbers of sets by two small numbers.

use std::ops::Range;

/// Numbers of sets by two numbers of at most 64, modulo 2^64.
///
/// They are stored for the rows and columns of a rectangle outside of which all are 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    rows: Span,
    columns: Span,
    counts: Box<[u64]>,
}

/// A range of small numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span {
    first: u8,
    len: u8,
}

impl Span {
    fn range(self) -> Range<usize> {
        let first = usize::from(self.first);
        first..first + usize::from(self.len)
    }

    fn shifted(self, by: u8) -> Span {
        Span { first: self.first + by, ..self }
    }

    fn including(self, other: Span) -> Span {
        let first = self.first.min(other.first);
        let end = (self.first + self.len).max(other.first + other.len);
        Span { first, len: end - first }
    }
}

impl Grid {
    /// One set, for which both numbers are 0.
    pub(super) fn one() -> Grid {
        let zero = Span { first: 0, len: 1 };
        Grid { rows: zero, columns: zero, counts: Box::new([1]) }
    }

    /// Whether there are no sets.
    pub(super) fn is_zero(&self) -> bool {
        self.counts.iter().all(|&count| count == 0)
    }

    /// The memory on the heap, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.counts)
    }

    /// The counts that are not 0, after the two numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize, u64)> {
        let places =
            self.rows.range().flat_map(|row| self.columns.range().map(move |column| (row, column)));
        let counts = places.zip(&self.counts).map(|((row, column), &count)| (row, column, count));
        counts.filter(|&(_, _, count)| count != 0)
    }

    /// Adds `sign` times the counts of another grid, after raising its two numbers by `gain`.
    pub(super) fn add(&mut self, other: &Grid, gain: [u8; 2], sign: i64) {
        let (rows, columns) = (other.rows.shifted(gain[0]), other.columns.shifted(gain[1]));
        self.include(rows, columns);
        let width = usize::from(self.columns.len);
        let first = usize::from(rows.first - self.rows.first) * width
            + usize::from(columns.first - self.columns.first);
        let sums = self.counts[first..].chunks_mut(width);
        for (sums, counts) in sums.zip(other.counts.chunks(columns.len.into())) {
            for (sum, &count) in sums.iter_mut().zip(counts) {
                *sum = sum.wrapping_add(count.wrapping_mul(sign as u64));
            }
        }
    }

    /// Extends the rectangle.
    fn include(&mut self, rows: Span, columns: Span) {
        let mut larger = Grid { rows, columns, counts: Box::default() };
        if !self.counts.is_empty() {
            larger.rows = rows.including(self.rows);
            larger.columns = columns.including(self.columns);
        }
        if (larger.rows, larger.columns) == (self.rows, self.columns) {
            return;
        }
        let (old_width, width) = (usize::from(self.columns.len), usize::from(larger.columns.len));
        larger.counts = vec![0; usize::from(larger.rows.len) * width].into();
        if !self.counts.is_empty() {
            let first = usize::from(self.rows.first - larger.rows.first) * width
                + usize::from(self.columns.first - larger.columns.first);
            let rows = larger.counts[first..].chunks_mut(width);
            for (row, old) in rows.zip(self.counts.chunks(old_width)) {
                row[..old_width].copy_from_slice(old);
            }
        }
        *self = larger;
    }
}

//! The depths of lost positions, compressed in memory to a few bits a position.

use super::bit_set::Found;
use integer_encoding::{VarInt, VarIntWriter};
use parking_lot::Mutex;
use std::io::{self, Write};

/// The lost positions of some iterations, by row.
///
/// A position of a row has a **code**: its word times the bits in use of a word, plus its bit. The
/// codes of a row and iteration are stored in ascending order as differences, in variable-length
/// integers of seven bits a byte.
pub struct LostPositions {
    bits: u32,
    from: u32,
    rows: Vec<Mutex<Vec<Entry>>>,
}

/// The positions of a row found in an iteration.
struct Entry {
    plies: u32,
    gaps: Box<[u8]>,
}

impl LostPositions {
    /// No positions yet, of the given number of rows with the given number of used bits in a word.
    /// Positions lost in fewer than `from` plies are not recorded.
    pub fn new(rows: usize, bits: usize, from: u32) -> LostPositions {
        let rows = (0..rows).map(|_| Mutex::default()).collect();
        LostPositions { bits: bits as u32, from, rows }
    }

    /// The codes of a row, ascending, with their depths in plies.
    pub fn row(&self, row: usize) -> Vec<(u32, u32)> {
        let mut lost = Vec::new();
        for Entry { plies, gaps } in self.rows[row].lock().iter() {
            lost.extend(codes(gaps).map(|code| (code, *plies)));
        }
        lost.sort_unstable();
        lost
    }

    /// The depth of a position in plies, if it is recorded.
    pub fn find(&self, row: usize, code: u32) -> Option<u32> {
        let entries = self.rows[row].lock();
        let found = entries.iter().find(|entry| codes(&entry.gaps).any(|other| other == code));
        found.map(|entry| entry.plies)
    }

    /// The rows and codes of the positions lost in exactly the given number of plies.
    pub fn lost_in(&self, plies: u32) -> Vec<(usize, u32)> {
        let rows = 0..self.rows.len();
        let found =
            rows.flat_map(|row| self.codes(plies, row).into_iter().map(move |code| (row, code)));
        found.collect()
    }

    /// Writes the positions lost in exactly the given number of plies: for each row its length in
    /// bytes, and its codes.
    pub fn write_iteration(&self, plies: u32, mut out: impl Write) -> io::Result<()> {
        for row in 0..self.rows.len() {
            let entries = self.rows[row].lock();
            let entry = entries.iter().find(|entry| entry.plies == plies);
            let gaps = entry.map_or(&[][..], |entry| &entry.gaps);
            out.write_varint(gaps.len())?;
            out.write_all(gaps)?;
        }
        Ok(())
    }

    /// Adds the output of [`LostPositions::write_iteration`]. If it is invalid, adds nothing and
    /// returns `None`.
    pub fn read_iteration(&mut self, plies: u32, mut bytes: &[u8]) -> Option<()> {
        let mut iteration = Vec::with_capacity(self.rows.len());
        for _ in 0..self.rows.len() {
            let (length, used) = usize::decode_var(bytes)?;
            let (gaps, rest) = bytes[used..].split_at_checked(length)?;
            self.check(gaps)?;
            iteration.push(gaps);
            bytes = rest;
        }
        if !bytes.is_empty() {
            return None;
        }
        for (row, gaps) in iteration.into_iter().enumerate().filter(|(_, gaps)| !gaps.is_empty()) {
            self.rows[row].lock().push(Entry { plies, gaps: gaps.into() });
        }
        Some(())
    }

    /// Checks that the codes exist.
    fn check(&self, mut gaps: &[u8]) -> Option<()> {
        let (mut next, codes) = (0u64, u64::from(self.bits).pow(4));
        while !gaps.is_empty() {
            let (gap, length) = u32::decode_var(gaps)?;
            gaps = &gaps[length..];
            next += u64::from(gap) + 1;
            if next > codes {
                return None;
            }
        }
        Some(())
    }

    /// The codes of a row that are lost in exactly the given number of plies, ascending.
    pub fn codes(&self, plies: u32, row: usize) -> Vec<u32> {
        let entries = self.rows[row].lock();
        let entry = entries.iter().find(|entry| entry.plies == plies);
        entry.map_or(Vec::new(), |entry| codes(&entry.gaps).collect())
    }

    /// Records positions that were found in an iteration, if they are lost in an even number of
    /// plies that is large enough. See [`OnDecided`](super::OnDecided).
    pub fn record(&self, plies: u32, row: usize, found: &Found) {
        if plies.is_multiple_of(2) && plies >= self.from {
            self.push(plies, row, &found.words(self.bits as usize));
        }
    }

    /// Records the positions of these words of a row.
    fn push(&self, plies: u32, row: usize, found: &[(u32, u32)]) {
        let (mut gaps, mut next) = (Vec::new(), 0);
        for &(word, bits) in found {
            for bit in (0..self.bits).filter(|bit| bits >> bit & 1 == 1) {
                let code = word * self.bits + bit;
                let mut gap = [0; 5];
                let length = (code - next).encode_var(&mut gap);
                gaps.extend_from_slice(&gap[..length]);
                next = code + 1;
            }
        }
        self.rows[row].lock().push(Entry { plies, gaps: gaps.into_boxed_slice() });
    }
}

/// Decodes codes from their differences.
fn codes(mut gaps: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut next = 0;
    std::iter::from_fn(move || {
        let (gap, length) = u32::decode_var(gaps)?;
        gaps = &gaps[length..];
        let code = next + gap;
        next = code + 1;
        Some(code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let lost = LostPositions::new(2, 21, 4);
        for plies in [2, 5] {
            lost.record(plies, 0, &Found::default());
        }
        assert_eq!(lost.rows[0].lock().len(), 0);
        lost.record(4, 0, &Found::default());
        assert_eq!(lost.rows[0].lock().len(), 1);
        lost.push(6, 1, &[(0, 0b101), (9000, 1 << 20)]);
        lost.push(4, 1, &[(0, 0b010), (30, 1)]);
        let last = 9000 * 21 + 20;
        assert_eq!(lost.row(1), [(0, 6), (1, 4), (2, 6), (630, 4), (last, 6)]);
        assert_eq!(lost.row(0), []);
        assert_eq!(lost.find(1, last), Some(6));
        assert_eq!(lost.find(1, 3), None);
        assert_eq!(lost.lost_in(4), [(1, 1), (1, 630)]);
        let mut bytes = Vec::new();
        lost.write_iteration(6, &mut bytes).unwrap();
        let mut again = LostPositions::new(2, 21, 4);
        assert_eq!(again.read_iteration(6, &bytes[1..]), None);
        assert_eq!(again.read_iteration(6, &bytes), Some(()));
        assert_eq!(again.row(1), [(0, 6), (2, 6), (last, 6)]);
        assert_eq!(again.lost_in(4), []);
    }
}

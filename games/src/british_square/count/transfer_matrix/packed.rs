//! Rows of counts in as few bytes as they need.

/// Rows of integers modulo 2^64. The numbers of a row, taken as signed ones, are stored in 1, 2, 4
/// or 8 bytes each, so that the largest fits.
#[derive(Default)]
pub(super) struct Packed {
    bytes: Vec<u8>,
}

/// Where a row is stored.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The number of its first byte, divided by [`ALIGNMENT`].
    first: u32,
    /// The number of bytes of a count.
    width: u8,
}

/// Rows begin at multiples of this number of bytes, so that a [`Place`] is small.
const ALIGNMENT: usize = 8;

impl Packed {
    /// Appends a row.
    pub(super) fn push(&mut self, row: &[u64]) -> Place {
        // The bits of a signed number but for its sign.
        let bits =
            row.iter().fold(0, |bits, &count| bits | if count >> 63 == 1 { !count } else { count });
        let width = [1, 2, 4].into_iter().find(|width| bits >> (8 * width - 1) == 0).unwrap_or(8);
        let first = self.bytes.len() / ALIGNMENT;
        let first = u32::try_from(first).expect("a group has less than 32 GiB of counts");
        match width {
            1 => self.extend::<1>(row),
            2 => self.extend::<2>(row),
            4 => self.extend::<4>(row),
            _ => self.extend::<8>(row),
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
        Place { first, width: width as u8 }
    }

    /// Appends the lowest `WIDTH` bytes of each count.
    fn extend<const WIDTH: usize>(&mut self, row: &[u64]) {
        let begin = self.bytes.len();
        self.bytes.resize(begin + WIDTH * row.len(), 0);
        let (places, _) = self.bytes[begin..].as_chunks_mut::<WIDTH>();
        for (bytes, count) in places.iter_mut().zip(row) {
            bytes.copy_from_slice(&count.to_le_bytes()[..WIDTH]);
        }
    }

    /// Replaces `row` by the row at a place, of `len` counts.
    pub(super) fn get(&self, place: Place, len: usize, row: &mut Vec<u64>) {
        let bytes =
            &self.bytes[place.first as usize * ALIGNMENT..][..len * usize::from(place.width)];
        row.clear();
        match place.width {
            1 => row.extend(bytes.iter().map(|&byte| byte as i8 as u64)),
            2 => row.extend(bytes.as_chunks().0.iter().map(|&n| i16::from_le_bytes(n) as u64)),
            4 => row.extend(bytes.as_chunks().0.iter().map(|&n| i32::from_le_bytes(n) as u64)),
            _ => row.extend(bytes.as_chunks().0.iter().map(|&n| u64::from_le_bytes(n))),
        }
    }

    /// The memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Gives back the memory that is not used.
    pub(super) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_kept_at_the_limits_of_each_width() {
        let signed = [0, 1, -1, 127, -128, 128, -129, 32_767, -32_768, 32_768, -32_769];
        let signed = signed.into_iter().chain([31, 32, 62].map(|bits| 1 << bits));
        let mut numbers: Vec<u64> =
            signed.flat_map(|n: i64| [n as u64, !n as u64, (-n) as u64]).collect();
        numbers.extend([i64::MAX as u64, i64::MIN as u64, u64::MAX]);
        let rows: Vec<Vec<u64>> = numbers.iter().map(|&number| vec![0, number, 1]).collect();
        let mut packed = Packed::default();
        let places: Vec<Place> = rows.iter().map(|row| packed.push(row)).collect();
        let mut row = vec![7];
        for (expected, &place) in rows.iter().zip(&places) {
            packed.get(place, 3, &mut row);
            assert_eq!(row, *expected);
        }
        let widths = |value: i64| packed_width(value as u64);
        assert_eq!([127, -128, 128, -129].map(widths), [1, 1, 2, 2]);
        assert_eq!([32_767, -32_768, 32_768, -32_769].map(widths), [2, 2, 4, 4]);
        assert_eq!(
            [i64::from(i32::MAX), i64::from(i32::MIN), 1 << 31, -(1 << 31) - 1].map(widths),
            [4, 4, 8, 8]
        );
    }

    fn packed_width(value: u64) -> u8 {
        Packed::default().push(&[value]).width
    }
}

//! The encoding of a row of positions, in which each can be found without decoding the others.
//!
//! A row has `places`^4 codes, in `places`^2 **parts** of `places`^2 consecutive codes each. A
//! block is the length of each part's record in bytes (variable-length integers, seven bits a
//! byte), then the records. A part without entries has no record. A record is a stream of bits, the
//! highest bit of a byte first:
//!
//! * the number of entries less one, in as many bits as the number of codes in a part takes;
//! * for each entry, in ascending order, the number of codes skipped since the one before: a Rice
//!   code with a parameter that follows from the number of entries (`Shape::gap_bits`);
//! * then its symbol, a Rice code with parameter `SYMBOL_BITS`;
//! * zero bits up to a whole byte.
//!
//! The Rice code of a number n with parameter k: n / 2^k, rounded down, as that many ones and a
//! zero, then the lowest k bits of n.

use bitstream_io::{BigEndian, BitRead, BitReader, BitWrite, BitWriter};
use integer_encoding::{VarInt, VarIntWriter};
use std::io;

/// The Rice parameter of symbols; half of all symbols are 0 or 1.
const SYMBOL_BITS: u32 = 1;

/// The error of bytes that are not a block.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed;

impl From<io::Error> for Malformed {
    fn from(_: io::Error) -> Malformed {
        Malformed
    }
}

/// The shape of a row.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    part: u32,
}

impl Shape {
    /// The shape of rows with that many places for each piece.
    pub fn new(places: usize) -> Shape {
        Shape { part: (places * places) as u32 }
    }

    /// The number of bits of a number of entries.
    fn count_bits(self) -> u32 {
        u32::BITS - (self.part - 1).leading_zeros()
    }

    /// The Rice parameter of gaps between that many entries, nearly optimal if they are evenly
    /// distributed.
    fn gap_bits(self, entries: u32) -> u32 {
        let fits =
            |bits: &u32| (10 * u64::from(entries)) << bits <= 7 * u64::from(self.part - entries);
        (1..u32::BITS).take_while(fits).last().unwrap_or(0)
    }

    /// Encodes entries, which are pairs of code and symbol with ascending codes.
    pub fn encode(self, mut entries: &[(u32, u32)]) -> Vec<u8> {
        let (mut lengths, mut records) = (Vec::new(), Vec::new());
        for part in 0..self.part {
            let end = entries.partition_point(|&(code, _)| code / self.part <= part);
            let before = records.len();
            if end > 0 {
                self.encode_part(part, &entries[..end], &mut records)
                    .expect("memory can be written");
            }
            entries = &entries[end..];
            lengths.write_varint((records.len() - before) as u32).expect("memory can be written");
        }
        lengths.append(&mut records);
        lengths
    }

    fn encode_part(self, part: u32, entries: &[(u32, u32)], out: &mut Vec<u8>) -> io::Result<()> {
        let count = entries.len() as u32;
        let mut bits = BitWriter::endian(out, BigEndian);
        bits.write_var(self.count_bits(), count - 1)?;
        let gap_bits = self.gap_bits(count);
        let mut next = part * self.part;
        for &(code, symbol) in entries {
            write_rice(&mut bits, gap_bits, code - next)?;
            write_rice(&mut bits, SYMBOL_BITS, symbol)?;
            next = code + 1;
        }
        bits.byte_align()
    }

    /// The symbol of a code, if it has an entry.
    pub fn find(self, block: &[u8], code: u32) -> Result<Option<u32>, Malformed> {
        let part = code / self.part;
        let mut lengths = block;
        let start = take_varints(&mut lengths, part)? as usize;
        let length = take_varint(&mut lengths)? as usize;
        take_varints(&mut lengths, self.part - part - 1)?;
        let record = lengths.get(start..).and_then(|records| records.get(..length));
        let mut found = None;
        self.decode_part(part, record.ok_or(Malformed)?, |other, symbol| {
            if other == code {
                found = Some(symbol);
            }
            other < code
        })?;
        Ok(found)
    }

    /// Decodes all entries of a block.
    pub fn decode(self, block: &[u8]) -> Result<Vec<(u32, u32)>, Malformed> {
        let mut records = block;
        let lengths = (0..self.part).map(|_| take_varint(&mut records));
        let lengths: Vec<u32> = lengths.collect::<Result<_, _>>()?;
        let mut entries = Vec::new();
        for (part, length) in (0..).zip(lengths) {
            let (record, rest) = records.split_at_checked(length as usize).ok_or(Malformed)?;
            records = rest;
            self.decode_part(part, record, |code, symbol| {
                entries.push((code, symbol));
                true
            })?;
        }
        if records.is_empty() { Ok(entries) } else { Err(Malformed) }
    }

    /// Calls `each` with the entries of a part until it returns false.
    fn decode_part(
        self,
        part: u32,
        record: &[u8],
        mut each: impl FnMut(u32, u32) -> bool,
    ) -> Result<(), Malformed> {
        if record.is_empty() {
            return Ok(());
        }
        let mut bits = BitReader::endian(record, BigEndian);
        let count = 1 + bits.read_var::<u32>(self.count_bits())?;
        if count > self.part {
            return Err(Malformed);
        }
        let gap_bits = self.gap_bits(count);
        let (mut next, end) = (part * self.part, (part + 1) * self.part);
        for _ in 0..count {
            let code = next.checked_add(read_rice(&mut bits, gap_bits)?).ok_or(Malformed)?;
            let symbol = read_rice(&mut bits, SYMBOL_BITS)?;
            if code >= end {
                return Err(Malformed);
            }
            if !each(code, symbol) {
                return Ok(());
            }
            next = code + 1;
        }
        // The rest of the last byte.
        let mut left = 0..8;
        while let Ok(bit) = bits.read_bit() {
            if bit || left.next().is_none() {
                return Err(Malformed);
            }
        }
        if left.is_empty() { Err(Malformed) } else { Ok(()) }
    }
}

fn take_varint(bytes: &mut &[u8]) -> Result<u32, Malformed> {
    let (value, length) = u32::decode_var(bytes).ok_or(Malformed)?;
    *bytes = &bytes[length..];
    Ok(value)
}

/// Takes some integers, and returns their sum.
///
/// Most records are short, so that their lengths are single bytes: these are added eight at a time.
fn take_varints(bytes: &mut &[u8], mut count: u32) -> Result<u64, Malformed> {
    const CONTINUED: u64 = 0x8080_8080_8080_8080;
    let mut sum = 0;
    while count > 0 {
        match bytes.split_first_chunk::<8>() {
            Some((chunk, rest)) if count >= 8 && u64::from_le_bytes(*chunk) & CONTINUED == 0 => {
                sum += chunk.iter().map(|&byte| u64::from(byte)).sum::<u64>();
                (*bytes, count) = (rest, count - 8);
            }
            _ => {
                sum += u64::from(take_varint(bytes)?);
                count -= 1;
            }
        }
    }
    Ok(sum)
}

fn write_rice(bits: &mut impl BitWrite, parameter: u32, number: u32) -> io::Result<()> {
    bits.write_unary::<0>(number >> parameter)?;
    bits.write_var(parameter, number & ((1 << parameter) - 1))
}

fn read_rice(bits: &mut impl BitRead, parameter: u32) -> Result<u32, Malformed> {
    let high = bits.read_unary::<0>()?;
    let low = bits.read_var::<u32>(parameter)?;
    let number = u64::from(high) << parameter | u64::from(low);
    u32::try_from(number).map_err(|_| Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn entries_come_back(
            places in 2usize..22,
            dense in 1u32..400,
            picks in proptest::collection::vec((any::<u32>(), 0u32..40), 0..3000),
        ) {
            let shape = Shape::new(places);
            let codes = places.pow(4) as u32;
            // Some rows have all entries in a few parts.
            let picks = picks.into_iter().map(|(pick, symbol)| (pick % codes % (dense * dense), symbol));
            let entries: BTreeMap<u32, u32> = picks.collect();
            let entries: Vec<(u32, u32)> = entries.into_iter().collect();
            let block = shape.encode(&entries);
            prop_assert_eq!(shape.decode(&block), Ok(entries.clone()));
            let wanted: BTreeMap<u32, u32> = entries.into_iter().collect();
            for code in (0..codes).step_by(1009).chain(wanted.keys().copied()) {
                prop_assert_eq!(shape.find(&block, code), Ok(wanted.get(&code).copied()));
            }
        }

        #[test]
        fn no_bytes_are_a_reason_to_panic(bytes: Vec<u8>, places in 2usize..22, code: u32) {
            let shape = Shape::new(places);
            let _ = shape.decode(&bytes);
            let _ = shape.find(&bytes, code % places.pow(4) as u32);
        }
    }
}

//! Pseudo-random numbers that are the same everywhere.

/// The generator by Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014,
/// with its state.
///
/// ```
/// use bsq_engine::random::Random;
///
/// let numbers = |seed| { let mut random = Random(seed); [(); 5].map(|()| random.below(10)) };
/// assert_eq!(numbers(1), numbers(1));
/// assert_ne!(numbers(1), numbers(2));
/// ```
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A generator for a seed and a text.
    pub fn of(seed: u64, text: &str) -> Random {
        // FNV-1a.
        let add =
            |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        Random(text.bytes().fold(seed ^ 0xCBF2_9CE4_8422_2325, add))
    }

    /// Any number.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number less than `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// A character of the text, of ASCII, or any.
    pub(crate) fn character(&mut self, text: &[char]) -> char {
        match self.below(3) {
            0 => text[self.below(text.len())],
            1 => char::from(self.below(128) as u8),
            _ => char::from_u32(self.below(0x11_0000) as u32).unwrap_or('\n'),
        }
    }
}

//! A state: two sets of cells and the paths into it, and how both are stored.
//!
//! A state is stored as 64-bit words: those of its sets, then the tally, least word first; before a
//! tally without bound stands the number of its words.

use crate::tally::{Tally, Width};
use num_bigint::BigUint;

/// Two sets of cells as one number, the opponent's above the mover's. Numbers are ordered by the
/// opponent's set first; the start of the game, with no cell in either, is 0.
pub trait StateKey: Copy + Ord + Default + Send + Sync + 'static {
    /// Bits of a set.
    const SET_BITS: usize;
    /// 64-bit words in which it is stored.
    const WORDS: usize;
    /// Bytes that the sums of one row may take: games with larger sets have longer rows.
    const ROW_BYTES: u64;

    /// The number of two sets.
    fn of(opponent: u64, own: u64) -> Self;
    /// The set of the player who waits.
    fn opponent(self) -> u64;
    /// The set of the player to move.
    fn own(self) -> u64;

    /// Appends it, as it is stored.
    fn store(self, words: &mut Vec<u64>);
    /// The one that is stored at the beginning of these words, of which there are enough.
    fn load(words: &[u64]) -> Self;

    /// Tells how it follows on a smaller one, in numbers that are small where the step is.
    fn tell_step(self, last: Self, tell: impl FnMut(u64));
    /// The one that follows on `last` by what was told; nothing if there is none.
    fn after(last: Self, told: impl FnMut() -> Option<u64>) -> Option<Self>;
}

/// Sets of at most 32 cells.
impl StateKey for u64 {
    const SET_BITS: usize = 32;
    const WORDS: usize = 1;
    const ROW_BYTES: u64 = 4 << 20;

    #[inline(always)]
    fn of(opponent: u64, own: u64) -> u64 {
        opponent << 32 | own
    }

    #[inline(always)]
    fn opponent(self) -> u64 {
        self >> 32
    }

    #[inline(always)]
    fn own(self) -> u64 {
        self & u64::from(u32::MAX)
    }

    #[inline(always)]
    fn store(self, words: &mut Vec<u64>) {
        words.push(self);
    }

    #[inline(always)]
    fn load(words: &[u64]) -> u64 {
        words[0]
    }

    fn tell_step(self, last: u64, mut tell: impl FnMut(u64)) {
        tell(self - last);
    }

    fn after(last: u64, mut told: impl FnMut() -> Option<u64>) -> Option<u64> {
        last.checked_add(told()?)
    }
}

/// Sets of at most 64 cells.
impl StateKey for u128 {
    const SET_BITS: usize = 64;
    const WORDS: usize = 2;
    /// On 6x6, eight pieces in a corner leave the other player's eight or nine nearly a million ways.
    const ROW_BYTES: u64 = 128 << 20;

    #[inline(always)]
    fn of(opponent: u64, own: u64) -> u128 {
        u128::from(opponent) << 64 | u128::from(own)
    }

    #[inline(always)]
    fn opponent(self) -> u64 {
        (self >> 64) as u64
    }

    #[inline(always)]
    fn own(self) -> u64 {
        self as u64
    }

    #[inline(always)]
    fn store(self, words: &mut Vec<u64>) {
        words.extend_from_slice(&[self.opponent(), self.own()]);
    }

    #[inline(always)]
    fn load(words: &[u64]) -> u128 {
        u128::of(words[0], words[1])
    }

    /// In the same row, the step of the mover's set; else that set.
    fn tell_step(self, last: u128, mut tell: impl FnMut(u64)) {
        let rows = self.opponent() - last.opponent();
        tell(rows);
        tell(if rows == 0 { self.own() - last.own() } else { self.own() });
    }

    fn after(last: u128, mut told: impl FnMut() -> Option<u64>) -> Option<u128> {
        let (rows, own) = (told()?, told()?);
        let opponent = last.opponent().checked_add(rows)?;
        let own = if rows == 0 { last.own().checked_add(own)? } else { own };
        Some(u128::of(opponent, own))
    }
}

/// A state's word and the number of paths into it.
pub type State<W, T> = (W, T);

/// Appends a state.
#[inline(always)]
pub fn store<W: StateKey, T: Tally>(word: W, paths: &T, words: &mut Vec<u64>) {
    word.store(words);
    paths.store(words);
}

/// Words that a state with so many paths takes.
#[inline(always)]
pub fn stored_words<W: StateKey, T: Tally>(paths: &T) -> usize {
    W::WORDS + paths.words()
}

/// The fewest words that a state takes.
pub fn least_words<W: StateKey>(width: Width) -> usize {
    W::WORDS + width.words()
}

/// Bytes of memory for so many states, none with more paths than that.
pub fn work_bytes<W: StateKey, T: Tally>(states: usize, most: &BigUint) -> u64 {
    states as u64 * (size_of::<State<W, T>>() as u64 + T::bytes_elsewhere(most))
}

/// Takes states that were stored in tallies of that width, no wider than these, and returns how
/// many words at the end are not a whole state.
pub fn load<W: StateKey, T: Tally>(
    width: Width,
    words: &[u64],
    states: &mut Vec<State<W, T>>,
) -> usize {
    let mut take = |state: &[u64], tally| states.push((W::load(state), T::from_words(tally)));
    match width {
        Width::Unbounded => {
            let mut left = words.len();
            for state in each::<W>(width, words) {
                take(state, &state[W::WORDS + 1..]);
                left -= state.len();
            }
            left
        }
        _ => {
            let stored = words.chunks_exact(least_words::<W>(width));
            let left = stored.remainder().len();
            stored.for_each(|state| take(state, &state[W::WORDS..]));
            left
        }
    }
}

/// The states that stored words hold, one after the other; ends where words are no state.
pub fn each<W: StateKey>(width: Width, words: &[u64]) -> impl Iterator<Item = &[u64]> {
    let mut rest = words;
    std::iter::from_fn(move || {
        let length = match width {
            Width::Unbounded => {
                usize::try_from(*rest.get(W::WORDS)?).ok()?.checked_add(W::WORDS + 1)?
            }
            _ => least_words::<W>(width),
        };
        let (state, more) = rest.split_at_checked(length)?;
        rest = more;
        Some(state)
    })
}

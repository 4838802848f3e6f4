//! Keys of states, and how states are stored.
//!
//! A state of a level is a key, which encodes two sets of cells, and a tally, the number of paths
//! into the state. It is stored as 64-bit words: the words of the key, then those of the tally,
//! least significant first. An unbounded tally is preceded by the number of its words.

use crate::tally::{Tally, Width};
use num_bigint::BigUint;

/// The key of a state: two sets of cells as one integer, the opponent's in the upper half and the
/// mover's in the lower. Keys are ordered by the opponent's set first. The initial position, in
/// which both sets are empty, has key 0.
///
/// Implemented for `u64` (sets of at most 32 cells) and `u128` (at most 64).
pub trait StateKey: Copy + Ord + Default + Send + Sync + 'static {
    /// The number of bits of a set.
    const SET_BITS: usize;
    /// The number of 64-bit words in which a key is stored.
    const WORDS: usize;
    /// The memory budget for the sums of one row, in bytes. Games with larger sets have longer
    /// rows.
    const ROW_BYTES: u64;

    /// Returns the key of two sets.
    fn of(opponent: u64, own: u64) -> Self;
    /// The set of the opponent of the player to move.
    fn opponent(self) -> u64;
    /// The set of the player to move.
    fn own(self) -> u64;

    /// Appends the words of the key.
    fn store(self, words: &mut Vec<u64>);
    /// Reads the key at the beginning of `words`, which must hold at least [`WORDS`](Self::WORDS).
    fn load(words: &[u64]) -> Self;

    /// Passes the difference from a smaller or equal key to `put`, as one or two integers that are
    /// small if the difference is.
    fn encode_delta(self, last: Self, put: impl FnMut(u64));
    /// Returns the key that differs from `last` by the integers that `get` returns, the inverse of
    /// [`encode_delta`](Self::encode_delta). `None` if `get` ends or the key overflows.
    fn decode_delta(last: Self, get: impl FnMut() -> Option<u64>) -> Option<Self>;
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

    fn encode_delta(self, last: u64, mut put: impl FnMut(u64)) {
        put(self - last);
    }

    fn decode_delta(last: u64, mut get: impl FnMut() -> Option<u64>) -> Option<u64> {
        last.checked_add(get()?)
    }
}

/// Sets of at most 64 cells.
impl StateKey for u128 {
    const SET_BITS: usize = 64;
    const WORDS: usize = 2;
    /// With eight pieces in a corner of a board of 36 cells, a row has nearly a million sets.
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

    /// The difference of the opponent's sets, then that of the mover's sets if the first is 0 and
    /// otherwise the mover's set itself.
    fn encode_delta(self, last: u128, mut put: impl FnMut(u64)) {
        let rows = self.opponent() - last.opponent();
        put(rows);
        put(if rows == 0 { self.own() - last.own() } else { self.own() });
    }

    fn decode_delta(last: u128, mut get: impl FnMut() -> Option<u64>) -> Option<u128> {
        let (rows, own) = (get()?, get()?);
        let opponent = last.opponent().checked_add(rows)?;
        let own = if rows == 0 { last.own().checked_add(own)? } else { own };
        Some(u128::of(opponent, own))
    }
}

/// A state: its key and the number of paths into it.
pub type State<K, T> = (K, T);

/// Appends the words of a state.
#[inline(always)]
pub fn store<K: StateKey, T: Tally>(key: K, paths: &T, words: &mut Vec<u64>) {
    key.store(words);
    paths.store(words);
}

/// The number of words of a state with that tally.
#[inline(always)]
pub fn stored_words<K: StateKey, T: Tally>(paths: &T) -> usize {
    K::WORDS + paths.words()
}

/// The least number of words of a state.
pub fn least_words<K: StateKey>(width: Width) -> usize {
    K::WORDS + width.words()
}

/// The memory, in bytes, of `states` states with tallies of at most `most`.
pub fn work_bytes<K: StateKey, T: Tally>(states: usize, most: &BigUint) -> u64 {
    states as u64 * (size_of::<State<K, T>>() as u64 + T::bytes_elsewhere(most))
}

/// Appends the states stored in `words`, with tallies of the given width, to `states`, whose
/// tallies are at least as wide. Returns the number of words at the end that are not a complete
/// state.
pub fn load<K: StateKey, T: Tally>(
    width: Width,
    words: &[u64],
    states: &mut Vec<State<K, T>>,
) -> usize {
    let mut take = |state: &[u64], tally| states.push((K::load(state), T::from_words(tally)));
    match width {
        Width::Unbounded => {
            let mut left = words.len();
            for state in each::<K>(width, words) {
                take(state, &state[K::WORDS + 1..]);
                left -= state.len();
            }
            left
        }
        _ => {
            let stored = words.chunks_exact(least_words::<K>(width));
            let left = stored.remainder().len();
            stored.for_each(|state| take(state, &state[K::WORDS..]));
            left
        }
    }
}

/// Iterates over stored states, each as its words. Ends before an incomplete state.
pub fn each<K: StateKey>(width: Width, words: &[u64]) -> impl Iterator<Item = &[u64]> {
    let mut rest = words;
    std::iter::from_fn(move || {
        let length = match width {
            Width::Unbounded => {
                usize::try_from(*rest.get(K::WORDS)?).ok()?.checked_add(K::WORDS + 1)?
            }
            _ => least_words::<K>(width),
        };
        let (state, more) = rest.split_at_checked(length)?;
        rest = more;
        Some(state)
    })
}

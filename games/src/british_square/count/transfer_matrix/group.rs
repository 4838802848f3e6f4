//! Tables of numbers of sets.

use super::packed::{Packed, Place};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::BuildHasher;
use std::ops::Range;

/// Numbers of sets by key, by gap, and by two numbers of at most 64, modulo 2^64.
#[derive(Default)]
pub(super) struct Group {
    /// The keys one after another.
    keys: Vec<u16>,
    /// Where the key of each state and its rows end.
    ends: Vec<(u32, u32)>,
    /// The rows of each state, one for each gap.
    rows: Vec<Row>,
    counts: Packed,
}

/// The numbers of sets with some key and gap.
struct Row {
    shape: Shape,
    place: Place,
}

/// The gap of a row, and the rectangle of numbers outside of which all counts are 0.
#[derive(Clone, Copy)]
struct Shape {
    gap: i8,
    size: Span,
    other: Span,
}

/// A range of small numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Span {
    first: u8,
    end: u8,
}

impl Span {
    fn len(self) -> usize {
        usize::from(self.end - self.first)
    }

    fn shifted(self, by: u8) -> Span {
        Span { first: self.first + by, end: self.end + by }
    }

    fn including(self, other: Span) -> Span {
        Span { first: self.first.min(other.first), end: self.end.max(other.end) }
    }
}

impl Shape {
    /// The number of counts.
    fn len(&self) -> usize {
        self.size.len() * self.other.len()
    }
}

impl Group {
    /// One set with a key, for which the gap and both numbers are 0.
    pub(super) fn one(key: &[u16]) -> Group {
        let zero = Span { first: 0, end: 1 };
        let mut counts = Packed::default();
        let place = counts.push(&[1]);
        Group {
            keys: key.to_vec(),
            ends: vec![(small(key.len()), 1)],
            rows: vec![Row { shape: Shape { gap: 0, size: zero, other: zero }, place }],
            counts,
        }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.keys)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.rows)
            + self.counts.bytes()
    }

    /// The key and the rows of each state.
    pub(super) fn states(&self) -> impl Iterator<Item = (&[u16], Range<usize>)> {
        let mut begin = (0, 0);
        self.ends.iter().map(move |&(key_end, row_end)| {
            let key = &self.keys[begin.0..key_end as usize];
            let rows = begin.1..row_end as usize;
            begin = (key_end as usize, row_end as usize);
            (key, rows)
        })
    }

    /// The gap of a row.
    pub(super) fn gap(&self, row: usize) -> i8 {
        self.rows[row].shape.gap
    }

    /// The numbers of sets with some gap and two numbers, all with one key.
    pub(super) fn into_counts(self) -> Vec<(i8, [usize; 2], u64)> {
        let mut all = Vec::new();
        let mut counts = Vec::new();
        for (at, Row { shape, .. }) in self.rows.iter().enumerate() {
            self.counts_of(at, &mut counts);
            for (sums, size) in counts.chunks(shape.other.len()).zip(shape.size.first..) {
                for (&count, other) in sums.iter().zip(shape.other.first..) {
                    all.push((shape.gap, [size.into(), other.into()], count));
                }
            }
        }
        all
    }

    /// Replaces `counts` by those of a row.
    fn counts_of(&self, row: usize, counts: &mut Vec<u64>) {
        let Row { shape, place } = &self.rows[row];
        self.counts.get(*place, shape.len(), counts);
    }
}

/// Sums up the rows of groups by new keys and gaps.
///
/// First the keys and the shapes of the rows are collected, then the sums are formed. So each is
/// allocated once.
pub(super) struct Builder {
    table: HashTable<u32>,
    keys: Vec<u16>,
    states: Vec<Draft>,
    rows: Vec<DraftRow>,
    /// The new row of each old row that is added.
    terms: Vec<(u32, u32)>,
    parts: Vec<Part>,
}

/// The rows of a group that are added with the same weight.
struct Part {
    /// The number of the group.
    group: usize,
    weight: Weight,
    /// The number of its terms.
    terms: usize,
}

/// What is added to the two numbers of each set, and the sign of the sum.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    pub gain: [u8; 2],
    pub is_negative: bool,
}

/// A state of a new group.
struct Draft {
    key_end: u32,
    last_row: u32,
}

/// A row of a new group.
struct DraftRow {
    shape: Shape,
    /// The number of the row of the same state that was added before it.
    previous: u32,
    /// The number of the first of its sums.
    first: usize,
}

/// The end of a list of rows.
const NO_ROW: u32 = u32::MAX;

impl Builder {
    pub(super) fn new() -> Builder {
        Builder {
            table: HashTable::new(),
            keys: Vec::new(),
            states: Vec::new(),
            rows: Vec::new(),
            terms: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Begins to add rows of the group of a number.
    pub(super) fn begin(&mut self, group: usize, weight: Weight) {
        self.parts.push(Part { group, weight, terms: 0 });
    }

    /// Adds a row of the group to the sum of a state and a gap.
    pub(super) fn add(&mut self, group: &Group, row: usize, state: usize, gap: i8) {
        let part = self.parts.last_mut().expect("a part has begun");
        part.terms += 1;
        let [size_gain, other_gain] = part.weight.gain;
        let old = &group.rows[row].shape;
        let (size, other) = (old.size.shifted(size_gain), old.other.shifted(other_gain));
        let mut at = self.states[state].last_row;
        while at != NO_ROW {
            let DraftRow { shape, previous, .. } = &mut self.rows[at as usize];
            if shape.gap == gap {
                shape.size = shape.size.including(size);
                shape.other = shape.other.including(other);
                break;
            }
            at = *previous;
        }
        if at == NO_ROW {
            at = small(self.rows.len());
            let previous = std::mem::replace(&mut self.states[state].last_row, at);
            self.rows.push(DraftRow { shape: Shape { gap, size, other }, previous, first: 0 });
        }
        self.terms.push((at, small(row)));
    }

    /// The number of the state of a key, which is added if it is new.
    pub(super) fn state(&mut self, key: &[u16]) -> usize {
        let hash_of = |key: &[u16]| FixedState::default().hash_one(key);
        let key_of = |state: u32| {
            let begin = match state {
                0 => 0,
                _ => self.states[state as usize - 1].key_end,
            };
            &self.keys[begin as usize..self.states[state as usize].key_end as usize]
        };
        let is_same = |state: &u32| key_of(*state) == key;
        match self.table.entry(hash_of(key), is_same, |state| hash_of(key_of(*state))) {
            Entry::Occupied(state) => *state.get() as usize,
            Entry::Vacant(place) => {
                let state = self.states.len();
                place.insert(small(state));
                self.keys.extend(key);
                self.states.push(Draft { key_end: small(self.keys.len()), last_row: NO_ROW });
                state
            }
        }
    }

    /// Forms the sums. `groups` are those whose rows were added. Rows that contain no sets are
    /// dropped.
    pub(super) fn build(mut self, groups: &[&Group]) -> Group {
        drop(std::mem::take(&mut self.table));
        let sums = self.sums(groups);
        let mut counts = Packed::default();
        let mut rows = Vec::with_capacity(self.rows.len());
        let mut ends = Vec::with_capacity(self.states.len());
        for state in &self.states {
            let mut at = state.last_row;
            while at != NO_ROW {
                let DraftRow { shape, previous, first } = &self.rows[at as usize];
                let sums = &sums[*first..][..shape.len()];
                if sums.iter().any(|&sum| sum != 0) {
                    rows.push(Row { shape: *shape, place: counts.push(sums) });
                }
                at = *previous;
            }
            ends.push((state.key_end, small(rows.len())));
        }
        self.keys.shrink_to_fit();
        rows.shrink_to_fit();
        counts.shrink();
        Group { keys: self.keys, ends, rows, counts }
    }

    /// The sums of all rows.
    fn sums(&mut self, groups: &[&Group]) -> Vec<u64> {
        let mut len = 0;
        for row in &mut self.rows {
            row.first = len;
            len += row.shape.len();
        }
        let mut sums = vec![0; len];
        let mut counts = Vec::new();
        let mut terms = self.terms.iter();
        for part in &self.parts {
            let source = groups[part.group];
            for &(new, old) in terms.by_ref().take(part.terms) {
                let DraftRow { shape, first, .. } = &self.rows[new as usize];
                let sums = &mut sums[*first..][..shape.len()];
                source.counts_of(old as usize, &mut counts);
                add(sums, shape, &counts, &source.rows[old as usize].shape, part.weight);
            }
        }
        sums
    }
}

/// Adds the counts of a row to those of another.
fn add(sums: &mut [u64], new: &Shape, counts: &[u64], old: &Shape, weight: Weight) {
    let [size_gain, other_gain] = weight.gain;
    let (old_width, width) = (old.other.len(), new.other.len());
    let first = usize::from(old.size.first + size_gain - new.size.first) * width
        + usize::from(old.other.first + other_gain - new.other.first);
    for (sums, counts) in sums[first..].chunks_mut(width).zip(counts.chunks(old_width)) {
        for (sum, &count) in sums.iter_mut().zip(counts) {
            *sum =
                if weight.is_negative { sum.wrapping_sub(count) } else { sum.wrapping_add(count) };
        }
    }
}

/// A place in a table.
fn small(place: usize) -> u32 {
    u32::try_from(place).expect("a group has less than 2^32 counts")
}

//! Tables of numbers of sets.

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
    /// The counts of the rows.
    counts: Vec<u64>,
}

/// The numbers of sets with some key and gap. They are stored for a rectangle outside of which all
/// are 0.
#[derive(Clone, Copy)]
struct Row {
    gap: i8,
    size: Span,
    other: Span,
    /// The place of the first number.
    first: u32,
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

impl Row {
    fn len(&self) -> usize {
        self.size.len() * self.other.len()
    }
}

impl Group {
    /// One set with a key, for which the gap and both numbers are 0.
    pub(super) fn one(key: &[u16]) -> Group {
        let zero = Span { first: 0, end: 1 };
        Group {
            keys: key.to_vec(),
            ends: vec![(key.len() as u32, 1)],
            rows: vec![Row { gap: 0, size: zero, other: zero, first: 0 }],
            counts: vec![1],
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
            + size_of_val(&*self.counts)
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
        self.rows[row].gap
    }

    /// Drops the rows that contain no sets.
    fn drop_zeros(&mut self) {
        let mut kept = 0;
        let mut begin = 0;
        for state in 0..self.ends.len() {
            let end = self.ends[state].1 as usize;
            for row in begin..end {
                if self.counts_of(row).iter().any(|&count| count != 0) {
                    self.rows[kept] = self.rows[row];
                    kept += 1;
                }
            }
            begin = end;
            self.ends[state].1 = small(kept);
        }
        self.rows.truncate(kept);
    }

    /// The numbers of sets with some gap and two numbers, all with one key.
    pub(super) fn into_counts(self) -> Vec<(i8, [usize; 2], u64)> {
        let mut all = Vec::new();
        for (row, counts) in self.rows.iter().zip((0..).map(|row| self.counts_of(row))) {
            for (sums, size) in counts.chunks(row.other.len()).zip(row.size.first..) {
                for (&count, other) in sums.iter().zip(row.other.first..) {
                    all.push((row.gap, [size.into(), other.into()], count));
                }
            }
        }
        all
    }

    fn counts_of(&self, row: usize) -> &[u64] {
        let row = &self.rows[row];
        &self.counts[row.first as usize..][..row.len()]
    }
}

/// Sums up the rows of groups by new keys and gaps.
///
/// First the keys and the sizes of the sums are collected, then the sums are formed. So each is
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
    /// The end of its terms.
    end: usize,
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

/// A row of a new group, and the number of another row of its state.
struct DraftRow {
    row: Row,
    other: u32,
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
        self.parts.push(Part { group, weight, end: self.terms.len() });
    }

    /// Adds a row of the group to the sum of a key and a gap.
    pub(super) fn add(&mut self, group: &Group, row: usize, key: &[u16], gap: i8) {
        let part = self.parts.last_mut().expect("a part has begun");
        part.end += 1;
        let [size_gain, other_gain] = part.weight.gain;
        let old = &group.rows[row];
        let (size, other) = (old.size.shifted(size_gain), old.other.shifted(other_gain));
        let state = self.state(key);
        let mut at = self.states[state].last_row;
        while at != NO_ROW {
            let draft = &mut self.rows[at as usize];
            if draft.row.gap == gap {
                draft.row.size = draft.row.size.including(size);
                draft.row.other = draft.row.other.including(other);
                break;
            }
            at = draft.other;
        }
        if at == NO_ROW {
            at = small(self.rows.len());
            let row = Row { gap, size, other, first: 0 };
            self.rows.push(DraftRow { row, other: self.states[state].last_row });
            self.states[state].last_row = at;
        }
        self.terms.push((at, small(row)));
    }

    /// The number of the state of a key.
    fn state(&mut self, key: &[u16]) -> usize {
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

    /// Forms the sums. `groups` are those whose rows were added.
    pub(super) fn build(mut self, groups: &[&Group]) -> Group {
        drop(std::mem::take(&mut self.table));
        let mut rows = Vec::with_capacity(self.rows.len());
        let mut ends = Vec::with_capacity(self.states.len());
        let mut first = 0;
        for state in &self.states {
            let mut at = state.last_row;
            while at != NO_ROW {
                let draft = &mut self.rows[at as usize];
                draft.row.first = small(first);
                first += draft.row.len();
                rows.push(draft.row);
                at = draft.other;
            }
            ends.push((state.key_end, small(rows.len())));
        }
        self.keys.shrink_to_fit();
        let mut group = Group { keys: self.keys, ends, rows, counts: vec![0; first] };
        let mut begin = 0;
        for part in &self.parts {
            let source = groups[part.group];
            for &(new, old) in &self.terms[begin..part.end] {
                let new = &self.rows[new as usize].row;
                let sums = &mut group.counts[new.first as usize..][..new.len()];
                add(
                    sums,
                    new,
                    source.counts_of(old as usize),
                    &source.rows[old as usize],
                    part.weight,
                );
            }
            begin = part.end;
        }
        if self.parts.iter().any(|part| part.weight.is_negative) {
            group.drop_zeros();
        }
        group
    }
}

/// Adds the counts of a row to those of another.
fn add(sums: &mut [u64], new: &Row, counts: &[u64], old: &Row, weight: Weight) {
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

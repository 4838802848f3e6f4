//! The sweep over the cells of a board.

use super::completions::{Completions, Gains};
use super::covers::{self, Cover};
use super::frontier::{Labels, MAX_WIDTH, Placed, Step};
use super::group::{Builder, Group, Weight};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a sweep counts. In the sums, marked pieces are not in the set, but what is adjacent to one
/// is adjacent to the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// Sets by their size and the number of marked pieces. All pieces of the set are chosen.
    AllChosen,
    /// Sets by their size and the number of marked pieces. As few as possible are chosen.
    FewestChosen,
    /// Sets by their size and the number of cells apart, each with the sign of the parity of the
    /// number of marked pieces. As few as possible are chosen.
    Signed,
}

/// A sweep over the cells of a board, by rows of the given width.
pub(super) struct Sweep<'a> {
    pub length: usize,
    pub width: usize,
    pub count: Count,
    /// The largest gap of interest: the number of chosen pieces minus that of the cells apart.
    pub most: i8,
    /// Whether frontiers without a completion of interest are dropped, and mirror images merged.
    pub is_reduced: bool,
    /// The memory allowed, in bytes.
    pub memory: usize,
    pub monitor: &'a Monitor<'a>,
}

/// The numbers of sets by the labels of the frontier. The keys of a group are its covers, with
/// numbers of pieces relative to the least, which is part of the gap.
type Groups = BTreeMap<Labels, Group>;

impl Sweep<'_> {
    /// The numbers of sets by their gap and by the two numbers that are [counted](Count), modulo
    /// 2^64. Some for gaps greater than `most` are missing.
    ///
    /// # Errors
    ///
    /// [`SolveError::OverLimit`] if the memory does not suffice, and [`SolveError::Stopped`].
    pub(super) fn run(&self) -> Result<Vec<(i8, [usize; 2], u64)>, SolveError> {
        assert!(self.width <= MAX_WIDTH, "a frontier has at most {MAX_WIDTH} columns");
        let placements = |cell| self.placements(cell);
        let completions =
            self.is_reduced.then(|| Completions::new(self.steps(), self.width, placements));
        let start = Group::one(&covers::key_of(&[Cover::new(0, 0)]));
        let memory = Memory { allowed: self.memory, used: AtomicUsize::new(start.bytes()) };
        let mut groups = Groups::from([(Labels::START, start)]);
        for cell in 0..self.steps() {
            let column = cell % self.width;
            // Groups with the same other labels lead to the same groups.
            let parts = classes(groups, |labels| labels.others(column));
            let next = parallel::try_map(parts, |part| {
                let next = self.advance(cell, &part, completions.as_ref())?;
                memory.replace(&part, &next)?;
                Ok::<_, SolveError>(next)
            })?;
            groups = next.into_iter().flatten().collect();
            if self.is_reduced && column + 1 == self.width {
                let parts = classes(groups, |labels| labels.min(labels.mirrored(self.width)));
                let next = parallel::try_map(parts, |part| {
                    let next = self.merge_images(&part);
                    memory.replace(&part, &next)?;
                    Ok::<_, SolveError>(next)
                })?;
                groups = next.into_iter().flatten().collect();
            }
            self.monitor.advance(1);
        }
        // All that is left is the frontier below the last row.
        Ok(groups.into_values().flat_map(Group::into_counts).collect())
    }

    /// The number of cells, and of those of a row below the board.
    fn steps(&self) -> usize {
        (self.length + 1) * self.width
    }

    fn placements(&self, cell: usize) -> &'static [Placed] {
        if cell >= self.length * self.width {
            return &[Placed::Edge];
        }
        match self.count {
            Count::AllChosen => &[Placed::Empty, Placed::Chosen, Placed::Marked],
            Count::FewestChosen | Count::Signed => &[Placed::Empty, Placed::Piece, Placed::Marked],
        }
    }

    /// What a placement adds to the two numbers that are counted, and its sign.
    fn weight(&self, placed: Placed, leaves_apart: bool) -> Weight {
        let piece = u8::from(matches!(placed, Placed::Piece | Placed::Chosen));
        let is_marked = placed == Placed::Marked;
        match self.count {
            Count::AllChosen | Count::FewestChosen => {
                Weight { gain: [piece, u8::from(is_marked)], is_negative: false }
            }
            Count::Signed => {
                Weight { gain: [piece, u8::from(leaves_apart)], is_negative: is_marked }
            }
        }
    }

    /// The groups after each placement on a cell. `groups` are those that lead to the same ones.
    fn advance(
        &self,
        cell: usize,
        groups: &[(Labels, Group)],
        completions: Option<&Completions>,
    ) -> Result<Vec<(Labels, Group)>, SolveError> {
        let mut builders = BTreeMap::<Labels, Builder>::new();
        let mut buffers = Buffers::default();
        for (number, (labels, group)) in groups.iter().enumerate() {
            for &placed in self.placements(cell) {
                let step = Step::new(*labels, cell % self.width, placed);
                let gains = completions.map(|completions| completions.least(cell + 1, step.labels));
                let apart = i8::from(step.leaves_apart);
                let builder = builders.entry(step.labels).or_insert_with(Builder::new);
                builder.begin(number, self.weight(placed, step.leaves_apart));
                for (state, (key, rows)) in group.states().enumerate() {
                    if state % CHECKED == 0 {
                        self.monitor.check()?;
                    }
                    buffers.advance(key, &step, gains);
                    for row in rows {
                        let gap = group.gap(row) - apart;
                        if let Some(fewest) = buffers.select(gap, self.most) {
                            builder.add(group, row, &buffers.key, gap + fewest as i8);
                        }
                    }
                }
            }
        }
        let sources: Vec<&Group> = groups.iter().map(|(_, group)| group).collect();
        let built = builders.into_iter().map(|(labels, builder)| (labels, builder.build(&sources)));
        Ok(built.filter(|(_, group)| group.len() > 0).collect())
    }

    /// Merges the frontiers with their mirror images. `groups` are one group, or one and that of
    /// the images.
    fn merge_images(&self, groups: &[(Labels, Group)]) -> Vec<(Labels, Group)> {
        let mut covers = Vec::new();
        let mut builder = Builder::new();
        let (labels, image) = (groups[0].0, groups[0].0.mirrored(self.width));
        let (labels, is_symmetric) = (labels.min(image), labels == image);
        for (number, (of_group, group)) in groups.iter().enumerate() {
            builder.begin(number, Weight { gain: [0, 0], is_negative: false });
            for (key, rows) in group.states() {
                covers::unpack(key, &mut covers);
                covers::mirror(&mut covers, self.width);
                let image = covers::key_of(&covers);
                // The image of symmetric labels is in the same group.
                let is_image = *of_group != labels || is_symmetric && *image < *key;
                let key = if is_image { &image } else { key };
                for row in rows {
                    builder.add(group, row, key, group.gap(row));
                }
            }
        }
        let sources: Vec<&Group> = groups.iter().map(|(_, group)| group).collect();
        vec![(labels, builder.build(&sources))]
    }
}

/// The groups in classes: those for whose labels `class` is the same.
fn classes(groups: Groups, class: impl Fn(Labels) -> Labels) -> Vec<Vec<(Labels, Group)>> {
    let mut classes = BTreeMap::<_, Vec<_>>::new();
    for (labels, group) in groups {
        classes.entry(class(labels)).or_default().push((labels, group));
    }
    classes.into_values().collect()
}

/// The number of frontiers after which a thread checks whether to continue.
const CHECKED: usize = 1 << 10;

/// The memory of the groups, in bytes.
struct Memory {
    allowed: usize,
    used: AtomicUsize,
}

impl Memory {
    /// Replaces groups by others.
    fn replace(&self, old: &[(Labels, Group)], new: &[(Labels, Group)]) -> Result<(), SolveError> {
        let bytes =
            |groups: &[(Labels, Group)]| groups.iter().map(|(_, group)| group.bytes()).sum();
        let added = bytes(new);
        if self.used.fetch_add(added, Ordering::Relaxed) + added > self.allowed {
            return Err(SolveError::OverLimit { bytes: self.allowed as u64 });
        }
        self.used.fetch_sub(bytes(old), Ordering::Relaxed);
        Ok(())
    }
}

/// Buffers of a thread.
#[derive(Default)]
struct Buffers {
    covers: Vec<Cover>,
    after: Vec<Cover>,
    /// The covers after a step that can be completed, with the least gap that they still gain.
    completed: Vec<(Cover, i8)>,
    /// Those that can lead to a gap of interest.
    kept: Vec<Cover>,
    key: Vec<u16>,
}

impl Buffers {
    /// Finds the covers after a step.
    fn advance(&mut self, key: &[u16], step: &Step, gains: Option<&Gains>) {
        covers::unpack(key, &mut self.covers);
        covers::advance(&self.covers, step, &mut self.after);
        self.completed.clear();
        for &cover in &self.after {
            let gain = match gains {
                Some(gains) => gains.get(&cover.levels()).copied(),
                None => Some(i8::MIN),
            };
            self.completed.extend(gain.map(|gain| (cover, gain)));
        }
    }

    /// Selects the covers of sets with some gap that can lead to a gap of at most `most`. The key
    /// becomes theirs. Returns the fewest pieces of one.
    fn select(&mut self, gap: i8, most: i8) -> Option<u8> {
        self.kept.clear();
        for (cover, gain) in &self.completed {
            if gain.saturating_add(gap + cover.pieces as i8) <= most {
                self.kept.push(*cover);
            }
        }
        let fewest = self.kept.first()?.pieces;
        self.kept.iter_mut().for_each(|cover| cover.pieces -= fewest);
        covers::pack(&self.kept, &mut self.key);
        Some(fewest)
    }
}

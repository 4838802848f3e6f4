//! The sweep over the cells of a board.

use super::completions::{Completions, Gains};
use super::covers::{self, Cover};
use super::frontier::{Labels, Levels, MAX_WIDTH, Placed, Step};
use super::group::{Builder, Group, Weight};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use std::cmp::Reverse;
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
        let memory = Memory { monitor: self.monitor, used: AtomicUsize::new(start.bytes()) };
        let mut groups = Groups::from([(Labels::START, start)]);
        for cell in 0..self.steps() {
            let column = cell % self.width;
            // Groups with the same other labels lead to the same groups.
            let parts = classes(groups, |labels| labels.others(column));
            let next = parallel::try_map(parts, |part| {
                let next = self.advance(cell, &part, completions.as_ref())?;
                memory.replace(&part, &next, cell)?;
                Ok::<_, SolveError>(next)
            })?;
            groups = next.into_iter().flatten().collect();
            if self.is_reduced && column + 1 == self.width {
                let parts = classes(groups, |labels| labels.min(labels.mirrored(self.width)));
                let next = parallel::try_map(parts, |part| {
                    let next = self.merge_images(&part);
                    memory.replace(&part, &next, cell)?;
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
        let mut buffers = Buffers::new(self.width);
        for (number, (labels, group)) in groups.iter().enumerate() {
            for &placed in self.placements(cell) {
                let step = Step::new(*labels, cell % self.width, placed);
                if let Some(completions) = completions {
                    buffers.set_gains(completions.least(cell + 1, step.labels));
                }
                let apart = i8::from(step.leaves_apart);
                let builder = builders.entry(step.labels).or_insert_with(Builder::new);
                builder.begin(number, self.weight(placed, step.leaves_apart));
                for (passed, (key, rows)) in group.states().enumerate() {
                    if passed % CHECKED == 0 {
                        self.monitor.check()?;
                    }
                    let gap = |row| group.gap(row) - apart;
                    let room = |row| self.most - gap(row);
                    buffers.advance(key, &step, rows.clone().map(room).max().unwrap_or(0));
                    // Rows that keep as many covers keep the same ones.
                    let (mut kept, mut state) = (0, 0);
                    for row in rows {
                        let Some(covers) = buffers.select(room(row)) else { continue };
                        if kept != covers.number {
                            kept = covers.number;
                            state = builder.state(buffers.key());
                        }
                        builder.add(group, row, state, gap(row) + covers.fewest as i8);
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
                let state = builder.state(if is_image { &image } else { key });
                for row in rows {
                    builder.add(group, row, state, group.gap(row));
                }
            }
        }
        let sources: Vec<&Group> = groups.iter().map(|(_, group)| group).collect();
        vec![(labels, builder.build(&sources))]
    }
}

/// The groups in classes: those for whose labels `class` is the same. Large classes come first, so
/// that no thread begins one when the others have finished.
fn classes(groups: Groups, class: impl Fn(Labels) -> Labels) -> Vec<Vec<(Labels, Group)>> {
    let mut classes = BTreeMap::<_, Vec<_>>::new();
    for (labels, group) in groups {
        classes.entry(class(labels)).or_default().push((labels, group));
    }
    let mut classes: Vec<Vec<(Labels, Group)>> = classes.into_values().collect();
    classes.sort_by_key(|groups| Reverse(bytes(groups)));
    classes
}

/// The memory of groups, in bytes.
fn bytes(groups: &[(Labels, Group)]) -> usize {
    groups.iter().map(|(_, group)| group.bytes()).sum()
}

/// The number of frontiers after which a thread checks whether to continue.
const CHECKED: usize = 1 << 10;

/// The memory of the groups, in bytes.
struct Memory<'a> {
    monitor: &'a Monitor<'a>,
    used: AtomicUsize,
}

impl Memory<'_> {
    /// Replaces groups by others, which are those after a cell.
    fn replace(
        &self,
        old: &[(Labels, Group)],
        new: &[(Labels, Group)],
        cell: usize,
    ) -> Result<(), SolveError> {
        let added = bytes(new);
        let used = self.used.fetch_add(added, Ordering::Relaxed) + added;
        self.monitor.allow_for(used as u64, cell as u64 + 1, "cells of a sweep")?;
        self.used.fetch_sub(bytes(old), Ordering::Relaxed);
        Ok(())
    }
}

/// The covers of a frontier after a step.
struct Buffers {
    /// Those before the step.
    before: Vec<Cover>,
    covers: Vec<Cover>,
    /// Those that are selected.
    selected: Vec<Cover>,
    key: Vec<u16>,
    /// By the levels of a cover, the least gap that it still gains.
    gains: Vec<i8>,
    /// The levels of the covers that can be completed.
    completed: Vec<Levels>,
}

/// How many covers are selected, and the fewest pieces of one.
struct Selected {
    number: usize,
    fewest: u8,
}

impl Buffers {
    /// Buffers for frontiers of a width, every cover of which may be completed.
    fn new(width: usize) -> Buffers {
        Buffers {
            before: Vec::new(),
            covers: Vec::new(),
            selected: Vec::new(),
            key: Vec::new(),
            gains: vec![i8::MIN; 1 << (2 * width)],
            completed: Vec::new(),
        }
    }

    /// Sets the least gaps that covers still gain. Those of other levels cannot be completed.
    fn set_gains(&mut self, gains: &Gains) {
        if self.completed.is_empty() {
            self.gains.fill(i8::MAX);
        }
        for levels in self.completed.drain(..) {
            self.gains[usize::from(levels)] = i8::MAX;
        }
        for (&levels, &gain) in gains {
            self.gains[usize::from(levels)] = gain;
            self.completed.push(levels);
        }
    }

    /// Finds the covers after a step that can lead to a gap of at most `room`, relative to that
    /// before it.
    fn advance(&mut self, key: &[u16], step: &Step, room: i8) {
        covers::unpack(key, &mut self.before);
        let gains = &self.gains;
        let is_kept = |cover: &Cover| leads_to(gains, cover, room);
        covers::advance(&self.before, step, is_kept, &mut self.covers);
    }

    /// Selects the covers that can lead to a gap of at most `room`, if there are any.
    fn select(&mut self, room: i8) -> Option<Selected> {
        let covers = self.covers.iter().filter(|cover| leads_to(&self.gains, cover, room));
        self.selected.clear();
        self.selected.extend(covers);
        let fewest = self.selected.first()?.pieces;
        Some(Selected { number: self.selected.len(), fewest })
    }

    /// The key of the selected covers.
    fn key(&mut self) -> &[u16] {
        covers::pack(&self.selected, &mut self.key);
        &self.key
    }
}

/// Whether a cover can lead to a gap of at most `room`.
fn leads_to(gains: &[i8], cover: &Cover, room: i8) -> bool {
    gains[usize::from(cover.levels())].saturating_add(cover.pieces as i8) <= room
}

//! Lower bounds on what is still to be chosen.

use super::frontier::{Labels, Levels, Placed, Step};
use foldhash::fast::FixedState;
use std::collections::{BTreeMap, HashMap};

/// The least gap that a frontier with some labels can still gain, by its levels: the least number of
/// further chosen pieces, minus further cells that are neither in the set nor adjacent to it.
pub(super) type Gains = HashMap<Levels, i8, FixedState>;

/// The gain of frontiers that cannot be completed.
const IMPOSSIBLE: i8 = i8::MAX;

/// Lower bounds on the gap that a sweep still gains, by the number of cells that it has passed.
pub(super) struct Completions(Vec<BTreeMap<Labels, Gains>>);

impl Completions {
    /// The bounds of a sweep over `cells` cells. `placements` are what can be placed on a cell.
    pub(super) fn new<'a>(
        cells: usize,
        width: usize,
        placements: impl Fn(usize) -> &'a [Placed],
    ) -> Completions {
        let steps = |cell: usize, labels: Labels| {
            placements(cell).iter().map(move |&placed| Step::new(labels, cell % width, placed))
        };
        let mut gains =
            vec![BTreeMap::from([(Labels::START, Gains::from_iter([(0, IMPOSSIBLE)]))])];
        for cell in 0..cells {
            let mut next = BTreeMap::<Labels, Gains>::new();
            for (&labels, before) in &gains[cell] {
                for step in steps(cell, labels) {
                    let after = next.entry(step.labels).or_default();
                    for &levels in before.keys() {
                        let levels = [step.unchosen(levels), step.chosen(levels)];
                        after.extend(levels.iter().flatten().map(|&levels| (levels, IMPOSSIBLE)));
                    }
                }
            }
            gains.push(next);
        }
        for gain in gains[cells].values_mut().flat_map(Gains::values_mut) {
            *gain = 0;
        }
        for cell in (0..cells).rev() {
            let (before, after) = gains.split_at_mut(cell + 1);
            for (&labels, before) in &mut before[cell] {
                for step in steps(cell, labels) {
                    let after = &after[0][&step.labels];
                    let apart = i8::from(step.leaves_apart);
                    for (&levels, least) in before.iter_mut() {
                        for (levels, chosen) in
                            [(step.unchosen(levels), 0), (step.chosen(levels), 1)]
                        {
                            let Some(levels) = levels else { continue };
                            let rest = after[&levels];
                            if rest != IMPOSSIBLE {
                                *least = (*least).min(chosen - apart + rest);
                            }
                        }
                    }
                }
            }
        }
        for gains in gains.iter_mut().flat_map(BTreeMap::values_mut) {
            gains.retain(|_, gain| *gain != IMPOSSIBLE);
        }
        Completions(gains)
    }

    /// The least gaps that can still be gained after `passed` cells, by the levels. Those of
    /// frontiers that cannot be completed are missing.
    pub(super) fn least(&self, passed: usize, labels: Labels) -> &Gains {
        &self.0[passed][&labels]
    }
}

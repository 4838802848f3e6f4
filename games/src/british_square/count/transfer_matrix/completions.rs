//! Lower bounds on what is still to be chosen.

use super::frontier::{Labels, Levels, Placed, Step};
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// The least gap that a frontier with these labels and levels can still gain: the least number of
/// further chosen pieces, minus further cells that are neither in the set nor adjacent to it.
type Gains = HashMap<(Labels, Levels), i8, FixedState>;

/// The gain of frontiers that cannot be completed.
const IMPOSSIBLE: i8 = i8::MAX;

/// Lower bounds on the gap that a sweep still gains, by the number of cells that it has passed.
pub(super) struct Completions(Vec<Gains>);

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
        let mut gains = vec![Gains::from_iter([((Labels::START, 0), IMPOSSIBLE)])];
        for cell in 0..cells {
            let mut next = Gains::default();
            for &(labels, levels) in gains[cell].keys() {
                for step in steps(cell, labels) {
                    let after = [step.unchosen(levels), step.chosen(levels)];
                    next.extend(
                        after.iter().flatten().map(|&levels| ((step.labels, levels), IMPOSSIBLE)),
                    );
                }
            }
            gains.push(next);
        }
        for gain in gains[cells].values_mut() {
            *gain = 0;
        }
        for cell in (0..cells).rev() {
            let (before, after) = gains.split_at_mut(cell + 1);
            let after = &after[0];
            for (&(labels, levels), least) in &mut before[cell] {
                for step in steps(cell, labels) {
                    for (levels, chosen) in [(step.unchosen(levels), 0), (step.chosen(levels), 1)] {
                        let Some(levels) = levels else { continue };
                        let rest = after[&(step.labels, levels)];
                        if rest != IMPOSSIBLE {
                            *least = (*least).min(chosen - i8::from(step.leaves_apart) + rest);
                        }
                    }
                }
            }
        }
        Completions(gains)
    }

    /// The least gap that can still be gained after `passed` cells, if any.
    #[inline]
    pub(super) fn least(&self, passed: usize, labels: Labels, levels: Levels) -> Option<i8> {
        let gain = self.0[passed].get(&(labels, levels)).copied();
        gain.filter(|&gain| gain != IMPOSSIBLE)
    }
}

//! The Pareto front of the lists found, by difficulty and number of failures.

use crate::british_square::heuristic::list::DecisionList;
use std::fmt;

/// A list with its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The list.
    pub list: DecisionList,
    /// Its difficulty for a person.
    pub difficulty: u32,
    /// Decisions at which some liked move is not perfect.
    pub fails: u64,
    /// Decisions at which no liked move is perfect.
    pub fails_badly: u64,
}

impl Found {
    /// A total order, better lists first: by failures, then difficulty, then bad failures, then
    /// text.
    pub fn rank(&self) -> (u64, u32, u64, String) {
        (self.fails, self.difficulty, self.fails_badly, self.list.to_string())
    }
}

/// The lists found that no other list dominates in difficulty and failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Front {
    /// Sorted by increasing difficulty and decreasing failures.
    found: Vec<Found>,
}

impl Front {
    /// The lists, by increasing difficulty.
    pub fn lists(&self) -> &[Found] {
        &self.found
    }

    /// The list with the fewest failures.
    pub fn best(&self) -> Option<&Found> {
        self.found.last()
    }

    /// The least number of failures of a list of at most the given difficulty.
    pub fn fewest_fails(&self, difficulty: u32) -> Option<u64> {
        let as_easy = self.found.iter().rev().find(|found| found.difficulty <= difficulty);
        as_easy.map(|found| found.fails)
    }

    /// Whether a list of the given difficulty and number of failures would be on the front.
    pub fn admits(&self, difficulty: u32, fails: u64) -> bool {
        self.fewest_fails(difficulty).is_none_or(|fewest| fails < fewest)
    }

    /// Adds a list unless it is dominated, and removes those that it dominates. Of two equal lists
    /// the one that ranks first is kept, in whatever order they are added.
    pub fn add(&mut self, new: Found) {
        let beats = |a: &Found, b: &Found| {
            let better = a.difficulty <= b.difficulty && a.fails <= b.fails;
            better && ((a.difficulty, a.fails) != (b.difficulty, b.fails) || a.rank() <= b.rank())
        };
        if self.found.iter().any(|old| beats(old, &new)) {
            return;
        }
        self.found.retain(|old| !beats(&new, old));
        let place = self.found.partition_point(|old| old.difficulty < new.difficulty);
        self.found.insert(place, new);
    }

    /// Adds the lists of another front.
    pub fn absorb(&mut self, other: Front) {
        other.found.into_iter().for_each(|found| self.add(found));
    }
}

/// Describes the best list.
impl fmt::Display for Front {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.best() {
            Some(best) => write!(f, "best so far fails {} times", best.fails),
            None => f.write_str("nothing found yet"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(difficulty: u32, fails: u64) -> Found {
        Found { list: DecisionList::default(), difficulty, fails, fails_badly: 0 }
    }

    proptest! {
        #[test]
        fn a_front_is_what_nothing_beats(pairs in proptest::collection::vec((0_u32..6, 0_u64..6), 0..20)) {
            let mut front = Front::default();
            pairs.iter().for_each(|&(d, f)| front.add(found(d, f)));
            let beaten = |&&(d, f): &&(u32, u64)| {
                pairs.iter().any(|&(e, g)| e <= d && g <= f && (e, g) != (d, f))
            };
            let mut wanted: Vec<_> = pairs.iter().filter(|pair| !beaten(pair)).copied().collect();
            wanted.sort_unstable();
            wanted.dedup();
            let kept: Vec<_> = front.lists().iter().map(|f| (f.difficulty, f.fails)).collect();
            prop_assert_eq!(kept, wanted);
            for d in 0..6 {
                for f in 0..6 {
                    let wanted = !pairs.iter().any(|&(e, g)| e <= d && g <= f);
                    prop_assert_eq!(front.admits(d, f), wanted);
                }
            }
        }
    }
}

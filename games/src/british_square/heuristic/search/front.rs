//! The best lists found at each level of difficulty.

use crate::british_square::heuristic::DecisionList;
use std::fmt;

/// A list and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The list.
    pub list: DecisionList,
    /// How hard it is for a person.
    pub difficulty: u32,
    /// Decisions where some liked move is not perfect.
    pub fails: u64,
    /// Decisions where no liked move is perfect.
    pub fails_badly: u64,
}

impl Found {
    /// Better ones first: fewer failures, then less difficult, then failing badly less often, then
    /// by the text, so that no two lists are alike.
    pub fn rank(&self) -> (u64, u32, u64, String) {
        (self.fails, self.difficulty, self.fails_badly, self.list.to_string())
    }
}

/// Lists than which no other one found is both as easy and as seldom wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Front {
    /// Easiest first, each wrong less often than the one before.
    found: Vec<Found>,
}

impl Front {
    /// The lists, easiest first.
    pub fn lists(&self) -> &[Found] {
        &self.found
    }

    /// The list that is wrong least often.
    pub fn best(&self) -> Option<&Found> {
        self.found.last()
    }

    /// Whether a list of that difficulty that fails no less often than that could still get in.
    pub fn admits(&self, difficulty: u32, fails: u64) -> bool {
        let as_easy = self.found.iter().rev().find(|found| found.difficulty <= difficulty);
        as_easy.is_none_or(|found| fails < found.fails)
    }

    /// Takes in a list, unless another one is as easy and as seldom wrong; drops those that it
    /// beats. Of two that are alike the one that ranks first stays, whatever the order.
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

    /// Takes in all of another front.
    pub fn absorb(&mut self, other: Front) {
        other.found.into_iter().for_each(|found| self.add(found));
    }
}

/// The best, in a few words.
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

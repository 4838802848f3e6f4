//! Positions counted by material.

use super::bit_set::{Found, TrackedSet};
use super::layout::Layout;
use super::part::and;
use bsq_engine::for_each_cpu;
use bsq_engine::parallel;
use std::convert::Infallible;

/// The number of sets of pieces that a player may have left. A set has a bit for each piece; the
/// first set is empty.
pub const MATERIALS: usize = 16;

/// Numbers of positions by material: the pieces of the row's player, then those of the opponent.
/// Of two mirror images one is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByMaterial(pub [[u64; MATERIALS]; MATERIALS]);

impl Default for ByMaterial {
    fn default() -> ByMaterial {
        ByMaterial([[0; MATERIALS]; MATERIALS])
    }
}

impl ByMaterial {
    /// The number of positions with any material.
    pub fn total(&self) -> u64 {
        self.0.iter().flatten().sum()
    }

    /// Whether these are at most as many positions of each material as the others.
    pub(super) fn is_within(&self, other: &ByMaterial) -> bool {
        self.0.iter().flatten().zip(other.0.iter().flatten()).all(|(one, other)| one <= other)
    }

    /// Adds other positions.
    pub(super) fn add(&mut self, other: &ByMaterial) {
        for (into, other) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *into += other;
        }
    }

    /// The sum of both.
    pub(super) fn plus(mut self, other: ByMaterial) -> ByMaterial {
        self.add(&other);
        self
    }

    /// Adds positions of a row.
    pub(super) fn add_found(&mut self, layout: &Layout, row: usize, found: &Found) {
        count(layout, row, found, self);
    }

    #[inline(always)]
    fn count(&mut self, layout: &Layout, row: usize, found: &Found) {
        let (n, taken) = (layout.places(), usize::from(layout.taken));
        let own = layout.material(row);
        // If the row's player stands in the middle column only, both images are in the row.
        let symmetric = layout.mirror(&layout.placements[row]) == layout.placements[row];
        for (part, words) in found.parts() {
            let words = if symmetric { and(words, &layout.halves[part]) } else { *words };
            let wells = |word: u32| u64::from((word & !(1 << taken)).count_ones());
            let others = |word: u32| u64::from(word >> taken & 1);
            let [with, without] = [
                words.iter().map(|&word| (word & !(1 << taken)).count_ones()).sum::<u32>(),
                words.iter().map(|&word| word >> taken & 1).sum(),
            ];
            let material = usize::from(part / n != taken) | usize::from(part % n != taken) << 1;
            let last = words[taken];
            self.0[own][material] += others(last);
            self.0[own][material | 8] += wells(last);
            self.0[own][material | 4] += u64::from(without) - others(last);
            self.0[own][material | 12] += u64::from(with) - wells(last);
        }
    }
}

impl TrackedSet {
    /// Adds positions, given by the codes of each row, which ascend, and marks their words as
    /// changed. Returns the number of these positions.
    pub fn add_codes(
        &mut self,
        layout: &Layout,
        codes: impl Fn(usize) -> Vec<u32> + Sync,
    ) -> ByMaterial {
        let places = layout.places();
        let Ok(counts) = parallel::fold(self.blocks_mut(), ByMaterial::default, |count, rows| {
            for (row, mut out) in rows {
                let found = Found::of_codes(codes(row), places);
                out.add(&found, places);
                out.mark_sections(places);
                count.add_found(layout, row, &found);
            }
            Ok::<_, Infallible>(())
        });
        counts.into_iter().fold(ByMaterial::default(), ByMaterial::plus)
    }
}

for_each_cpu! {
    fn count(layout: &Layout, row: usize, found: &Found, counts: &mut ByMaterial) {
        counts.count(layout, row, found);
    }
}

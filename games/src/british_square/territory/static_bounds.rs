//! What a first look at a territory tells: points, regions of known worth, bounds, a guess.

use super::regions::{Atlas, Worth};
use super::thermograph::STEPS;
use super::{Territorial, Territory};
use arrayvec::ArrayVec;
use bsq_engine::table::Bounds;

/// What a cell in a large region adds to the estimate, in steps: more than half a point.
const CELL: i32 = 5 * STEPS as i32 / 8;

/// A territory at first sight.
#[derive(Clone, Copy, Debug)]
pub struct Appraisal {
    /// Points settled, the mover's minus the other player's.
    pub score: i32,
    /// What is left without them.
    pub territory: Territory,
    /// What is known of the value, the points included.
    pub bounds: Bounds,
    /// A guess at the mean, in steps.
    pub estimate: i32,
    /// Whether what is left are small regions only.
    is_sum: bool,
}

impl Appraisal {
    fn settled(score: i32) -> Appraisal {
        Appraisal {
            score,
            territory: Territory::CLOSED,
            bounds: Bounds { lower: score, upper: score },
            estimate: score * i32::from(STEPS),
            is_sum: false,
        }
    }

    /// Nothing but what can be counted.
    pub fn unknown(territory: Territory) -> Appraisal {
        let [own, other] = territory.sizes();
        let bounds = Bounds { lower: -other, upper: own };
        Appraisal { score: 0, territory, bounds, estimate: 0, is_sum: false }
    }

    /// Settles what can be settled, takes regions of known worth apart, and bounds the rest.
    pub fn of<G: Territorial>(
        field: &G,
        atlas: &Atlas,
        notes: &mut Notes,
        territory: Territory,
    ) -> Appraisal {
        let (mut score, open) = territory.settle(field);
        if open == Territory::CLOSED || field.is_mirrored(open) {
            return Appraisal::settled(score);
        }
        let mut small: ArrayVec<(Territory, Worth), 32> = ArrayVec::new();
        let mut large = Territory::CLOSED;
        for region in open.regions(field) {
            let is_small = region.cells().count_ones() <= field.small_region();
            match if is_small { notes.worth(atlas, field, region) } else { None } {
                None => large = large.and(region),
                Some(worth) if worth.is_cold() => score += i32::from(worth.stops[0]),
                Some(worth) => match small.iter().position(|(_, other)| worth.cancels(other)) {
                    Some(opposite) => drop(small.swap_remove(opposite)),
                    None => small.push((region, worth)),
                },
            }
        }
        match (&small[..], large) {
            ([], Territory::CLOSED) => Appraisal::settled(score),
            ([(_, worth)], Territory::CLOSED) => {
                Appraisal::settled(score + i32::from(worth.stops[0]))
            }
            _ => Appraisal::of_sum(score, &small, large),
        }
    }

    /// Puts another territory in the place of a sum of small regions, the same one for all sums
    /// that look alike: they are worth the same, wherever their regions lie.
    pub fn generalize<G: Territorial>(&mut self, field: &G, atlas: &Atlas, notes: &mut Notes) {
        if !self.is_sum {
            return;
        }
        let regions = self.territory.regions(field);
        let small: ArrayVec<Worth, 32> =
            regions.filter_map(|region| notes.worth(atlas, field, region)).collect();
        self.territory = atlas.stand_in(&small, self.territory);
    }

    /// Bounds for a sum of small regions, whose worth is known, and large ones, on top of points.
    fn of_sum(score: i32, small: &[(Territory, Worth)], large: Territory) -> Appraisal {
        let sum = Sum::of(small);
        let open = match large {
            Territory::CLOSED => sum.moving,
            _ => {
                let (alone, after) = (moving(large), moving(large.swapped()));
                Bounds {
                    lower: (alone.lower + sum.waiting_lower).max(sum.moving.lower - after.upper),
                    upper: alone.upper + sum.moving.upper,
                }
            }
        };
        let [own, other] = large.sizes();
        Appraisal {
            score,
            territory: small.iter().fold(large, |all, (region, _)| all.and(*region)),
            bounds: Bounds { lower: score + open.lower, upper: score + open.upper },
            estimate: score * i32::from(STEPS) + sum.mean + (own - other) * CELL,
            is_sum: large == Territory::CLOSED,
        }
    }
}

/// Small regions together.
struct Sum {
    /// The sum of their means, in steps.
    mean: i32,
    /// Bounds on the value when the mover moves first.
    moving: Bounds,
    /// A lower bound on the value when the other player does.
    waiting_lower: i32,
}

impl Sum {
    fn of(regions: &[(Territory, Worth)]) -> Sum {
        let steps = i32::from(STEPS);
        let (mut mean, mut temperature, mut most_swing) = (0, 0, 0);
        let (mut all_first, mut all_second) = (0, 0);
        for (_, worth) in regions {
            mean += i32::from(worth.mean);
            temperature = temperature.max(i32::from(worth.temperature));
            let [first, second] = worth.stops.map(i32::from);
            all_first += first;
            all_second += second;
            most_swing = most_swing.max(first - second);
        }
        let at_least = |value: i32| (value + steps - 1).div_euclid(steps);
        let at_most = |value: i32| value.div_euclid(steps);
        let moving = Bounds {
            lower: (all_second + most_swing).max(at_least(mean)),
            upper: all_first.min(at_most(mean + temperature)),
        };
        Sum { mean, moving, waiting_lower: all_second.max(at_least(mean - temperature)) }
    }
}

/// Bounds for a settled territory by the numbers of its cells alone. A move closes at most five
/// cells and uses one, so a player with `n` cells comes to move `n / 6` times at least; and the
/// first move closes a cell.
fn moving(territory: Territory) -> Bounds {
    let [own, other] = territory.sizes();
    Bounds { lower: 2 - other + (own - 1) / 6, upper: own - other / 6 }
}

/// A thread's own notes on regions, so that it seldom has to ask the atlas.
pub struct Notes(Box<[(Territory, Option<Worth>)]>);

impl Default for Notes {
    fn default() -> Notes {
        Notes(vec![(Territory::CLOSED, None); 1 << Notes::BITS].into())
    }
}

impl Notes {
    const BITS: u32 = 16;

    #[inline]
    fn worth<G: Territorial>(
        &mut self,
        atlas: &Atlas,
        field: &G,
        region: Territory,
    ) -> Option<Worth> {
        let hash = region.own.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ region.other.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let note = &mut self.0[(hash >> (64 - Notes::BITS)) as usize];
        if note.0 != region {
            *note = (region, atlas.worth(field, region));
        }
        note.1
    }
}

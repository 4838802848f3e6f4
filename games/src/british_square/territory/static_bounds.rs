//! Static evaluation of a territory: bounds and an estimate without search.

use super::board::{Territory, TerritoryBoard};
use super::regions::{RegionTable, RegionValue};
use super::thermograph::STEPS;
use arrayvec::ArrayVec;
use bsq_engine::table::Bounds;

/// The weight of a cell of a large region in the estimate, in steps: 5/8 point.
const CELL: i32 = 5 * STEPS as i32 / 8;

/// A territory without its settled parts, with bounds on its value.
#[derive(Clone, Copy, Debug)]
pub struct StaticBounds {
    /// Settled points, the mover's minus the opponent's.
    pub score: i32,
    /// The cells that are not settled.
    pub territory: Territory,
    /// Bounds on the value, including the settled points.
    pub bounds: Bounds,
    /// An estimate of the mean value, in steps, for move ordering.
    pub estimate: i32,
    /// Whether all regions of the territory are small.
    is_sum: bool,
}

impl StaticBounds {
    fn settled(score: i32) -> StaticBounds {
        StaticBounds {
            score,
            territory: Territory::CLOSED,
            bounds: Bounds { lower: score, upper: score },
            estimate: score * i32::from(STEPS),
            is_sum: false,
        }
    }

    /// The bounds given by the numbers of cells, with nothing settled.
    pub fn by_size(territory: Territory) -> StaticBounds {
        let [own, other] = territory.sizes();
        let bounds = Bounds { lower: -other, upper: own };
        StaticBounds { score: 0, territory, bounds, estimate: 0, is_sum: false }
    }

    /// Settles free cells, cold regions and pairs of opposite regions, and bounds the rest.
    pub fn new(
        board: &TerritoryBoard,
        table: &RegionTable,
        cache: &mut RegionCache,
        territory: Territory,
    ) -> StaticBounds {
        let (mut score, contested) = territory.settle(board);
        if contested == Territory::CLOSED || board.is_mirrored(contested) {
            return StaticBounds::settled(score);
        }
        let mut small: ArrayVec<(Territory, RegionValue), 32> = ArrayVec::new();
        let mut large = Territory::CLOSED;
        for region in contested.regions(board) {
            let is_small = region.cells().count_ones() <= board.max_table_region();
            match if is_small { cache.value(table, board, region) } else { None } {
                None => large = large.union(region),
                Some(value) if value.is_cold() => score += i32::from(value.stops[0]),
                Some(value) => match small.iter().position(|(_, other)| value.cancels(other)) {
                    Some(opposite) => drop(small.swap_remove(opposite)),
                    None => small.push((region, value)),
                },
            }
        }
        match (&small[..], large) {
            ([], Territory::CLOSED) => StaticBounds::settled(score),
            ([(_, value)], Territory::CLOSED) => {
                StaticBounds::settled(score + i32::from(value.stops[0]))
            }
            _ => StaticBounds::of_sum(score, &small, large),
        }
    }

    /// Replaces a sum of small regions by the representative of all sums of the same regions. They
    /// have the same value wherever their regions lie, and share an entry of the transposition
    /// table.
    pub fn generalize(
        &mut self,
        board: &TerritoryBoard,
        table: &RegionTable,
        cache: &mut RegionCache,
    ) {
        if !self.is_sum {
            return;
        }
        let regions = self.territory.regions(board);
        let small: ArrayVec<RegionValue, 32> =
            regions.filter_map(|region| cache.value(table, board, region)).collect();
        self.territory = table.representative(&small, self.territory);
    }

    /// Bounds for settled points, small regions of known value, and the union of large ones.
    fn of_sum(score: i32, small: &[(Territory, RegionValue)], large: Territory) -> StaticBounds {
        let sum = Sum::of(small);
        let open = if large == Territory::CLOSED {
            sum.moving
        } else {
            let (alone, after) = (bounds_by_size(large), bounds_by_size(large.swapped()));
            Bounds {
                lower: (alone.lower + sum.waiting_lower).max(sum.moving.lower - after.upper),
                upper: alone.upper + sum.moving.upper,
            }
        };
        let [own, other] = large.sizes();
        StaticBounds {
            score,
            territory: small.iter().fold(large, |all, (region, _)| all.union(*region)),
            bounds: Bounds { lower: score + open.lower, upper: score + open.upper },
            estimate: score * i32::from(STEPS) + sum.mean + (own - other) * CELL,
            is_sum: large == Territory::CLOSED,
        }
    }
}

/// A sum of small regions.
struct Sum {
    /// The sum of the mean values, in steps.
    mean: i32,
    /// Bounds on the value when the player to move moves first.
    moving: Bounds,
    /// A lower bound on the value when the opponent moves first.
    waiting_lower: i32,
}

impl Sum {
    fn of(regions: &[(Territory, RegionValue)]) -> Sum {
        let steps = i32::from(STEPS);
        let (mut mean, mut temperature, mut max_swing) = (0, 0, 0);
        let (mut all_first, mut all_second) = (0, 0);
        for (_, value) in regions {
            mean += i32::from(value.mean);
            temperature = temperature.max(i32::from(value.temperature));
            let [first, second] = value.stops.map(i32::from);
            all_first += first;
            all_second += second;
            max_swing = max_swing.max(first - second);
        }
        let ceil = |value: i32| (value + steps - 1).div_euclid(steps);
        let floor = |value: i32| value.div_euclid(steps);
        let moving = Bounds {
            lower: (all_second + max_swing).max(ceil(mean)),
            upper: all_first.min(floor(mean + temperature)),
        };
        Sum { mean, moving, waiting_lower: all_second.max(ceil(mean - temperature)) }
    }
}

/// Bounds on the value of a settled territory from its numbers of cells. A move uses one cell and
/// closes at most five, so a player with `n` cells makes at least `n / 6` moves, rounded up for the
/// player to move and down for the opponent. The first move closes at least one cell.
fn bounds_by_size(territory: Territory) -> Bounds {
    let [own, other] = territory.sizes();
    Bounds { lower: 2 - other + (own - 1) / 6, upper: own - other / 6 }
}

/// A direct-mapped cache of the region table, one for each thread.
pub struct RegionCache {
    /// Their number is a power of two, at least 2.
    slots: Box<[Slot]>,
}

/// A region with its value, if the table has it.
type Slot = (Territory, Option<RegionValue>);

impl RegionCache {
    /// More slots are not faster.
    const MOST_SLOTS: u64 = 1 << 16;

    /// Creates an empty cache of at most `bytes` bytes, but of at least two slots.
    pub fn new(bytes: u64) -> RegionCache {
        let slots = (bytes / size_of::<Slot>() as u64).clamp(2, RegionCache::MOST_SLOTS);
        RegionCache { slots: vec![(Territory::CLOSED, None); 1 << slots.ilog2()].into() }
    }

    #[inline]
    fn value(
        &mut self,
        table: &RegionTable,
        board: &TerritoryBoard,
        region: Territory,
    ) -> Option<RegionValue> {
        let hash = region.own.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ region.other.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let slot = &mut self.slots[(hash >> (64 - self.slots.len().ilog2())) as usize];
        if slot.0 != region {
            *slot = (region, table.value(board, region));
        }
        slot.1
    }
}

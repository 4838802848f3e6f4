//! What small regions are worth, each worked out once.

use super::thermograph::{Scaffold, Thermograph};
use super::{Territorial, Territory, cells_of};
use arrayvec::ArrayVec;
use dashmap::DashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a small region is worth to its two players, the mover being the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// Value, in points, when the mover moves in it first, and when the other player does.
    pub stops: [i8; 2],
    /// The mean, in [steps](super::thermograph::STEPS).
    pub mean: i16,
    /// The temperature, in steps.
    pub temperature: i16,
    kind: Kind,
}

impl Worth {
    /// Whether it does not matter who moves: the region is a number of points.
    #[inline]
    pub fn is_cold(&self) -> bool {
        self.stops[0] == self.stops[1]
    }

    /// Whether two regions are each other's opposite, and so nothing together.
    #[inline]
    pub fn cancels(&self, other: &Worth) -> bool {
        self.kind.shape == other.kind.shape
            && (self.kind.swapped != other.kind.swapped || self.kind.own_opposite)
    }

    fn swapped(self) -> Worth {
        Worth {
            stops: [-self.stops[1], -self.stops[0]],
            mean: -self.mean,
            temperature: self.temperature,
            kind: Kind { swapped: !self.kind.swapped, ..self.kind },
        }
    }
}

/// What a region looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Kind {
    /// The same for those of the same shape, the players exchanged or not; from 1.
    shape: u32,
    swapped: bool,
    /// Whether it looks the same when the players are exchanged.
    own_opposite: bool,
}

impl Kind {
    /// The same number for the same kind.
    fn number(self) -> u32 {
        self.shape << 1 | u32::from(self.swapped && !self.own_opposite)
    }
}

/// A shape, what is known of it, if its thermograph has one.
#[derive(Clone)]
struct Chart {
    thermograph: Arc<Thermograph>,
    worth: Worth,
}

/// Every small region met so far. Threads share it.
#[derive(Default)]
pub struct Atlas {
    charts: DashMap<Territory, Option<Chart>>,
    /// For sums of regions of the same kinds, the one that was met first.
    sums: DashMap<Kinds, Territory>,
    shapes: AtomicU32,
}

/// The kinds of a few regions, in order.
type Kinds = ArrayVec<u32, MOST_SUMMANDS>;
/// Sums of more regions are rare and left as they are.
const MOST_SUMMANDS: usize = 6;
/// Sums remembered at most; later ones are left as they are.
const MOST_SUMS: usize = 1 << 22;

impl Atlas {
    /// A territory that stands for all sums of regions that look like these. `sum` is what they
    /// are together, and stands for them if they are many.
    pub fn stand_in(&self, regions: &[Worth], sum: Territory) -> Territory {
        if regions.len() > MOST_SUMMANDS {
            return sum;
        }
        let mut kinds: Kinds = regions.iter().map(|worth| worth.kind.number()).collect();
        kinds.sort_unstable();
        if let Some(known) = self.sums.get(&kinds) {
            return *known;
        }
        match self.sums.len() < MOST_SUMS {
            true => *self.sums.entry(kinds).or_insert(sum),
            false => sum,
        }
    }

    /// Number of shapes known.
    pub fn len(&self) -> usize {
        self.charts.len()
    }

    /// What a settled region is worth; none where that is not known exactly.
    pub fn worth<G: Territorial>(&self, field: &G, region: Territory) -> Option<Worth> {
        let (shape, swapped, own_opposite) = shape_of(field, region);
        let worth = self.chart(field, shape, own_opposite)?.worth;
        Some(if swapped { worth.swapped() } else { worth })
    }

    fn chart<G: Territorial>(
        &self,
        field: &G,
        shape: Territory,
        own_opposite: bool,
    ) -> Option<Chart> {
        if let Some(known) = self.charts.get(&shape) {
            return known.clone();
        }
        // Another thread may do the same; what comes out is the same but for the number.
        let chart = self.thermograph(field, shape).map(|thermograph| {
            let shape = self.shapes.fetch_add(1, Ordering::Relaxed) + 1;
            let worth = Worth {
                stops: thermograph.stops().map(|points| points as i8),
                mean: thermograph.mean(),
                temperature: thermograph.temperature(),
                kind: Kind { shape, swapped: false, own_opposite },
            };
            Chart { thermograph: Arc::new(thermograph), worth }
        });
        self.charts.entry(shape).or_insert(chart).clone()
    }

    /// From the thermographs of all that the moves in a settled territory lead to. That may be
    /// a sum of regions, which is looked at as a whole.
    fn thermograph<G: Territorial>(&self, field: &G, territory: Territory) -> Option<Thermograph> {
        let mut scaffold = Scaffold::default();
        for cell in cells_of(territory.own) {
            let (points, game) = self.option(field, territory.take(field, cell).swapped())?;
            scaffold.first_to(1 + points, &game);
        }
        for cell in cells_of(territory.other) {
            let (points, game) = self.option(field, territory.swapped().take(field, cell))?;
            scaffold.second_to(points - 1, &game);
        }
        scaffold.finish()
    }

    /// A territory as points and the thermograph of what is not settled.
    fn option<G: Territorial>(
        &self,
        field: &G,
        territory: Territory,
    ) -> Option<(i32, Arc<Thermograph>)> {
        let (points, open) = territory.settle(field);
        if open == Territory::CLOSED {
            return Some((points, Arc::new(Thermograph::number(0))));
        }
        let (shape, swapped, own_opposite) = shape_of(field, open);
        let thermograph = self.chart(field, shape, own_opposite)?.thermograph;
        Some((points, if swapped { Arc::new(thermograph.negated()) } else { thermograph }))
    }
}

/// The shape that stands for a territory and for the same with the players exchanged; whether
/// they had to be, and whether that makes no difference.
fn shape_of<G: Territorial>(field: &G, territory: Territory) -> (Territory, bool, bool) {
    let (shape, opposite) = (field.shape(territory), field.shape(territory.swapped()));
    (shape.min(opposite), opposite < shape, opposite == shape)
}

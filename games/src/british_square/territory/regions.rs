//! The table of the values of small regions, each computed once.

use super::board::{Territory, TerritoryBoard};
use super::thermograph::{Thermograph, ThermographBuilder};
use crate::british_square::board::cells_of;
use arrayvec::ArrayVec;
use dashmap::DashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The combinatorial value of a small region, as far as the search uses it. The player to move is
/// the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionValue {
    /// Values in points when the player to move and when the opponent moves first.
    pub stops: [i8; 2],
    /// The mean value, in [steps](super::thermograph::STEPS).
    pub mean: i16,
    /// The temperature, in steps.
    pub temperature: i16,
    class: RegionClass,
}

impl RegionValue {
    /// Whether the region is a number: its value does not depend on who moves.
    #[inline]
    pub fn is_cold(&self) -> bool {
        self.stops[0] == self.stops[1]
    }

    /// Whether the two regions are negatives of each other, so that their sum is 0.
    #[inline]
    pub fn cancels(&self, other: &RegionValue) -> bool {
        self.class.shape == other.class.shape
            && (self.class.swapped != other.class.swapped || self.class.own_negative)
    }

    fn swapped(self) -> RegionValue {
        RegionValue {
            stops: [-self.stops[1], -self.stops[0]],
            mean: -self.mean,
            temperature: self.temperature,
            class: RegionClass { swapped: !self.class.swapped, ..self.class },
        }
    }
}

/// The shape of a region, and whether its players are exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RegionClass {
    /// Number of the shape, from 1. A shape and its negative have the same number.
    shape: u32,
    /// Whether the players are exchanged.
    swapped: bool,
    /// Whether the shape is its own negative.
    own_negative: bool,
}

impl RegionClass {
    /// A number that identifies the class.
    fn number(self) -> u32 {
        self.shape << 1 | u32::from(self.swapped && !self.own_negative)
    }
}

/// A shape with a thermograph.
#[derive(Clone)]
struct Entry {
    thermograph: Arc<Thermograph>,
    value: RegionValue,
}

/// The values of the small regions met so far, shared by all threads. A full table is emptied.
pub struct RegionTable {
    /// `None` for shapes whose thermograph is not known exactly.
    shapes: DashMap<Territory, Option<Entry>>,
    /// For each multiset of region classes, the first territory met that consists of them.
    sums: DashMap<Classes, Territory>,
    /// The number of numbers given to shapes. No number is given twice, even if the table was
    /// emptied in between: regions with the same number are equal.
    numbered: AtomicU64,
    /// The limit on the memory, in bytes.
    most_bytes: u64,
}

/// The classes of the regions of a sum, sorted.
type Classes = ArrayVec<u32, MAX_SUMMANDS>;
/// Sums of more regions are rare and have no representative.
const MAX_SUMMANDS: usize = 6;
/// About the memory of a shape with its thermograph, in bytes.
const SHAPE_BYTES: u64 = 256;
/// About the memory of a representative, in bytes.
const SUM_BYTES: u64 = 128;

impl RegionTable {
    /// Creates a table that takes about the given number of bytes at most, half of it for shapes.
    pub fn with_bytes(most_bytes: u64) -> RegionTable {
        let (shapes, sums) = (DashMap::default(), DashMap::default());
        RegionTable { shapes, sums, numbered: AtomicU64::new(0), most_bytes }
    }

    /// About the largest number of bytes that the table takes.
    pub fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// A representative of all sums of regions of these classes. `sum` is the union of the regions,
    /// and its own representative if there are too many of them.
    pub fn representative(&self, regions: &[RegionValue], sum: Territory) -> Territory {
        if regions.len() > MAX_SUMMANDS {
            return sum;
        }
        let mut classes: Classes = regions.iter().map(|value| value.class.number()).collect();
        classes.sort_unstable();
        if let Some(known) = self.sums.get(&classes) {
            return *known;
        }
        if self.sums.len() as u64 * SUM_BYTES < self.most_bytes / 2 {
            *self.sums.entry(classes).or_insert(sum)
        } else {
            sum
        }
    }

    /// The value of a settled region, or `None` if it is not known exactly.
    pub fn value(&self, board: &TerritoryBoard, region: Territory) -> Option<RegionValue> {
        let (shape, swapped, own_negative) = shape_of(board, region);
        let value = self.entry(board, shape, own_negative)?.value;
        Some(if swapped { value.swapped() } else { value })
    }

    fn entry(&self, board: &TerritoryBoard, shape: Territory, own_negative: bool) -> Option<Entry> {
        if let Some(known) = self.shapes.get(&shape) {
            return known.clone();
        }
        // Another thread may compute the same entry; only the number of the shape differs.
        let entry = self.thermograph(board, shape).and_then(|thermograph| {
            let shape = self.number()?;
            let value = RegionValue {
                stops: thermograph.stops().map(|points| points as i8),
                mean: thermograph.mean(),
                temperature: thermograph.temperature(),
                class: RegionClass { shape, swapped: false, own_negative },
            };
            Some(Entry { thermograph: Arc::new(thermograph), value })
        });
        if self.shapes.len() as u64 * SHAPE_BYTES >= self.most_bytes / 2 {
            // Sums of shapes with the old numbers will not be met again.
            self.shapes.clear();
            self.sums.clear();
        }
        self.shapes.entry(shape).or_insert(entry).clone()
    }

    /// A number for a shape, or `None` if there are no more.
    fn number(&self) -> Option<u32> {
        const MOST: u64 = u32::MAX as u64 >> 1; // one bit is for the exchange of players
        let number = self.numbered.fetch_add(1, Ordering::Relaxed) + 1;
        (number <= MOST).then_some(number as u32)
    }

    /// The thermograph of a settled territory, from those of its options. An option may be a sum of
    /// regions; it is not split.
    fn thermograph(&self, board: &TerritoryBoard, territory: Territory) -> Option<Thermograph> {
        let mut builder = ThermographBuilder::default();
        for cell in cells_of(territory.own) {
            let (points, game) = self.option(board, territory.take(board, cell).swapped())?;
            builder.first_option(1 + points, &game);
        }
        for cell in cells_of(territory.other) {
            let (points, game) = self.option(board, territory.swapped().take(board, cell))?;
            builder.second_option(points - 1, &game);
        }
        builder.finish()
    }

    /// The free cells of a territory, in points, and the thermograph of its contested cells.
    fn option(
        &self,
        board: &TerritoryBoard,
        territory: Territory,
    ) -> Option<(i32, Arc<Thermograph>)> {
        let (points, contested) = territory.settle(board);
        if contested == Territory::CLOSED {
            return Some((points, Arc::new(Thermograph::number(0))));
        }
        let (shape, swapped, own_negative) = shape_of(board, contested);
        let thermograph = self.entry(board, shape, own_negative)?.thermograph;
        Some((points, if swapped { Arc::new(thermograph.negated()) } else { thermograph }))
    }
}

/// The shape that represents a territory and its negative; whether it is that of the negative; and
/// whether the two are the same.
fn shape_of(board: &TerritoryBoard, territory: Territory) -> (Territory, bool, bool) {
    let (shape, negative) = (board.shape(territory), board.shape(territory.swapped()));
    (shape.min(negative), negative < shape, negative == shape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::british_square::board::Board;
    use proptest::prelude::*;

    /// Shapes that fit in the smaller of the two tables that are compared.
    const FEW: u64 = 50;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]

        /// A table that is emptied again and again knows the same values. It never has more shapes
        /// than its memory allows, and does not take different regions for equal ones.
        #[test]
        fn a_full_table_is_emptied(pairs: [(u64, u64); 20]) {
            let board = TerritoryBoard::new(Board::new(3, 4).unwrap());
            let all = board.board().all();
            let small = RegionTable::with_bytes(2 * FEW * SHAPE_BYTES);
            let large = RegionTable::with_bytes(u64::MAX);
            let mut met: Vec<[RegionValue; 2]> = Vec::new();
            for (own, other) in pairs {
                let (_, contested) = Territory { own: own & all, other: other & all }.settle(&board);
                for region in contested.regions(&board) {
                    let values = [&small, &large].map(|table| table.value(&board, region));
                    prop_assert!(small.shapes.len() as u64 <= FEW);
                    let [Some(one), Some(other)] = values else {
                        prop_assert_eq!(values, [None, None]);
                        continue;
                    };
                    prop_assert_eq!(
                        (one.stops, one.mean, one.temperature),
                        (other.stops, other.mean, other.temperature)
                    );
                    for [before, known] in &met {
                        prop_assert!(!one.cancels(before) || other.cancels(known));
                    }
                    met.push([one, other]);
                }
            }
        }
    }

    #[test]
    fn numbers_of_shapes_are_not_used_again() {
        let table = RegionTable::with_bytes(0);
        table.numbered.store(u64::from(u32::MAX >> 1) - 1, Ordering::Relaxed);
        assert_eq!(table.number(), Some(u32::MAX >> 1));
        assert_eq!(table.number(), None);
    }
}

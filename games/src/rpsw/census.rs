//! Numbers of positions by depth to win and by material.

use super::retrograde::{ByMaterial, MATERIALS, Solved};
use serde::{Deserialize, Serialize};

/// An upper bound on the number of iterations of any supported game.
const MOST_ITERATIONS: usize = 1 << 12;

/// Numbers of positions of a game.
///
/// Of two mirror images, only one is counted. The material of the player to move comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The positions that are not over.
    pub positions: ByMaterial,
    /// The positions decided in exactly 1, 2, 3, ... plies. They are won in an odd number of plies
    /// and lost in an even one.
    pub iterations: Vec<ByMaterial>,
}

impl Census {
    /// The census of a solved game.
    pub fn of(solved: &Solved) -> Census {
        let iterations = solved.iterations.iter().map(|iteration| {
            // An iteration counts won positions with the opponent's material first.
            if iteration.plies % 2 == 1 {
                turned(&iteration.found)
            } else {
                iteration.found.clone()
            }
        });
        Census { positions: solved.positions.clone(), iterations: iterations.collect() }
    }

    /// The numbers of positions with their depth in plies.
    pub fn by_plies(&self) -> impl DoubleEndedIterator<Item = (u32, &ByMaterial)> + Clone {
        self.iterations.iter().enumerate().map(|(i, found)| (i as u32 + 1, found))
    }

    /// The number of plies of the longest win, if it is more than three.
    pub(super) fn longest_win(&self) -> Option<u32> {
        let mut won = self.by_plies().map(|(plies, _)| plies).filter(|plies| plies % 2 == 1);
        won.next_back().filter(|plies| *plies > 3)
    }

    /// Whether, for each material, no more positions are decided than exist.
    fn makes_sense(&self) -> bool {
        let is_possible = |one: usize, other: usize| {
            let mut iterations = self.iterations.iter().map(|found| found.0[one][other]);
            let decided = iterations.try_fold(0u64, u64::checked_add);
            decided.is_some_and(|decided| decided <= self.positions.0[one][other])
        };
        (0..MATERIALS).all(|one| (0..MATERIALS).all(|other| is_possible(one, other)))
    }

    /// The number of drawn positions.
    pub fn drawn(&self) -> u64 {
        self.positions.total() - self.iterations.iter().map(ByMaterial::total).sum::<u64>()
    }
}

/// Swaps the materials of the two players.
fn turned(counts: &ByMaterial) -> ByMaterial {
    let mut turned = ByMaterial::default();
    for (one, row) in counts.0.iter().enumerate() {
        for (other, count) in row.iter().enumerate() {
            turned.0[other][one] = *count;
        }
    }
    turned
}

/// The serialized form of a census.
///
/// Each entry is the material of the player to move, that of the opponent, and the number of
/// positions.
#[derive(Serialize, Deserialize)]
struct Written {
    positions: Vec<(u8, u8, u64)>,
    rounds: Vec<Vec<(u8, u8, u64)>>,
}

/// Returns the serialized form of counts, without those that are 0.
pub(super) fn written_counts(counts: &ByMaterial) -> Vec<(u8, u8, u64)> {
    let pairs = (0..MATERIALS).flat_map(|one| (0..MATERIALS).map(move |other| (one, other)));
    pairs
        .map(|(one, other)| (one as u8, other as u8, counts.0[one][other]))
        .filter(|&(_, _, count)| count > 0)
        .collect()
}

/// Reads counts from their serialized form.
///
/// `None` if a material does not exist or the sum overflows.
pub(super) fn read_counts(written: &[(u8, u8, u64)]) -> Option<ByMaterial> {
    let mut counts = ByMaterial::default();
    for &(one, other, count) in written {
        *counts.0.get_mut(usize::from(one))?.get_mut(usize::from(other))? = count;
    }
    counts.0.iter().flatten().try_fold(0u64, |sum, &count| sum.checked_add(count))?;
    Some(counts)
}

impl Serialize for Census {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rounds = self.iterations.iter().map(written_counts).collect();
        Written { positions: written_counts(&self.positions), rounds }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Census {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Census, D::Error> {
        let wrong = || serde::de::Error::custom("counts that make no sense");
        let Written { positions, rounds } = Written::deserialize(deserializer)?;
        if rounds.len() > MOST_ITERATIONS {
            return Err(wrong());
        }
        let iterations = rounds.iter().map(|found| read_counts(found)).collect::<Option<Vec<_>>>();
        let census = Census {
            positions: read_counts(&positions).ok_or_else(wrong)?,
            iterations: iterations.ok_or_else(wrong)?,
        };
        if census.makes_sense() { Ok(census) } else { Err(wrong()) }
    }
}

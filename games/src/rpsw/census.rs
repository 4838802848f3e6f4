//! How many positions there are, by what they are worth and by material.

use super::retrograde::{ByMaterial, Iteration, MATERIALS, Solved};
use serde::{Deserialize, Serialize};

/// More rounds than any game has that can be solved here.
const MOST_ITERATIONS: usize = 1 << 12;

/// Positions of a game, of two mirror images one; the mover's material first everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// All whose game goes on.
    pub positions: ByMaterial,
    /// Those decided in exactly 1, 2, 3, ... plies: won after an odd number, lost after an even one.
    pub iterations: Vec<ByMaterial>,
}

impl Census {
    /// Of a game that was solved.
    pub fn of(solved: &Solved) -> Census {
        // What is won is counted with the other player's pieces first.
        let turned = |iteration: &Iteration| match iteration.plies % 2 {
            1 => turned(&iteration.found),
            _ => iteration.found.clone(),
        };
        Census {
            positions: solved.positions.clone(),
            iterations: solved.iterations.iter().map(turned).collect(),
        }
    }

    /// The rounds with their plies.
    pub fn by_plies(&self) -> impl DoubleEndedIterator<Item = (u32, &ByMaterial)> + Clone {
        self.iterations.iter().enumerate().map(|(i, found)| (i as u32 + 1, found))
    }

    /// Whether there are as many positions as are decided, with any material.
    fn makes_sense(&self) -> bool {
        (0..MATERIALS).flat_map(|one| (0..MATERIALS).map(move |other| (one, other))).all(
            |(one, other)| {
                let mut iterations = self.iterations.iter().map(|found| found.0[one][other]);
                let decided = iterations.try_fold(0u64, u64::checked_add);
                decided.is_some_and(|decided| decided <= self.positions.0[one][other])
            },
        )
    }

    /// Those that are never decided, in all.
    pub fn drawn(&self) -> u64 {
        self.positions.total() - self.iterations.iter().map(ByMaterial::total).sum::<u64>()
    }
}

fn turned(counts: &ByMaterial) -> ByMaterial {
    let mut turned = ByMaterial::default();
    for (one, row) in counts.0.iter().enumerate() {
        for (other, count) in row.iter().enumerate() {
            turned.0[other][one] = *count;
        }
    }
    turned
}

/// As it is written: material of the mover, of the other, and how many.
#[derive(Serialize, Deserialize)]
struct Written {
    positions: Vec<(u8, u8, u64)>,
    rounds: Vec<Vec<(u8, u8, u64)>>,
}

/// Counts as they are written: material of one player, of the other, and how many.
pub(super) fn written_counts(counts: &ByMaterial) -> Vec<(u8, u8, u64)> {
    let pairs = (0..MATERIALS).flat_map(|one| (0..MATERIALS).map(move |other| (one, other)));
    let counts = pairs.map(|(one, other)| (one as u8, other as u8, counts.0[one][other]));
    counts.filter(|&(_, _, count)| count > 0).collect()
}

/// The counts that are written; none if there is no such material, or there are more than can be added up.
pub(super) fn read_counts(written: &[(u8, u8, u64)]) -> Option<ByMaterial> {
    let mut counts = ByMaterial::default();
    for &(one, other, count) in written {
        *counts.0.get_mut(usize::from(one))?.get_mut(usize::from(other))? = count;
    }
    let sum = counts.0.iter().flatten().try_fold(0u64, |sum, &count| sum.checked_add(count));
    sum.map(|_| counts)
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

//! How many positions there are, by what they are worth and by material.

use super::sets::{ByMaterial, MATERIALS};
use crate::solve::retrograde::{Round, Solved};
use serde::{Deserialize, Serialize};

/// Positions of a game, of two mirror images one; the mover's material first everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// All whose game goes on.
    pub positions: ByMaterial,
    /// Those decided in exactly 1, 2, 3, ... plies: won after an odd number, lost after an even one.
    pub rounds: Vec<ByMaterial>,
}

impl Census {
    /// Of a game that was solved.
    pub fn of(solved: &Solved<ByMaterial>) -> Census {
        // What is won is counted with the other player's pieces first.
        let turned = |round: &Round<ByMaterial>| match round.plies % 2 {
            1 => turned(&round.found),
            _ => round.found.clone(),
        };
        Census {
            positions: solved.positions.clone(),
            rounds: solved.rounds.iter().map(turned).collect(),
        }
    }

    /// The rounds with their plies.
    pub fn by_plies(&self) -> impl DoubleEndedIterator<Item = (u32, &ByMaterial)> + Clone {
        self.rounds.iter().enumerate().map(|(i, found)| (i as u32 + 1, found))
    }

    /// Those that are never decided, in all.
    pub fn drawn(&self) -> u64 {
        self.positions.total() - self.rounds.iter().map(ByMaterial::total).sum::<u64>()
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

fn written(counts: &ByMaterial) -> Vec<(u8, u8, u64)> {
    let pairs = (0..MATERIALS).flat_map(|one| (0..MATERIALS).map(move |other| (one, other)));
    let counts = pairs.map(|(one, other)| (one as u8, other as u8, counts.0[one][other]));
    counts.filter(|&(_, _, count)| count > 0).collect()
}

/// None if there is no such material, or there are more than can be added up.
fn read(written: &[(u8, u8, u64)]) -> Option<ByMaterial> {
    let mut counts = ByMaterial::default();
    for &(one, other, count) in written {
        *counts.0.get_mut(usize::from(one))?.get_mut(usize::from(other))? = count;
    }
    let sum = counts.0.iter().flatten().try_fold(0u64, |sum, &count| sum.checked_add(count));
    sum.map(|_| counts)
}

impl Serialize for Census {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rounds = self.rounds.iter().map(written).collect();
        Written { positions: written(&self.positions), rounds }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Census {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Census, D::Error> {
        let wrong = || serde::de::Error::custom("counts that make no sense");
        let Written { positions, rounds } = Written::deserialize(deserializer)?;
        let rounds = rounds.iter().map(|found| read(found)).collect::<Option<Vec<_>>>();
        let census = Census {
            positions: read(&positions).ok_or_else(wrong)?,
            rounds: rounds.ok_or_else(wrong)?,
        };
        let decided =
            census.rounds.iter().try_fold(0u64, |sum, found| sum.checked_add(found.total()));
        match decided.is_some_and(|decided| decided <= census.positions.total()) {
            true => Ok(census),
            false => Err(wrong()),
        }
    }
}

//! What workers have counted of a level, and how the whole count stands after it.

use crate::levels::census::{Census, LevelCount};
use crate::levels::step::Expander;
use crate::tally::{Tally, Width};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// What one worker, or several, counted of a level and made of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// The states of the level, as a census of that level alone; nothing where none was stepped.
    pub counted: Census,
    /// States of the next level that were sent to the workers that keep them.
    pub sent: u64,
    /// States of the next level that the worker keeps.
    pub kept: u64,
    /// All paths into the states sent, in decimal digits.
    #[serde(with = "digits")]
    pub paths: BigUint,
    /// Bits of a tally as the next level is stored, 0 for unbounded ones; nothing from a worker
    /// that has seen none.
    pub tally_bits: Option<u32>,
}

impl Totals {
    /// What came of a worker's step.
    pub(super) fn of<W, T: Tally>(expander: Expander<W, T>) -> Totals {
        let mut counted = Census { levels: vec![expander.count], ..Census::default() };
        for (score, (paths, states)) in expander.over {
            counted.add(score, paths, states);
        }
        Totals {
            counted,
            sent: expander.sent,
            kept: 0,
            paths: expander.paths.map(Into::into).unwrap_or_default(),
            tally_bits: Some(T::WIDTH.bits()),
        }
    }

    /// Adds those of another worker, of the same level.
    pub fn absorb(&mut self, other: &Totals) {
        let levels = &mut self.counted.levels;
        levels.resize_with(levels.len().max(other.counted.levels.len()), LevelCount::default);
        for (mine, theirs) in levels.iter_mut().zip(&other.counted.levels) {
            mine.absorb(theirs);
        }
        for (score, outcome) in &other.counted.scores {
            self.counted.add(*score, outcome.playouts.clone(), outcome.terminals);
        }
        self.sent += other.sent;
        self.kept += other.kept;
        self.paths += &other.paths;
        self.tally_bits = self.tally_bits.or(other.tally_bits);
    }
}

/// What a worker tells all others when its share of a level is on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Which worker.
    pub worker: usize,
    /// Of the step that made the level.
    pub totals: Totals,
    /// All that was counted before that step, if the worker knows it.
    pub before: Option<Census>,
}

/// How a count stands when all workers have finished a level: the same at each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelSummary {
    /// Of the turns before.
    pub census: Census,
    /// The turn whose states are finished.
    pub turn: u32,
    /// How their tallies are stored.
    pub width: Width,
    /// How many there are.
    pub states: u64,
    /// All paths into them.
    pub paths: BigUint,
}

impl LevelSummary {
    /// How the count stands when that turn's level is made, by the reports of all workers; nothing
    /// where they do not fit together.
    pub fn after(turn: u32, workers: usize, reports: &[Report]) -> Option<LevelSummary> {
        let mut totals = Totals::default();
        let mut seen = vec![false; workers];
        for report in reports {
            totals.absorb(&report.totals);
            if std::mem::replace(seen.get_mut(report.worker)?, true) {
                return None;
            }
        }
        let before = reports.iter().find_map(|report| report.before.clone());
        let mut census = before.or((turn == 1).then(Census::default))?;
        census.levels.extend(totals.counted.levels);
        for (score, outcome) in totals.counted.scores {
            census.add(score, outcome.playouts, outcome.terminals);
        }
        let complete = seen.into_iter().all(|seen| seen)
            && census.levels.len() + 1 == turn as usize
            && totals.sent == totals.kept;
        let width = Width::of_bits(totals.tally_bits?)?;
        let (states, paths) = (totals.kept, totals.paths);
        complete.then_some(LevelSummary { census, turn, width, states, paths })
    }
}

mod digits {
    use num_bigint::BigUint;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(number: &BigUint, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&number.to_string())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BigUint, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

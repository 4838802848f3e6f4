//! Reports of workers on a level, and their summary.

use crate::levels::census::{Census, LevelCount};
use crate::levels::step::Expander;
use crate::tally::{Tally, Width};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// The counts of one or several workers from expanding a level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// A census of the expanded states alone; empty if none was expanded.
    pub counted: Census,
    /// The number of states of the next level that were sent to their owners.
    pub sent: u64,
    /// The number of states of the next level that the worker owns.
    pub kept: u64,
    /// The number of paths into the states sent; serialized as decimal digits.
    #[serde(with = "digits")]
    pub paths: BigUint,
    /// The width of the next level's tallies in bits, 0 for unbounded ones. `None` if the worker
    /// has seen no state.
    pub tally_bits: Option<u32>,
}

impl Totals {
    /// The totals of an expansion.
    pub(super) fn of<K, T: Tally>(expander: Expander<K, T>) -> Totals {
        let mut counted = Census { levels: vec![expander.count], ..Census::default() };
        for (score, (paths, states)) in expander.terminals {
            counted.add(score, paths, states);
        }
        Totals {
            counted,
            sent: expander.produced,
            kept: 0,
            paths: expander.paths.into(),
            tally_bits: Some(T::WIDTH.bits()),
        }
    }

    /// Adds the totals of another worker on the same level.
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

/// The report that a worker sends to all others when its shard of a level is on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The worker.
    pub worker: usize,
    /// The totals of the expansion that produced the level.
    pub totals: Totals,
    /// The census before that expansion, if the worker has it.
    pub before: Option<Census>,
}

/// The combined reports of all workers on a level: equal at every worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelSummary {
    /// The census of the earlier turns.
    pub census: Census,
    /// The turn of the finished level.
    pub turn: u32,
    /// The width of its stored tallies.
    pub width: Width,
    /// The number of its states.
    pub states: u64,
    /// The number of paths into all states.
    pub paths: BigUint,
}

impl LevelSummary {
    /// Combines the reports on the level of a turn. `None` if they are not those of all workers or
    /// contradict each other.
    pub fn combine(turn: u32, workers: usize, reports: &[Report]) -> Option<LevelSummary> {
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

//! Reports of workers on a level, and their summary.

use crate::levels::census::{Census, LevelCount, parse_digits};
use crate::levels::error::LevelsError;
use crate::levels::sound::MAX_STATES;
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

    /// Adds the totals of another worker on the same level. `None` if a number overflows.
    pub fn absorb(&mut self, other: &Totals) -> Option<()> {
        self.sent = self.sent.checked_add(other.sent)?;
        self.kept = self.kept.checked_add(other.kept)?;
        let all = self.counted.states_at_most() + other.counted.states_at_most();
        u64::try_from(all).ok()?;
        let levels = &mut self.counted.levels;
        levels.resize_with(levels.len().max(other.counted.levels.len()), LevelCount::default);
        for (mine, theirs) in levels.iter_mut().zip(&other.counted.levels) {
            mine.absorb(theirs);
        }
        for (score, outcome) in &other.counted.scores {
            self.counted.add(*score, outcome.playouts.clone(), outcome.terminals);
        }
        self.paths += &other.paths;
        self.tally_bits = self.tally_bits.or(other.tally_bits);
        Some(())
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

impl Report {
    /// Describes what is wrong with the report, seen by itself. `None` if nothing is.
    fn fault(&self, turn: u32, before: Before) -> Option<&'static str> {
        let Totals { ref counted, sent, kept, ref paths, tally_bits } = self.totals;
        let expanded = counted.levels.first();
        if !counted.is_sound() || counted.levels.len() > 1 || turn == 1 && expanded.is_some() {
            return Some("a report whose counts contradict each other");
        }
        if sent.max(kept) > MAX_STATES {
            return Some("a report of more states than there can be");
        }
        if tally_bits.is_some_and(|bits| Width::of_bits(bits).is_none()) {
            return Some("a report with tallies of no known width");
        }
        match (before, &self.before) {
            (Before::Start, Some(_)) => Some("a report of turns before the first"),
            (Before::Stored { .. }, Some(census)) => {
                let is_sound = census.is_sound() && census.levels.len() + 2 == turn as usize;
                (!is_sound).then_some("a report whose earlier turns contradict each other")
            }
            (Before::Level(level), Some(census)) if *census != level.census => {
                Some("a report whose earlier turns are not those that all counted")
            }
            (Before::Level(level), _) => {
                let moves = expanded.map_or(0, LevelCount::successors_at_most);
                let most = &level.paths * expanded.map_or(0, |level| level.by_moves.len().max(2));
                (u128::from(sent) > moves || *paths < sent.into() || *paths > most)
                    .then_some("a report of more states than the moves lead to")
            }
            _ => None,
        }
    }
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

/// What is known of a level before the reports on it arrive.
#[derive(Clone, Copy, Debug)]
pub enum Before<'a> {
    /// Nothing: it is the first one.
    Start,
    /// It was stored by an earlier start of the count, with this number of states.
    Stored {
        /// The number of states.
        states: u64,
    },
    /// The level before it.
    Level(&'a LevelSummary),
}

impl LevelSummary {
    /// Combines the reports on the level of a turn.
    ///
    /// # Errors
    ///
    /// [`LevelsError::Implausible`] if a report contradicts itself or the level before, and
    /// [`LevelsError::Mismatch`] if the reports together do, or are not those of all workers.
    pub fn combine(
        turn: u32,
        workers: usize,
        reports: &[Report],
        before: Before,
    ) -> Result<LevelSummary, LevelsError> {
        let mut seen = vec![false; workers];
        for report in reports {
            let is_first =
                seen.get_mut(report.worker).is_some_and(|seen| !std::mem::replace(seen, true));
            let fault = match is_first {
                true => report.fault(turn, before),
                false => Some("a second report"),
            };
            if let Some(what) = fault {
                return Err(LevelsError::Implausible { turn, worker: report.worker, what });
            }
        }
        let summary = seen.into_iter().all(|seen| seen).then(|| sum(turn, reports));
        let summary = summary.flatten().filter(|summary| summary.follows(before));
        summary.ok_or(LevelsError::Mismatch { turn })
    }

    /// Whether the level can have arisen from what was before.
    fn follows(&self, before: Before) -> bool {
        let expanded = self.census.levels.last();
        // Every state has a path.
        self.paths >= self.states.into()
            && match before {
                Before::Start => self.states == 1 && self.paths == 1u8.into(),
                Before::Stored { states } => self.states == states,
                Before::Level(level) => expanded.is_some_and(|expanded| {
                    // Each path ends in a terminal state or goes on with one of the moves.
                    let ended = self.census.playouts() - level.census.playouts();
                    let most = expanded.by_moves.len().saturating_sub(1).max(1);
                    expanded.states() == level.states
                        && ended <= level.paths
                        && self.paths >= &level.paths - &ended
                        && self.paths <= (&level.paths - &ended) * most
                }),
            }
    }
}

/// The sum of reports of different workers. `None` if they contradict each other.
fn sum(turn: u32, reports: &[Report]) -> Option<LevelSummary> {
    let mut totals = Totals::default();
    reports.iter().try_for_each(|report| totals.absorb(&report.totals))?;
    let mut befores = reports.iter().filter_map(|report| report.before.as_ref());
    let before = befores.next();
    let is_agreed = befores.all(|other| Some(other) == before);
    let mut census = before.cloned().or((turn == 1).then(Census::default))?;
    census.levels.extend(totals.counted.levels);
    for (score, outcome) in totals.counted.scores {
        census.add(score, outcome.playouts, outcome.terminals);
    }
    let bits = totals.tally_bits?;
    let mut widths = reports.iter().filter_map(|report| report.totals.tally_bits);
    let is_whole = is_agreed
        && widths.all(|width| width == bits)
        && census.levels.len() + 1 == turn as usize
        && totals.sent == totals.kept;
    let (width, states, paths) = (Width::of_bits(bits)?, totals.kept, totals.paths);
    is_whole.then_some(LevelSummary { census, turn, width, states, paths })
}

/// Numbers as decimal text.
mod digits {
    use super::parse_digits;
    use num_bigint::BigUint;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(number: &BigUint, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&number.to_string())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BigUint, D::Error> {
        parse_digits(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

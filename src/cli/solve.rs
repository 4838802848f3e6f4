//! `bsq GAME solve`, and the arguments about a position.

use super::args::OutputArgs;
use super::flags::{given, memory_limit};
use crate::memory::Share;
use bsq_api::{Game, Workload};
use clap::{ArgMatches, FromArgMatches};
use std::path::PathBuf;
use std::time::Duration;

/// The position that a command is about.
#[derive(Clone)]
pub struct PositionArgs {
    /// A position, the size of a board, a file with a game record, or `-`; the start of the game if
    /// it is left out.
    pub given: Option<String>,
    /// The options of the rules that were given, with their values.
    pub rules: Vec<(String, String)>,
    /// Moves to play first.
    pub moves: String,
    /// The memory allowed, in bytes.
    pub memory: u64,
    /// The time for a position, after which the answer is what is proved by then.
    pub time: Option<Duration>,
    /// A tablebase.
    pub tablebase: Option<PathBuf>,
    /// The method of finding values; the default if `None`.
    pub method: Option<&'static str>,
    /// Names of optional facts that are found.
    pub facts: Vec<&'static str>,
    /// How many positions are evaluated.
    pub workload: Workload,
}

/// `bsq GAME solve`.
pub struct Solve {
    /// The position.
    pub position: PositionArgs,
    /// Whether every move is valued.
    pub values: bool,
    /// Whether the principal variation is printed.
    pub pv: bool,
    /// The file that stores the transposition tables of the search.
    pub checkpoint: Option<PathBuf>,
    /// The output.
    pub output: OutputArgs,
}

/// The flag of `solve` that `probe` does not have.
pub const CHECKPOINT: &str = "checkpoint";

impl Solve {
    /// The arguments of `solve`, or of `tablebase probe`.
    pub fn parse(game: &dyn Game, matches: &ArgMatches) -> Result<Solve, clap::Error> {
        let checkpoint: Option<PathBuf> = matches.try_get_one(CHECKPOINT).ok().flatten().cloned();
        let position = PositionArgs::parse(game, matches);
        let workload = match position.given.as_deref() {
            _ if checkpoint.is_some() => Workload::Checkpoint,
            Some("-") => Workload::Many,
            _ => Workload::One,
        };
        let facts = game.optional_facts().iter().map(|fact| fact.name);
        let facts = facts.filter(|name| matches.get_flag(name)).collect();
        let method: Option<String> = matches.try_get_one("method").ok().flatten().cloned();
        let method = game.methods().iter().copied().find(|name| Some(*name) == method.as_deref());
        Ok(Solve {
            position: PositionArgs { facts, method, workload, ..position },
            values: matches.get_flag("values"),
            pv: matches.get_flag("pv"),
            checkpoint,
            output: OutputArgs::from_arg_matches(matches)?,
        })
    }
}

impl PositionArgs {
    /// The arguments about a position, without those that only `solve` has.
    pub fn parse(game: &dyn Game, matches: &ArgMatches) -> PositionArgs {
        PositionArgs {
            facts: Vec::new(),
            method: None,
            workload: Workload::Many,
            given: matches.get_one("position").cloned(),
            rules: given(game.options(), matches),
            moves: matches.get_one("moves").cloned().unwrap_or_default(),
            memory: memory_limit(matches, Share::Half),
            // Tablebases are not searched.
            time: matches.try_get_one("time").ok().flatten().copied(),
            // Games without tablebases have no such flag.
            tablebase: matches.try_get_one("tablebase").ok().flatten().cloned(),
        }
    }
}

//! The subcommands, one file each.

mod export;
pub mod game;
mod games;
mod merge;
#[cfg(not(feature = "full"))]
mod no_plot;
#[cfg(feature = "full")]
mod plot;
mod search_heuristic;
mod serve;
mod shell;

#[cfg(not(feature = "full"))]
use no_plot as plot;

use crate::cli::Parsed;
use crate::cli::args::Command;
use anyhow::Result;
use bsq_api::Registry;

/// Runs a subcommand.
pub fn dispatch(parsed: Parsed, registry: &Registry) -> Result<()> {
    let args = match parsed {
        Parsed::Game(game, command) => return game::run(game, *command),
        Parsed::Other(args) => args,
    };
    match args.command {
        Command::Serve(args) => serve::run(registry, args),
        Command::Export(args) => export::run(args),
        Command::Plot(args) => plot::run(registry, args),
        Command::SearchHeuristic(args) => search_heuristic::run(args),
        Command::Merge(args) => merge::run(registry, args),
        Command::Games => games::run(registry),
        Command::Completions { shell } => shell::completions(shell, registry),
        Command::Man { command, out } => shell::man(&command, out.as_deref(), registry),
    }
}

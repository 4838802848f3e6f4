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

use crate::Program;
use crate::cli::Parsed;
use crate::cli::args::{BritishSquareCommand, Command};
use anyhow::Result;

/// Runs a subcommand.
pub fn dispatch(program: &Program, parsed: Parsed) -> Result<()> {
    let registry = &program.registry;
    match parsed {
        Parsed::Game(game, command) => game::run(game, *command),
        Parsed::BritishSquare(command) => match *command {
            BritishSquareCommand::Export(args) => export::run(args),
            BritishSquareCommand::SearchHeuristic(args) => search_heuristic::run(args),
            BritishSquareCommand::Merge(args) => merge::run(registry, args),
        },
        Parsed::Other(command) => match *command {
            Command::Serve(args) => serve::run(registry, args),
            Command::Plot(args) => plot::run(registry, args),
            Command::Games => games::run(registry),
            Command::Completions { shell } => shell::completions(program, shell),
            Command::Man { command, out } => shell::man(program, &command, out.as_deref()),
        },
    }
}

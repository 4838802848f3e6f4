//! The subcommands, one file each.

mod analyze;
mod dots;
mod export;
pub mod game;
mod games;
mod plot;
mod rpsw;
mod search_heuristic;
mod serve;
mod shell;
mod solve;
mod test_heuristic;

use crate::cli::args::{Args, Command};
use anyhow::Result;
use bsq_api::Registry;

/// Runs a subcommand.
pub fn dispatch(args: Args, registry: &Registry) -> Result<()> {
    match args.command {
        Command::Play(args) => crate::play::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Analyze(args) => analyze::british_square(args),
        Command::Export(args) => export::run(args),
        Command::Plot(args) => plot::run(args),
        Command::Rpsw { command } => rpsw::run(command),
        Command::Dots { command } => dots::run(command),
        Command::SearchHeuristic(args) => search_heuristic::run(args),
        Command::TestHeuristic(args) => test_heuristic::run(args),
        Command::Games => games::run(registry),
        Command::Completions { shell } => shell::completions(shell, registry),
        Command::Man { command } => shell::man(&command, registry),
    }
}

//! The subcommands, one file each.

mod analyze;
mod dots;
mod export;
mod plot;
mod rpsw;
mod search_heuristic;
mod serve;
mod shell;
mod solve;
mod test_heuristic;

use crate::args::{Args, Command};
use anyhow::Result;

/// Runs a subcommand.
pub fn dispatch(args: Args) -> Result<()> {
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
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { command } => shell::man(command.as_deref()),
    }
}

//! `bsq dots`: Dots-and-Boxes.

mod answer;
mod patience;
mod question;
mod solve;
mod text;

use crate::cli::args::DotsCommand;
use anyhow::Result;

/// Runs a command about Dots-and-Boxes.
pub fn run(command: DotsCommand) -> Result<()> {
    match command {
        DotsCommand::Solve(args) => solve::run(args),
    }
}

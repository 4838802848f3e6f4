//! `bsq dots`: Dots-and-Boxes.

mod analyze;

use crate::args::DotsCommand;
use anyhow::Result;

/// Does what was asked about Dots-and-Boxes.
pub fn run(command: DotsCommand) -> Result<()> {
    match command {
        DotsCommand::Analyze(args) => analyze::run(args),
    }
}

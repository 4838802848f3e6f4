//! `bsq rpsw`: rock-paper-scissors-well.

mod probe;
mod solve;
pub mod tablebase;
mod verify;

use crate::cli::args::RpswCommand;
use crate::memory;
use anyhow::{Result, bail};
use bsq_games::rpsw::Rules;
use bsq_games::rpsw::retrograde::{Layout, set_bytes, solving_bytes};
use bsq_games::rpsw::tablebase::LEAST_PLIES;
use bytesize::ByteSize;

/// The size of the bit sets, in bytes, below which the depths of all lost positions are kept.
const SMALL: u64 = 1 << 30;

/// Runs a command of rock-paper-scissors-well.
pub fn run(command: RpswCommand) -> Result<()> {
    match command {
        RpswCommand::Solve(args) => solve::run(args),
        RpswCommand::Probe(args) => probe::run(args),
        RpswCommand::Verify(args) => verify::run(args),
        RpswCommand::Analyze(args) => super::analyze::rpsw(args),
    }
}

/// The least depth of lost positions to keep while a game is solved. A large game that is not
/// written needs fewer.
fn least_depth(layout: &Layout, written: bool) -> u32 {
    match (set_bytes(layout) < SMALL, written) {
        (true, _) => 2,
        (false, true) => LEAST_PLIES,
        (false, false) => LEAST_PLIES + 2,
    }
}

/// Fails if solving takes more memory than is free.
fn check_memory(layout: &Layout) -> Result<()> {
    let bytes = solving_bytes(layout);
    if let Some(available) = memory::available().filter(|&available| available < bytes) {
        let [bytes, available] = [bytes, available].map(|size| ByteSize::b(size).display().iec());
        bail!("this takes {bytes} of memory, and {available} are free");
    }
    Ok(())
}

/// The flags of these rules, where they differ from the defaults.
fn flags(rules: &Rules) -> String {
    let standard = Rules::standard();
    let mut flags = String::new();
    if (rules.board().cols(), rules.board().rows())
        != (standard.board().cols(), standard.board().rows())
    {
        flags += &format!(" --board {}x{}", rules.board().cols(), rules.board().rows());
    }
    if rules.pieces() != standard.pieces() {
        flags += &format!(" --pieces {}", rules.pieces());
    }
    if rules.total() < 2 * rules.pieces() {
        flags += &format!(" --total {}", rules.total());
    }
    if rules.capture_table() != standard.capture_table() {
        flags += &format!(" --takes {}", rules.format_takes());
    }
    flags
}

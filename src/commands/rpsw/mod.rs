//! `bsq rpsw`: rock-paper-scissors-well.

mod probe;
mod solve;
pub mod tablebase;
mod verify;

use crate::args::RpswCommand;
use crate::memory;
use anyhow::{Result, bail};
use bsq_games::rpsw::Rules;
use bsq_games::rpsw::retrograde::{Layout, set_bytes};
use bsq_games::rpsw::tablebase::LEAST_PLIES;
use bytesize::ByteSize;

/// Games whose tables are smaller have the plies of everything kept.
const SMALL: u64 = 1 << 30;

/// Does what was asked about rock-paper-scissors-well.
pub fn run(command: RpswCommand) -> Result<()> {
    match command {
        RpswCommand::Solve(args) => solve::run(args),
        RpswCommand::Probe(args) => probe::run(args),
        RpswCommand::Verify(args) => verify::run(args),
        RpswCommand::Analyze(args) => super::analyze::rpsw(args),
    }
}

/// The least plies of lost positions to be kept while a game is solved: fewer are kept of a large
/// one, where they need not be written.
fn plies_kept(layout: &Layout, written: bool) -> u32 {
    match (set_bytes(layout) < SMALL, written) {
        (true, _) => 2,
        (false, true) => LEAST_PLIES,
        (false, false) => LEAST_PLIES + 2,
    }
}

/// Bytes that solving takes: the tables, and what is kept of the lost positions, of which there is
/// one in four, a tenth of these two bytes each.
fn solving_bytes(layout: &Layout) -> u64 {
    set_bytes(layout) / 6 * 7
}

/// Refuses before the work begins what would not end well.
fn check_memory(bytes: u64) -> Result<()> {
    if let Some(available) = memory::available().filter(|&available| available < bytes) {
        let [bytes, available] = [bytes, available].map(|size| ByteSize::b(size).display().iec());
        bail!("this takes {bytes} of memory, and {available} are free");
    }
    Ok(())
}

/// The flags that change the rules of the game, as they would be typed.
fn flags(rules: &Rules) -> String {
    let standard = Rules::standard();
    let mut flags = String::new();
    if (rules.cols(), rules.rows()) != (standard.cols(), standard.rows()) {
        flags += &format!(" --board {}x{}", rules.cols(), rules.rows());
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

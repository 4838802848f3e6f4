//! `bsq rpsw`.

use crate::args::{RpswCommand, RpswSolve};
use crate::exit::usage;
use crate::memory;
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::{Result, bail};
use bsq_analyses::rpsw::{iterations_table, material_table};
use bsq_engine::game::rpsw::Rules;
use bsq_engine::game::rpsw::sets::Sets;
use bsq_engine::solve::retrograde::{self, table_bytes};
use bytesize::ByteSize;

/// Does what was asked about rock-paper-scissors-well.
pub fn run(command: RpswCommand) -> Result<()> {
    match command {
        RpswCommand::Solve(args) => solve(args),
    }
}

fn rules(board: &str, pieces: usize) -> Result<Rules> {
    let sides = board.split_once(['x', 'X']);
    let sides = sides.and_then(|(cols, rows)| Some((cols.parse().ok()?, rows.parse().ok()?)));
    let (cols, rows) = sides.ok_or_else(|| {
        usage(format!("'{board}' is not a board; write columns x rows, such as 4x6"))
    })?;
    let rules = Rules::standard().on_board(cols, rows).map_err(usage)?;
    rules.with_pieces(pieces).map_err(usage)
}

fn solve(args: RpswSolve) -> Result<()> {
    let rules = rules(&args.board, args.pieces)?;
    let run = Run::begin(&args.output.work)?;
    let out = output::Folder::open(&args.output)?;
    let sets = Sets::new(rules);
    check_memory(table_bytes(&sets))?;
    let solved = retrograde::solve(&sets, &(), &run.monitor())?;
    let tables = vec![iterations_table(&solved), material_table(&solved)];
    let flags = match (args.board.as_str(), args.pieces) {
        ("4x6", 4) => String::new(),
        (board, pieces) => format!(" --board {board} --pieces {pieces}"),
    };
    let command = format!("rpsw solve{flags}");
    output::deliver(
        &run,
        &args.output,
        out,
        &[Answer { command, rules: sets.rules().into(), tables }],
    )?;
    run.end();
    Ok(())
}

/// Refuses before the work begins what would not end well.
fn check_memory(bytes: u64) -> Result<()> {
    if let Some(available) = memory::available().filter(|&available| available < bytes) {
        let [bytes, available] = [bytes, available].map(|size| ByteSize::b(size).display().iec());
        bail!("this takes {bytes} of memory, and {available} are free");
    }
    Ok(())
}

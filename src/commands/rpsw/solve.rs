//! `bsq rpsw solve`.

use super::{check_memory, flags, least_depth};
use crate::cli::args::{OutputArgs, RpswRuleArgs, RpswSolve};
use crate::disk;
use crate::files::NewFile;
use crate::output::{self, Answer};
use crate::run::Run;
use crate::usage::usage;
use anyhow::Result;
use bsq_analyses::rpsw::{
    distances_table, iterations_table, longest_note, longest_table, material_table,
};
use bsq_engine::monitor::SolveError;
use bsq_games::rpsw::retrograde::{Layout, set_bytes, solving_bytes};
use bsq_games::rpsw::tablebase::checkpoint::Checkpoint;
use bsq_games::rpsw::tablebase::resume::InterruptedError;
use bsq_games::rpsw::tablebase::solution::{Solution, WriteError};
use bsq_games::rpsw::{Evaluator, Rules};
use bytesize::ByteSize;
use std::path::Path;

/// A lower bound on the ratio of the bytes of the bit sets to those of a tablebase or of a
/// checkpoint.
const FILE_SHARE: u64 = 5;

/// The size of the bit sets, in bytes, above which the memory is announced.
const LARGE: u64 = 1 << 28;

/// Solves the game, writes a tablebase on request, and prints the counts.
pub fn run(args: RpswSolve) -> Result<()> {
    let rules = rules(&args.rules)?;
    let output = OutputArgs {
        out: args.tables,
        out_flag: "--tables",
        ..OutputArgs::printed(args.format, args.work)
    };
    let run = Run::begin(&output.work)?;
    let layout = Layout::new(rules);
    check_memory(&layout)?;
    let file = args.out.as_deref().map(|path| begin(path, &layout)).transpose()?;
    let folder = output::Folder::open(&output)?;
    if set_bytes(&layout) > LARGE {
        let [memory, disk] = [solving_bytes(&layout), set_bytes(&layout) / FILE_SHARE]
            .map(|bytes| ByteSize::b(bytes).display().iec());
        let disk = match args.out.is_some() || args.scratch.is_some() {
            true => format!(", and up to {disk} for each file or folder"),
            false => String::new(),
        };
        run.note(&format!("this takes up to {memory} of memory{disk}"));
    }
    let mut checkpoint = match &args.scratch {
        Some(folder) => Some(checkpoint(folder, &layout, args.resume)?),
        None => None,
    };
    let from = least_depth(&layout, file.is_some());
    let solution = match &mut checkpoint {
        None => Solution::solve(layout, from, &run.monitor())?,
        Some(checkpoint) => Solution::solve_with(layout, checkpoint, &run.monitor())?,
    };
    let census = solution.census();
    let mut tables = vec![iterations_table(census), material_table(census)];
    if let Some(longest) = solution.longest_win() {
        let longest = longest_table(Evaluator::Solution(&solution), &longest)?;
        tables[0].note = Some(longest_note(&longest));
        tables.insert(1, longest);
    }
    if folder.is_some() {
        tables.push(distances_table(census));
    }
    let rules = solution.rules().clone();
    if let Some(file) = file {
        let kept =
            checkpoint.is_some().then_some(solution.census().iterations.len() as u32 / 2 * 2);
        write(solution, file, &run).map_err(|error| still_kept(error, kept))?;
    }
    let answer =
        Answer { command: format!("rpsw solve{}", flags(&rules)), rules: (&rules).into(), tables };
    output::deliver(&run, &output, folder, &[answer])?;
    if let Some(checkpoint) = checkpoint {
        checkpoint.remove();
    }
    run.end();
    Ok(())
}

fn rules(args: &RpswRuleArgs) -> Result<Rules> {
    let sides = args.board.split_once(['x', 'X']);
    let sides = sides.and_then(|(cols, rows)| Some((cols.parse().ok()?, rows.parse().ok()?)));
    let (cols, rows) = sides.ok_or_else(|| {
        usage(format!("'{}' is not a board; write columns x rows, such as 4x6", args.board))
    })?;
    let rules = Rules::standard().on_board(cols, rows).map_err(usage)?;
    let rules = rules.with_pieces(args.pieces).map_err(usage)?;
    let rules = rules.with_total(args.total).map_err(usage)?;
    rules.with_takes_of(&args.takes).map_err(usage)
}

/// Begins the file of a tablebase if the disk has room for it.
fn begin(path: &Path, layout: &Layout) -> Result<NewFile> {
    if path.is_dir() {
        return Err(usage(format!(
            "{} is a folder; --out names the file of the database, --tables the folder for tables",
            path.display()
        )));
    }
    let file = NewFile::begin(path)?;
    disk::check(path, set_bytes(layout) / FILE_SHARE)?;
    Ok(file)
}

/// Opens the folder of a checkpoint if the disk has room for it.
fn checkpoint(folder: &Path, layout: &Layout, resume: bool) -> Result<Checkpoint> {
    let checkpoint = Checkpoint::open(folder, layout.rules(), resume)?;
    if !resume {
        disk::check(&folder.join("checkpoint"), set_bytes(layout) / FILE_SHARE)?;
    }
    Ok(checkpoint)
}

/// Reports that the iterations are kept if the job was stopped after them.
fn still_kept(error: anyhow::Error, kept: Option<u32>) -> anyhow::Error {
    match (error.downcast_ref(), kept) {
        (Some(SolveError::Stopped), Some(rounds)) => {
            InterruptedError::StoppedAfter { rounds }.into()
        }
        _ => error,
    }
}

fn write(solution: Solution, mut file: NewFile, run: &Run) -> Result<()> {
    let rows = solution.into_rows(&run.monitor())?;
    let bytes = rows.write(&mut file, &run.monitor()).map_err(|error| match error {
        WriteError::Stopped(error) => anyhow::Error::from(error),
        WriteError::Io(error) => anyhow::Error::from(error).context("cannot write the database"),
    })?;
    file.finish()?;
    run.note(&format!("the database has {}", ByteSize::b(bytes).display().si()));
    Ok(())
}

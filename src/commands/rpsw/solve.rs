//! `bsq rpsw solve`.

use super::{check_memory, flags, plies_kept, solving_bytes};
use crate::args::{OutputArgs, RpswRuleArgs, RpswSolve};
use crate::disk;
use crate::exit::usage;
use crate::files::NewFile;
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::{Context, Result};
use bsq_analyses::rpsw::{distances_table, iterations_table, longest_table, material_table};
use bsq_engine::game::rpsw::Rules;
use bsq_engine::game::rpsw::database::solution::{Solution, WriteError};
use bsq_engine::game::rpsw::sets::Sets;
use bytesize::ByteSize;
use std::path::Path;

/// Bytes of a database for each byte of the tables in memory, at most.
const FILE_SHARE: u64 = 5;

/// Solves the game, writes the database if it was asked for, and shows the counts.
pub fn run(args: RpswSolve) -> Result<()> {
    let rules = rules(&args.rules)?;
    let output =
        OutputArgs { format: args.format, out: args.tables, out_flag: "--tables", work: args.work };
    let run = Run::begin(&output.work)?;
    let folder = output::Folder::open(&output)?;
    let sets = Sets::new(rules);
    check_memory(solving_bytes(&sets))?;
    let file = args.out.as_deref().map(|path| begin(path, &sets)).transpose()?;
    let from = plies_kept(&sets, file.is_some());
    let solution = Solution::solve(sets, from, &run.monitor())?;
    let census = solution.census();
    let mut tables = vec![iterations_table(census), material_table(census)];
    if let Some(longest) = solution.longest_win() {
        tables.insert(1, longest_table(solution.rules(), &solution, &longest)?);
    }
    if folder.is_some() {
        tables.push(distances_table(census));
    }
    let rules = solution.rules().clone();
    if let Some(file) = file {
        write(solution, file, &run)?;
    }
    let answer =
        Answer { command: format!("rpsw solve{}", flags(&rules)), rules: (&rules).into(), tables };
    output::deliver(&run, &output, folder, &[answer])?;
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

/// Begins the file of a database, where there is room for it.
fn begin(path: &Path, sets: &Sets) -> Result<NewFile> {
    if path.is_dir() {
        return Err(usage(format!(
            "{} is a folder; --out names the file of the database, --tables the folder for tables",
            path.display()
        )));
    }
    let file = NewFile::begin(path)?;
    disk::check(path, bsq_engine::solve::retrograde::table_bytes(sets) / FILE_SHARE)?;
    Ok(file)
}

fn write(solution: Solution, mut file: NewFile, run: &Run) -> Result<()> {
    let rows = solution.into_rows(&run.monitor())?;
    let bytes = rows.write(&mut file, &run.monitor()).map_err(|error| match error {
        WriteError::Stopped(error) => anyhow::Error::from(error),
        WriteError::Io(error) => anyhow::Error::from(error),
    });
    let bytes = bytes.context("cannot write the database")?;
    file.finish()?;
    run.note(&format!("the database has {}", ByteSize::b(bytes).display().si()));
    Ok(())
}

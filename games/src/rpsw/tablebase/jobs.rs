//! Tablebases as front ends see them: built, verified, and opened for given rules.

use super::checkpoint::Checkpoint;
use super::resume::InterruptedError;
use super::solution::{Solution, WriteError};
use super::{LEAST_PLIES, Tablebase};
use crate::rpsw::census::Census;
use crate::rpsw::longest::longest_table;
use crate::rpsw::retrograde::{Layout, set_bytes, solving_bytes};
use crate::rpsw::tables::{iterations_table, material_table};
use crate::rpsw::{Evaluator, Position, Rules};
use bsq_engine::definition::{BuildRequest, OtherRules, TablebaseInfo, Tablebases, Verification};
use bsq_engine::error::{Error, Kind};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::Recorded;
use bsq_engine::results::Table;
use bsq_engine::storage::StorageError;
use bsq_engine::storage::disk;
use bsq_engine::storage::files::AtomicFile;
use bytesize::ByteSize;
use std::io::BufWriter;
use std::path::Path;

/// The size of the bit sets, in bytes, below which the depths of all lost positions are kept.
const SMALL: u64 = 1 << 30;
/// The size of the bit sets, in bytes, above which the memory is announced.
const LARGE: u64 = 1 << 28;
/// A lower bound on the ratio of the bytes of the bit sets to those of a tablebase or of a
/// checkpoint.
const FILE_SHARE: u64 = 5;

/// The tablebases of the game.
pub fn tablebases() -> Tablebases<Rules> {
    Tablebases {
        info: TablebaseInfo {
            options: vec![RuleOption::new(
                "scratch",
                OptionKind::Folder,
                None,
                "Keep a checkpoint in this folder after every second iteration; a build continues \
                from the checkpoint that it finds there",
            )],
            sample: 100_000,
            full: Some(
                "Solve the game again and compare every byte, as long and with as much memory",
            ),
        },
        rules: |path| Ok(Tablebase::open(path)?.rules().clone()),
        build,
        verify,
    }
}

/// Opens a tablebase that must have the given rules.
pub fn open(path: &Path, rules: &Rules) -> Result<Tablebase, Error> {
    let tablebase = Tablebase::open(path)?;
    if tablebase.rules() != rules {
        let [found, requested] = [tablebase.rules(), rules].map(describe);
        return Err(OtherRules { found, requested }.into());
    }
    Ok(tablebase)
}

fn describe(rules: &Rules) -> String {
    let words = rules.entries().into_iter().map(|(name, value)| format!("{name} {value}"));
    words.collect::<Vec<_>>().join(", ")
}

fn build(rules: &Rules, request: &BuildRequest, monitor: &Monitor) -> Result<Vec<Table>, Error> {
    let path = request.path;
    if path.is_dir() {
        let message = format!("{} is a folder; a tablebase of this game is a file", path.display());
        return Err(Error::of(Kind::Usage, message));
    }
    if path.exists() {
        let tablebase = open(path, rules)?;
        monitor.note(&format!("{} is finished already", path.display()));
        // A build that was killed before its end may have left its checkpoint.
        let scratch = request.option("scratch").map(Path::new).filter(|folder| folder.exists());
        if let Some(Ok(checkpoint)) = scratch.map(|folder| Checkpoint::open(folder, rules)) {
            checkpoint.remove();
        }
        let longest = tablebase.longest_win(monitor)?;
        return tables(tablebase.census(), Evaluator::Tablebase(&tablebase), longest);
    }
    let layout = Layout::new(rules.clone());
    let (memory, disk) = (solving_bytes(&layout), set_bytes(&layout) / FILE_SHARE);
    check_memory(&layout, request.memory)?;
    disk::check(path, disk)?;
    let file = AtomicFile::create_unique(path);
    let file = file.map_err(|error| StorageError::system("write", path, &error))?;
    let mut checkpoint = match request.option("scratch").map(Path::new) {
        Some(folder) => Some(Checkpoint::open(folder, rules)?),
        None => None,
    };
    match &checkpoint {
        Some(checkpoint) if checkpoint.iterations() > 0 => monitor
            .note(&format!("continues the tablebase after iteration {}", checkpoint.iterations())),
        Some(_) => {
            disk::check(Path::new(request.option("scratch").unwrap_or_default()), disk)?;
            monitor.note("starts a new tablebase");
        }
        None => monitor.note("starts a new tablebase"),
    }
    if set_bytes(&layout) > LARGE {
        let [memory, disk] = [memory, disk].map(|bytes| ByteSize::b(bytes).display().iec());
        monitor.note(&format!("this takes up to {memory} of memory, and {disk} on each disk"));
    }
    let solution = match &mut checkpoint {
        None => {
            let from = if set_bytes(&layout) < SMALL { 2 } else { LEAST_PLIES };
            Solution::solve(layout, from, monitor)?
        }
        Some(checkpoint) => Solution::solve_with(layout, checkpoint, monitor)?,
    };
    let census = solution.census();
    let tables = tables(census, Evaluator::Solution(&solution), solution.longest_win())?;
    let rounds = checkpoint.is_some().then_some(census.iterations.len() as u32 / 2 * 2);
    let written = write(solution, file, monitor);
    let bytes = written.map_err(|error| match (error, rounds) {
        (WriteError::Stopped(SolveError::Stopped), Some(rounds)) => {
            InterruptedError::StoppedAfter { rounds }.into()
        }
        (WriteError::Stopped(error), _) => error.into(),
        (WriteError::Io(error), _) => Error::from(StorageError::system("write", path, &error)),
        (WriteError::Storage(error), _) => Error::from(error),
    })?;
    monitor.note(&format!("the tablebase has {}", ByteSize::b(bytes).display().si()));
    if let Some(checkpoint) = checkpoint {
        checkpoint.remove();
    }
    Ok(tables)
}

/// The tables of a tablebase with a longest win, if there is one.
fn tables(
    census: &Census,
    evaluator: Evaluator,
    longest: Option<Position>,
) -> Result<Vec<Table>, Error> {
    let mut tables = vec![iterations_table(census), material_table(census)];
    if let Some(longest) = longest {
        let longest = longest_table(evaluator, &longest)?;
        tables[0].note = longest.note.clone();
        tables.insert(1, longest);
    }
    Ok(tables)
}

/// Fails if solving takes more memory than is allowed.
fn check_memory(layout: &Layout, allowed: u64) -> Result<(), Error> {
    match solving_bytes(layout) {
        bytes if bytes > allowed => {
            let [bytes, allowed] = [bytes, allowed].map(|size| ByteSize::b(size).display().iec());
            let message = format!("this takes {bytes} of memory, and {allowed} are allowed");
            Err(Error::of(Kind::Refused, message))
        }
        _ => Ok(()),
    }
}

fn write(solution: Solution, file: AtomicFile, monitor: &Monitor) -> Result<u64, WriteError> {
    let rows = solution.into_rows(monitor)?;
    let mut out = BufWriter::new(file);
    let bytes = rows.write(&mut out, monitor)?;
    out.into_inner().map_err(|error| WriteError::Io(error.into_error()))?.commit()?;
    Ok(bytes)
}

fn verify(path: &Path, request: &Verification, monitor: &Monitor) -> Result<Table, Error> {
    let tablebase = Tablebase::open(path)?;
    let layout = Layout::new(tablebase.rules().clone());
    if request.full {
        check_memory(&layout, request.memory)?;
    }
    let mut checked =
        vec![("stored positions, by checksum, rules and census", tablebase.check_blocks(monitor)?)];
    let sample = tablebase.check_sample(request.sample, request.seed, monitor)?;
    checked.extend([
        ("sampled positions, by those after them", sample.positions()),
        ("of these won", sample.won),
        ("of these lost", sample.lost),
        ("of these drawn", sample.drawn),
    ]);
    if request.full {
        let solution = Solution::solve(layout, LEAST_PLIES, monitor)?;
        tablebase.check_against(&solution.into_rows(monitor)?, monitor)?;
        checked.push(("bytes, by solving the game again", tablebase.bytes()));
    }
    Ok(request.table("rpsw-verify", path, checked, tablebase.least_probability()))
}

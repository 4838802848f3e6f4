//! Tablebases as front ends see them: built, verified, and opened for given rules.

use super::folder::Folder;
use super::probe::planned;
use super::{Limits, Plan, Summary, Tablebase, TablebaseError, build_in};
use crate::dots::{Position, Rules, Variant, format_position, parse_position};
use bsq_engine::definition::{BuildRequest, OtherRules, TablebaseInfo, Tablebases, Verification};
use bsq_engine::error::Error;
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::results::Table;
use bsq_engine::storage::disk;
use bsq_engine::tabulate;
use bytesize::ByteSize;
use std::path::Path;

/// The size in bytes above which the disk usage of a build is announced.
const LARGE: u64 = 1 << 30;

/// The tablebases of the game.
pub fn tablebases() -> Tablebases<Rules> {
    Tablebases {
        info: TablebaseInfo {
            options: vec![
                RuleOption::new(
                    "from",
                    OptionKind::Position,
                    None,
                    "Only positions that can follow this one, whoever has taken which boxes",
                ),
                RuleOption::new(
                    "book",
                    OptionKind::Integer { least: 0, most: 64 },
                    None,
                    "Keep only positions with at most this many lines drawn; a chain of the start \
                    counts as one line",
                ),
                RuleOption::new(
                    "disk",
                    OptionKind::Size,
                    None,
                    "Disk space that may be used at any time",
                ),
            ],
            sample: 10_000,
            full: Some(
                "Build the tablebase again beside it and compare every file, as long and with as \
            much memory and disk space",
            ),
        },
        rules,
        build,
        verify,
    }
}

/// Opens a tablebase that must have the board and the penalty of the given rules.
pub fn open(path: &Path, rules: &Rules) -> Result<Tablebase, Error> {
    let tablebase = Tablebase::open(path)?;
    let found = rules_of(tablebase.plan());
    if found.board != rules.board || found.penalty != rules.penalty {
        let [found, requested] = [&found, rules].map(describe);
        return Err(OtherRules { found, requested }.into());
    }
    Ok(tablebase)
}

fn describe(rules: &Rules) -> String {
    format!("board {} with a penalty of {}", rules.board, rules.penalty)
}

/// The rules of a tablebase.
fn rules(path: &Path) -> Result<Rules, Error> {
    Ok(rules_of(&plan_of(path)?))
}

/// The plan of a tablebase, finished or not.
///
/// # Errors
///
/// If the folder holds no tablebase, or its manifest is damaged.
pub fn plan_of(folder: &Path) -> Result<Plan, TablebaseError> {
    Ok(planned(folder)?.1)
}

/// The rules of a plan. The variant is the one whose start all positions follow, if there is one.
pub fn rules_of(plan: &Plan) -> Rules {
    let from = |variant: &Variant| variant.lines(plan.board()) == plan.from();
    let variant = Variant::ALL.into_iter().find(from).unwrap_or_default();
    Rules { board: *plan.board(), variant, penalty: plan.penalty().into() }
}

fn build(rules: &Rules, request: &BuildRequest, monitor: &Monitor) -> Result<Vec<Table>, Error> {
    let from = match request.option("from") {
        Some(text) => {
            let parsed = parse_position(text);
            let (board, position) =
                parsed.map_err(|error| Error::invalid("from", error.to_string()))?;
            if board != rules.board {
                let message = format!("the position is on a {board} board, not on {}", rules.board);
                return Err(Error::invalid("from", message));
            }
            position.lines
        }
        None => rules.start().lines,
    };
    let book = request.option("book").map(|text| {
        let message = || format!("'{text}' is not a number of lines");
        text.parse().map_err(|_| Error::invalid("book", message()))
    });
    let space = request.option("disk").map(|text| {
        let message = || format!("'{text}' is not a size, such as 8GiB or 500MB");
        text.parse::<ByteSize>().map_err(|_| Error::invalid("disk", message()))
    });
    let space = space.transpose()?.map(|size| size.as_u64());
    let limits = Limits { memory: Some(request.memory), disk: space, ..Limits::default() };
    if !rules.penalty.is_whole() {
        let message = format!("a tablebase has a whole number of points, not {}", rules.penalty);
        return Err(Error::invalid("penalty", message));
    }
    let penalty = rules.penalty.floor();
    let plan = Plan::new(&rules.board, from, penalty, book.transpose()?, &limits);
    let plan = plan.map_err(|error| match error {
        TablebaseError::LimitTooSmall { what, .. } => Error::from(error).at(what),
        error => error.into(),
    })?;
    let mut folder = Folder::open(request.path, &plan)?;
    let (left, layers) = (folder.manifest.left, plan.layers());
    let path = request.path.display();
    monitor.note(&match layers - left {
        0 => {
            disk::check(request.path, plan.disk_bytes())?;
            format!("starts a new tablebase in {path}")
        }
        _ if left == 0 => {
            // A file may be missing or too short.
            Tablebase::open(request.path)?;
            format!("the tablebase in {path} is finished already")
        }
        kept => format!("continues the tablebase in {path} after {kept} of {layers} layers"),
    });
    if left > 0 {
        announce(&plan, monitor);
    }
    let summary = build_in(&plan, &mut folder, monitor)?;
    Ok(vec![summary_table(&plan, &summary), stored_table(&summary), layers_table(&summary)])
}

/// Says what the chains of the start change, and what a large build takes.
fn announce(plan: &Plan, monitor: &Monitor) {
    let start = plan.from().count_ones();
    let (counted, open) = (plan.most_lines() - start, plan.board().lines() as u32 - start);
    let positions = plan.positions();
    let which = match plan.chains().len() {
        0 => None,
        1 => Some("a chain of the start counts as one line".to_string()),
        many => Some(format!("{many} chains of the start count as one line each")),
    };
    if let Some(which) = which {
        monitor.note(&format!(
            "{which}, so there are {counted} lines to draw, not {open}: {positions} positions"
        ));
    }
    if plan.disk_bytes() > LARGE {
        let [memory, disk] = [plan.memory_bytes(), plan.disk_bytes()]
            .map(|bytes| ByteSize::b(bytes).display().iec());
        monitor.note(&format!("this takes up to {disk} on disk, and {memory} of memory"));
    }
}

fn verify(path: &Path, request: &Verification, monitor: &Monitor) -> Result<Table, Error> {
    let tablebase = Tablebase::open(path)?;
    let verified = tablebase.verify(monitor)?;
    let sample = tablebase.check_sample(request.sample, request.seed, monitor)?;
    let mut checked = vec![
        ("files, by checksum", verified.files as u64),
        ("bytes, by checksum", verified.bytes),
        ("positions, by checksum", verified.positions),
        ("sampled positions, by those after them", sample),
    ];
    if request.full {
        compare_with_new(&tablebase, path, request.memory, monitor)?;
        checked.push(("bytes, by building the tablebase again", verified.bytes));
    }
    Ok(request.table("dots-verify", path, checked, tablebase.least_probability()))
}

/// Builds the tablebase again, in a folder beside it, and compares the files. The folder is removed
/// afterwards, unless the build is cancelled, and then continued by the next verification.
fn compare_with_new(
    tablebase: &Tablebase,
    path: &Path,
    memory: u64,
    monitor: &Monitor,
) -> Result<(), Error> {
    let plan = tablebase.plan();
    let (book, limits) =
        (Some(plan.kept_lines()), Limits { memory: Some(memory), ..Limits::default() });
    let plan = Plan::new(plan.board(), plan.from(), plan.penalty(), book, &limits)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".again");
    let mut folder = Folder::open(&path.with_file_name(name), &plan)?;
    build_in(&plan, &mut folder, monitor)?;
    let is_same = tablebase.equals(&folder.manifest);
    folder.remove()?;
    if is_same { Ok(()) } else { Err(TablebaseError::Differs(path.display().to_string()).into()) }
}

fn summary_table(plan: &Plan, summary: &Summary) -> Table {
    let from = Position::of_lines(plan.from());
    tabulate!("dots-tablebase", "Every position of a board", for summary in [summary] => {
        "from": text, "the lines that all positions contain, as a position"
            => format_position(plan.board(), &from);
        "value": integer, "of that position, for the player to move, in points" => summary.value;
        "positions": integer, "whose value was found, without most images" => summary.positions;
        "stored": integer, "positions that are kept" => summary.stored.iter().sum::<u64>();
        "book": integer, "the most lines of a position that is kept, a chain as one"
            => plan.kept_lines();
        "chains": integer, "of the start, each of which counts as one line"
            => plan.chains().len();
        "bytes": integer, "of the files that are kept" => summary.bytes;
    })
}

fn stored_table(summary: &Summary) -> Table {
    let stored = summary.stored.iter().copied().enumerate().filter(|(_, count)| *count > 0);
    let title = "Positions that are kept, by lines";
    tabulate!("dots-stored", title, for (lines, positions) in stored => {
        "lines": integer key, "how many lines are drawn, a chain of the start as one" => lines;
        "positions": integer, "that are kept, without most images" => positions;
    })
}

fn layers_table(summary: &Summary) -> Table {
    let layers = summary.layers.iter().enumerate();
    tabulate!("dots-layers", "Layers of the work", for (layer, count) in layers => {
        "layer": integer key, "how many of the lines that name rows are drawn" => layer;
        "rows": integer, "of the layer" => count.rows;
        "positions": integer, "in these rows" => count.positions;
        "stored": integer, "positions of these that are kept" => count.kept;
    })
}

//! `bsq dots enumerate`.

use super::described;
use crate::cli::args::{DotsEnumerate, Format, OutputArgs};
use crate::dots::Given;
use crate::output::{self, Answer};
use crate::run::Run;
use crate::usage::usage;
use crate::{disk, memory};
use anyhow::Result;
use bsq_analyses::Table;
use bsq_analyses::column::{integer, label};
use bsq_games::dots::tablebase::{Limits, Plan, Summary, build};
use bsq_games::dots::{Board, Lines};
use bytesize::ByteSize;

/// The size in bytes above which the disk usage of a build is announced.
const LARGE: u64 = 1 << 30;

/// Builds a tablebase and prints its summary.
pub fn run(args: DotsEnumerate) -> Result<()> {
    let (board, from, penalty) = start(&args)?;
    let output = OutputArgs::printed(args.print.format, args.print.work);
    let run = Run::begin(&output.work)?;
    let limits = Limits {
        memory: args.memory.map(|size| size.as_u64()).or_else(memory::available),
        disk: args.disk.map(|size| size.as_u64()),
        ..Limits::default()
    };
    let plan = Plan::new(&board, from, penalty, args.book, &limits)?;
    if !args.resume {
        disk::check(&args.out, plan.disk_bytes())?;
    }
    if let Some(note) = chains_note(&plan) {
        run.note(&note);
    }
    if plan.disk_bytes() > LARGE {
        let [memory, disk] = [plan.memory_bytes(), plan.disk_bytes()]
            .map(|bytes| ByteSize::b(bytes).display().iec());
        run.note(&format!("this takes up to {disk} on disk, and {memory} of memory"));
    }
    let summary = build(&plan, &args.out, args.resume, &run.monitor())?;
    let mut tables = vec![summary_table(&plan, &summary)];
    // Without an output folder, only JSON contains the other tables.
    if output.format == Some(Format::Json) {
        tables.extend([stored_table(&summary), layers_table(&summary)]);
    }
    let (command, rules) = ("dots enumerate".to_string(), described(&plan));
    let answer = Answer { command, rules, tables };
    output::deliver(&run, &output, None, &[answer])?;
    run.end();
    Ok(())
}

/// The board, the lines drawn at the start, and the penalty.
fn start(args: &DotsEnumerate) -> Result<(Board, Lines, i32)> {
    match (&args.from, args.board) {
        (Some(text), _) => {
            let given = Given::read(text)?;
            let penalty = args.penalty.or(given.penalty).unwrap_or(0);
            Ok((given.board, given.position.lines, penalty))
        }
        (None, Some(board)) => Ok((board, args.variant.lines(&board), args.penalty.unwrap_or(0))),
        (None, None) => Err(usage("give a board, such as 3x4, or a position with --from")),
    }
}

/// A note about chains of the start and the number of positions.
fn chains_note(plan: &Plan) -> Option<String> {
    let chains = plan.chains();
    let start = plan.from().count_ones();
    let (counted, open) = (plan.most_lines() - start, plan.board().lines() as u32 - start);
    let which = match chains.len() {
        0 => return None,
        1 => "a chain of the start counts as one line".to_string(),
        many => format!("{many} chains of the start count as one line each"),
    };
    let positions = plan.positions();
    Some(format!(
        "{which}, so there are {counted} lines to draw, not {open}: {positions} positions"
    ))
}

fn summary_table(plan: &Plan, summary: &Summary) -> Table {
    let mut table = Table::new(
        "dots-enumerate",
        "Every position of a board",
        &[
            integer("value", "of the start, for the player who begins, in points"),
            integer("positions", "whose value was found, without most images"),
            integer("stored", "positions that are kept in the folder"),
            integer("book", "the most lines of a position that is kept, a chain as one"),
            integer("chains", "of the start, each of which counts as one line"),
            integer("bytes", "of the files that are kept"),
        ],
    );
    let stored: u64 = summary.stored.iter().sum();
    table.push(vec![
        summary.value.into(),
        summary.positions.into(),
        stored.into(),
        plan.kept_lines().into(),
        plan.chains().len().into(),
        summary.bytes.into(),
    ]);
    table
}

fn stored_table(summary: &Summary) -> Table {
    let mut table = Table::new(
        "dots-stored",
        "Positions that are kept, by lines",
        &[
            label("lines", "how many lines are drawn, a chain of the start as one"),
            integer("positions", "that are kept, without most images"),
        ],
    );
    for (lines, &positions) in summary.stored.iter().enumerate().filter(|(_, count)| **count > 0) {
        table.push(vec![lines.into(), positions.into()]);
    }
    table
}

fn layers_table(summary: &Summary) -> Table {
    let mut table = Table::new(
        "dots-layers",
        "Layers of the work",
        &[
            label("layer", "how many of the lines that name rows are drawn"),
            integer("rows", "of the layer"),
            integer("positions", "in these rows"),
            integer("stored", "positions of these that are kept"),
        ],
    );
    for (layer, count) in summary.layers.iter().enumerate() {
        table.push(vec![
            layer.into(),
            count.rows.into(),
            count.positions.into(),
            count.kept.into(),
        ]);
    }
    table
}

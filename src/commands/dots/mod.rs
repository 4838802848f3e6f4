//! `bsq dots`: Dots-and-Boxes.

mod enumerate;
mod probe;
mod verify;

use crate::cli::args::DotsCommand;
use crate::output::Described;
use anyhow::Result;
use bsq_games::dots;
use bsq_games::dots::tablebase::Plan;
use serde_json::json;

/// Runs a command about Dots-and-Boxes.
pub fn run(command: DotsCommand) -> Result<()> {
    match command {
        DotsCommand::Enumerate(args) => enumerate::run(args),
        DotsCommand::Analyze(args) => super::analyze::dots(args),
        DotsCommand::Probe(args) => probe::run(args),
        DotsCommand::Verify(args) => verify::run(args),
    }
}

/// The description of a tablebase in results.
fn described(plan: &Plan) -> Described {
    let (board, from, penalty) = (plan.board().to_string(), plan.from(), plan.penalty());
    let variant = dots::Variant::ALL.into_iter().find(|v| v.lines(plan.board()) == from);
    let start = match variant {
        Some(variant) => variant.name().to_string(),
        None => format!("from lines {from:#x}"),
    };
    let mut label = format!("{board} {start}");
    if penalty != 0 {
        label += &format!(", penalty {penalty}");
    }
    let fields = json!({
        "game": dots::NAME, "board": board, "start": start, "penalty": penalty,
        "book": plan.kept_lines(),
    });
    Described { label, fields }
}

//! `bsq dots analyze`.

use crate::args::{DotsAnalyze, Format};
use crate::commands::plot::{Plotting, deliver};
use crate::exit::usage;
use crate::output::{self, Answer, Described};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::chart_of;
use bsq_analyses::dots::{Asked, PASSES, Pass};
use bsq_games::dots::{Board, NAME};
use serde_json::json;

/// Open lines at the start of the largest boards, unless said otherwise.
const LINES: u8 = 31;

/// Answers questions about boards.
pub fn run(mut args: DotsAnalyze) -> Result<()> {
    if args.pass == "list" {
        return output::print_list(PASSES.iter().map(|pass| (pass.name, pass.about.to_string())));
    }
    args.output.is_plotted = args.plot.plot.is_some();
    let passes = passes(&args)?;
    let board = match args.board {
        Some(board) => board,
        None => Board::new(3, 3)?,
    };
    let asked = Asked { lines: args.lines.unwrap_or(LINES).into(), board };
    for pass in &passes {
        (pass.check)(&asked)?; // say what is wrong before writing anything
    }
    let charts: Vec<_> =
        PASSES.iter().map(|p| (p.name, chart_of(&format!("dots-{}", p.name)))).collect();
    let names: Vec<&str> = passes.iter().map(|pass| pass.name).collect();
    let plotting = Plotting::begin(&args.plot, &charts, &names)?;
    let run = Run::begin(&args.output.work)?;
    let folder = output::Folder::open(&args.output)?;
    let mut answers = Vec::new();
    for pass in passes {
        let tables = (pass.run)(&asked, &run.monitor())?;
        let command = format!("dots analyze {}", pass.name);
        answers.push(Answer { command, rules: described(pass, &asked), tables });
    }
    deliver(&run, &mut args.output, folder, &answers, plotting)?;
    run.end();
    Ok(())
}

/// The passes that were asked for. Fails if there is none of that name, or it has no use for a flag.
fn passes(args: &DotsAnalyze) -> Result<Vec<&'static Pass>> {
    if args.pass == "all" {
        if output::format(&args.output) == Some(Format::Csv) {
            return Err(usage(
                "several tables do not fit one CSV; use --out DIR alone for a file each, or --format table or json",
            ));
        }
        return Ok(PASSES.iter().collect());
    }
    let Some(pass) = PASSES.iter().find(|pass| pass.name == args.pass) else {
        let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
        let names = names.join(", ");
        return Err(usage(format!(
            "there is no analysis '{}'; there are {names}, and all",
            args.pass
        )));
    };
    match (pass.one_board, args.board, args.lines) {
        (false, Some(_), _) => Err(usage(format!(
            "'{}' is about all boards and takes no --board; --lines says how large they get",
            pass.name
        ))),
        (true, _, Some(_)) => Err(usage(format!(
            "'{}' is about one board and takes no --lines; --board says which",
            pass.name
        ))),
        _ => Ok(vec![pass]),
    }
}

/// What a pass is about, as results show it.
fn described(pass: &Pass, asked: &Asked) -> Described {
    match pass.one_board {
        true => Described {
            label: format!("{} standard", asked.board),
            fields: json!({ "game": NAME, "board": asked.board.to_string() }),
        },
        false => Described {
            label: format!("up to {} open lines", asked.lines),
            fields: json!({ "game": NAME, "lines": asked.lines }),
        },
    }
}

//! `bsq test-heuristic`.

use crate::cli::args::TestHeuristic;
use crate::errors::usage;
use crate::files::NewFile;
use crate::lists::{heuristic, read_lists};
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::british_square::heuristics::{from_start_table, report_tables};
use bsq_analyses::{Method, described};
use bsq_api::command::quoted;
use bsq_engine::text::thousands;
use bsq_games::british_square::heuristic::features;
use bsq_games::british_square::heuristic::features::Feature;
use bsq_games::british_square::heuristic::tester;
use bsq_games::british_square::heuristic::tester::Failures;
use bsq_games::british_square::heuristic::{ALL, Heuristic, by_name};
use bsq_games::british_square::{BritishSquare, format_tiles};

/// Tests a heuristic, or lists the heuristics or features.
pub fn run(args: TestHeuristic) -> Result<()> {
    let lists = args.lists.as_deref().map(read_lists).transpose()?.unwrap_or_default();
    match args.heuristic.as_str() {
        "list" => return print_heuristics(&lists),
        "features" => return print_features(),
        _ => {}
    }
    if args.failures.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return Err(usage("--failures takes a file; standard output is for the summary"));
    }
    let heuristic = heuristic(&args.heuristic, &lists)?;
    let rules = args.rules.rules();
    let game = BritishSquare::new(rules.clone()).map_err(usage)?;
    let game = match args.method.as_deref().and_then(Method::by_name) {
        Some(Method::Retrograde) if rules.pieces.is_some() || args.failures.is_some() => {
            let flag = if rules.pieces.is_some() { "--pieces" } else { "--failures" };
            return Err(usage(format!(
                "the method 'retrograde' takes no {flag}; leave --method out"
            )));
        }
        Some(Method::DepthFirst) => game.depth_first(),
        _ => game,
    };
    let run = Run::begin(&args.output.work)?;
    let file = args.failures.as_deref().map(NewFile::begin).transpose()?;
    let out = output::Folder::open(&args.output)?;
    let one = std::slice::from_ref(&heuristic);
    let tables = match file {
        None if args.from_start => vec![from_start_table(&game, one, &run.monitor())?],
        None => report_tables(&heuristic, &tester::test(&game, one, &run.monitor())?.remove(0)),
        Some(mut file) => {
            let tested = tester::test_with_failures(&game, &heuristic, &run.monitor())?;
            let (report, failures) = tested;
            run.monitor().begin("failures", failures.len() as u64);
            write_failures(&mut file, &game, &failures, &run)?;
            file.finish()?;
            run.note(&format!("{} failing positions written", thousands(failures.len())));
            report_tables(&heuristic, &report)
        }
    };
    let command = command(&heuristic, args.from_start) + &args.rules.written();
    output::deliver(
        &run,
        &args.output,
        out,
        &[Answer { command, rules: described(&rules), tables }],
    )?;
    run.end();
    Ok(())
}

/// The command that repeats the test without a file of lists.
fn command(heuristic: &Heuristic, from_start: bool) -> String {
    let flag = if from_start { " --from-start" } else { "" };
    let known = heuristic.name.as_deref().filter(|name| by_name(name).is_some());
    match known {
        Some(name) => format!("test-heuristic {name}{flag}"),
        None => format!("test-heuristic {}{flag}", quoted(&heuristic.list.to_string())),
    }
}

fn print_heuristics(lists: &[Heuristic]) -> Result<()> {
    let line = |heuristic: &Heuristic| {
        let Heuristic { summary, list, .. } = heuristic;
        let about = if summary.is_empty() { list.to_string() } else { summary.clone() };
        (heuristic.label(), about)
    };
    let lines: Vec<(String, String)> = ALL.iter().chain(lists).map(line).collect();
    output::print_list(lines.iter().map(|(name, about)| (name.as_str(), about.clone())))
}

fn print_features() -> Result<()> {
    let line = |feature: &'static Feature| {
        let place = match (feature.ranks_moves(), feature.tells_positions()) {
            (true, true) => "",
            (true, false) => "; not in conditions",
            (false, _) => "; only in conditions",
        };
        (feature.name, format!("{} ({}{place})", feature.summary, feature.effort.name()))
    };
    output::print_list(features::all().map(line))
}

/// Writes a row for each failing position.
fn write_failures(
    file: &mut NewFile,
    game: &BritishSquare,
    failures: &Failures,
    run: &Run,
) -> Result<()> {
    let rules = game.rules();
    let mut csv = csv::Writer::from_writer(file);
    csv.write_record(["turn", "player", "position", "value", "perfect", "liked", "cost_most"])?;
    for (i, failure) in failures.iter().enumerate() {
        if i % 4096 == 4095 {
            run.monitor().check()?;
            run.monitor().advance(4096);
        }
        csv.write_record([
            failure.position.turn.to_string(),
            failure.position.to_move.name().to_string(),
            rules.format_position(&failure.position),
            (failure.value - rules.bias).to_string(),
            format_tiles(&rules.board, failure.perfect),
            format_tiles(&rules.board, failure.liked),
            failure.worst.to_string(),
        ])?;
    }
    csv.flush()?;
    Ok(())
}

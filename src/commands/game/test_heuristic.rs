//! `bsq GAME test-heuristic`.

use super::analyze::explained;
use super::command_of;
use crate::choices;
use crate::cli::test_heuristic::{Choices, TEST_HEURISTIC, TestHeuristic};
use crate::commands::plot::{Plotting, deliver};
use crate::errors::{of_job, usage};
use crate::lists::{HINT, heuristic, read_lists};
use crate::new_file::NewFile;
use crate::output::{self, Computed};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::any::heuristic::CHART;
use bsq_analyses::british_square::heuristics::{report_tables, tested_game};
use bsq_analyses::choices::Outside;
use bsq_analyses::options::{HEURISTIC, METHOD};
use bsq_analyses::{AnalysisError, Method};
use bsq_api::Game;
use bsq_api::command::{self, quoted};
use bsq_engine::options::borrowed;
use bsq_engine::text::thousands;
use bsq_games::british_square::heuristic::features::{self, Feature};
use bsq_games::british_square::heuristic::tester::{self, Failures};
use bsq_games::british_square::heuristic::{ALL, Heuristic, by_name};
use bsq_games::british_square::{self, BritishSquare, format_tiles};
use std::path::Path;
use std::sync::Arc;

/// Tests a heuristic, or lists the heuristics or features.
pub fn run(game: &dyn Game, mut args: TestHeuristic) -> Result<()> {
    if let Some(choices) = args.choices.take() {
        return run_with_choices(game, args, &choices);
    }
    let lists = args.lists.as_deref().map(read_lists).transpose()?.unwrap_or_default();
    let is_british_square = game.info().name == british_square::NAME;
    match args.heuristic.as_str() {
        "list" if is_british_square => return print_heuristics(&lists),
        "features" if is_british_square => return print_features(),
        "list" => {
            let heuristics = game.heuristics();
            let lines = heuristics.iter().map(|it| (it.name.as_str(), it.summary.clone()));
            return output::print_list(lines);
        }
        _ => {}
    }
    if let Some(path) = args.failures.take() {
        return run_with_failures(game, args, &lists, &path);
    }
    // A list of the file is passed on with its name.
    let listed = lists.iter().find(|list| list.name.as_deref() == Some(&*args.heuristic));
    let text = match listed {
        Some(Heuristic { name: Some(name), list, .. }) => format!("{name} = {list}"),
        _ if lists.is_empty() => args.heuristic.clone(),
        _ => heuristic(&args.heuristic, &lists)?.label(),
    };
    let Some(test) = game.heuristic_test() else { return Err(usage("there are no heuristics")) };
    let (option, mut given) = (HEURISTIC.name, borrowed(&args.given));
    given.push((&option, &text));
    let job = test.prepare(&given, Some(args.memory));
    let job = job.map_err(|error| match error {
        AnalysisError::Option { name, why } if name == option => {
            usage(if is_british_square { format!("{why}\n{HINT}") } else { why })
        }
        error => explained(game, error),
    })?;
    let plotting = Plotting::begin(&args.plot, test.charts())?;
    let run = Run::begin(&args.output.work)?;
    let folder = output::Folder::open(&args.output)?;
    let tables = job.run(&run.monitor()).map_err(|error| explained(game, error))?;
    let command = command_line(game, listed, &args);
    let answer = Computed { command, rules: job.described().clone(), tables };
    deliver(&run, &mut args.output, folder, &[answer], plotting)?;
    run.end();
    Ok(())
}

/// Tests choices from outside.
fn run_with_choices(game: &dyn Game, mut args: TestHeuristic, choices: &Choices) -> Result<()> {
    let plotting = Plotting::begin(&args.plot, &[&CHART])?;
    let run = Run::begin(&args.output.work)?;
    let folder = output::Folder::open(&args.output)?;
    let given = borrowed(&args.given);
    let (name, flag, rows) = match choices {
        Choices::File(path) => {
            let name = match path.file_name() {
                Some(name) if name != "-" => name.display().to_string(),
                _ => "choices".to_string(),
            };
            let flag = format!("--choices {}", quoted(&path.display().to_string()));
            (name, flag, choices::read(path, args.memory / 2)?)
        }
        Choices::Program(program, patience) => {
            let Some(export) = game.export() else { return Err(usage("there are no exports")) };
            let asked = [&given[..], &choices::ASKED[..]].concat();
            let job = export.prepare(&asked, Some(args.memory));
            let job = job.map_err(|error| explained(game, error))?;
            let rows = choices::ask(program, *patience, (&job, args.memory / 4), &run, |error| {
                explained(game, error)
            })?;
            (program.clone(), format!("--program {}", quoted(program)), rows)
        }
    };
    let left = args.memory.saturating_sub(rows.bytes());
    let Some(test) = game.outside_test(&name, &Outside::Choices(Arc::new(rows))) else {
        return Err(usage("there is no test of choices"));
    };
    let job = test.prepare(&given, Some(left));
    let job = job.map_err(|error| explained(game, error))?;
    let tables = job.run(&run.monitor()).map_err(|error| explained(game, error))?;
    let flags = command::flags(test.options(), &given);
    let command = command_of(game, &format!("{TEST_HEURISTIC} {flag}{flags}"));
    let answer = Computed { command, rules: job.described().clone(), tables };
    deliver(&run, &mut args.output, folder, &[answer], plotting)?;
    run.end();
    Ok(())
}

/// The command that repeats the test without a file of lists.
fn command_line(game: &dyn Game, listed: Option<&Heuristic>, args: &TestHeuristic) -> String {
    let text = match listed {
        Some(heuristic) => heuristic.list.to_string(),
        None => args.heuristic.clone(),
    };
    let options = game.heuristic_test().into_iter().flat_map(|test| test.options());
    let flags = command::flags(options, &borrowed(&args.given));
    command_of(game, &format!("{TEST_HEURISTIC} {}{flags}", quoted(&text)))
}

/// Tests a heuristic of British Square, and writes every failing position to a file.
fn run_with_failures(
    game: &dyn Game,
    mut args: TestHeuristic,
    lists: &[Heuristic],
    path: &Path,
) -> Result<()> {
    if path.as_os_str() == "-" {
        return Err(usage("--failures takes a file; standard output is for the summary"));
    }
    let method = args.given.iter().find(|(name, _)| *name == METHOD);
    if method.is_some_and(|(_, method)| *method == Method::Retrograde.name()) {
        return Err(usage("the method 'retrograde' takes no --failures; leave --method out"));
    }
    let heuristic = heuristic(&args.heuristic, lists)?;
    let (square, rules) =
        tested_game(&borrowed(&args.given)).map_err(|error| explained(game, error))?;
    let plotting = Plotting::begin(&args.plot, &[&CHART])?;
    let run = Run::begin(&args.output.work)?;
    let mut file = NewFile::begin(path)?;
    let folder = output::Folder::open(&args.output)?;
    let monitor = run.monitor().within(Some(args.memory));
    let tested = tester::test_with_failures(&square, &heuristic, &monitor);
    let (report, failures) = tested.map_err(of_job)?;
    run.monitor().begin("failures", failures.len() as u64);
    write_failures(&mut file, &square, &failures, &run)?;
    file.finish()?;
    run.note(&format!("{} failing positions written", thousands(failures.len())));
    let is_known = heuristic.name.as_deref().is_some_and(|name| by_name(name).is_some());
    let command = command_line(game, Some(&heuristic).filter(|_| !is_known), &args);
    let tables = report_tables(&heuristic, &report);
    let answer = Computed { command, rules, tables };
    deliver(&run, &mut args.output, folder, &[answer], plotting)?;
    run.end();
    Ok(())
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

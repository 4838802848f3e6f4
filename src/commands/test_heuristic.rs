//! `bsq test-heuristic`.

use crate::args::TestHeuristic;
use crate::exit::usage;
use crate::files::NewFile;
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::heuristics::report_table;
use bsq_engine::game::british_square::{BritishSquare, format_tiles};
use bsq_engine::heuristic::tester::{self, Failures};
use bsq_engine::heuristic::{ALL, by_name};

/// Tests one heuristic, or lists them.
pub fn run(args: TestHeuristic) -> Result<()> {
    if args.heuristic == "list" {
        return output::print_list(ALL.iter().map(|h| (h.name(), h.summary().to_string())));
    }
    let heuristic = by_name(&args.heuristic)
        .ok_or_else(|| usage(format!("no heuristic is called '{}'", args.heuristic)))?;
    if args.failures.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return Err(usage("--failures takes a file; standard output is for the summary"));
    }
    let rules = args.rules.rules();
    let game = BritishSquare::new(rules.clone())?;
    let run = Run::begin(&args.output)?;
    let file = args.failures.as_deref().map(NewFile::begin).transpose()?;
    let out = output::Folder::open(&args.output)?;
    let report = match file {
        None => tester::test(&game, &[heuristic], &run.monitor())?.remove(0),
        Some(mut file) => {
            let (report, failures) = tester::test_with_failures(&game, heuristic, &run.monitor())?;
            run.monitor().begin("failures", failures.len() as u64);
            write_failures(&mut file, &game, &failures, &run)?;
            file.finish()?;
            run.note(&format!("{} failing positions written", failures.len()));
            report
        }
    };
    let command = format!("test-heuristic {}", heuristic.name());
    let tables = vec![report_table(heuristic, &report)];
    output::deliver(&run, &args.output, out, &[Answer { command, rules, tables }])?;
    run.end();
    Ok(())
}

/// A line for each failing position.
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

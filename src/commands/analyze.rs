//! `bsq analyze`.

use crate::args::{Analyze, Format};
use crate::exit::usage;
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{Context, PASSES, Pass, Route, by_name};

/// Runs one pass, or all, or lists them.
pub fn run(args: Analyze) -> Result<()> {
    if args.pass == "list" {
        let line = |pass: &&dyn Pass| {
            let long = if pass.is_long() { " (long)" } else { "" };
            (pass.name(), format!("{}{long}", pass.summary()))
        };
        return output::print_list(PASSES.iter().map(line));
    }
    let passes: Vec<&dyn Pass> = match by_name(&args.pass) {
        Some(pass) => vec![pass],
        None => PASSES.iter().copied().filter(|pass| !pass.is_long()).collect(),
    };
    let format = output::format(&args.output);
    if passes.len() > 1 && format == Some(Format::Csv) {
        return Err(usage(
            "several tables do not fit one CSV; use --out DIR alone for a file each, or --format table or json",
        ));
    }
    let rules = args.rules.rules();
    let run = Run::begin(&args.output)?;
    let route = args.route.as_deref().and_then(Route::by_name);
    let context = Context { rules: rules.clone(), route, monitor: run.monitor() };
    for pass in &passes {
        pass.check(&context)?; // say what is wrong before writing anything
    }
    let out = output::Folder::open(&args.output)?;
    let mut answers = Vec::new();
    for pass in passes {
        let tables = pass.run(&context)?;
        let command = format!("analyze {}", pass.name());
        answers.push(Answer { command, rules: rules.clone(), tables });
    }
    output::deliver(&run, &args.output, out, &answers)?;
    run.end();
    Ok(())
}

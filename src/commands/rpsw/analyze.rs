//! `bsq rpsw analyze`.

use super::open;
use crate::args::RpswAnalyze;
use crate::commands::plot::{Plotting, deliver};
use crate::exit::usage;
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::chart_of;
use bsq_analyses::rpsw::{PASSES, PassError};

/// Answers questions from a database.
pub fn run(mut args: RpswAnalyze) -> Result<()> {
    if args.pass == "list" {
        return output::print_list(PASSES.iter().map(|pass| (pass.name, pass.about.to_string())));
    }
    let passes: Vec<_> =
        PASSES.iter().filter(|pass| args.pass == "all" || args.pass == pass.name).collect();
    if passes.is_empty() {
        let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
        let names = names.join(", ");
        return Err(usage(format!(
            "there is no analysis '{}'; there are {names}, and all",
            args.pass
        )));
    }
    let Some(file) = &args.file else {
        return Err(usage(format!(
            "the database is missing; write 'bsq rpsw analyze {} FILE', and 'bsq rpsw solve --out FILE' to make it",
            args.pass
        )));
    };
    args.output.is_plotted = args.plot.plot.is_some();
    let charts: Vec<_> =
        PASSES.iter().map(|p| (p.name, chart_of(&format!("rpsw-{}", p.name)))).collect();
    let names: Vec<&str> = passes.iter().map(|pass| pass.name).collect();
    let database = open(file)?;
    let plotting = Plotting::begin(&args.plot, &charts, &names)?;
    let run = Run::begin(&args.output.work)?;
    let folder = output::Folder::open(&args.output)?;
    let mut answers = Vec::new();
    for pass in passes {
        let tables = match (pass.run)(&database, &run.monitor()) {
            Err(PassError::NoArrangements) if args.pass == "all" => {
                run.note("arrangements left out: this game does not begin with four pieces each");
                continue;
            }
            tables => tables?,
        };
        let command = format!("rpsw analyze {}", pass.name);
        answers.push(Answer { command, rules: database.rules().into(), tables });
    }
    deliver(&run, &mut args.output, folder, &answers, plotting)?;
    run.end();
    Ok(())
}

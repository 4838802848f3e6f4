//! `bsq export`.

use crate::cli::args;
use crate::errors::{of_job, usage};
use crate::output::{self, Folder};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{EXPORTS, Export, described, export_by_name};

/// Writes a table, or lists the tables.
pub fn run(args: args::Export) -> Result<()> {
    let Some(export) = export_by_name(&args.table) else {
        let line = |export: &Export| (export.name, export.summary.to_string());
        return output::print_list(EXPORTS.iter().map(line));
    };
    output::check_built(args.format)?;
    let Some(out) = args.out else {
        return Err(usage("an export is a file and its manifest; say in which folder: --out DIR"));
    };
    let rules = args.rules.0.clone();
    export.check(&rules)?; // before anything is written
    let run = Run::begin(&args.work)?;
    let folder = Folder::open_at(&out)?;
    let monitor = run.monitor().within(Some(args.memory.limit));
    let rows = export.begin(&rules, &monitor).map_err(of_job)?;
    let command = format!("export {}{}", export.name, args.rules.written());
    let rules = described(&rules);
    output::export(&run, folder, export, rows.as_ref(), &rules, &command, args.format)?;
    run.end();
    Ok(())
}

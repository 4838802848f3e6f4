//! `bsq GAME export`.

use super::{command_of, query};
use crate::cli::args::RuleFlags;
use crate::cli::export::{EXPORT, Export, special};
use crate::errors::{of_job, usage};
use crate::new_file::NewFile;
use crate::output::{self, Folder, Source, StandardOutput};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::query::Dataset;
use bsq_analyses::query::options::{CONDITION, DATASET};
use bsq_analyses::{Analysis, described, export_by_name};
use bsq_api::command;
use bsq_api::tables::manifest::{FileFormat, field};
use bsq_api::tables::{self, StreamError};
use bsq_api::{Game, Job};
use bsq_engine::options::borrowed;
use std::io::{IsTerminal as _, Write};
use std::path::Path;

/// Writes a table, or lists the tables.
pub fn run(game: &dyn Game, args: Export) -> Result<()> {
    if args.table == "list" {
        return list(game);
    }
    let Some(dataset) = Dataset::by_name(&args.table) else { return run_special(args) };
    let format = format(&args)?;
    let is_binary = matches!(format, FileFormat::Parquet | FileFormat::Arrow);
    let to_terminal = args.file.is_none() && args.out.is_none() && std::io::stdout().is_terminal();
    if is_binary && to_terminal {
        return Err(usage(format!("{format} is for files; add -o FILE or --out DIR")));
    }
    let of_dataset = DATASET.name;
    let mut given = borrowed(&args.given);
    given.push((&of_dataset, dataset.name()));
    let Some(export) = game.export() else { return Err(usage("there are no exports")) };
    let job = export.prepare(&given, Some(args.memory));
    let job = job.map_err(|error| query::marked(game, error))?;
    write(game, &args, &job, format)
}

/// Writes the rows of a job to the folder, the file or standard output.
fn write(game: &dyn Game, args: &Export, job: &Job, format: FileFormat) -> Result<()> {
    let Some(rows) = job.rows() else { return Err(usage("this table has no rows")) };
    let run = Run::begin(&args.work)?;
    let failed = |error| match error {
        StreamError::Rows(error) => query::marked(game, error),
        StreamError::Write(error) => error.into(),
    };
    if let Some(out) = &args.out {
        let mut folder = Folder::open_at(out)?;
        let file = folder.begin(&rows.table, format)?;
        let (file, count) =
            tables::write_stream(file, rows, format, &run.monitor()).map_err(failed)?;
        let command = command_line(game, args);
        let (rules, table) = (job.described(), &rows.table);
        let source = Source { command: &command, rules, table };
        let fields = table.columns.iter().map(|column| field(column, format, std::iter::empty()));
        folder.add(file, &source, count, fields.collect());
        folder.finish(&run)?;
    } else if let Some(path) = &args.file {
        let file = NewFile::begin(path)?;
        let (file, _) = tables::write_stream(file, rows, format, &run.monitor()).map_err(failed)?;
        file.finish()?;
        run.note(&format!("wrote {}", path.display()));
    } else {
        let written = tables::write_stream(StandardOutput, rows, format, &run.monitor());
        let (mut to, _) = written.map_err(failed)?;
        to.flush()?;
    }
    run.end();
    Ok(())
}

/// The format: the given one, that of the ending of the file, or CSV.
fn format(args: &Export) -> Result<FileFormat> {
    let ending = args.file.as_deref().and_then(Path::extension).and_then(|it| it.to_str());
    let format = args.format.unwrap_or(match ending {
        Some("jsonl" | "ndjson") => FileFormat::JsonLines,
        Some("parquet") => FileFormat::Parquet,
        Some("arrow") => FileFormat::Arrow,
        _ => FileFormat::Csv,
    });
    output::check_built(format)?;
    Ok(format)
}

/// Prints the tables, one per line.
fn list(game: &dyn Game) -> Result<()> {
    let datasets = [
        (Dataset::Positions.name(), "every position, up to symmetry, with its values"),
        (Dataset::Moves.name(), "every legal move of each of them, with its value"),
    ];
    output::print_list(special(game).chain(datasets).map(|(name, about)| (name, about.to_string())))
}

/// Writes a special table of British Square.
fn run_special(args: Export) -> Result<()> {
    let (Some(export), Some(rules)) = (export_by_name(&args.table), args.rules.clone()) else {
        return Err(usage(format!("there is no table '{}'", args.table)));
    };
    if args.given.iter().any(|(name, _)| is_of_rows(name)) {
        let table = &args.table;
        return Err(usage(format!(
            "'{table}' is written as a whole; 'export positions' takes this"
        )));
    }
    let format = format(&args)?;
    let Some(out) = &args.out else {
        return Err(usage("an export is a file and its manifest; say in which folder: --out DIR"));
    };
    export.check(&rules)?; // before anything is written
    let run = Run::begin(&args.work)?;
    let folder = Folder::open_at(out)?;
    let monitor = run.monitor().within(Some(args.memory));
    let rows = export.begin(&rules, &monitor).map_err(of_job)?;
    let command = format!("{EXPORT} {}{}", export.name, RuleFlags(rules.clone()).written());
    let rules = described(&rules);
    output::export(&run, folder, export, rows.as_ref(), &rules, &command, format)?;
    run.end();
    Ok(())
}

/// Whether an option is about the rows of a dataset, and not about the rules.
fn is_of_rows(name: &str) -> bool {
    ["condition", "show", "position", "moves"].contains(&name)
}

/// The command that repeats the export.
fn command_line(game: &dyn Game, args: &Export) -> String {
    let options = game.export().into_iter().flat_map(Analysis::options);
    let arguments = command::arguments(&CONDITION.name, options, &borrowed(&args.given));
    command_of(game, &format!("{EXPORT} {}{arguments}", args.table))
}

//! `bsq plot`, and `--plot` of analyses.

use crate::cli::args::{OutputArgs, Plot, PlotArgs};
use crate::errors::usage;
use crate::output::{self, Computed, Folder, StandardOutput};
use crate::plot::{self, Look, Picture, PictureFile, Sheet};
use crate::run::Run;
use anyhow::{Context, Result};
use bsq_analyses::{Chart, chart_of};
use bsq_api::Registry;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};

/// Draws a table from a file.
pub fn run(registry: &Registry, args: Plot) -> Result<()> {
    let file = match &args.output {
        Some(output) => Some(PictureFile::begin(output, args.dark)?),
        None if std::io::stdout().is_terminal() => {
            return Err(usage("an SVG cannot be shown on a terminal; add -o FILE.svg or FILE.png"));
        }
        None => None,
    };
    let sheet = plot::read(&args.csv)?;
    let charts = || plot::charts(registry);
    let chart = chart_of(charts(), &sheet.name, sheet.filled()).ok_or_else(|| {
        let tables = charts().map(|chart| chart.table);
        let mut named = BTreeSet::new();
        let tables: Vec<&str> = tables.filter(|table| named.insert(*table)).collect();
        let (path, tables) = (args.csv.display(), tables.join(", "));
        usage(format!("{path} is not a table that has a chart; there are charts of {tables}"))
    })?;
    let drawn = plot::draw(&sheet, chart);
    let picture = drawn.map_err(|error| usage(format!("{}: {error}", args.csv.display())))?;
    if let Some(file) = file {
        let path = file.finish(&picture)?;
        if !args.quiet {
            // The message is dropped if standard error is closed.
            let _ = writeln!(std::io::stderr(), "wrote {}", path.display());
        }
    } else {
        let look = if args.dark { Look::Dark } else { Look::Reader };
        StandardOutput.print(picture.svg(look).as_bytes())?;
    }
    Ok(())
}

/// The picture of an analysis.
pub struct Plotting<'a> {
    /// The charts of the analysis. The first whose columns have values is drawn.
    charts: &'a [&'a Chart<'a>],
    file: PictureFile,
}

impl<'a> Plotting<'a> {
    /// Creates the file of a picture, if the arguments name one.
    pub fn begin(args: &PlotArgs, charts: &'a [&'a Chart<'a>]) -> Result<Option<Plotting<'a>>> {
        let Some(path) = &args.plot else { return Ok(None) };
        Ok(Some(Plotting { charts, file: PictureFile::begin(path, args.dark)? }))
    }

    /// Draws the table of a chart.
    fn draw(self, answers: &[Computed]) -> Result<(PictureFile, Picture)> {
        let sheet = |chart: &Chart| {
            answers.iter().find_map(|answer| {
                let table = answer.tables.iter().find(|table| chart.is_of(&table.name))?;
                Some(Sheet::of(table, &answer.rules.label))
            })
        };
        let drawn: Vec<(Sheet, &Chart)> =
            self.charts.iter().filter_map(|chart| Some((sheet(chart)?, *chart))).collect();
        let suiting = drawn.iter().find(|(sheet, chart)| chart.suits(sheet.filled()));
        let drawn = suiting.or(drawn.first());
        let (sheet, chart) = drawn.context("there is no table to draw")?;
        let picture = plot::draw(sheet, chart).context("the result cannot be drawn")?;
        Ok((self.file, picture))
    }
}

/// Writes, prints and draws the results of an analysis. If drawing fails, they are still printed.
pub fn deliver(
    run: &Run,
    output: &mut OutputArgs,
    folder: Option<Folder>,
    answers: &[Computed],
    plotting: Option<Plotting>,
) -> Result<()> {
    let drawn = plotting.map(|plotting| plotting.draw(answers)).transpose();
    output.is_plotted = matches!(drawn, Ok(Some(_)));
    output::deliver(run, output, folder, answers)?;
    if let Some((file, picture)) = drawn? {
        run.note(&format!("wrote {}", file.finish(&picture)?.display()));
    }
    Ok(())
}

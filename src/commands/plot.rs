//! `bsq plot`, and `--plot` of analyses.

use crate::cli::args::{OutputArgs, Plot, PlotArgs};
use crate::output::{self, Answer, Folder};
use crate::plot::{self, Look, Picture, PictureFile, Sheet};
use crate::run::Run;
use crate::usage::usage;
use anyhow::{Context, Result};
use bsq_analyses::{CHARTS, Chart, chart_of};
use std::io::{IsTerminal, Write};

/// Draws a table from a file.
pub fn run(args: Plot) -> Result<()> {
    let file = match &args.output {
        Some(output) => Some(PictureFile::begin(output, args.dark)?),
        None if std::io::stdout().is_terminal() => {
            return Err(usage("an SVG cannot be shown on a terminal; add -o FILE.svg or FILE.png"));
        }
        None => None,
    };
    let sheet = plot::read(&args.csv)?;
    let chart = chart_of(&sheet.name, sheet.filled());
    let chart = chart.ok_or_else(|| {
        usage(format!(
            "{} is not a table that has a chart; there are charts of {}",
            args.csv.display(),
            CHARTS.iter().map(|chart| chart.table).collect::<Vec<_>>().join(", ")
        ))
    })?;
    let drawn = plot::draw(&sheet, chart);
    let picture = drawn.map_err(|error| usage(format!("{}: {error}", args.csv.display())))?;
    match file {
        Some(file) => {
            let path = file.finish(&picture)?;
            if !args.quiet {
                // The message is dropped if standard error is closed.
                let _ = writeln!(std::io::stderr(), "wrote {}", path.display());
            }
        }
        None => {
            let look = if args.dark { Look::Dark } else { Look::Reader };
            std::io::stdout().write_all(picture.svg(look).as_bytes())?;
        }
    }
    Ok(())
}

/// The picture of an analysis.
pub struct Plotting {
    /// The chart, or `None` for the one that suits the main table.
    chart: Option<&'static Chart<'static>>,
    file: PictureFile,
}

impl Plotting {
    /// Creates the file of a picture, if the arguments name one.
    pub fn begin(
        args: &PlotArgs,
        chart: Option<&'static Chart<'static>>,
    ) -> Result<Option<Plotting>> {
        let Some(path) = &args.plot else { return Ok(None) };
        Ok(Some(Plotting { chart, file: PictureFile::begin(path, args.dark)? }))
    }

    /// Draws the table that belongs to the chart.
    fn draw(self, answers: &[Answer]) -> Result<(PictureFile, Picture)> {
        let tables = answers.iter().flat_map(|a| a.tables.iter().map(move |table| (a, table)));
        let is_drawn = |(_, table): &(_, &bsq_analyses::Table)| {
            self.chart.is_none_or(|chart| table.name == chart.table)
        };
        let (answer, table) = { tables }.find(is_drawn).context("there is no table to draw")?;
        let sheet = Sheet::of(table, &answer.rules.label);
        let chart = self.chart.or_else(|| chart_of(&sheet.name, sheet.filled()));
        let chart = chart.with_context(|| format!("the table '{}' has no chart", sheet.name))?;
        let picture = plot::draw(&sheet, chart).context("the result cannot be drawn")?;
        Ok((self.file, picture))
    }
}

/// Writes, prints and draws the results of an analysis. If drawing fails, they are still printed.
pub fn deliver(
    run: &Run,
    output: &mut OutputArgs,
    folder: Option<Folder>,
    answers: &[Answer],
    plotting: Option<Plotting>,
) -> Result<()> {
    let drawn = plotting.map(|plotting| plotting.draw(answers)).transpose();
    output.is_plotted &= drawn.is_ok();
    output::deliver(run, output, folder, answers)?;
    if let Some((file, picture)) = drawn? {
        run.note(&format!("wrote {}", file.finish(&picture)?.display()));
    }
    Ok(())
}

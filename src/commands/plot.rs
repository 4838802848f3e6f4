//! `bsq plot`, and `--plot` of analyses.

use crate::cli::args::{OutputArgs, Plot, PlotArgs};
use crate::output::{self, Answer, Folder};
use crate::plot::{self, Drawing, Picture, PlotError, Sheet};
use crate::run::Run;
use crate::usage::usage;
use anyhow::{Context, Result};
use bsq_analyses::{CHARTS, Chart, Figure, Only, chart_of};
use std::io::{IsTerminal, Write};

/// Draws a table from a file.
pub fn run(args: Plot) -> Result<()> {
    let picture = match &args.out {
        Some(out) => Some(Picture::begin(out, args.dark)?),
        None if std::io::stdout().is_terminal() => {
            return Err(usage(
                "an SVG is nothing to read on a terminal; write --out FILE.svg, or FILE.png",
            ));
        }
        None => None,
    };
    let sheet = plot::read(&args.csv)?;
    let only: Vec<Only> = args.only.iter().map(|(column, value)| Only::Is(column, value)).collect();
    let y: Vec<&str> = args.y.iter().map(String::as_str).collect();
    let chart = match &args.x {
        Some(x) => Chart {
            x,
            y: &y,
            by: args.by.as_deref(),
            only: &only,
            log: args.log,
            ..Chart::new(&sheet.name, args.kind.unwrap_or(Figure::Bars))
        },
        None => {
            let chart = chart_of(&sheet.name).ok_or_else(|| no_chart_of(&sheet))?;
            let only = [&kept(chart.only, &only), &only[..]].concat();
            let chart = Chart { only: &only, log: chart.log || args.log, ..*chart };
            let drawn =
                if args.log { plot::draw(&sheet, &chart) } else { declared(&sheet, &chart) };
            return write(&args, picture, drawn);
        }
    };
    write(&args, picture, plot::draw(&sheet, &chart))
}

/// The conditions of a chart on columns without a condition in the command.
fn kept<'a>(declared: &[Only<'a>], asked: &[Only]) -> Vec<Only<'a>> {
    let is_asked = |only: &Only| asked.iter().any(|asked| asked.column() == only.column());
    declared.iter().filter(|only| !is_asked(only)).copied().collect()
}

/// Draws a declared chart, on a linear scale if no value is above 0.
fn declared(sheet: &Sheet, chart: &Chart) -> Result<Drawing, PlotError> {
    match plot::draw(sheet, chart) {
        Err(PlotError::NoLog) => plot::draw(sheet, &Chart { log: false, ..*chart }),
        drawn => drawn,
    }
}

fn write(args: &Plot, picture: Option<Picture>, drawn: Result<Drawing, PlotError>) -> Result<()> {
    let drawing = drawn.map_err(|error| usage(format!("{}: {error}", args.csv.display())))?;
    match picture {
        Some(picture) => {
            let path = picture.finish(&drawing)?;
            if !args.quiet {
                // The message is dropped if standard error is closed.
                let _ = writeln!(std::io::stderr(), "wrote {}", path.display());
            }
        }
        None => std::io::stdout().write_all(&plot::svg(&drawing, args.dark)?)?,
    }
    Ok(())
}

fn no_chart_of(sheet: &Sheet) -> anyhow::Error {
    usage(format!(
        "there is no chart of a table '{}'; say which of its columns are drawn, --x COLUMN --y COLUMN ({}). There are charts of {}",
        sheet.name,
        plot::some(sheet.columns.iter().map(|column| column.name.as_str())),
        plot::some(CHARTS.iter().map(|chart| chart.table))
    ))
}

/// The picture of an analysis.
pub struct Plotting {
    chart: &'static Chart<'static>,
    picture: Picture,
}

impl Plotting {
    /// Creates the file of a picture, if the arguments name one.
    pub fn begin(args: &PlotArgs, chart: &'static Chart<'static>) -> Result<Option<Plotting>> {
        let Some(path) = &args.plot else { return Ok(None) };
        Ok(Some(Plotting { chart, picture: Picture::begin(path, args.dark)? }))
    }

    /// Draws the table that belongs to the chart.
    fn draw(self, answers: &[Answer]) -> Result<(Picture, Drawing)> {
        let tables = answers.iter().flat_map(|a| a.tables.iter().map(move |table| (a, table)));
        let of_chart = |(_, table): &(_, &bsq_analyses::Table)| table.name == self.chart.table;
        let Some((answer, table)) = tables.into_iter().find(of_chart) else {
            anyhow::bail!("there is no table '{}' to draw", self.chart.table);
        };
        let drawing = declared(&Sheet::of(table, &answer.rules.label), self.chart)
            .context("the result cannot be drawn")?;
        Ok((self.picture, drawing))
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
    if let Some((picture, drawing)) = drawn? {
        run.note(&format!("wrote {}", picture.finish(&drawing)?.display()));
    }
    Ok(())
}

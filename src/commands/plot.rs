//! `bsq plot`, and `--plot` of analyses.

use crate::args::{Plot, PlotArgs};
use crate::exit::usage;
use crate::output::Answer;
use crate::plot::{self, Picture, Sheet};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{CHARTS, Chart, Figure, Only, chart_of};
use std::io::{IsTerminal, Write};

/// Draws a table that stands in a file.
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
            ..Chart::new(&sheet.name, args.kind.map_or(Figure::Bars, Into::into))
        },
        None => {
            let chart = chart_of(&sheet.name).ok_or_else(|| no_chart_of(&sheet))?;
            let only = [chart.only, &only].concat();
            return draw(
                &args,
                picture,
                &sheet,
                &Chart { only: &only, log: chart.log || args.log, ..*chart },
            );
        }
    };
    draw(&args, picture, &sheet, &chart)
}

fn draw(args: &Plot, picture: Option<Picture>, sheet: &Sheet, chart: &Chart) -> Result<()> {
    let drawing = plot::draw(sheet, chart)
        .map_err(|error| usage(format!("{}: {error}", args.csv.display())))?;
    match picture {
        Some(picture) => {
            let path = picture.finish(&drawing)?;
            if !args.quiet {
                // Nobody is left to tell if standard error is closed.
                let _ = writeln!(std::io::stderr(), "wrote {}", path.display());
            }
        }
        None => std::io::stdout().write_all(&plot::svg(&drawing, args.dark)?)?,
    }
    Ok(())
}

fn no_chart_of(sheet: &Sheet) -> anyhow::Error {
    let columns: Vec<&str> = sheet.columns.iter().map(|column| column.name.as_str()).collect();
    let tables: Vec<&str> = CHARTS.iter().map(|chart| chart.table).collect();
    usage(format!(
        "there is no chart of a table '{}'; say which of its columns are drawn, --x COLUMN --y COLUMN ({}). There are charts of {}",
        sheet.name,
        columns.join(", "),
        tables.join(", ")
    ))
}

/// A picture of an analysis that is asked for.
pub struct Plotting {
    chart: &'static Chart<'static>,
    picture: Picture,
}

impl Plotting {
    /// Begins the picture, if one is asked for. Fails before any work is done if there is not one
    /// analysis that is drawn, or the file cannot be written. Of each analysis are given its name and
    /// its chart, of all that there are and of those asked for.
    pub fn begin(
        args: &PlotArgs,
        all: &[(&str, Option<&'static Chart<'static>>)],
        asked: &[&str],
    ) -> Result<Option<Plotting>> {
        let Some(path) = &args.plot else { return Ok(None) };
        let [asked] = asked else {
            return Err(usage("--plot draws one analysis; write its name instead of 'all'"));
        };
        let chart = all.iter().find(|(name, _)| name == asked).and_then(|(_, chart)| *chart);
        let Some(chart) = chart else {
            let drawn: Vec<&str> =
                all.iter().filter(|(_, chart)| chart.is_some()).map(|(name, _)| *name).collect();
            return Err(usage(format!(
                "there is no chart of '{asked}'; there are charts of {}",
                drawn.join(", ")
            )));
        };
        Ok(Some(Plotting { chart, picture: Picture::begin(path, args.dark)? }))
    }

    /// Draws the table of the chart.
    pub fn finish(self, run: &Run, answers: &[Answer]) -> Result<()> {
        let tables = answers.iter().flat_map(|a| a.tables.iter().map(move |table| (a, table)));
        let of_chart = |(_, table): &(_, &bsq_analyses::Table)| table.name == self.chart.table;
        let Some((answer, table)) = tables.into_iter().find(of_chart) else {
            anyhow::bail!("there is no table '{}' to draw", self.chart.table);
        };
        let drawing = plot::draw(&Sheet::of(table, &answer.rules.label), self.chart)?;
        let path = self.picture.finish(&drawing)?;
        run.note(&format!("wrote {}", path.display()));
        Ok(())
    }
}

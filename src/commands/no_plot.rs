//! `bsq plot` and `--plot` in a build without charts.

use crate::cli::args::{OutputArgs, Plot, PlotArgs};
use crate::errors::{FULL_BUILD, usage};
use crate::output::{self, Computed, Folder};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::Chart;
use bsq_api::Registry;
use std::convert::Infallible;
use std::marker::PhantomData;

/// The error of such a build.
fn no_charts<T>() -> Result<T> {
    Err(usage(format!("this build draws no charts; {FULL_BUILD}")))
}

/// Returns an error that names the build with charts.
pub fn run(_: &Registry, _: Plot) -> Result<()> {
    no_charts()
}

/// The picture of an analysis, of which there is none.
pub struct Plotting<'a>(Infallible, PhantomData<&'a ()>);

impl<'a> Plotting<'a> {
    /// Returns an error if the arguments name a file.
    pub fn begin(args: &PlotArgs, _: &'a [&'a Chart<'a>]) -> Result<Option<Plotting<'a>>> {
        match args.plot {
            Some(_) => no_charts(),
            None => Ok(None),
        }
    }
}

/// Writes and prints the results of an analysis.
pub fn deliver(
    run: &Run,
    output: &mut OutputArgs,
    folder: Option<Folder>,
    answers: &[Computed],
    _: Option<Plotting>,
) -> Result<()> {
    output::deliver(run, output, folder, answers)
}

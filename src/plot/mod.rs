//! Pictures of tables. A chart declares its columns and its kind; no code here depends on an
//! analysis. The library `kuva` draws axes and marks and writes the SVG; maps, boards and the head of
//! a picture are composed of its shapes.
//!
//! ```text
//! Table, or CSV and manifest ──> Sheet ──> Picture ──> SVG ──> PNG
//! ```

mod axes;
mod error;
mod file;
mod finding;
mod grid;
mod head;
mod label;
mod marks;
mod names;
mod picture;
mod png;
mod sheet;
#[cfg(test)]
mod tests;

pub use error::PlotError;
pub use file::PictureFile;
pub use picture::{Look, Picture};
pub use sheet::{Sheet, parse, read};

use bsq_analyses::british_square::heuristics::FRONT_CHART;
use bsq_analyses::{Analysis, Chart, Figure};
use bsq_api::Registry;

/// The charts of the tables of all games. Some are the same.
pub fn charts(registry: &Registry) -> impl Iterator<Item = &'static Chart<'static>> {
    let analyses =
        registry.games().flat_map(|game| game.analyses().iter().chain(game.heuristic_test()));
    analyses.flat_map(Analysis::charts).copied().chain([&FRONT_CHART])
}

/// Draws a chart of a sheet.
pub fn draw(sheet: &Sheet, chart: &Chart) -> Result<Picture, PlotError> {
    match chart.figure {
        Figure::Bars | Figure::Stack | Figure::Lines | Figure::Points => axes::draw(sheet, chart),
        Figure::Map | Figure::Boards => grid::draw(sheet, chart),
    }
}

//! Pictures of tables. A chart declares its columns and its kind; no code here depends on an
//! analysis.
//!
//! ```text
//! Table, or CSV and manifest ──> Sheet ──> Marks ──> Drawing ──> SVG ──> PNG
//! ```

mod axes;
mod bars;
mod boards;
mod curves;
mod drawing;
mod error;
mod file;
mod frame;
mod label;
mod map;
mod number;
mod pick;
#[cfg(feature = "full")]
mod png;
mod read;
mod scale;
mod sheet;
mod svg;
#[cfg(test)]
mod tests;
mod theme;

pub use drawing::Drawing;
pub use error::PlotError;
pub use file::{Picture, svg};
pub use pick::some;
pub use read::read;
pub use sheet::Sheet;

use bsq_analyses::{Chart, Figure};
use frame::Frame;

/// Draws a chart of a sheet.
pub fn draw(sheet: &Sheet, chart: &Chart) -> Result<Drawing, PlotError> {
    let around = Frame::new(sheet, chart);
    match chart.figure {
        Figure::Bars => bars::draw(&pick::marks(sheet, chart)?, chart.log, &around),
        Figure::Lines => curves::draw(&pick::marks(sheet, chart)?, chart.log, true, &around),
        Figure::Points => curves::draw(&pick::marks(sheet, chart)?, chart.log, false, &around),
        Figure::Map => map::draw(sheet, chart, &around),
        Figure::Boards => boards::draw(sheet, chart, &around),
    }
}

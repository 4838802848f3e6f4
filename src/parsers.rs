//! The parsers of input that only this program reads: lines, sizes, and tables to be drawn.
//!
//! They are public for tests and fuzz targets, and may change at any time. The other parsers are in
//! the libraries.

pub use crate::lines::{LONGEST_LINE, next_line};

#[cfg(feature = "full")]
use {
    crate::plot::{self, Look},
    bsq_analyses::chart_of,
    bsq_api::Registry,
    std::path::Path,
};

/// Parses a size of memory in bytes, such as `8GiB`.
pub fn size(text: &str) -> Result<u64, String> {
    bsq_engine::options::parse_size(text)
}

/// Draws the table of a CSV file as SVG. `None` if the table has no chart.
///
/// `manifest` is the text of the manifest beside the file.
#[cfg(feature = "full")]
pub fn picture(path: &Path, csv: &[u8], manifest: &str) -> Result<Option<String>, String> {
    let sheet = plot::parse(path, csv, manifest)?;
    let registry = Registry::standard();
    let charts = plot::charts(&registry);
    let Some(chart) = chart_of(charts, &sheet.name, sheet.filled()) else { return Ok(None) };
    let picture = plot::draw(&sheet, chart).map_err(|error| error.to_string())?;
    Ok(Some(picture.svg(Look::Reader)))
}

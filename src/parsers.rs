//! The parsers of what this program alone reads: lines, sizes, and tables to be drawn. They are public for tests and fuzz targets, and may change at any
//! time; the other parsers are in the libraries.

pub use crate::lines::{LONGEST_LINE, next_line};

#[cfg(feature = "full")]
use {
    crate::plot::{self, Look},
    bsq_analyses::chart_of,
    std::path::Path,
};

/// Parses a size of memory in bytes, such as `8GiB`.
pub fn size(text: &str) -> Result<u64, String> {
    Ok(crate::cli::args::parse_size(text)?.as_u64())
}

/// Draws the table of a CSV file as SVG, with the text of the manifest beside it. `None` if the
/// table has no chart.
#[cfg(feature = "full")]
pub fn picture(path: &Path, csv: &[u8], manifest: &str) -> Result<Option<String>, String> {
    let sheet = plot::parse(path, csv, manifest)?;
    let Some(chart) = chart_of(&sheet.name, sheet.filled()) else { return Ok(None) };
    let picture = plot::draw(&sheet, chart).map_err(|error| error.to_string())?;
    Ok(Some(picture.svg(Look::Reader)))
}

//! Files of pictures, whose format follows from the extension.

use super::drawing::Drawing;
use super::svg::{self, Colors};
use super::theme::Theme;
use crate::files::NewFile;
use crate::usage::usage;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

/// A file for a picture that is not yet drawn.
pub struct Picture {
    path: PathBuf,
    file: NewFile,
    format: Format,
    dark: bool,
}

impl Picture {
    /// Creates the file. Returns an error if the extension is unknown or the file cannot be
    /// written.
    pub fn begin(path: &Path, dark: bool) -> Result<Picture> {
        let format = format(path)?;
        Ok(Picture { path: path.to_path_buf(), file: NewFile::begin(path)?, format, dark })
    }

    /// Writes the drawing and moves the file to its path, which is returned.
    pub fn finish(mut self, drawing: &Drawing) -> Result<PathBuf> {
        let bytes = match self.format {
            Format::Svg => svg(drawing, self.dark)?,
            Format::Png => png(drawing, self.dark)?,
        };
        let written = self.file.write_all(&bytes);
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        self.file.finish()?;
        Ok(self.path)
    }
}

/// Formats a drawing as SVG, with dark colours or with those that the reader prefers.
pub fn svg(drawing: &Drawing, dark: bool) -> Result<Vec<u8>> {
    let colors = if dark { Colors::Of(Theme::Dark) } else { Colors::Readers };
    svg::write(drawing, colors).context("cannot write the picture")
}

#[cfg(feature = "full")]
fn png(drawing: &Drawing, dark: bool) -> Result<Vec<u8>> {
    super::png::write(drawing, if dark { Theme::Dark } else { Theme::Light })
}

#[cfg(not(feature = "full"))]
fn png(_: &Drawing, _: bool) -> Result<Vec<u8>> {
    Err(usage(NO_PNG))
}

/// The error of a build without PNG.
const NO_PNG: &str =
    "this build draws no PNG; take a file that ends in .svg, or build with --features full";

/// The format of a file by its extension.
fn format(path: &Path) -> Result<Format> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") if cfg!(feature = "full") => Ok(Format::Png),
        Some("png") => Err(usage(NO_PNG)),
        Some(other) => Err(usage(format!(
            "'{}' ends in .{other}, which is no kind of picture that is drawn here; take .svg or .png",
            path.display()
        ))),
        None => Err(usage(format!(
            "'{}' has no ending, which says what kind of picture it is; take .svg or .png",
            path.display()
        ))),
    }
}

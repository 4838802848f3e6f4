//! Files of pictures, whose format follows from the extension.

use super::picture::{Look, Picture};
use super::png;
use crate::errors::usage;
use crate::new_file::NewFile;
use anyhow::Result;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

/// A file for a picture that is not yet drawn.
pub struct PictureFile {
    path: PathBuf,
    file: NewFile,
    format: Format,
    dark: bool,
}

impl PictureFile {
    /// Creates the file. Returns an error if the extension is unknown or the file cannot be
    /// written.
    pub fn begin(path: &Path, dark: bool) -> Result<PictureFile> {
        let format = format(path)?;
        Ok(PictureFile { path: path.to_path_buf(), file: NewFile::begin(path)?, format, dark })
    }

    /// Writes the picture and moves the file to its path, which is returned.
    pub fn finish(mut self, picture: &Picture) -> Result<PathBuf> {
        let bytes = match (self.format, self.dark) {
            (Format::Svg, true) => picture.svg(Look::Dark).into_bytes(),
            (Format::Svg, false) => picture.svg(Look::Reader).into_bytes(),
            (Format::Png, true) => png::render(&picture.svg(Look::Dark))?,
            (Format::Png, false) => png::render(&picture.svg(Look::Light))?,
        };
        self.file.write_all(&bytes)?;
        self.file.finish()?;
        Ok(self.path)
    }
}

/// The format of a file by its extension.
fn format(path: &Path) -> Result<Format> {
    let extension = path.extension().map(|it| it.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        Some(other) => Err(usage(format!(
            "'{}' ends in .{other}; the formats of pictures are .svg and .png",
            path.display()
        ))),
        None => Err(usage(format!(
            "'{}' has no extension; the formats of pictures are .svg and .png",
            path.display()
        ))),
    }
}

//! Output files, which appear under their names when they are complete.

use anyhow::{Context, Result};
use bsq_engine::storage::files::{AtomicFile, folder_of};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// A buffered [`AtomicFile`] in a folder that other processes may write to.
pub struct NewFile {
    file: BufWriter<AtomicFile>,
}

impl NewFile {
    /// Creates the temporary file. Returns an error if the folder is not writable.
    pub fn begin(path: &Path) -> Result<NewFile> {
        // Replaces the target of a symbolic link, not the link.
        require_regular(path).with_context(|| format!("cannot write {}", path.display()))?;
        let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let folder = folder_of(path);
        if !folder.is_dir() {
            let (path, folder) = (path.display(), folder.display());
            anyhow::bail!("cannot write {path}: there is no folder '{folder}'; make it first");
        }
        let file = AtomicFile::create_unique(path).map_err(|error| {
            anyhow::anyhow!("cannot write {}: {}", path.display(), error.kind())
        })?;
        Ok(NewFile { file: BufWriter::new(file) })
    }

    /// Moves the finished file to its path. Replaces an existing file.
    pub fn finish(self) -> Result<()> {
        let path = self.file.get_ref().path().display().to_string();
        let file = self.file.into_inner().map_err(|error| error.into_error());
        Ok(file.with_context(|| format!("cannot write {path}"))?.commit()?)
    }
}

/// Returns an error if a path exists and is not a regular file. Opening a pipe would block.
pub fn require_regular(path: &Path) -> Result<()> {
    if path.is_dir() {
        anyhow::bail!("it is a folder, not a regular file; write the name of a file in it")
    }
    if path.exists() && !path.is_file() {
        anyhow::bail!("it is not a regular file")
    }
    Ok(())
}

impl NewFile {
    /// The error with the name of the file.
    fn named(&self, error: io::Error) -> io::Error {
        let path = self.file.get_ref().path().display();
        io::Error::new(error.kind(), format!("cannot write {path}: {error}"))
    }
}

/// Errors name the file.
impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.named(error))
    }
}

//! Files that are whole or not there: written beside, synced, renamed.

use anyhow::{Context, Result};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that appears under its name when it is finished, and not before.
pub struct NewFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins the file. Fails at once where the folder cannot be written.
    pub fn begin(path: &Path) -> Result<NewFile> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if path.is_dir() {
            anyhow::bail!("cannot write {}: it is a folder", path.display());
        }
        // The error itself names the temporary file, which nobody asked for.
        let file = NamedTempFile::new_in(folder).map_err(|error| {
            anyhow::anyhow!("cannot write {}: {}", path.display(), error.kind())
        })?;
        Ok(NewFile { path: path.to_path_buf(), file: BufWriter::new(file) })
    }

    /// Puts the finished file in its place, where another may stand.
    pub fn finish(self) -> Result<()> {
        let path = self.path.display().to_string();
        let finish = || -> Result<()> {
            let file = self.file.into_inner().map_err(|error| error.into_error())?;
            make_readable(file.as_file())?;
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        };
        finish().with_context(|| format!("cannot write {path}"))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// A temporary file is its owner's alone; a finished one is as readable as any new file.
#[cfg(unix)]
fn make_readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_file: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

/// Writes a whole file at once.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = NewFile::begin(path)?;
    file.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    file.finish()
}

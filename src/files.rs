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
        // What a link points to is replaced, not the link.
        let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if path.exists() && !path.is_file() {
            anyhow::bail!("cannot write {}: it is no ordinary file", path.display());
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            let (path, folder) = (path.display(), folder.display());
            anyhow::bail!("cannot write {path}: there is no folder {folder}");
        }
        // The error itself names the temporary file, which nobody asked for.
        let file = temporary().tempfile_in(folder).map_err(|error| {
            anyhow::anyhow!("cannot write {}: {}", path.display(), error.kind())
        })?;
        Ok(NewFile { path: path.to_path_buf(), file: BufWriter::new(file) })
    }

    /// Puts the finished file in its place, where another may stand.
    pub fn finish(self) -> Result<()> {
        let path = self.path.display().to_string();
        let finish = || -> Result<()> {
            let file = self.file.into_inner().map_err(|error| error.into_error())?;
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

/// A temporary file that is as readable as any new file, not its owner's alone.
fn temporary() -> tempfile::Builder<'static, 'static> {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

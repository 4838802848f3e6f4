//! Free space on disks.

use anyhow::{Result, bail};
use bsq_engine::storage::files::folder_of;
use bytesize::ByteSize;
use std::path::Path;

/// Returns an error if a file of that size does not fit on its disk.
pub fn check(path: &Path, bytes: u64) -> Result<()> {
    let Ok(available) = fs4::available_space(folder_of(path)) else { return Ok(()) };
    if available < bytes {
        let [bytes, available] = [bytes, available].map(|size| ByteSize::b(size).display().iec());
        bail!("{} may take {bytes}, and {available} are free on its disk", path.display());
    }
    Ok(())
}

//! Opens tablebases of rock-paper-scissors-well.

use anyhow::{Context, Result};
use bsq_games::rpsw::tablebase::Tablebase;
use std::path::Path;

/// Opens a tablebase. If there is none, the error explains how to build one.
pub fn open(path: &Path) -> Result<Tablebase> {
    match Tablebase::open(path) {
        Err(error) if !path.exists() => Err(error).context(
            "there is no database; 'bsq rpsw solve --out FILE' makes one in some minutes, with \
             '--pieces 2' a small one at once",
        ),
        opened => Ok(opened?),
    }
}

//! `bsq play`.

use crate::args::Play;
use anyhow::Result;

/// Plays on the terminal.
pub fn run(_args: Play) -> Result<()> {
    Ok(())
}

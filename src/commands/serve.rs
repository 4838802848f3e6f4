//! `bsq serve`.

use crate::cli::args::Serve;
use anyhow::Result;

/// Serves the page and the API.
#[cfg(feature = "full")]
pub fn run(args: Serve) -> Result<()> {
    crate::serve::run(args)
}

/// Returns an error that names the build with the server.
#[cfg(not(feature = "full"))]
pub fn run(_: Serve) -> Result<()> {
    Err(crate::usage::usage(
        "this build has no server; build it with 'cargo build --release --features full'",
    ))
}

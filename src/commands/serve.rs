//! `bsq serve`.

use crate::cli::serve::Serve;
use anyhow::Result;
use bsq_api::Registry;

/// Serves the page and the API.
#[cfg(feature = "full")]
pub fn run(registry: &Registry, args: Serve) -> Result<()> {
    crate::serve::run(registry, args)
}

/// Returns an error that names the build with the server.
#[cfg(not(feature = "full"))]
pub fn run(_: &Registry, _: Serve) -> Result<()> {
    use crate::errors::{FULL_BUILD, usage};
    Err(usage(format!("this build has no server; {FULL_BUILD}")))
}

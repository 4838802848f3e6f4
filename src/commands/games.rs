//! `bsq games`.

use crate::output::print_list;
use anyhow::Result;
use bsq_api::Registry;

/// Lists the games.
pub fn run(registry: &Registry) -> Result<()> {
    let infos = registry.games().map(|game| game.info());
    print_list(infos.map(|info| (&*info.name, format!("{}: {}", info.title, info.summary))))
}

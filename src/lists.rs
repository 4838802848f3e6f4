//! Heuristics that a user names or types.

use crate::errors::usage;
use anyhow::{Context, Result};
use bsq_engine::storage::files;
use bsq_games::british_square::heuristic::{Heuristic, by_name, language};
use std::path::Path;

/// The maximum length of a file of lists, in bytes.
const LONGEST: u64 = 1 << 20;

/// A hint that names the commands that list names and features.
pub const HINT: &str =
    "'bsq test-heuristic list' shows all names, 'bsq test-heuristic features' all features";

/// Returns the heuristic with the given name, or parses the text as a decision list.
pub fn heuristic(text: &str, lists: &[Heuristic]) -> Result<Heuristic> {
    let named = lists.iter().find(|list| list.name.as_deref() == Some(text));
    if let Some(heuristic) = named.or_else(|| by_name(text)) {
        return Ok(heuristic.clone());
    }
    let list = language::parse(text, lists).map_err(|error| usage(format!("{error}\n{HINT}")))?;
    Ok(Heuristic { name: None, summary: String::new(), list })
}

/// Reads the named decision lists of a file.
pub fn read_lists(path: &Path) -> Result<Vec<Heuristic>> {
    let text = files::read_text(path, LONGEST)
        .with_context(|| format!("cannot read the lists in {}", path.display()))?;
    language::parse_file(&text).map_err(|error| usage(format!("{}, {error}", path.display())))
}

//! Suggestions for misspelled words.

use crate::text::nearest;

/// Suggests the known word nearest to an unknown one, as the end of a sentence.
pub fn suggestion<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(known) => format!("; did you mean '{known}'?"),
        None => ", and nothing is called much like it".to_string(),
    }
}

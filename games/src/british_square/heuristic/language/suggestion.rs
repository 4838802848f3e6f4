//! Suggestions for misspelled words.

/// Suggests the known word nearest to an unknown one, as the end of a sentence.
pub fn suggestion<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(known) => format!("; did you mean '{known}'?"),
        None => ", and nothing is called much like it".to_string(),
    }
}

/// The known word with the least edit distance, if that is at most half of the length.
///
/// ```
/// use bsq_games::british_square::heuristic::language::nearest;
///
/// let known = ["claim", "conflicts"];
/// assert_eq!(nearest("clame", known.into_iter()), Some("claim"));
/// assert_eq!(nearest("weight", known.into_iter()), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.map(|known| (strsim::damerau_levenshtein(word, known), known));
    let (distance, known) = near.min_by_key(|&(distance, _)| distance)?;
    (distance * 2 <= word.chars().count().max(2)).then_some(known)
}

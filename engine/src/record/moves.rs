//! Sequences of moves as text.

/// Splits a text at spaces and commas, and converts it to lower case.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c == ',' || c.is_whitespace());
    words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect()
}

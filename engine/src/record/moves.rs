//! Sequences of moves as text.

/// Splits a text at spaces and at commas outside parentheses, and converts it to lower case.
pub fn words(text: &str) -> Vec<String> {
    let mut depth = 0;
    let words = text.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c.is_whitespace() || c == ',' && depth <= 0
    });
    words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect()
}

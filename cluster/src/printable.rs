//! Text of other processes, made safe to print.

use bsq_engine::text::is_invisible;

/// The maximum length of a text of another process, in characters.
const MOST: usize = 1000;

/// Removes escape sequences, control characters, and characters that change the direction of text
/// or are invisible, from a text of another process, and truncates it. Line breaks and tabs become
/// spaces.
pub fn printable(text: &str) -> String {
    let spaced = text.replace(['\n', '\r', '\t'], " ");
    let text = anstream::adapter::strip_str(&spaced).to_string();
    text.chars().filter(|&c| !c.is_control() && !is_invisible(c)).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_seen_remains() {
        for (text, expected) in [
            ("turn 3", "turn 3"),
            ("\x1b[31mred\x1b[0m", "red"),
            ("\x1b]0;title\x07after", "after"),
            ("a\u{9b}2Jb", "a2Jb"),
            ("one\r\ntwo\tthree", "one  two three"),
            ("\0\x08\x7f\u{202e}gpj\u{2066}", "gpj"),
            ("\x1b", ""),
        ] {
            assert_eq!(printable(text), expected, "{text:?}");
        }
        assert_eq!(printable(&"é".repeat(5000)), "é".repeat(MOST));
    }
}

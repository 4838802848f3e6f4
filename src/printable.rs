//! Text of users and of other processes, made safe to print.

use std::borrow::Cow;

/// The maximum length of a text of another process, in characters.
#[cfg(feature = "cluster")]
const MOST: usize = 1000;
/// The maximum length of a message, in characters.
const MOST_MESSAGE: usize = 2000;
/// The maximum length of an argument that is quoted, in characters.
const MOST_ARGUMENT: usize = 200;

/// A message that quotes input: shortened, and with escapes such as `\u{1b}` for characters that
/// control a terminal, line breaks excepted.
pub fn message(text: &str) -> Cow<'_, str> {
    let lines = |c| c == '\n';
    quoted(text, MOST_MESSAGE, lines)
}

/// An argument as [`message`] quotes it.
pub fn argument(text: &str) -> Cow<'_, str> {
    quoted(text, MOST_ARGUMENT, |_| false)
}

/// A text without most of its middle if it is too long, and with escapes.
fn quoted(text: &str, most: usize, is_kept: fn(char) -> bool) -> Cow<'_, str> {
    let must_escape = |c: char| (c.is_control() || is_invisible(c)) && !is_kept(c);
    let length = text.chars().count();
    if length <= most && !text.contains(must_escape) {
        return text.into();
    }
    let (start, end) = (most / 4 * 3, most / 4);
    let is_shortened = length > most;
    let shortened = text.chars().enumerate().filter_map(|(at, c)| match at {
        at if !is_shortened || at < start || at >= length - end => Some(c),
        at if at == start => Some('…'),
        _ => None,
    });
    let escape = |c: char| match must_escape(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    shortened.map(escape).collect::<String>().into()
}

/// Removes escape sequences, control characters, and characters that change the direction of text
/// or are invisible, from a text of another process, and truncates it. Line breaks and tabs become
/// spaces.
#[cfg(feature = "cluster")]
pub fn printable(text: &str) -> String {
    let spaced = text.replace(['\n', '\r', '\t'], " ");
    let text = anstream::adapter::strip_str(&spaced).to_string();
    text.chars().filter(|&c| !c.is_control() && !is_invisible(c)).take(MOST).collect()
}

/// Whether a character is a formatting character of Unicode.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_input_is_short_and_does_not_control_the_terminal() {
        for (text, expected) in [
            ("'7' is not a tile\n  ^", "'7' is not a tile\n  ^"),
            ("\x1b[31mred\r\n\u{202e}", "\\u{1b}[31mred\\r\n\\u{202e}"),
        ] {
            assert_eq!(message(text), expected);
        }
        assert_eq!(argument("a\nb"), "a\\nb");
        let long = format!("begin {} end", "é".repeat(5000));
        let short = message(&long);
        assert_eq!(short.chars().count(), MOST_MESSAGE + 1);
        assert!(short.starts_with("begin é") && short.contains("é…é") && short.ends_with("é end"));
        assert_eq!(argument(&"x".repeat(MOST_ARGUMENT)), "x".repeat(MOST_ARGUMENT));
    }

    #[cfg(feature = "cluster")]
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

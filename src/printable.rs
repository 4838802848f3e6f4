//! Text of users, made safe to print.

use bsq_engine::text::is_invisible;
use std::borrow::Cow;

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
    let escape =
        |c: char| if must_escape(c) { c.escape_default().to_string() } else { c.to_string() };
    shortened.map(escape).collect::<String>().into()
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
}

//! The tokens of the language.

use super::error::Fault;
use std::ops::Range;

/// The maximum absolute value of weights and of numbers in conditions.
pub const MAX_NUMBER: i32 = 1000;

/// A token of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its bytes in the text.
    pub part: Range<usize>,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A keyword or a name.
    Word,
    /// A number without sign, at most [`MAX_NUMBER`].
    Number(i32),
    /// A sign.
    Sign(&'static str),
    /// The separator of rules: a comma, a semicolon or the end of a line.
    Separator,
}

/// The signs, each before its prefixes.
const SIGNS: [&str; 12] = ["<=", ">=", "!=", "<", ">", "=", "+", "-", "*", ":", "(", ")"];

/// Splits a text into tokens. Blanks and comments are dropped.
pub fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let until = |ends: fn(char) -> bool| at + rest.find(ends).unwrap_or(rest.len());
        let (kind, end) = match first {
            '#' => (None, until(|c| c == '\n')),
            // A sum continues on the next line.
            '\n' if matches!(tokens.last(), Some(Token { kind: Kind::Sign(_), .. })) => {
                (None, at + 1)
            }
            ',' | ';' | '\n' => (Some(Kind::Separator), at + 1),
            c if c.is_whitespace() => (None, at + c.len_utf8()),
            c if c.is_alphabetic() => {
                (Some(Kind::Word), until(|c| !c.is_alphanumeric() && !"-_".contains(c)))
            }
            '0'..='9' => {
                let end = until(|c| !c.is_ascii_digit());
                let number = text[at..end].parse().ok().filter(|&number| number <= MAX_NUMBER);
                let number = number
                    .ok_or_else(|| Fault::new(at..end, format!("numbers go up to {MAX_NUMBER}")))?;
                (Some(Kind::Number(number)), end)
            }
            other => {
                let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
                let sign = sign.ok_or_else(|| {
                    let part = at..at + other.len_utf8();
                    Fault::new(part, format!("'{}' has no meaning here", other.escape_debug()))
                })?;
                (Some(Kind::Sign(sign)), at + sign.len())
            }
        };
        tokens.extend(kind.map(|kind| Token { kind, part: at..end }));
        at = end;
    }
    Ok(tokens)
}

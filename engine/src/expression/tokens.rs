//! Tokens of texts.

use super::error::Fault;
use num_rational::Ratio;
use num_traits::CheckedAdd as _;
use std::borrow::Cow;
use std::ops::Range;

/// A number in an expression: an exact fraction.
pub type Number = Ratio<i64>;

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
    /// A number without sign.
    Number(Number),
    /// A sign.
    Sign(&'static str),
    /// The separator of the rules of a list: a comma, a semicolon or the end of a line.
    Separator,
}

/// Which language a text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Expressions. A hyphen is a minus, and the end of a line is a blank.
    Expressions,
    /// Lists of rules. Words can contain hyphens, for which underscores may stand, and rules are
    /// separated.
    Rules,
}

impl Language {
    /// What a name is, in words.
    pub(super) fn named(self) -> &'static str {
        match self {
            Language::Expressions => "a column",
            Language::Rules => "a feature",
        }
    }

    /// A word in the spelling of names.
    pub fn spelled(self, word: &str) -> Cow<'_, str> {
        match self {
            Language::Expressions => Cow::Borrowed(word),
            Language::Rules => Cow::Owned(word.replace('_', "-")),
        }
    }
}

/// The signs, each before its prefixes.
const SIGNS: [&str; 13] = ["<=", ">=", "!=", "<", ">", "=", "+", "-", "*", "/", ":", "(", ")"];

/// Signs of other languages, with what is written here.
const FOREIGN: [(&str, &str); 8] = [
    ("==", "="),
    ("<>", "!="),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("&", "and"),
    ("|", "or"),
    ("!", "not"),
];

/// The most digits of a number before the decimal point, and after it.
const MOST_DIGITS: [usize; 2] = [18, 6];

/// Splits a text into tokens. Blanks and comments are dropped.
///
/// # Errors
///
/// If a character has no meaning, or a number has too many digits.
pub fn tokens(text: &str, language: Language) -> Result<Vec<Token>, Fault> {
    let is_list = language == Language::Rules;
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let until = |ends: &dyn Fn(char) -> bool| at + rest.find(ends).unwrap_or(rest.len());
        let (kind, end) = match first {
            '#' => (None, until(&|c| c == '\n')),
            // A sum continues on the next line.
            '\n' if is_list
                && !matches!(tokens.last(), Some(Token { kind: Kind::Sign(_), .. })) =>
            {
                (Some(Kind::Separator), at + 1)
            }
            ',' | ';' if is_list => (Some(Kind::Separator), at + 1),
            c if c.is_whitespace() => (None, at + c.len_utf8()),
            c if c.is_alphabetic() => {
                let joins = |c| c == '_' || is_list && c == '-';
                (Some(Kind::Word), until(&|c: char| !c.is_alphanumeric() && !joins(c)))
            }
            '0'..='9' => {
                let end = until(&|c| !c.is_ascii_digit() && c != '.');
                (Some(Kind::Number(number(text, at..end)?)), end)
            }
            other => {
                let (sign, end) = sign(rest, at, other)?;
                (Some(Kind::Sign(sign)), end)
            }
        };
        tokens.extend(kind.map(|kind| Token { kind, part: at..end }));
        at = end;
    }
    Ok(tokens)
}

/// The sign with which a text begins, and its end. The text begins at `at` with the character
/// `first`.
fn sign(rest: &str, at: usize, first: char) -> Result<(&'static str, usize), Fault> {
    let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
    let foreign = FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign));
    match (foreign, sign) {
        (Some(("!", _)), Some(sign)) | (None, Some(sign)) => Ok((sign, at + sign.len())),
        (Some((sign, meant)), _) => Err(Fault::new(
            at..at + sign.len(),
            format!("'{sign}' has no meaning here; write '{meant}'"),
        )),
        (None, None) => {
            let part = at..at + first.len_utf8();
            Err(Fault::new(part, format!("'{}' has no meaning here", first.escape_debug())))
        }
    }
}

/// The number of that part of the text, an integer or a decimal.
fn number(text: &str, part: Range<usize>) -> Result<Number, Fault> {
    let [most, most_decimals] = MOST_DIGITS;
    let fault = |message: String| Fault::new(part.clone(), message);
    let (whole, decimals) =
        text[part.clone()].split_once('.').unwrap_or((&text[part.clone()], "0"));
    let is_number = !decimals.is_empty() && decimals.bytes().all(|c| c.is_ascii_digit());
    if !is_number {
        return Err(fault("a number is written as 12 or 0.5".to_string()));
    }
    let too_long = || {
        let after = format!(", and {most_decimals} after the point");
        let after = if text[part.clone()].contains('.') { after.as_str() } else { "" };
        fault(format!("a number has at most {most} digits{after}"))
    };
    if whole.trim_start_matches('0').len() > most || decimals.len() > most_decimals {
        return Err(too_long());
    }
    let parsed = |digits: &str| digits.parse::<i64>().map_err(|_| too_long());
    let fraction = Number::new(parsed(decimals)?, 10_i64.pow(decimals.len() as u32));
    Number::from_integer(parsed(whole)?).checked_add(&fraction).ok_or_else(too_long)
}

//! Text in messages.

use std::fmt::Display;
use std::time::Duration;

/// An integer with separators of thousands.
///
/// ```
/// use bsq_engine::text::thousands;
///
/// assert_eq!(thousands(4_233_789_642_926_592_u64), "4,233,789,642,926,592");
/// assert_eq!(thousands(-1000), "-1,000");
/// ```
pub fn thousands(number: impl Display) -> String {
    let digits = number.to_string();
    let (sign, digits) = digits.strip_prefix('-').map_or(("", &*digits), |rest| ("-", rest));
    let mut text = String::from(sign);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether a character is a formatting character of Unicode: invisible, or one that changes the direction of text.
///
/// ```
/// use bsq_engine::text::is_invisible;
///
/// assert!(is_invisible('\u{202e}') && !is_invisible('é'));
/// ```
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// A text without the byte order mark with which some editors begin files.
///
/// ```
/// use bsq_engine::text::unmarked;
///
/// assert_eq!(unmarked("\u{feff}b2"), "b2");
/// ```
pub fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A line without its comment, which begins with `#`.
///
/// ```
/// use bsq_engine::text::uncommented;
///
/// assert_eq!(uncommented("b2 a1 # centre, corner"), "b2 a1 ");
/// ```
pub fn uncommented(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

/// A span of time in words, rounded down to a whole number of seconds, minutes, hours or days.
///
/// ```
/// use bsq_engine::text::time_span;
/// use std::time::Duration;
///
/// assert_eq!(time_span(Duration::from_secs(65)), "65 seconds");
/// assert_eq!(time_span(Duration::from_secs(7100)), "118 minutes");
/// assert_eq!(time_span(Duration::from_secs(4_000_000_000)), "46,296 days");
/// ```
pub fn time_span(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0..120 => format!("{seconds} seconds"),
        120..7200 => format!("{} minutes", seconds / 60),
        7200..172_800 => format!("{} hours", seconds / 3600),
        _ => format!("{} days", thousands(seconds / 86400)),
    }
}

/// The known word with the least edit distance, if that is at most half of the length.
///
/// ```
/// use bsq_engine::text::nearest;
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

/// Whether a text is the size of a board, or meant as one.
///
/// ```
/// use bsq_engine::text::is_size;
///
/// assert!(["3x5", "3 x 5", "3*5", "12x"].into_iter().all(is_size));
/// assert!(!["x3", "3", "a1x", "..x"].into_iter().any(is_size));
/// ```
pub fn is_size(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let rest = text.trim_start_matches(is_digit);
    let separator = |c: char| "xX*\u{d7}".contains(c);
    rest.len() < text.len()
        && rest.trim_start().starts_with(separator)
        && rest.chars().all(|c| is_digit(c) || separator(c) || c == ' ')
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn thousands_are_set_apart() {
        for (plain, readable) in [
            ("0", "0"),
            ("999", "999"),
            ("-1000", "-1,000"),
            ("4233789642926592", "4,233,789,642,926,592"),
        ] {
            assert_eq!(thousands(plain), readable);
        }
    }
}

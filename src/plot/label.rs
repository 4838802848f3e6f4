//! Formats numbers and names, and estimates the width of texts.

use super::number::Number;
use crate::output::screen::thousands;
use bsq_analyses::Kind;

/// Powers of ten with their names.
const NAMES: [(i32, &str); 5] =
    [(6, "million"), (9, "billion"), (12, "trillion"), (15, "quadrillion"), (18, "quintillion")];

/// The power of ten of the unit of an axis, which follows from the largest number: 0 if the numbers
/// are readable as they are, otherwise a multiple of 3; -2 for shares, which are percentages.
pub fn unit(largest: Option<i32>, kind: Kind) -> i32 {
    match largest {
        None if kind == Kind::Share => -2,
        Some(exponent) if kind == Kind::Share && (-6..=2).contains(&exponent) => -2,
        Some(exponent) if !(-4..6).contains(&exponent) => exponent.div_euclid(3).saturating_mul(3),
        _ => 0,
    }
}

/// The unit after the name of an axis.
pub fn unit_name(unit: i32) -> String {
    match (unit, NAMES.iter().find(|&&(power, _)| power == unit)) {
        (0 | -2, _) => String::new(),
        (_, Some((_, name))) => format!(" ({name}s)"),
        _ => format!(" (× {})", power(unit)),
    }
}

/// Formats the number at a mark of an axis.
pub fn tick(scaled: f64, decimals: usize, unit: i32) -> String {
    let text = format!("{scaled:.decimals$}");
    let text = if text.trim_start_matches(['-', '0', '.']).is_empty() { "0" } else { &text };
    let (whole, rest) = text.split_once('.').map_or((text, ""), |(whole, rest)| (whole, rest));
    let dot = if rest.is_empty() { "" } else { "." };
    let percent = if unit == -2 { "%" } else { "" };
    format!("{}{dot}{rest}{percent}", thousands(whole).replace('-', "−"))
}

/// Formats a power of ten, such as 10⁷⁷.
pub fn power(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |digit: char| digit.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

/// Formats a number in a few characters: exactly, or with three digits and a unit.
pub fn short(text: &str, number: Number, kind: Kind) -> String {
    let unit = unit(number.exponent(), kind);
    let scaled = number.scaled(unit);
    match (unit, NAMES.iter().find(|&&(power, _)| power == unit)) {
        (-2, _) if scaled.abs() < 0.005 && scaled != 0.0 => "<0.01%".to_string(),
        (-2, _) => tick(scaled, if scaled.abs() < 10.0 { 2 } else { 1 }, unit),
        (0, _) => exact(text, kind),
        (_, Some((_, name))) => {
            let decimals = match scaled.abs() {
                small if small < 9.995 => 2,
                middle if middle < 99.95 => 1,
                _ => 0,
            };
            format!("{} {name}", tick(scaled, decimals, 0))
        }
        (_, None) => {
            let exponent = number.exponent().unwrap_or(0);
            let up = i32::from(number.scaled(exponent).abs() >= 9.995);
            format!("{} × {}", tick(number.scaled(exponent + up), 2, 0), power(exponent + up))
        }
    }
}

/// Formats a value with all its digits.
pub fn exact(text: &str, kind: Kind) -> String {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match is_integer && matches!(kind, Kind::Integer | Kind::Label) {
        true => thousands(text).replace('-', "−"),
        false => text.to_string(),
    }
}

/// Formats the name of a column.
pub fn plain(name: &str) -> String {
    name.replace('_', " ")
}

/// The width of a text in a wide font, so that it fits in other fonts as well.
pub fn width(text: &str, size: f64) -> f64 {
    size * text.chars().map(letter_width).sum::<f64>()
}

fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.29,
        ' ' | ',' | '.' | ':' | ';' => 0.33,
        'f' | 'r' | 't' | 'I' | '(' | ')' | '-' | '/' => 0.42,
        '−' => 0.84,
        'm' | 'w' | 'M' | 'W' | '%' => 0.97,
        '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => 0.42,
        'A'..='Z' => 0.71,
        '\u{2e80}'.. => 1.05,
        _ => 0.63,
    }
}

/// Truncates a text to a width, with an ellipsis.
pub fn fit(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_string();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        if width(&kept, size) + size * (letter_width(letter) + letter_width('…')) > room {
            break;
        }
        kept.push(letter);
    }
    format!("{}…", kept.trim_end())
}

/// Wraps a text at a width. A longer word has a line of its own.
pub fn lines(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests;

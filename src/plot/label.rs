//! Formats numbers, and estimates the width of texts.

use bsq_engine::text::thousands;

/// Powers of ten with their names.
const NAMES: [(i32, &str); 5] =
    [(6, "million"), (9, "billion"), (12, "trillion"), (15, "quadrillion"), (18, "quintillion")];
/// The most decimals of a number in a few characters.
const DECIMALS: usize = 3;
/// The largest number that is drawn. Differences between larger ones may not be finite.
const LARGEST: f64 = 1e300;
/// The smallest positive number that is drawn. Ratios of smaller ones may not be finite.
const SMALLEST: f64 = 1e-300;

/// Parses a number that can be drawn.
pub fn number(text: &str) -> Option<f64> {
    let is_drawn = |number: &f64| *number == 0.0 || (SMALLEST..=LARGEST).contains(&number.abs());
    text.trim().parse().ok().filter(is_drawn)
}

/// The power of ten of the first digit. `None` for 0.
fn exponent(number: f64) -> Option<i32> {
    if number == 0.0 {
        return None;
    }
    let text = format!("{number:e}");
    text.split_once('e')?.1.parse().ok()
}

/// The power of ten of the unit of an axis, a multiple of 3. It is 0 if the numbers are readable as
/// they are.
pub fn unit(largest: f64) -> i32 {
    let exponent = exponent(largest).unwrap_or(0);
    if (-4..6).contains(&exponent) { 0 } else { exponent.div_euclid(3) * 3 }
}

/// The unit after the name of an axis.
pub fn unit_name(unit: i32) -> String {
    match (unit, NAMES.iter().find(|&&(power, _)| power == unit)) {
        (0, _) => String::new(),
        (_, Some((_, name))) => format!(" ({name}s)"),
        _ => format!(" (× {})", power(unit)),
    }
}

/// Formats the number at a mark of an axis.
pub fn tick(number: f64, is_share: bool) -> String {
    let number = if is_share { number * 100.0 } else { number };
    let percent = if is_share { "%" } else { "" };
    let is_exact = |decimals: &usize| {
        let times = 10_f64.powi(*decimals as i32);
        (number * times - (number * times).round()).abs() < 1e-6
    };
    format!("{}{percent}", decimal(number, (0..6).find(is_exact).unwrap_or(6)))
}

/// Formats the number at a mark of a logarithmic axis.
pub fn log_tick(number: f64, is_share: bool) -> String {
    let exponent = exponent(number).unwrap_or(0);
    let first = (number / 10_f64.powi(exponent)).round();
    match exponent {
        -5..=4 => tick(number, is_share),
        _ if first == 1.0 => power(exponent),
        _ => format!("{first} × {}", power(exponent)),
    }
}

/// Formats a number with separators of thousands and a minus sign.
fn decimal(number: f64, decimals: usize) -> String {
    let digits = format!("{number:.decimals$}");
    let is_zero = digits.trim_start_matches(['-', '0', '.']).is_empty();
    let text = if is_zero { "0" } else { digits.as_str() };
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let dot = if rest.is_empty() { "" } else { "." };
    format!("{}{dot}{rest}", thousands(whole).replace('-', "−"))
}

/// Formats a power of ten, such as 10⁷⁷.
fn power(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |digit: char| digit.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

/// Formats a number in a few characters, either as in the table or with three digits and a unit.
pub fn short(text: &str, number: f64, is_share: bool) -> String {
    let digits = |number: f64| match number.abs() {
        small if small < 9.995 => decimal(number, 2),
        middle if middle < 99.95 => decimal(number, 1),
        _ => decimal(number, 0),
    };
    if is_share {
        return match number * 100.0 {
            0.0 => "0%".to_string(),
            tiny if tiny.abs() < 0.005 => "<0.01%".to_string(),
            small if small.abs() < 0.95 => format!("{}%", decimal(small, 2)),
            rest if (99.5..100.0).contains(&rest) => ">99%".to_string(),
            middle if middle.abs() < 9.95 => format!("{}%", decimal(middle, 1)),
            share => format!("{}%", decimal(share, 0)),
        };
    }
    let unit = unit(number);
    let scaled = number / 10_f64.powi(unit);
    match (unit, NAMES.iter().find(|&&(power, _)| power == unit)) {
        (0, _) if text.split_once('.').is_some_and(|(_, rest)| rest.len() > DECIMALS) => {
            decimal(number, DECIMALS)
        }
        (0, _) => exact(text),
        (_, Some((_, name))) => format!("{} {name}", digits(scaled)),
        (_, None) => {
            let exponent = exponent(number).unwrap_or(0);
            let up = i32::from((number / 10_f64.powi(exponent)).abs() >= 9.995);
            let exponent = exponent + up;
            format!("{} × {}", decimal(number / 10_f64.powi(exponent), 2), power(exponent))
        }
    }
}

/// Formats a value with all its digits.
pub fn exact(text: &str) -> String {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        thousands(text).replace('-', "−")
    } else {
        text.to_string()
    }
}

/// The width of a text in a wide font. In other fonts the text takes no more room.
pub fn width(text: &str, size: f64) -> f64 {
    let letter = |letter: char| match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.29,
        ' ' | ',' | '.' | ':' | ';' => 0.33,
        'f' | 'r' | 't' | 'I' | '(' | ')' | '-' | '/' => 0.42,
        '−' => 0.84,
        'm' | 'w' | 'M' | 'W' | '%' => 0.97,
        '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => 0.42,
        'A'..='Z' => 0.71,
        '\u{2e80}'.. => 1.05,
        _ => 0.63,
    };
    size * text.chars().map(letter).sum::<f64>()
}

/// The width of the widest text.
pub fn widest<'t>(texts: impl Iterator<Item = &'t str>, size: f64) -> f64 {
    texts.map(|text| width(text, size)).fold(0.0, f64::max)
}

/// Breaks a text into lines of a width. The last of the most lines is truncated.
pub fn wrap(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let count = lines.len();
        let last = &mut lines[count - 1];
        let longer = if last.is_empty() { word.to_string() } else { format!("{last} {word}") };
        if width(&longer, size) <= room || last.is_empty() || count == most {
            *last = longer;
        } else {
            lines.push(word.to_string());
        }
    }
    lines.iter().map(|line| fit(line, size, room)).collect()
}

/// Truncates a text to a width, with an ellipsis.
pub fn fit(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_string();
    }
    let mut kept = text.to_string();
    while !kept.is_empty() && width(&kept, size) + size > room {
        kept.pop();
    }
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        let of = |text: &str| short(text, number(text).unwrap(), false);
        assert_eq!(of("4233789642926592"), "4.23 quadrillion");
        assert_eq!(of("-1234567"), "−1.23 million");
        assert_eq!(of("999999"), "999,999");
        assert_eq!(of(&"9".repeat(40)), "1.00 × 10⁴⁰");
        let share = |text: &str| short(text, number(text).unwrap(), true);
        assert_eq!(
            ["0", "0.00001", "0.00333", "0.0149", "0.514869"].map(share),
            ["0%", "<0.01%", "0.33%", "1.5%", "51%"]
        );
        assert_eq!(exact("-12345"), "−12,345");
        assert_eq!(exact("0.25"), "0.25");
    }

    #[test]
    fn marks_have_as_many_decimals_as_they_need() {
        assert_eq!([0.0, 2.5, -1000.0].map(|n| tick(n, false)), ["0", "2.5", "−1,000"]);
        assert_eq!([0.05, 0.125].map(|n| tick(n, true)), ["5%", "12.5%"]);
        assert_eq!([0.002, 20.0, 5e9].map(|n| log_tick(n, false)), ["0.002", "20", "5 × 10⁹"]);
        assert_eq!([1e-3, 1e-7].map(|n| log_tick(n, true)), ["0.1%", "10⁻⁷"]);
    }

    #[test]
    fn units_are_named() {
        assert_eq!([999_999.0, 2.2e15, 1e60, 0.0].map(unit), [0, 15, 60, 0]);
        assert_eq!(unit_name(15), " (quadrillions)");
        assert_eq!(unit_name(60), " (× 10⁶⁰)");
    }

    #[test]
    fn numbers_that_cannot_be_drawn() {
        for text in ["", "four", "inf", "NaN", "1e301"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn titles_are_broken_between_words() {
        let text = "several words that take lines";
        assert_eq!(wrap(text, 10.0, 1000.0, 3), [text]);
        assert_eq!(wrap(text, 10.0, 100.0, 3), ["several words that", "take lines"]);
        let cut = wrap(text, 10.0, 60.0, 2);
        assert_eq!((cut.len(), cut[0].as_str()), (2, "several"));
        assert!(cut[1].ends_with('…'), "{cut:?}");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(fit("short", 10.0, 100.0), "short");
        let cut = fit("a text that does not fit", 10.0, 80.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0) <= 80.0, "{cut}");
    }
}

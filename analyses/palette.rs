//! The colours of `analyses/palette.css`, which charts, notebooks, pages and the terminal share.

/// The only source of colours.
const SOURCE: &str = include_str!("palette.css");

/// A colour on light and on dark backgrounds: red, green and blue, with 8 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// On a light background.
    pub light: u32,
    /// On a dark background.
    pub dark: u32,
}

/// The background.
pub const PAPER: Color = Color::named("--paper:");
/// Text.
pub const INK: Color = Color::named("--ink:");
/// Text of less importance.
pub const SOFT: Color = Color::named("--soft:");
/// Lines of a grid.
pub const GRID: Color = Color::named("--grid:");
/// The first player.
pub const FIRST: Color = Color::named("--first:");
/// The second player.
pub const SECOND: Color = Color::named("--second:");
/// Ties and draws.
pub const TIE: Color = Color::named("--tie:");
/// A score of 0 among the steps of both players.
pub const EVEN: Color = Color::named("--even:");
/// Colours without a meaning.
pub const OTHERS: [Color; 4] =
    [TEAL_STEPS[3], Color::named("--purple:"), Color::named("--gold:"), Color::named("--magenta:")];
/// From a small to a large advantage of the first player.
pub const FIRST_STEPS: [Color; 5] = [
    Color::named("--first-1:"),
    Color::named("--first-2:"),
    Color::named("--first-3:"),
    FIRST,
    Color::named("--first-5:"),
];
/// From a small to a large advantage of the second player.
pub const SECOND_STEPS: [Color; 5] = [
    Color::named("--second-1:"),
    Color::named("--second-2:"),
    Color::named("--second-3:"),
    SECOND,
    Color::named("--second-5:"),
];
/// From small to large numbers without a meaning.
pub const TEAL_STEPS: [Color; 5] = [
    Color::named("--teal-1:"),
    Color::named("--teal-2:"),
    Color::named("--teal-3:"),
    Color::named("--teal:"),
    Color::named("--teal-5:"),
];

impl Color {
    /// All colours.
    pub fn all() -> impl Iterator<Item = Color> {
        let single = [PAPER, INK, SOFT, GRID, TIE, EVEN];
        let steps = [FIRST_STEPS, SECOND_STEPS, TEAL_STEPS].into_iter().flatten();
        single.into_iter().chain(steps).chain(OTHERS.into_iter().skip(1))
    }

    /// The colour of text on this one.
    pub fn text(self) -> Color {
        let is_weak = |steps: [Color; 5]| steps[..3].contains(&self);
        let weak = [FIRST_STEPS, SECOND_STEPS, TEAL_STEPS].into_iter().any(is_weak);
        if weak || matches!(self, PAPER | GRID | EVEN) { INK } else { PAPER }
    }

    /// The nearest of the 216 colours that terminals have in common, which is visible on light and on
    /// dark backgrounds.
    pub fn terminal(self) -> u8 {
        const LEVELS: [u32; 6] = [0, 95, 135, 175, 215, 255];
        let nearest = |shift: u32| {
            let part = |color: u32| color >> shift & 0xff;
            let wanted = (part(self.light) + part(self.dark)) / 2;
            (0..6_u8).min_by_key(|&i| LEVELS[usize::from(i)].abs_diff(wanted)).unwrap_or(0)
        };
        16 + 36 * nearest(16) + 6 * nearest(8) + nearest(0)
    }

    /// The colour of a declaration such as `--ink: light-dark(#1f2328, #e6edf3);`.
    ///
    /// # Panics
    ///
    /// Panics, when compiled, if there is no such declaration.
    const fn named(name: &str) -> Color {
        let at = find(SOURCE.as_bytes(), name.as_bytes());
        let light = find_from(SOURCE.as_bytes(), b"#", at);
        let dark = find_from(SOURCE.as_bytes(), b"#", light);
        Color { light: hex(SOURCE.as_bytes(), light), dark: hex(SOURCE.as_bytes(), dark) }
    }
}

const fn find(text: &[u8], part: &[u8]) -> usize {
    find_from(text, part, 0)
}

/// The end of the first occurrence of `part` from there on.
const fn find_from(text: &[u8], part: &[u8], mut at: usize) -> usize {
    loop {
        let mut same = 0;
        while same < part.len() && text[at + same] == part[same] {
            same += 1;
        }
        if same == part.len() {
            return at + same;
        }
        at += 1;
    }
}

/// The number of six hexadecimal digits.
const fn hex(text: &[u8], at: usize) -> u32 {
    let (mut number, mut i) = (0, at);
    while i < at + 6 {
        let digit = match text[i] {
            digit @ b'0'..=b'9' => digit - b'0',
            letter @ b'a'..=b'f' => letter - b'a' + 10,
            _ => panic!("a colour has six hexadecimal digits"),
        };
        number = number * 16 + digit as u32;
        i += 1;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn luminance(color: u32) -> f64 {
        let part = |shift: u32| {
            let part = f64::from(color >> shift & 0xff) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
    }

    /// The contrast ratio of WCAG 2.
    fn contrast(one: u32, other: u32) -> f64 {
        let [one, other] = [one, other].map(|color| luminance(color) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn text_is_legible_on_every_colour() {
        for color in Color::all() {
            let text = color.text();
            assert!(contrast(color.light, text.light) >= 4.5, "{color:x?}");
            assert!(contrast(color.dark, text.dark) >= 4.5, "{color:x?}");
        }
        for color in [INK, SOFT, FIRST, SECOND, TIE].into_iter().chain(OTHERS) {
            assert_eq!(color.text(), PAPER, "{color:x?} is legible as text");
        }
    }

    #[test]
    fn terminals_have_similar_colours() {
        // #5f87d7, #d78700 and #878787.
        assert_eq!([FIRST, SECOND, TIE].map(Color::terminal), [68, 172, 102]);
    }

    #[test]
    fn every_colour_is_declared_once_and_used() {
        let colors: Vec<Color> = Color::all().collect();
        let light: HashSet<u32> = colors.iter().map(|color| color.light).collect();
        assert_eq!(light.len(), colors.len());
        assert_eq!(SOURCE.matches("light-dark(#").count(), colors.len());
        assert_eq!(PAPER, Color { light: 0xff_ffff, dark: 0x14_181e });
    }
}

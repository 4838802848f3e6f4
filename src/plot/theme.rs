//! Colours, on light and on dark ground.

use super::drawing::{Paint, STEPS};

/// Which ground a picture stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// White, or light.
    Light,
    /// Dark.
    Dark,
}

/// Red, green and blue, up to 255.
type Rgb = [u8; 3];

/// Colours of one ground.
struct Palette {
    ink: Rgb,
    soft: Rgb,
    grid: Rgb,
    paper: Rgb,
    series: [Rgb; super::drawing::SERIES],
    /// Of the lowest value, of one half as low, of 0, of one half as high, of the highest.
    values: [Rgb; 5],
    /// Text on weak values, and on strong ones.
    on: [Rgb; 2],
}

const LIGHT: Palette = Palette {
    ink: [0x1f, 0x23, 0x28],
    soft: [0x59, 0x63, 0x6e],
    grid: [0xdf, 0xe3, 0xe8],
    paper: [0xff, 0xff, 0xff],
    series: [
        [0x2f, 0x6d, 0xb5],
        [0xd9, 0x73, 0x1a],
        [0x2c, 0x91, 0x55],
        [0xb8, 0x44, 0x7f],
        [0x7a, 0x5f, 0xb8],
        [0x8a, 0x6d, 0x3b],
        [0x1f, 0x9a, 0xa8],
        [0x8f, 0x8f, 0x1e],
    ],
    values: [
        [0xa0, 0x3f, 0x06],
        [0xee, 0xa5, 0x6e],
        [0xed, 0xee, 0xf0],
        [0x7f, 0xb0, 0xe0],
        [0x1f, 0x5f, 0xae],
    ],
    on: [[0x1f, 0x23, 0x28], [0xff, 0xff, 0xff]],
};

const DARK: Palette = Palette {
    ink: [0xe6, 0xed, 0xf3],
    soft: [0x9d, 0xa7, 0xb3],
    grid: [0x3a, 0x42, 0x4d],
    paper: [0x14, 0x18, 0x1e],
    series: [
        [0x6f, 0xa8, 0xe8],
        [0xf2, 0xa1, 0x54],
        [0x66, 0xc7, 0x8c],
        [0xe5, 0x85, 0xb6],
        [0xb0, 0x9a, 0xe6],
        [0xc9, 0xab, 0x76],
        [0x5f, 0xca, 0xd6],
        [0xcf, 0xcf, 0x66],
    ],
    values: [
        [0xf5, 0x97, 0x48],
        [0x8a, 0x4c, 0x1d],
        [0x2c, 0x33, 0x3c],
        [0x2b, 0x5c, 0x92],
        [0x7a, 0xb6, 0xf7],
    ],
    on: [[0xf0, 0xf4, 0xf8], [0x10, 0x14, 0x19]],
};

/// From this step on a value is strong.
const STRONG: i32 = 4;

impl Theme {
    fn palette(self) -> &'static Palette {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }

    /// The colour of a part, such as `#1f2328`.
    pub fn color(self, paint: Paint) -> String {
        let palette = self.palette();
        let [red, green, blue] = match paint {
            Paint::Ink => palette.ink,
            Paint::Soft => palette.soft,
            Paint::Grid => palette.grid,
            Paint::Paper => palette.paper,
            Paint::Series(which) => palette.series[which % palette.series.len()],
            Paint::Value(step) => value(&palette.values, step),
            Paint::On(step) => palette.on[usize::from(step.abs() >= STRONG)],
        };
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The colour of a step: weak ones lie between those of 0 and of one half, strong ones near the end.
fn value(&[low, half_low, zero, half_high, high]: &[Rgb; 5], step: i32) -> Rgb {
    let (half, end) = if step < 0 { (half_low, low) } else { (half_high, high) };
    let size = step.abs().min(STEPS);
    let (from, to, part) = match size < STRONG {
        true => (zero, half, f64::from(size) / f64::from(STRONG - 1)),
        false => (half, end, 1.0 - 0.2 * f64::from(STEPS - size)),
    };
    let mix = |i: usize| {
        let [one, other] = [from[i], to[i]].map(f64::from);
        (one + (other - one) * part).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests;

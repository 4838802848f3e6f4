//! Colours on light and dark backgrounds.

use super::drawing::{Paint, STEPS};

/// The background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// White, or light.
    Light,
    /// Dark.
    Dark,
}

/// Red, green and blue, with 8 bits each.
type Rgb = u32;

/// The colours of a theme.
struct Palette {
    ink: Rgb,
    soft: Rgb,
    grid: Rgb,
    paper: Rgb,
    series: [Rgb; super::drawing::SERIES],
    /// The colours of the lowest value, half of it, 0, half of the highest value, and the highest.
    values: [Rgb; 5],
    /// The colours of text on weak and on strong values.
    on: [Rgb; 2],
}

const LIGHT: Palette = Palette {
    ink: 0x1f2328,
    soft: 0x59636e,
    grid: 0xdfe3e8,
    paper: 0xffffff,
    series: [0x2f6db5, 0xd9731a, 0x2c9155, 0xb8447f, 0x7a5fb8, 0x8a6d3b, 0x1f9aa8, 0x8f8f1e],
    values: [0xa03f06, 0xeea56e, 0xedeef0, 0x7fb0e0, 0x1f5fae],
    on: [0x1f2328, 0xffffff],
};

const DARK: Palette = Palette {
    ink: 0xe6edf3,
    soft: 0x9da7b3,
    grid: 0x3a424d,
    paper: 0x14181e,
    series: [0x6fa8e8, 0xf2a154, 0x66c78c, 0xe585b6, 0xb09ae6, 0xc9ab76, 0x5fcad6, 0xcfcf66],
    values: [0xf59748, 0x8a4c1d, 0x2c333c, 0x2b5c92, 0x7ab6f7],
    on: [0xf0f4f8, 0x101419],
};

/// The first step of strong values.
const STRONG: i32 = 4;

impl Theme {
    fn palette(self) -> &'static Palette {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }

    /// Formats a colour, such as `#1f2328`.
    pub fn color(self, paint: Paint) -> String {
        let palette = self.palette();
        let color = match paint {
            Paint::Ink => palette.ink,
            Paint::Soft => palette.soft,
            Paint::Grid => palette.grid,
            Paint::Paper => palette.paper,
            Paint::Series(which) => palette.series[which % palette.series.len()],
            Paint::Value(step) => value(&palette.values, step),
            Paint::On(step) => palette.on[usize::from(step.abs() >= STRONG)],
        };
        format!("#{color:06x}")
    }
}

/// Interpolates the colour of a step: weak values between 0 and half, strong ones between half and
/// the end.
fn value(&[low, half_low, zero, half_high, high]: &[Rgb; 5], step: i32) -> Rgb {
    let (half, end) = if step < 0 { (half_low, low) } else { (half_high, high) };
    let size = step.abs().min(STEPS);
    let (from, to, part) = match size < STRONG {
        true => (zero, half, f64::from(size) / f64::from(STRONG - 1)),
        false => (half, end, 1.0 - 0.2 * f64::from(STEPS - size)),
    };
    let mix = |shift: u32| {
        let [one, other] = [from, to].map(|color| f64::from(color >> shift & 0xff));
        ((one + (other - one) * part).round() as u32) << shift
    };
    mix(16) | mix(8) | mix(0)
}

#[cfg(test)]
mod tests;

//! The head of a picture: the finding, the rules, what the colours show, and the legend.

use super::label::{width as wide, wrap};
use super::picture::{line, rect, text};
use bsq_analyses::palette::{Color, INK, PAPER, SOFT};
use kuva::render::render::{Primitive, TextAnchor};

/// The maximum width of a picture.
pub const WIDTH: f64 = 760.0;
/// The margin on all sides.
pub const MARGIN: f64 = 20.0;
/// The font size of most texts.
pub const SMALL: u32 = 12;
const LARGE: u32 = 17;
/// The most lines of the finding, and the width that a narrow picture gives it.
const LINES: usize = 3;
const NARROW: f64 = 440.0;
/// The side of a square of the legend.
const SQUARE: f64 = 12.0;

/// An entry of the legend.
pub enum Key {
    /// A colour with its meaning.
    Square(Color, String),
    /// A place without a colour, a sign in it, and its meaning.
    Empty(&'static str, String),
    /// The colour of a line, its pattern of dashes, if any, and its meaning.
    Line(Color, Option<String>, String),
    /// Colours from low to high, and the meanings of the lowest and the highest.
    Scale(Vec<Color>, [String; 2]),
}

impl Key {
    fn width(&self) -> f64 {
        let size = f64::from(SMALL);
        match self {
            Key::Square(_, label) | Key::Empty(_, label) => SQUARE + 6.0 + wide(label, size),
            Key::Line(_, _, label) => 2.0 * SQUARE + 6.0 + wide(label, size),
            Key::Scale(colors, [low, high]) => {
                wide(low, size) + 16.0 + SQUARE * colors.len() as f64 + wide(high, size)
            }
        }
    }

    fn draw(&self, shapes: &mut Vec<Primitive>, [x, y]: [f64; 2]) {
        let top = y - SQUARE + 2.0;
        let word = |x: f64, label: &str| text([x, y], label, SMALL, TextAnchor::Start, INK);
        match self {
            Key::Square(color, label) => {
                shapes.push(rect([x, top, SQUARE, SQUARE], *color));
                shapes.push(word(x + SQUARE + 6.0, label));
            }
            Key::Empty(sign, label) => {
                let side = SQUARE - 2.0;
                shapes.push(rect([x, top, SQUARE, SQUARE], SOFT));
                shapes.push(rect([x + 1.0, top + 1.0, side, side], PAPER));
                let middle = [x + SQUARE / 2.0, y];
                shapes.push(text(middle, sign, SMALL, TextAnchor::Middle, INK));
                shapes.push(word(x + SQUARE + 6.0, label));
            }
            Key::Line(color, dashes, label) => {
                let mut sample = line([x, y - 4.0], [x + 2.0 * SQUARE, y - 4.0], 3.0, *color);
                if let Primitive::Line { stroke_dasharray, .. } = &mut sample {
                    stroke_dasharray.clone_from(dashes);
                }
                shapes.extend([sample, word(x + 2.0 * SQUARE + 6.0, label)]);
            }
            Key::Scale(colors, [low, high]) => {
                shapes.push(word(x, low));
                let mut left = x + wide(low, f64::from(SMALL)) + 8.0;
                for color in colors {
                    shapes.push(rect([left, top, SQUARE, SQUARE], *color));
                    left += SQUARE;
                }
                shapes.push(word(left + 8.0, high));
            }
        }
    }
}

/// The texts and the legend above a picture.
pub struct Head<'a> {
    /// The finding.
    pub title: String,
    /// The rules. Empty if unknown.
    pub rules: String,
    /// What the picture shows. Empty if the label of an axis tells it.
    pub about: &'a str,
    /// The legend.
    pub legend: Vec<Key>,
}

impl Head<'_> {
    /// The finding and the rules.
    pub fn full_title(&self) -> String {
        let rules = if self.rules.is_empty() { "" } else { &format!(" ({})", self.rules) };
        format!("{}{rules}", self.title)
    }

    /// The width that the head needs.
    pub fn width(&self) -> f64 {
        let title = wide(&self.title, f64::from(LARGE)).min(NARROW);
        let keys = self.legend.iter().map(Key::width).fold(0.0, f64::max);
        (title.max(keys) + 2.0 * MARGIN).min(WIDTH)
    }

    /// The shapes of the head, and its lower edge.
    pub fn draw(&self, width: f64) -> (Vec<Primitive>, f64) {
        let room = width - 2.0 * MARGIN;
        let mut y = MARGIN + 14.0;
        let mut shapes = Vec::new();
        for (i, line) in wrap(&self.title, f64::from(LARGE), room, LINES).iter().enumerate() {
            y += if i == 0 { 0.0 } else { f64::from(LARGE) + 5.0 };
            shapes.push(text([MARGIN, y], line, LARGE, TextAnchor::Start, INK));
        }
        let about: Vec<&str> =
            [self.about, &self.rules].into_iter().filter(|text| !text.is_empty()).collect();
        if !about.is_empty() {
            y += 4.0;
            for line in wrap(&about.join("; "), f64::from(SMALL), room, LINES) {
                y += f64::from(SMALL) + 6.0;
                shapes.push(text([MARGIN, y], &line, SMALL, TextAnchor::Start, SOFT));
            }
        }
        let mut x = MARGIN;
        y += if self.legend.is_empty() { 0.0 } else { 26.0 };
        for key in &self.legend {
            if x > MARGIN && x + key.width() > width - MARGIN {
                (x, y) = (MARGIN, y + 20.0);
            }
            key.draw(&mut shapes, [x, y]);
            x += key.width() + 18.0;
        }
        (shapes, y + 26.0)
    }
}

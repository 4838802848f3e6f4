//! What is around every picture: title, legend, names of what is shown.

use super::drawing::{Anchor, Drawing, Paint};
use super::label::{fit, lines, width as wide};

/// How wide a picture is.
pub const WIDTH: f64 = 760.0;
/// How wide at least.
pub const NARROW: f64 = 480.0;
/// What is left free on all sides.
pub const MARGIN: f64 = 20.0;
/// The size of most letters.
pub const SMALL: f64 = 12.0;
const LARGE: f64 = 17.0;

/// Begins a picture of that width with its title, what it is about and what it shows. Says how far
/// down that goes.
pub fn begin(
    width: f64,
    [title, about, shows]: [&str; 3],
    legend: &[(Paint, &str)],
) -> (Drawing, f64) {
    let full = if about.is_empty() { title.to_string() } else { format!("{title} ({about})") };
    let mut drawing = Drawing { width, title: full, ..Drawing::default() };
    let room = width - 2.0 * MARGIN;
    let mut y = 12.0;
    for line in lines(title, LARGE, room) {
        y += 21.0;
        drawing.text([MARGIN, y], &fit(&line, LARGE, room), LARGE, Anchor::Start, Paint::Ink);
    }
    if about.is_empty() {
        // Nothing is known of it.
    } else if wide(title, LARGE) + 16.0 + wide(about, SMALL) <= room {
        drawing.text([width - MARGIN, y], about, SMALL, Anchor::End, Paint::Soft);
    } else {
        y = write(&mut drawing, y, about);
    }
    y = write(&mut drawing, y, shows);
    if legend.len() > 1 {
        y = draw_legend(&mut drawing, y + 24.0, legend);
    }
    (drawing, y + 26.0)
}

/// Writes lines below each other. Says how far down that goes.
fn write(drawing: &mut Drawing, mut y: f64, text: &str) -> f64 {
    let room = drawing.width - 2.0 * MARGIN;
    for line in lines(text, SMALL, room) {
        y += 20.0;
        drawing.text([MARGIN, y], &fit(&line, SMALL, room), SMALL, Anchor::Start, Paint::Soft);
    }
    y
}

/// Squares of a colour with what they stand for, as many in a line as fit.
fn draw_legend(drawing: &mut Drawing, mut y: f64, legend: &[(Paint, &str)]) -> f64 {
    const SQUARE: f64 = 11.0;
    let mut x = MARGIN;
    for &(paint, name) in legend {
        let name = fit(name, SMALL, drawing.width - 2.0 * MARGIN - 20.0);
        let needed = SQUARE + 6.0 + wide(&name, SMALL) + 18.0;
        if x > MARGIN && x + needed > drawing.width - MARGIN {
            (x, y) = (MARGIN, y + 20.0);
        }
        drawing.rect([x, y - SQUARE + 1.0, SQUARE, SQUARE], paint, None);
        drawing.text([x + SQUARE + 6.0, y], &name, SMALL, Anchor::Start, Paint::Ink);
        x += needed;
    }
    y
}

/// What a reader must know of values that have no place on an axis of ratios.
pub fn left_out_note(count: usize, axis: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 value is left out: {axis} is not above 0 there.")),
        _ => Some(format!("{count} values are left out: {axis} is not above 0 there.")),
    }
}

/// Ends a picture at some height, with notes below.
pub fn end(drawing: &mut Drawing, y: f64, notes: &[String]) {
    let y = notes.iter().fold(y, |y, note| write(drawing, y, note));
    drawing.height = (y + MARGIN).ceil();
}

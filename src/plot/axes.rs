//! Two axes with their marks, and the area between them.

use super::drawing::{Anchor, Drawing, Paint};
use super::error::PlotError;
use super::frame::{Frame, MARGIN, SMALL, WIDTH};
use super::label::{fit, lines, width};
use super::number::Number;
use super::pick::Marks;
use super::scale::{Ends, Scale};

/// The height of the area.
const HEIGHT: f64 = 300.0;
/// The font size of marks.
const MARK: f64 = 11.0;
/// The maximum number of lines of a name, and their distance.
const MOST_LINES: usize = 3;
const BETWEEN: f64 = 14.0;
/// The maximum length of rotated names.
const DEEPEST: f64 = 130.0;
/// The rotation of names that do not fit, in degrees.
const TURN: f64 = -40.0;

/// The area of a picture between its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Area {
    /// The area to the right of a vertical axis, with the upper edge at `top`.
    fn beside(scale: &Scale, top: f64) -> Area {
        let widest = scale.marks.iter().map(|(_, text)| width(text, MARK)).fold(0.0, f64::max);
        let left = MARGIN + widest + 8.0;
        Area { left, top, width: WIDTH - MARGIN - left, height: HEIGHT }
    }

    /// The y coordinate of a place on the vertical axis, limited to the area.
    pub fn y(&self, at: f64) -> f64 {
        self.top + self.height * (1.0 - at.clamp(0.0, 1.0))
    }

    /// The x coordinate of a place on the horizontal axis, limited to the area.
    pub fn x(&self, at: f64) -> f64 {
        self.left + self.width * at.clamp(0.0, 1.0)
    }

    /// The lower edge.
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// The scale of the values of a chart: linear from 0, or logarithmic with these ends.
pub fn value_scale(marks: &Marks, log: bool, ends: Ends) -> Result<Scale, PlotError> {
    let numbers: Vec<Number> = marks.marks.iter().map(|mark| mark.number).collect();
    match log {
        true => Scale::log(&numbers, marks.y_kind, ends).ok_or(PlotError::NoLog),
        false => Ok(Scale::linear(&numbers, marks.y_kind, Ends::Zero)),
    }
}

/// Begins a picture with a vertical axis: grid lines at its marks, and their labels.
pub fn begin(marks: &Marks, scale: &Scale, around: &Frame) -> (Drawing, Area) {
    let (mut drawing, top) = around.begin(marks, scale);
    let area = Area::beside(scale, top);
    for (at, text) in &scale.marks {
        let y = area.y(*at);
        drawing.line(vec![[area.left, y], [area.left + area.width, y]], 1.0, Paint::Grid, None);
        drawing.text([area.left - 8.0, y + 4.0], text, MARK, Anchor::End, Paint::Soft);
    }
    (drawing, area)
}

/// Draws the horizontal axis with the marks of a scale. Returns the y coordinate of its lower edge.
pub fn draw_x(drawing: &mut Drawing, area: &Area, scale: &Scale, name: &str) -> f64 {
    base_line(drawing, area);
    let mut free = f64::NEG_INFINITY;
    for (at, text) in &scale.marks {
        let (x, half) = (area.x(*at), width(text, MARK) / 2.0);
        drawing.line(vec![[x, area.bottom()], [x, area.bottom() + 4.0]], 1.0, Paint::Soft, None);
        if x - half > free {
            drawing.text([x, area.bottom() + 17.0], text, MARK, Anchor::Middle, Paint::Soft);
            free = x + half + 6.0;
        }
    }
    draw_name(drawing, area, area.bottom() + 17.0, name)
}

/// Draws the horizontal axis with names: wrapped if they fit in a few lines, otherwise rotated. Of
/// numbers that do not fit, only some are drawn. Returns the y coordinate of the lower edge.
pub fn draw_names(
    drawing: &mut Drawing,
    area: &Area,
    names: &[String],
    are_numbers: bool,
    name: &str,
) -> f64 {
    base_line(drawing, area);
    let part = area.width / names.len() as f64;
    let widest = names.iter().map(|name| width(name, MARK)).fold(0.0, f64::max);
    let (y, middle) = (area.bottom() + 17.0, |i: usize| area.left + part * (i as f64 + 0.5));
    let in_lines: Vec<Vec<String>> =
        names.iter().map(|name| lines(name, MARK, part - 8.0)).collect();
    let fits = |name: &Vec<String>| {
        name.len() <= MOST_LINES && name.iter().all(|line| width(line, MARK) <= part - 4.0)
    };
    if !are_numbers && !in_lines.iter().all(fits) {
        // The distance between rotated lines is smaller than that between their starts.
        let apart = part * -TURN.to_radians().sin();
        let every = (((MARK + 2.0) / apart).ceil() as usize).max(1);
        for (i, name) in names.iter().enumerate().step_by(every) {
            let room = DEEPEST.min((middle(i) - 4.0) / TURN.to_radians().cos());
            let at = [middle(i) + 4.0, y - 4.0];
            drawing.turned(at, &fit(name, MARK, room), MARK, Anchor::End, Paint::Soft, TURN);
        }
        let depth = widest.min(DEEPEST) * -TURN.to_radians().sin();
        return draw_name(drawing, area, y + depth, name);
    }
    let every = if are_numbers { (((widest + 6.0) / part).ceil() as usize).max(1) } else { 1 };
    let mut deepest = 1;
    for (i, name) in in_lines.iter().enumerate().step_by(every) {
        for (j, line) in name.iter().enumerate() {
            let at = [middle(i), y + BETWEEN * j as f64];
            drawing.text(at, line, MARK, Anchor::Middle, Paint::Soft);
        }
        deepest = deepest.max(name.len());
    }
    draw_name(drawing, area, y + BETWEEN * (deepest - 1) as f64, name)
}

fn base_line(drawing: &mut Drawing, area: &Area) {
    let (y, right) = (area.bottom(), area.left + area.width);
    drawing.line(vec![[area.left, y], [right, y]], 1.0, Paint::Soft, None);
}

/// Draws the name of the horizontal axis.
fn draw_name(drawing: &mut Drawing, area: &Area, y: f64, name: &str) -> f64 {
    let at = [area.left + area.width / 2.0, y + 21.0];
    drawing.text(at, &fit(name, SMALL, WIDTH - 2.0 * MARGIN), SMALL, Anchor::Middle, Paint::Soft);
    y + 21.0
}

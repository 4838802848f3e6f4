//! The frame of a picture: title, rules, description, legend, and notes.

use super::drawing::{Anchor, Drawing, Paint};
use super::label::{self, fit, lines, width as wide};
use super::pick::{self, Marks};
use super::scale::Scale;
use super::sheet::Sheet;
use bsq_analyses::{Chart, Figure};

/// The maximum width of a picture.
pub const WIDTH: f64 = 760.0;
/// The minimum width.
const NARROW: f64 = 480.0;
/// The margin on all sides.
pub const MARGIN: f64 = 20.0;
/// The font size of most texts.
pub const SMALL: f64 = 12.0;
const LARGE: f64 = 17.0;

/// The texts around a picture.
pub struct Frame<'a> {
    title: &'a str,
    about: &'a str,
    /// The quantity of the horizontal axis.
    pub x_label: &'a str,
    /// The quantity of the picture.
    pub y_label: String,
    /// Whether the horizontal axis is logarithmic.
    pub log_x: bool,
}

impl<'a> Frame<'a> {
    /// The texts of a chart of a sheet.
    pub fn new(sheet: &'a Sheet, chart: &'a Chart) -> Frame<'a> {
        let shown = match chart.figure {
            Figure::Map | Figure::Boards => chart.by.into_iter().collect(),
            _ => chart.y.to_vec(),
        };
        let names: Vec<String> = shown.iter().map(|name| label::plain(name)).collect();
        Frame {
            title: &sheet.title,
            about: about(sheet, chart),
            x_label: if chart.x_label.is_empty() { chart.x } else { chart.x_label },
            log_x: chart.log_x,
            y_label: match (chart.y_label.is_empty(), chart.figure, chart.y) {
                (false, ..) => chart.y_label.to_string(),
                (true, Figure::Map, [down]) => {
                    format!("{}; from top to bottom: {}", names.join(", "), label::plain(down))
                }
                _ => names.join(", "),
            },
        }
    }

    /// Begins a picture of values on a scale. Returns the y coordinate of the lower edge of the
    /// frame.
    pub fn begin(&self, marks: &Marks, scale: &Scale) -> (Drawing, f64) {
        let legend: Vec<(Paint, &str)> =
            (0..).map(Paint::Series).zip(marks.series.iter().map(String::as_str)).collect();
        let shows = format!("{}{}", self.y_label, label::unit_name(scale.unit()));
        begin(WIDTH, [self.title, self.about, &shows], &legend)
    }

    /// Begins a picture with at least this width, with a legend.
    pub fn begin_with(&self, width: f64, legend: &[(Paint, &str)]) -> (Drawing, f64) {
        let width = (width + 2.0 * MARGIN).clamp(NARROW, WIDTH);
        begin(width, [self.title, self.about, &self.y_label], legend)
    }
}

/// The rules that a chart shows: those of the table, or, if the rows have rules of their own, those
/// of the drawn rows if they are equal.
fn about<'a>(sheet: &'a Sheet, chart: &Chart) -> &'a str {
    let says = |column: usize| sheet.rows.iter().any(|row| row.cells[column] == sheet.about);
    let rules = sheet.columns.iter().position(|column| column.name == "rules");
    let Some(rules) = rules.filter(|&column| says(column)) else { return &sheet.about };
    let drawn = pick::rows(sheet, chart, &[]).unwrap_or_default();
    let mut said = drawn.iter().map(|row| row.cells[rules].as_str());
    let first = said.next().unwrap_or_default();
    if said.all(|other| other == first) { first } else { "" }
}

/// Begins a picture with its title, the rules, and a description. Returns the y coordinate of the
/// lower edge.
fn begin(width: f64, [title, about, shows]: [&str; 3], legend: &[(Paint, &str)]) -> (Drawing, f64) {
    let full = if about.is_empty() { title.to_string() } else { format!("{title} ({about})") };
    let mut drawing = Drawing { width, title: full, ..Drawing::default() };
    let room = width - 2.0 * MARGIN;
    let mut y = 12.0;
    for line in lines(title, LARGE, room) {
        y += 21.0;
        drawing.text([MARGIN, y], &fit(&line, LARGE, room), LARGE, Anchor::Start, Paint::Ink);
    }
    if about.is_empty() {
        // There are no rules to show.
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

/// Draws wrapped lines. Returns the y coordinate of the last one.
fn write(drawing: &mut Drawing, mut y: f64, text: &str) -> f64 {
    let room = drawing.width - 2.0 * MARGIN;
    for line in lines(text, SMALL, room) {
        y += 20.0;
        drawing.text([MARGIN, y], &fit(&line, SMALL, room), SMALL, Anchor::Start, Paint::Soft);
    }
    y
}

/// Draws the legend: coloured squares with names, as many in a line as fit.
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

/// A note on values that a logarithmic axis cannot show.
pub fn left_out_note(count: usize, axis: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 value is left out: {axis} is not above 0 there.")),
        _ => Some(format!("{count} values are left out: {axis} is not above 0 there.")),
    }
}

/// Ends a picture with notes below `y`.
pub fn end(drawing: &mut Drawing, y: f64, notes: &[String]) {
    let y = notes.iter().fold(y, |y, note| write(drawing, y, note));
    drawing.height = (y + MARGIN).ceil();
}

//! Line charts and scatter plots.

use super::axes::{Area, begin, draw_names, draw_x, value_scale};
use super::bars::tip;
use super::drawing::{Anchor, Drawing, Paint};
use super::error::PlotError;
use super::frame::{self, Frame, MARGIN, WIDTH, left_out_note};
use super::label::{exact, unit_name, width};
use super::number::Number;
use super::pick::{Mark, Marks, alone, categories};
use super::scale::{Ends, Scale};

/// The maximum number of values.
const MOST: usize = 20_000;
/// With more values, dots are small.
const MANY: usize = 200;
/// The font size of names beside dots.
const NAME: f64 = 11.0;

/// Draws a dot for each value, optionally with lines through the values of a series.
pub fn draw(
    marks: &Marks,
    log: bool,
    with_lines: bool,
    around: &Frame,
) -> Result<Drawing, PlotError> {
    if marks.marks.len() > MOST {
        return Err(PlotError::ManyMarks(marks.marks.len(), MOST));
    }
    let scale = value_scale(marks, log, Ends::Zero)?;
    let (mut drawing, area) = begin(marks, &scale, around);
    let across = Across::new(marks, around.log_x);
    let place = |mark: &Mark| -> Option<[f64; 2]> {
        Some([area.x(across.at(&mark.x)?), area.y(scale.at(mark.number)?)])
    };
    if with_lines {
        alone(marks)?;
        for series in 0..marks.series.len() {
            let of_series = marks.marks.iter().filter(|mark| mark.series == series);
            let mut points: Vec<[f64; 2]> = of_series.filter_map(place).collect();
            points.sort_by(|one, other| one[0].total_cmp(&other[0]));
            drawing.line(points, 2.0, Paint::Series(series), None);
        }
    }
    let radius = match (with_lines, marks.marks.len() > MANY) {
        (false, false) => 4.5,
        (false, true) | (true, false) => 2.6,
        (true, true) => 1.6,
    };
    let mut names = Names { taken: Vec::new(), area };
    let placed: Vec<(&Mark, [f64; 2])> =
        marks.marks.iter().filter_map(|mark| Some((mark, place(mark)?))).collect();
    let left_out = |is_out: &dyn Fn(&&Mark) -> bool| marks.marks.iter().filter(is_out).count();
    let above = left_out(&|mark| scale.at(mark.number).is_none());
    let beside = left_out(&|mark| scale.at(mark.number).is_some() && across.at(&mark.x).is_none());
    for &(mark, at) in &placed {
        drawing.disc(at, radius, Paint::Series(mark.series), Some(tip(marks, mark)));
        names.taken.push([at[0] - radius, at[1] - radius, 2.0 * radius, 2.0 * radius]);
    }
    for (mark, at) in placed {
        if let Some(name) = &mark.name {
            names.draw(&mut drawing, at, name);
        }
    }
    let y = match &across {
        Across::Scale(below) => {
            let name = format!("{}{}", around.x_label, unit_name(below.unit()));
            draw_x(&mut drawing, &area, below, &name)
        }
        Across::Names(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| exact(part, marks.x_kind)).collect();
            draw_names(&mut drawing, &area, &parts, false, around.x_label)
        }
    };
    let notes = [(above, around.y_label.as_str()), (beside, around.x_label)]
        .map(|(n, of)| left_out_note(n, of));
    frame::end(&mut drawing, y, &notes.into_iter().flatten().collect::<Vec<_>>());
    Ok(drawing)
}

/// The horizontal axis: a scale, or names.
enum Across {
    Scale(Scale),
    Names(Vec<String>),
}

impl Across {
    fn new(marks: &Marks, log: bool) -> Across {
        let texts = || marks.marks.iter().map(|mark| mark.x.as_str());
        match texts().map(Number::parse).collect::<Option<Vec<Number>>>() {
            Some(numbers) => {
                let ratios =
                    log.then(|| Scale::log(&numbers, marks.x_kind, Ends::Numbers)).flatten();
                Across::Scale(
                    ratios.unwrap_or_else(|| Scale::linear(&numbers, marks.x_kind, Ends::Numbers)),
                )
            }
            None => Across::Names(categories(texts())),
        }
    }

    fn at(&self, text: &str) -> Option<f64> {
        match self {
            Across::Scale(scale) => scale.at(Number::parse(text)?),
            Across::Names(names) => {
                let i = names.iter().position(|name| name == text)?;
                Some((i as f64 + 0.5) / names.len() as f64)
            }
        }
    }
}

/// Names beside dots, where they fit.
struct Names {
    /// Occupied rectangles: left, top, width, height.
    taken: Vec<[f64; 4]>,
    area: Area,
}

impl Names {
    /// Draws a name at the first free place around a dot, if there is one.
    fn draw(&mut self, drawing: &mut Drawing, [x, y]: [f64; 2], name: &str) {
        let wide = width(name, NAME);
        let places = [
            [x + 8.0, y - 6.0],
            [x - 8.0 - wide, y - 6.0],
            [x - wide / 2.0, y - 19.0],
            [x - wide / 2.0, y + 7.0],
            [x + 6.0, y - 17.0],
            [x + 6.0, y + 5.0],
            [x - 6.0 - wide, y - 17.0],
            [x - 6.0 - wide, y + 5.0],
        ];
        let free = places.into_iter().find(|&[left, top]| self.is_free([left, top, wide, 12.0]));
        let Some([left, top]) = free else { return };
        self.taken.push([left, top, wide, 12.0]);
        drawing.text([left, top + 10.0], name, NAME, Anchor::Start, Paint::Ink);
    }

    fn is_free(&self, at: [f64; 4]) -> bool {
        let [left, top, wide, high] = at;
        let inside = left > self.area.left
            && left + wide < WIDTH - MARGIN / 2.0
            && top > self.area.top - 10.0
            && top + high < self.area.bottom();
        inside
            && self.taken.iter().all(|&[x, y, w, h]| {
                left + wide + 2.0 < x || x + w + 2.0 < left || top + high < y || y + h < top
            })
    }
}

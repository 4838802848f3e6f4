//! Bar charts.

use super::axes::{begin, draw_names, value_scale};
use super::drawing::{Anchor, Drawing, Paint};
use super::error::PlotError;
use super::frame::{self, Frame, left_out_note};
use super::label::{exact, short, width};
use super::pick::{Mark, Marks, alone, categories};
use super::scale::Ends;

/// The maximum number of bars.
const MOST: usize = 400;
/// The font size of values over bars.
const OVER: f64 = 11.0;

/// Draws a bar for each value.
pub fn draw(marks: &Marks, log: bool, around: &Frame) -> Result<Drawing, PlotError> {
    alone(marks)?;
    let scale = value_scale(marks, log, Ends::Below)?;
    let names = categories(marks.marks.iter().map(|mark| mark.x.as_str()));
    let beside = beside(marks, &names);
    if names.len() * beside > MOST {
        return Err(PlotError::ManyBars(names.len() * beside, MOST));
    }
    let (mut drawing, area) = begin(marks, &scale, around);
    let part = area.width / names.len() as f64;
    let wide = part * if beside == 1 { 0.8 } else { 0.86 } / beside as f64;
    let zero = area.y(scale.at(super::number::Number::ZERO).unwrap_or(0.0));
    let place = |mark: &Mark| {
        let i = names.iter().position(|name| *name == mark.x).unwrap_or(0);
        let within = if beside == 1 { 0 } else { mark.series };
        area.left + part * (i as f64 + 0.5) + wide * (within as f64 - beside as f64 / 2.0)
    };
    let written: Vec<String> =
        marks.marks.iter().map(|mark| short(&mark.text, mark.number, marks.y_kind)).collect();
    let room = if beside == 1 { part } else { wide };
    let has_room = written.iter().all(|text| width(text, OVER) <= room - 2.0);
    for (mark, text) in marks.marks.iter().zip(&written) {
        let Some(at) = scale.at(mark.number) else { continue };
        let (x, y) = (place(mark), area.y(at));
        let rect = [x, y.min(zero), wide, (y - zero).abs()];
        drawing.rect(rect, Paint::Series(mark.series), Some(tip(marks, mark)));
        if has_room {
            let y = if mark.number.is_negative() { y + OVER + 3.0 } else { y - 5.0 };
            drawing.text([x + wide / 2.0, y], text, OVER, Anchor::Middle, Paint::Ink);
        }
    }
    if zero < area.bottom() {
        drawing.line(vec![[area.left, zero], [area.x(1.0), zero]], 1.0, Paint::Soft, None);
    }
    let shown: Vec<String> = names.iter().map(|name| exact(name, marks.x_kind)).collect();
    let y = draw_names(&mut drawing, &area, &shown, marks.x_is_number(), around.x_label);
    let hidden = marks.marks.iter().filter(|mark| scale.at(mark.number).is_none()).count();
    frame::end(&mut drawing, y, left_out_note(hidden, &around.y_label).as_slice());
    Ok(drawing)
}

/// The number of bars side by side at each place: one if no place has several values.
fn beside(marks: &Marks, names: &[String]) -> usize {
    let mut counts = std::collections::HashMap::new();
    for mark in &marks.marks {
        *counts.entry(mark.x.as_str()).or_insert(0_usize) += 1;
    }
    match counts.len() == marks.marks.len() && names.len() == counts.len() {
        true => 1,
        false => marks.series.len(),
    }
}

/// The tip of a value: its place, its series, and all its digits.
pub fn tip(marks: &Marks, mark: &Mark) -> String {
    let names = mark.name.iter().map(String::as_str);
    let series = marks.series[mark.series].as_str();
    let place = exact(&mark.x, marks.x_kind);
    let words: Vec<&str> =
        names.chain([place.as_str(), series]).filter(|w| !w.is_empty()).collect();
    format!("{}: {}", words.join(", "), exact(&mark.text, marks.y_kind))
}

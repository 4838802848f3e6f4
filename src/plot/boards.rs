//! Boards with a value on each cell, or on each line between two dots.

use super::drawing::{Anchor, Drawing, Paint};
use super::error::PlotError;
use super::frame::{Frame, MARGIN, WIDTH};
use super::label::width;
use super::map::{Paints, draw_flowed, panels};
use super::pick::{self, column};
use super::sheet::{Row, Sheet};
use bsq_analyses::Chart;

/// The maximum number of cells of a side.
const MOST: usize = 64;
/// The distance between boards.
const GAP: f64 = 24.0;
/// The font size of row and column names.
const SIDE: f64 = 11.0;
/// The space for row numbers.
const LEFT: f64 = 22.0;
/// The size of cells if there are several boards, and if there is one.
const SMALL: f64 = 30.0;
const LARGE: f64 = 56.0;

/// A cell, or the line between two dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Cell([usize; 2]),
    Line([usize; 2], [usize; 2]),
}

impl Place {
    /// Parses `c2` or `a1-b1`. Columns and rows count from 0.
    fn parse(text: &str) -> Option<Place> {
        match text.split_once('-') {
            None => Some(Place::Cell(point(text)?)),
            Some((one, other)) => Some(Place::Line(point(one)?, point(other)?)),
        }
    }

    /// Its last column and row.
    fn reach(self) -> [usize; 2] {
        match self {
            Place::Cell(at) => at,
            Place::Line(one, other) => [one[0].max(other[0]), one[1].max(other[1])],
        }
    }
}

/// Parses `c2` as a column, a to z and then A to Z, and a row.
fn point(text: &str) -> Option<[usize; 2]> {
    let mut letters = text.chars();
    let letter = letters.next()?;
    let column = ('a'..='z').chain('A'..='Z').position(|known| known == letter)?;
    let row: usize = letters.as_str().parse().ok()?;
    (1..=MOST).contains(&row).then(|| [column, row - 1])
}

fn letter(column: usize) -> String {
    ('a'..='z').chain('A'..='Z').nth(column).map(String::from).unwrap_or_default()
}

/// Draws a board for each value of the columns of panels.
pub fn draw(sheet: &Sheet, chart: &Chart, around: &Frame) -> Result<Drawing, PlotError> {
    let place = column(sheet, chart.x, "--x")?;
    let by = column(sheet, chart.by.ok_or(PlotError::NoValue)?, "--by")?;
    let size = match chart.size {
        Some([rows, cols]) => Some([column(sheet, cols, "size")?, column(sheet, rows, "size")?]),
        None => None,
    };
    let panels = panels(sheet, chart, &[place])?;
    let all: Vec<&Row> = panels.iter().flat_map(|(_, rows)| rows.iter().copied()).collect();
    let paints = Paints::new(sheet, by, &all, chart)?;
    let cell = if panels.len() > 1 { SMALL } else { LARGE };
    let boards: Vec<Board> = panels
        .iter()
        .map(|(name, rows)| Board::new(sheet, name, rows, place, size, cell))
        .collect::<Result<_, _>>()?;
    draw_flowed(&boards, Board::width, GAP, around, &paints.legend(), |drawing, at, board| {
        board.draw(drawing, at, sheet, &paints)
    })
}

/// One board.
struct Board<'s> {
    name: &'s str,
    places: Vec<(Place, &'s Row)>,
    /// The numbers of columns and rows of cells.
    size: [usize; 2],
    has_lines: bool,
    cell: f64,
}

impl<'s> Board<'s> {
    fn new(
        sheet: &Sheet,
        name: &'s str,
        rows: &[&'s Row],
        place: usize,
        size: Option<[usize; 2]>,
        cell: f64,
    ) -> Result<Board<'s>, PlotError> {
        let parse = |row: &&'s Row| -> Result<(Place, &'s Row), PlotError> {
            let text = &row.cells[place];
            let wrong = || PlotError::NoPlace(pick::place(sheet, row, place, text));
            let found = Place::parse(text).ok_or_else(wrong)?;
            Ok((found, row))
        };
        let places: Vec<(Place, &Row)> = rows.iter().map(parse).collect::<Result<_, _>>()?;
        let has_lines = places.iter().any(|(place, _)| matches!(place, Place::Line(..)));
        let mut reach = [0, 1].map(|side| {
            let reaches = places.iter().map(|(place, _)| place.reach()[side]);
            reaches.max().unwrap_or(0) + usize::from(!has_lines)
        });
        if let (Some(columns), Some(row)) = (size, rows.first()) {
            for (reach, column) in reach.iter_mut().zip(columns) {
                let side = row.cells[column].parse().ok().filter(|side| (1..=MOST).contains(side));
                *reach = side.unwrap_or(*reach).max(*reach);
            }
        }
        let room = (WIDTH - 2.0 * MARGIN - LEFT) / reach[0].max(1) as f64;
        Ok(Board { name, places, size: reach, has_lines, cell: cell.min(room) })
    }

    fn width(&self) -> f64 {
        let name = width(self.name, SIDE + 1.0) + LEFT;
        (LEFT + self.cell * self.size[0] as f64 + 6.0).max(name)
    }

    fn draw(
        &self,
        drawing: &mut Drawing,
        [x, y]: [f64; 2],
        sheet: &Sheet,
        paints: &Paints,
    ) -> Result<f64, PlotError> {
        let left = x + LEFT;
        let mut top = y + 8.0;
        if !self.name.is_empty() {
            drawing.text([left - 4.0, y], self.name, SIDE + 1.0, Anchor::Start, Paint::Ink);
            top += 18.0;
        }
        self.draw_sides(drawing, [left, top]);
        match self.has_lines {
            true => self.draw_lines(drawing, [left, top], sheet, paints)?,
            false => self.draw_cells(drawing, [left, top], sheet, paints)?,
        }
        Ok(top + self.cell * self.size[1] as f64 + 6.0)
    }

    /// Draws the names of the columns and rows of cells, or of dots.
    fn draw_sides(&self, drawing: &mut Drawing, [left, top]: [f64; 2]) {
        let shift = if self.has_lines { 0.0 } else { 0.5 };
        let more = usize::from(self.has_lines);
        for column in 0..self.size[0] + more {
            let at = [left + self.cell * (column as f64 + shift), top - 7.0];
            drawing.text(at, &letter(column), SIDE, Anchor::Middle, Paint::Soft);
        }
        for row in 0..self.size[1] + more {
            let at = [left - 8.0, top + self.cell * (row as f64 + shift) + 4.0];
            drawing.text(at, &(row + 1).to_string(), SIDE, Anchor::End, Paint::Soft);
        }
    }

    fn draw_cells(
        &self,
        drawing: &mut Drawing,
        [left, top]: [f64; 2],
        sheet: &Sheet,
        paints: &Paints,
    ) -> Result<(), PlotError> {
        for &(place, row) in &self.places {
            let [column, line] = place.reach();
            let at = [left + self.cell * column as f64, top + self.cell * line as f64];
            let size = self.cell - 2.0;
            let middle = [at[0] + size / 2.0, at[1] + size / 2.0 + 6.0];
            let name = format!("{}{}", letter(column), line + 1);
            let rect = [at[0], at[1], size, size];
            match paints.of(sheet, row)? {
                Some((paint, on, text)) => {
                    drawing.rect(rect, paint, Some(paints.tip(&name, row)));
                    let letters = if width(&text, 17.0) < size { 17.0 } else { SIDE };
                    drawing.text(middle, &text, letters, Anchor::Middle, on);
                }
                None => {
                    let tip = Some(format!("{name}: no value"));
                    drawing.rect(rect, Paint::Grid, tip);
                    drawing.text(middle, "–", 17.0, Anchor::Middle, Paint::Soft);
                }
            }
        }
        Ok(())
    }

    fn draw_lines(
        &self,
        drawing: &mut Drawing,
        [left, top]: [f64; 2],
        sheet: &Sheet,
        paints: &Paints,
    ) -> Result<(), PlotError> {
        let at = |[column, row]: [usize; 2]| {
            [left + self.cell * column as f64, top + self.cell * row as f64]
        };
        for [one, other] in self.others() {
            drawing.line(vec![at(one), at(other)], 3.0, Paint::Soft, None);
        }
        let mut texts = Vec::new();
        for &(place, row) in &self.places {
            let Place::Line(one, other) = place else { continue };
            let Some((paint, on, text)) = paints.of(sheet, row)? else { continue };
            let name =
                format!("{}{}-{}{}", letter(one[0]), one[1] + 1, letter(other[0]), other[1] + 1);
            let [from, to] = [at(one), at(other)];
            drawing.line(vec![from, to], 7.0, paint, Some(paints.tip(&name, row)));
            texts.push(([(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0], paint, on, text));
        }
        for ([x, y], paint, on, text) in texts {
            let wide = width(&text, 9.0) + 4.0;
            drawing.rect([x - wide / 2.0, y - 6.0, wide, 12.0], paint, None);
            drawing.text([x, y + 3.2], &text, 9.0, Anchor::Middle, on);
        }
        for column in 0..=self.size[0] {
            for row in 0..=self.size[1] {
                drawing.disc(at([column, row]), 3.2, Paint::Ink, None);
            }
        }
        Ok(())
    }

    /// Lines of the board without a row in the table, which are drawn at the start.
    fn others(&self) -> impl Iterator<Item = [[usize; 2]; 2]> + '_ {
        let [cols, rows] = self.size;
        let across = (0..=rows).flat_map(move |r| (0..cols).map(move |c| [[c, r], [c + 1, r]]));
        let down = (0..rows).flat_map(move |r| (0..=cols).map(move |c| [[c, r], [c, r + 1]]));
        let is_named = |line: &[[usize; 2]; 2]| {
            let mut places = self.places.iter().map(|(place, _)| *place);
            places.any(|place| place == Place::Line(line[0], line[1]))
        };
        across.chain(down).filter(move |line| !is_named(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_cells_or_lines() {
        assert_eq!(Place::parse("c2"), Some(Place::Cell([2, 1])));
        assert_eq!(Place::parse("a1-b1"), Some(Place::Line([0, 0], [1, 0])));
        assert_eq!(Place::parse("A64"), Some(Place::Cell([26, 63])));
        for text in ["", "c", "2c", "c0", "c65", "a1-", "-a1", "a1-b1-c1", "é1"] {
            assert_eq!(Place::parse(text), None, "{text}");
        }
    }
}

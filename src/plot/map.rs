//! Maps, with a coloured square for each row of the table.

use super::drawing::{Anchor, Drawing, Paint, SERIES, STEPS};
use super::error::PlotError;
use super::frame::{self, Frame, MARGIN, WIDTH};
use super::label::{exact, fit, short, width};
use super::number::Number;
use super::pick::{categories, column, number, position, reorder, rows};
use super::sheet::{Row, Sheet};
use bsq_analyses::{Chart, Kind};
use std::collections::HashMap;

/// The maximum number of rows and columns of a map.
const MOST: usize = 200;
/// The maximum number of maps or boards.
const MOST_PANELS: usize = 200;
/// The font size of row and column names.
const SIDE: f64 = 11.0;
/// The minimum font size of a value.
const SMALLEST: f64 = 8.0;
/// The maximum width of a row or column name.
const LONGEST: f64 = 120.0;
/// The distance between maps.
const GAP: f64 = 26.0;

/// The columns with the place and the value of a square.
struct Columns {
    x: usize,
    y: usize,
    by: usize,
}

/// Draws a map for each value of the columns of panels.
pub fn draw(sheet: &Sheet, chart: &Chart, around: &Frame) -> Result<Drawing, PlotError> {
    let [down] = chart.y else { return Err(PlotError::OneSide(chart.y.len())) };
    let columns = Columns {
        x: column(sheet, chart.x, "--x")?,
        y: column(sheet, down, "--y")?,
        by: column(sheet, chart.by.ok_or(PlotError::NoValue)?, "--by")?,
    };
    let panels = panels(sheet, chart, &[columns.x, columns.y])?;
    let all: Vec<&Row> = panels.iter().flat_map(|(_, rows)| rows.iter().copied()).collect();
    let paints = Paints::new(sheet, columns.by, &all, chart)?;
    let maps: Vec<Map> =
        panels.iter().map(|(_, rows)| Map::new(sheet, &columns, rows)).collect::<Result<_, _>>()?;
    let mut have_text = true;
    for map in &maps {
        have_text &= map.letters(&paints)?.is_some();
    }
    let scale = if have_text { Vec::new() } else { paints.scale() };
    let legend: Vec<(Paint, &str)> = paints
        .legend()
        .into_iter()
        .chain(scale.iter().map(|(paint, text)| (*paint, text.as_str())))
        .collect();
    let names = panels.iter().map(|(name, _)| name);
    let named: Vec<_> = maps.iter().zip(names).collect();
    draw_flowed(
        &named,
        |(map, _)| map.width(),
        GAP,
        around,
        &legend,
        |drawing, at, (map, name)| map.draw(drawing, at, name, &paints, around.x_label),
    )
}

/// Draws pictures beside each other, as many in a line as fit. `draw` draws one at a place and
/// returns the y coordinate of its lower edge.
pub fn draw_flowed<T>(
    pictures: &[T],
    width: impl Fn(&T) -> f64,
    gap: f64,
    around: &Frame,
    legend: &[(Paint, &str)],
    mut draw: impl FnMut(&mut Drawing, [f64; 2], &T) -> Result<f64, PlotError>,
) -> Result<Drawing, PlotError> {
    let mut next = 0.0;
    let place = |width: f64| {
        let left = if next + width > WIDTH - 2.0 * MARGIN { 0.0 } else { next };
        next = left + width + gap;
        (left, left + width)
    };
    let places: Vec<(f64, f64)> = pictures.iter().map(width).map(place).collect();
    let widest = places.iter().map(|&(_, right)| right).fold(0.0, f64::max);
    let (mut drawing, mut y) = around.begin_with(widest, legend);
    let mut below = y;
    for (picture, &(left, _)) in pictures.iter().zip(&places) {
        if left == 0.0 && below > y {
            y = below + gap;
        }
        below = below.max(draw(&mut drawing, [MARGIN + left, y], picture)?);
    }
    frame::end(&mut drawing, below, &[]);
    Ok(drawing)
}

/// Groups the rows by the columns of panels, in order of appearance.
pub fn panels<'s>(
    sheet: &'s Sheet,
    chart: &Chart,
    named: &[usize],
) -> Result<Vec<(String, Vec<&'s Row>)>, PlotError> {
    let by: Vec<usize> =
        chart.panels.iter().map(|name| column(sheet, name, "panels")).collect::<Result<_, _>>()?;
    let mut names = Vec::new();
    let mut panels: Vec<Vec<&Row>> = Vec::new();
    for row in rows(sheet, chart, named)? {
        let name: Vec<&str> = by.iter().map(|&column| row.cells[column].as_str()).collect();
        let which = position(&mut names, panel_name(&name));
        panels.resize(names.len(), Vec::new());
        panels[which].push(row);
    }
    if panels.len() > MOST_PANELS {
        return Err(PlotError::ManyPanels(panels.len(), MOST_PANELS));
    }
    Ok(names.into_iter().zip(panels).collect())
}

/// Formats a name such as `3x4 swedish` of 3, 4 and swedish.
fn panel_name(parts: &[&str]) -> String {
    match parts {
        [rows, cols, rest @ ..]
            if [rows, cols].iter().all(|side| Number::parse(side).is_some()) =>
        {
            let board = format!("{rows}x{cols}");
            std::iter::once(board.as_str())
                .chain(rest.iter().copied())
                .collect::<Vec<_>>()
                .join(" ")
        }
        parts => parts.join(" "),
    }
}

/// The colours of values.
pub struct Paints {
    /// Names with a colour each. Empty if the values are numbers.
    names: Vec<String>,
    kind: Kind,
    /// The largest absolute value.
    most: Number,
    /// The lowest and the highest number, with their texts in the table.
    ends: Option<[(Number, String); 2]>,
    log: bool,
    column: usize,
}

impl Paints {
    /// The colours of a column in these rows.
    pub fn new(
        sheet: &Sheet,
        column: usize,
        rows: &[&Row],
        chart: &Chart,
    ) -> Result<Paints, PlotError> {
        let kind = sheet.columns[column].kind;
        let (mut names, mut numbers) = (Vec::new(), Vec::new());
        for row in rows {
            let text = &row.cells[column];
            if matches!(kind, Kind::Text | Kind::Truth) {
                if !text.is_empty() {
                    position(&mut names, text.clone());
                }
            } else if let Some(number) = number(sheet, row, column)? {
                numbers.push((number, text));
            }
        }
        let low = numbers.iter().min_by(|one, other| one.0.compare(&other.0));
        // Of equal numbers, the first one.
        let high = numbers.iter().rev().max_by(|one, other| one.0.compare(&other.0));
        let own = |&(number, text): &(Number, &String)| (number, text.clone());
        let ends = low.zip(high).map(|(low, high)| [own(low), own(high)]);
        let sizes = ends.iter().flatten().map(|(number, _)| number.abs());
        let most = sizes.max_by(Number::compare).unwrap_or(Number::ZERO);
        if names.len() > SERIES {
            let by = sheet.columns[column].name.clone();
            return Err(PlotError::ManySeries { by, count: names.len() });
        }
        reorder(&mut names, chart.order);
        Ok(Paints { names, kind, most, ends, log: chart.log, column })
    }

    /// The colours of names.
    pub fn legend(&self) -> Vec<(Paint, &str)> {
        (0..).map(Paint::Series).zip(self.names.iter().map(String::as_str)).collect()
    }

    /// The colours of the lowest and the highest number, and of 0 if it is between them.
    pub fn scale(&self) -> Vec<(Paint, String)> {
        let Some([low, high]) = &self.ends else { return Vec::new() };
        let zero = (Number::ZERO, "0".to_string());
        let between = low.0.is_negative() && high.0.compare(&zero.0).is_gt();
        let shown = [Some(low), between.then_some(&zero), Some(high)].into_iter().flatten();
        shown.map(|(n, text)| (Paint::Value(self.step(*n)), short(text, *n, self.kind))).collect()
    }

    /// The colour of a row, the colour of text on it, and its value. None without a value.
    pub fn of(
        &self,
        sheet: &Sheet,
        row: &Row,
    ) -> Result<Option<(Paint, Paint, String)>, PlotError> {
        let text = &row.cells[self.column];
        if let Some(which) = self.names.iter().position(|name| name == text) {
            return Ok(Some((Paint::Series(which), Paint::Paper, text.clone())));
        }
        let Some(number) = number(sheet, row, self.column)? else { return Ok(None) };
        let step = self.step(number);
        Ok(Some((Paint::Value(step), Paint::On(step), short(text, number, self.kind))))
    }

    /// The step of a number, with its sign.
    fn step(&self, number: Number) -> i32 {
        let size = number.abs();
        let Some(exponent) = self.most.exponent().filter(|_| size != Number::ZERO) else {
            return 0;
        };
        let part = match (self.log, size.log10(), self.most.log10()) {
            (true, Some(size), Some(most)) if most > 0.0 => (size / most).max(0.0),
            _ => size.scaled(exponent) / self.most.scaled(exponent),
        };
        let step = ((part * f64::from(STEPS)).round() as i32).clamp(1, STEPS);
        if number.is_negative() { -step } else { step }
    }

    /// The tip of a row.
    pub fn tip(&self, places: &str, row: &Row) -> String {
        format!("{places}: {}", exact(&row.cells[self.column], self.kind))
    }
}

/// One map.
struct Map<'s> {
    sheet: &'s Sheet,
    columns: &'s Columns,
    rows: &'s [&'s Row],
    across: Vec<String>,
    down: Vec<String>,
    /// The space for row names.
    side: f64,
    cell: f64,
}

impl<'s> Map<'s> {
    fn new(
        sheet: &'s Sheet,
        columns: &'s Columns,
        rows: &'s [&'s Row],
    ) -> Result<Map<'s>, PlotError> {
        let names = |column: usize| categories(rows.iter().map(|row| row.cells[column].as_str()));
        let (mut across, down) = (names(columns.x), names(columns.y));
        if across.iter().any(|name| Number::parse(name).is_none()) {
            let order: Vec<&str> = down.iter().map(String::as_str).collect();
            reorder(&mut across, &order);
        }
        if across.len().max(down.len()) > MOST {
            return Err(PlotError::LargeMap(across.len().max(down.len()), MOST));
        }
        let longest = down.iter().map(|name| width(name, SIDE)).fold(0.0, f64::max);
        let side = longest.min(LONGEST) + 8.0;
        let room = WIDTH - 2.0 * MARGIN - side;
        let cell = (room / across.len() as f64).min(600.0 / down.len() as f64).clamp(3.0, 34.0);
        Ok(Map { sheet, columns, rows, across, down, side, cell })
    }

    fn width(&self) -> f64 {
        self.side + self.cell * self.across.len() as f64
    }

    fn draw(
        &self,
        drawing: &mut Drawing,
        [x, y]: [f64; 2],
        name: &str,
        paints: &Paints,
        x_label: &str,
    ) -> Result<f64, PlotError> {
        let top = if name.is_empty() {
            y
        } else {
            drawing.text([x + self.side, y], name, SIDE + 1.0, Anchor::Start, Paint::Ink);
            y + 10.0
        };
        let left = x + self.side;
        self.draw_cells(drawing, [left, top], paints)?;
        for (i, name) in self.down.iter().enumerate().step_by(every(SIDE + 2.0, self.cell)) {
            let at = [left - 6.0, top + self.cell * (i as f64 + 0.5) + 4.0];
            let name = fit(name, SIDE, LONGEST);
            drawing.text(at, &name, SIDE, Anchor::End, Paint::Soft);
        }
        Ok(self.draw_below(drawing, [left, top + self.cell * self.down.len() as f64], x_label))
    }

    /// Draws the column names. Returns the y coordinate of the lower edge.
    fn draw_below(&self, drawing: &mut Drawing, [left, bottom]: [f64; 2], x_label: &str) -> f64 {
        let widest = self.across.iter().map(|name| width(name, SIDE)).fold(0.0, f64::max);
        let are_numbers = self.across.iter().all(|name| Number::parse(name).is_some());
        let upright = are_numbers || widest + 4.0 <= self.cell;
        let needed = if upright { widest + 5.0 } else { SIDE + 2.0 };
        for (i, name) in self.across.iter().enumerate().step_by(every(needed, self.cell)) {
            let x = left + self.cell * (i as f64 + 0.5);
            if upright {
                drawing.text([x, bottom + 15.0], name, SIDE, Anchor::Middle, Paint::Soft);
            } else {
                let name = fit(name, SIDE, LONGEST);
                let at = [x + 4.0, bottom + 6.0];
                drawing.turned(at, &name, SIDE, Anchor::End, Paint::Soft, -90.0);
            }
        }
        let depth = if upright { 15.0 } else { widest.min(LONGEST) + 6.0 };
        let y = bottom + depth + 19.0;
        drawing.text([left, y], x_label, SIDE + 1.0, Anchor::Start, Paint::Soft);
        y
    }

    fn draw_cells(
        &self,
        drawing: &mut Drawing,
        [left, top]: [f64; 2],
        paints: &Paints,
    ) -> Result<(), PlotError> {
        let index = |names: &[String]| -> HashMap<String, usize> {
            names.iter().enumerate().map(|(i, name)| (name.clone(), i)).collect()
        };
        let (across, down) = (index(&self.across), index(&self.down));
        let mut taken: HashMap<(usize, usize), u64> = HashMap::new();
        let letters = self.letters(paints)?;
        for row in self.rows {
            let [x, y] = [self.columns.x, self.columns.y].map(|column| row.cells[column].as_str());
            let (i, j) = (across[x], down[y]);
            if let Some(other) = taken.insert((i, j), row.line) {
                let place = format!("{x}, {y}");
                return Err(PlotError::Twice { place, lines: [other, row.line] });
            }
            let Some((paint, on, text)) = paints.of(self.sheet, row)? else { continue };
            let at = [left + self.cell * i as f64, top + self.cell * j as f64];
            let size = (self.cell - 1.0).max(self.cell * 0.9);
            let tip = paints.tip(&self.place(row), row);
            drawing.rect([at[0], at[1], size, size], paint, Some(tip));
            if let Some(letters) = letters.filter(|_| !matches!(paint, Paint::Series(_))) {
                let middle = [at[0] + size / 2.0, at[1] + size / 2.0 + letters * 0.36];
                drawing.text(middle, &text, letters, Anchor::Middle, on);
            }
        }
        Ok(())
    }

    /// The font size of values. None if they do not fit.
    fn letters(&self, paints: &Paints) -> Result<Option<f64>, PlotError> {
        let mut widest = 0.0_f64;
        for row in self.rows {
            if let Some((_, _, text)) = paints.of(self.sheet, row)? {
                widest = widest.max(width(&text, 1.0));
            }
        }
        let letters = ((self.cell - 1.5) / widest).min(SIDE);
        Ok((letters >= SMALLEST).then_some(letters))
    }

    fn place(&self, row: &Row) -> String {
        let part =
            |column: usize| format!("{} {}", self.sheet.columns[column].name, row.cells[column]);
        format!("{}, {}", part(self.columns.y), part(self.columns.x))
    }
}

/// The interval at which names fit.
fn every(needed: f64, cell: f64) -> usize {
    ((needed / cell).ceil() as usize).max(1)
}

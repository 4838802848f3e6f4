//! Maps and boards: a value on each cell of a grid, or on each line between two dots.

use super::error::PlotError;
use super::finding::{Fact, finding};
use super::head::{Head, Key, MARGIN, WIDTH};
use super::label::{self, fit, widest, width};
use super::marks::{
    categories, is_share, label_of, position, reorder, score_color, series, sign, step,
};
use super::picture::{Picture, line, rect, text, turned, with_tip};
use super::sheet::{Row, Sheet};
use bsq_analyses::palette::{Color, EVEN, FIRST_STEPS, INK, PAPER, SECOND_STEPS, SOFT, TEAL_STEPS};
use bsq_analyses::{Chart, Figure};
use kuva::render::render::{Primitive, Scene, TextAnchor};
use std::collections::HashMap;

/// The maximum number of cells at a side, and of maps or boards.
const MOST: usize = 200;
/// The font sizes of names, and of values from the smallest that is legible.
const SIDE: u32 = 11;
const VALUES: std::ops::RangeInclusive<u32> = 10..=17;
/// The maximum width of a row or column name.
const LONGEST: f64 = 120.0;
/// The distance between maps or boards.
const GAP: f64 = 26.0;

/// Draws a map or a board for each value of the columns of panels.
pub fn draw(sheet: &Sheet, chart: &Chart) -> Result<Picture, PlotError> {
    let rows = sheet.drawn(chart)?;
    let paints = Paints::new(sheet, chart, &rows)?;
    let panels = panels(sheet, chart, &rows)?;
    let grids: Vec<Grid> = panels
        .into_iter()
        .map(|(name, rows)| match chart.figure {
            Figure::Boards => Grid::of_board(sheet, chart, name, &rows),
            _ => Grid::of_map(sheet, chart, name, &rows),
        })
        .collect::<Result<_, _>>()?;
    let are_single = grids.len() == 1;
    let letters = paints.letters(&grids, are_single);
    let facts: Vec<Fact> = grids.iter().flat_map(|grid| grid.facts(chart, &paints)).collect();
    let head = Head {
        title: finding(chart.title, &facts, is_share(chart.by.unwrap_or_default())),
        rules: sheet.about(chart, &rows),
        about: chart.y_label,
        legend: paints.legend().into_iter().chain(blank(chart, &grids, &paints)).collect(),
    };
    let cells: Vec<f64> = grids.iter().map(|grid| grid.cell(are_single)).collect();
    let mut places = Vec::new();
    let (mut left, mut right) = (0.0, 0.0_f64);
    for (grid, cell) in grids.iter().zip(&cells) {
        let width = grid.width(*cell);
        left = if left + width > WIDTH - 2.0 * MARGIN { 0.0 } else { left };
        places.push(left);
        right = right.max(left + width);
        left += width + GAP;
    }
    let width = (right + 2.0 * MARGIN).max(head.width()).min(WIDTH);
    let (shapes, top) = head.draw(width);
    let mut picture = Picture::new(head.full_title(), width, 0.0);
    picture.scene.elements.extend(shapes);
    let (mut y, mut below) = (top, top);
    for ((grid, cell), left) in grids.iter().zip(cells).zip(places) {
        if left == 0.0 && below > top {
            y = below + GAP;
        }
        let at = [MARGIN + left, y];
        below = below.max(grid.draw(&mut picture.scene, at, cell, letters, &paints, chart));
    }
    picture.scene.height = (below + MARGIN).ceil();
    Ok(picture)
}

/// The entry of the legend for places without a row or a value.
fn blank(chart: &Chart, grids: &[Grid], paints: &Paints) -> Option<Key> {
    let has_blank = |grid: &Grid| {
        let filled = grid.cells.values().filter(|row| paints.of(row).is_some()).count();
        filled < grid.across.len() * grid.down.len()
    };
    let are_cells = grids.iter().all(|grid| grid.lines.is_empty() && grid.steps.is_empty());
    let sign = if chart.figure == Figure::Boards { "–" } else { "" };
    let is_shown = are_cells && !chart.blank.is_empty() && grids.iter().any(has_blank);
    is_shown.then(|| Key::Empty(sign, chart.blank.to_string()))
}

/// Groups the rows by the columns of panels, in order of appearance.
fn panels<'s>(
    sheet: &Sheet,
    chart: &Chart,
    rows: &[&'s Row],
) -> Result<Vec<(String, Vec<&'s Row>)>, PlotError> {
    let by: Vec<usize> =
        chart.panels.iter().map(|name| sheet.column(name)).collect::<Result<_, _>>()?;
    let mut names = Vec::new();
    let mut panels: Vec<Vec<&Row>> = Vec::new();
    for &row in rows {
        let words: Vec<&str> = by.iter().map(|&column| row.cells[column].as_str()).collect();
        let which = position(&mut names, panel_name(&words));
        panels.resize(names.len(), Vec::new());
        panels[which].push(row);
    }
    PlotError::limit("boards", panels.len(), MOST)?;
    Ok(names.into_iter().zip(panels).collect())
}

/// Formats a name such as `3x4 swedish` of 3, 4 and swedish.
fn panel_name(words: &[&str]) -> String {
    match words {
        [rows, cols, rest @ ..]
            if label::number(rows).is_some() && label::number(cols).is_some() =>
        {
            format!("{rows}x{cols} {}", rest.join(" "))
        }
        words => words.join(" "),
    }
}

/// The colours of values.
struct Paints<'a> {
    sheet: &'a Sheet,
    chart: &'a Chart<'a>,
    /// The columns of places and of values.
    place: usize,
    column: usize,
    /// Names with a colour each. Empty if the values are numbers.
    names: Vec<String>,
    colors: Vec<super::marks::Series>,
    /// The row with the lowest and that with the highest number.
    ends: Option<[(f64, String); 2]>,
}

impl<'a> Paints<'a> {
    fn new(sheet: &'a Sheet, chart: &'a Chart, rows: &[&Row]) -> Result<Paints<'a>, PlotError> {
        let column = sheet.column(chart.by.unwrap_or_default())?;
        let mut names = Vec::new();
        if !chart.is_score && !chart.shown.is_empty() {
            for row in rows.iter().filter(|row| !row.cells[column].is_empty()) {
                position(&mut names, row.cells[column].clone());
            }
            reorder(&mut names, chart.shown);
        }
        let mut ends: Option<[(f64, String); 2]> = None;
        for row in rows.iter().filter(|_| names.is_empty()) {
            let Some(number) = sheet.number(row, column)? else { continue };
            let own = (number, row.cells[column].clone());
            let [low, high] = ends.get_or_insert_with(|| [own.clone(), own.clone()]);
            if number < low.0 {
                *low = own;
            } else if number > high.0 {
                *high = own;
            }
        }
        let colors = series(&names, chart.shown)?;
        let place = sheet.column(chart.x)?;
        Ok(Paints { sheet, chart, place, column, names, colors, ends })
    }

    /// The colour of a row and its value. `None` without a value.
    fn of(&self, row: &Row) -> Option<(Color, String)> {
        let value = &row.cells[self.column];
        if let Some(which) = self.names.iter().position(|name| name == value) {
            return Some((self.colors[which].color, String::new()));
        }
        let (number, [low, high]) = (label::number(value)?, self.ends.as_ref()?);
        let most = low.0.abs().max(high.0.abs());
        let color = if self.chart.is_score {
            score_color(number, most)
        } else {
            let span = high.0 - low.0;
            TEAL_STEPS[if span == 0.0 { 4 } else { step((number - low.0) / span) }]
        };
        Some((color, self.short(value, number)))
    }

    fn short(&self, text: &str, number: f64) -> String {
        label::short(text, number, is_share(&self.sheet.columns[self.column]))
    }

    /// The value of a row at a place, as a fact of the title.
    fn fact(&self, at: String, row: &Row) -> Option<Fact> {
        let text = &row.cells[self.column];
        let value = label::number(text).filter(|_| self.names.is_empty());
        let series = match value {
            _ if text.is_empty() => return None,
            Some(number) if self.chart.is_score => sign(Some(number)).to_string(),
            Some(_) => String::new(),
            None => text.clone(),
        };
        let label = label_of(self.chart.shown, &series);
        Some(Fact { series, label, at, value: value.map(|number| (number, text.clone())) })
    }

    /// The tip of a row.
    fn tip(&self, place: &str, row: Option<&Row>) -> String {
        let value = match row.map_or("", |row| row.cells[self.column].as_str()) {
            "" => "no value".to_string(),
            value => label_of(self.chart.shown, value),
        };
        format!("{place}: {value}")
    }

    /// The colours with their meanings.
    fn legend(&self) -> Vec<Key> {
        if !self.names.is_empty() {
            let keys = self.colors.iter();
            return keys.map(|key| Key::Square(key.color, key.label.clone())).collect();
        }
        let Some([low, high]) = &self.ends else { return Vec::new() };
        let end = |(number, text): &(f64, String)| self.short(text, *number);
        if !self.chart.is_score {
            return vec![Key::Scale(TEAL_STEPS.to_vec(), [end(low), end(high)])];
        }
        let by = |is: bool, text: String| if is { format!(" by up to {text}") } else { text };
        let second =
            if low.0 < 0.0 { by(true, end(low).replace('−', "")) } else { String::new() };
        let first = if high.0 > 0.0 { by(true, end(high)) } else { String::new() };
        let words = [format!("second player wins{second}"), format!("first player wins{first}")];
        let colors = SECOND_STEPS.into_iter().rev().chain([EVEN]).chain(FIRST_STEPS);
        vec![Key::Scale(colors.collect(), words)]
    }

    /// The font size of values. `None` if they do not fit.
    fn letters(&self, grids: &[Grid], are_single: bool) -> Option<u32> {
        let fits = |size: &u32| {
            grids.iter().all(|grid| {
                let room = grid.cell(are_single) - 6.0;
                let fits = |row: &&Row| {
                    self.of(row).is_none_or(|(_, text)| width(&text, f64::from(*size)) <= room)
                };
                grid.cells.values().all(fits)
            })
        };
        VALUES.rev().find(fits)
    }
}

/// A map or a board.
struct Grid<'s> {
    name: String,
    across: Vec<String>,
    down: Vec<String>,
    cells: HashMap<(usize, usize), &'s Row>,
    /// The lines between dots, each with the columns and rows of its ends.
    lines: Vec<([[usize; 2]; 2], &'s Row)>,
    /// The moves from cell to cell, each with the columns and rows of both.
    steps: Vec<([[usize; 2]; 2], &'s Row)>,
    is_board: bool,
}

impl<'s> Grid<'s> {
    /// A map with names at its sides.
    fn of_map(
        sheet: &Sheet,
        chart: &Chart,
        name: String,
        rows: &[&'s Row],
    ) -> Result<Grid<'s>, PlotError> {
        let x = sheet.column(chart.x)?;
        let y = sheet.column(chart.y.first().copied().unwrap_or_default())?;
        let names = |column: usize| categories(rows.iter().map(|row| row.cells[column].as_str()));
        let (mut across, down) = (names(x), names(y));
        if across.iter().any(|name| label::number(name).is_none()) {
            across.sort_by_key(|name| down.iter().position(|other| other == name));
        }
        PlotError::limit("columns or rows", across.len().max(down.len()), MOST)?;
        let mut cells = HashMap::new();
        for &row in rows {
            let index = |names: &[String], column: usize| {
                names.iter().position(|name| *name == row.cells[column]).unwrap_or_default()
            };
            let other: Option<&Row> = cells.insert((index(&across, x), index(&down, y)), row);
            if let Some(other) = other {
                let place = format!("{}, {}", row.cells[x], row.cells[y]);
                return Err(PlotError::Twice { place, lines: [other.line, row.line] });
            }
        }
        let (lines, steps) = (Vec::new(), Vec::new());
        Ok(Grid { name, across, down, cells, lines, steps, is_board: false })
    }

    /// A board with the names of its cells or dots.
    fn of_board(
        sheet: &Sheet,
        chart: &Chart,
        name: String,
        rows: &[&'s Row],
    ) -> Result<Grid<'s>, PlotError> {
        let x = sheet.column(chart.x)?;
        let (mut cells, mut lines, mut steps) = (HashMap::new(), Vec::new(), Vec::new());
        let mut reach = [0, 0];
        for &row in rows {
            let text = &row.cells[x];
            let ends = text.split_once('-').unwrap_or_else(|| cells_of(text));
            let (Some(from), Some(to)) = (point(ends.0), point(ends.1)) else {
                return Err(PlotError::NoPlace(sheet.place(row, x)));
            };
            reach = [0, 1].map(|side| reach[side].max(from[side]).max(to[side]));
            if text.contains('-') {
                lines.push(([from, to], row));
            } else if from == to {
                cells.insert((to[0], to[1]), row);
            } else {
                steps.push(([from, to], row));
            }
        }
        if let (Some([down, across]), Some(row)) = (chart.size, rows.first()) {
            for (side, name) in [across, down].into_iter().enumerate() {
                let size = sheet.number(row, sheet.column(name)?)?.unwrap_or_default();
                let last = if lines.is_empty() { size - 1.0 } else { size };
                reach[side] = reach[side].max(last.clamp(0.0, MOST as f64) as usize);
            }
        }
        PlotError::limit("columns or rows", reach[0].max(reach[1]) + 1, MOST)?;
        let across = (0..=reach[0]).map(letter).collect();
        let down = (1..=reach[1] + 1).map(|row| row.to_string()).collect();
        Ok(Grid { name, across, down, cells, lines, steps, is_board: true })
    }

    /// The values as facts of the title.
    fn facts(&self, chart: &Chart, paints: &Paints) -> Vec<Fact> {
        let is_number = |name: &str| label::number(name).is_some();
        let place = |across: &str, down: &str| match [is_number(down), is_number(across)] {
            _ if self.is_board => format!("{across}{down}"),
            [true, true] if (chart.x, chart.y) == ("cols", &["rows"]) => format!("{down}x{across}"),
            [true, true] => {
                format!("{} {down}, {} {across}", chart.rows_label, chart.x_label)
            }
            [false, true] => format!("{down}, {} {across}", chart.x_label),
            _ => format!("{down} against {across}"),
        };
        let in_order = self.down.iter().enumerate().flat_map(|(j, down)| {
            let across = self.across.iter().enumerate();
            across.map(move |(i, across)| ((i, j), place(across, down)))
        });
        let cells = in_order.filter_map(|(at, place)| Some((place, *self.cells.get(&at)?)));
        let moves = self.lines.iter().chain(&self.steps);
        let moves = moves.map(|(_, row)| (row.cells[paints.place].clone(), *row));
        cells.chain(moves).filter_map(|(at, row)| paints.fact(at, row)).collect()
    }

    /// The size of a cell.
    fn cell(&self, is_single: bool) -> f64 {
        let room = WIDTH - 2.0 * MARGIN - self.side();
        let most = match (self.is_board, is_single) {
            (true, true) => 56.0,
            (true, false) => 34.0,
            (false, _) => 46.0,
        };
        (room / self.across.len() as f64).min(700.0 / self.down.len() as f64).clamp(3.0, most)
    }

    /// The space for the names of rows, and their label.
    fn side(&self) -> f64 {
        let names = widest(self.down.iter().map(String::as_str), SIDE.into()).min(LONGEST);
        names + if self.is_board { 8.0 } else { 26.0 }
    }

    fn width(&self, cell: f64) -> f64 {
        let cells = self.side() + cell * self.across.len() as f64;
        cells.max(width(&self.name, f64::from(SIDE + 1)) + self.side())
    }

    /// Draws the grid. Returns the y coordinate of its lower edge.
    fn draw(
        &self,
        scene: &mut Scene,
        [x, y]: [f64; 2],
        cell: f64,
        letters: Option<u32>,
        paints: &Paints,
        chart: &Chart,
    ) -> f64 {
        let left = x + self.side();
        let mut top = y;
        if !self.name.is_empty() {
            scene.add(text([left, y], &self.name, SIDE + 1, TextAnchor::Start, INK));
            top += 10.0;
        }
        top += if self.is_board { 14.0 } else { 0.0 };
        let bottom = top + cell * self.down.len() as f64;
        for (i, name) in self.down.iter().enumerate().step_by(every(f64::from(SIDE + 2), cell)) {
            let at = [left - 6.0, top + cell * (i as f64 + 0.5) + 4.0];
            let name = fit(name, SIDE.into(), LONGEST);
            scene.add(text(at, &name, SIDE, TextAnchor::End, SOFT));
        }
        let below =
            self.draw_columns(scene, [left, if self.is_board { top } else { bottom }], cell);
        self.draw_cells(scene, [left, top], cell, letters, paints);
        self.draw_lines(scene, [left, top], cell, paints);
        self.draw_steps(scene, [left, top], cell, paints);
        if self.is_board {
            return bottom;
        }
        let middle = (top + bottom) / 2.0;
        let label = |at, name: &str| turned(at, name, SIDE + 1, TextAnchor::Middle, -90.0, INK);
        scene.add(label([x + 8.0, middle], chart.rows_label));
        let at = [left + cell * self.across.len() as f64 / 2.0, below + 20.0];
        scene.add(text(at, chart.x_label, SIDE + 1, TextAnchor::Middle, INK));
        below + 20.0
    }

    /// Draws the names of columns, above a board and below a map. Returns the lower edge.
    fn draw_columns(&self, scene: &mut Scene, [left, y]: [f64; 2], cell: f64) -> f64 {
        let widest = widest(self.across.iter().map(String::as_str), SIDE.into()).min(LONGEST);
        let are_numbers = self.across.iter().all(|name| label::number(name).is_some());
        let upright = are_numbers || widest + 2.0 <= cell;
        let needed = if upright { widest + 5.0 } else { f64::from(SIDE + 2) };
        for (i, name) in self.across.iter().enumerate().step_by(every(needed, cell)) {
            let x = left + cell * (i as f64 + 0.5);
            let name = fit(name, SIDE.into(), LONGEST);
            scene.add(match (upright, self.is_board) {
                (true, true) => text([x, y - 6.0], &name, SIDE, TextAnchor::Middle, SOFT),
                (true, false) => text([x, y + 15.0], &name, SIDE, TextAnchor::Middle, SOFT),
                _ => turned([x + 4.0, y + 6.0], &name, SIDE, TextAnchor::End, -90.0, SOFT),
            });
        }
        y + if upright { 15.0 } else { widest + 6.0 }
    }

    fn draw_cells(
        &self,
        scene: &mut Scene,
        [left, top]: [f64; 2],
        cell: f64,
        letters: Option<u32>,
        paints: &Paints,
    ) {
        // A board has cells without a row, such as those of illegal moves.
        let has_all = self.is_board && self.lines.is_empty();
        let all = (0..self.down.len()).flat_map(|j| (0..self.across.len()).map(move |i| (i, j)));
        for (i, j) in all {
            let row = self.cells.get(&(i, j)).copied();
            if row.is_none() && !has_all {
                continue;
            }
            let size = (cell - 1.5).max(cell * 0.9);
            let at = [left + cell * i as f64, top + cell * j as f64];
            let painted = row.and_then(|row| paints.of(row));
            let (color, value) = painted.unwrap_or((PAPER, "–".to_string()));
            let letters = letters.filter(|_| self.steps.is_empty()).unwrap_or(0);
            let middle = [at[0] + size / 2.0, at[1] + size / 2.0 + f64::from(letters) * 0.36];
            let value = text(middle, &value, letters, TextAnchor::Middle, color.text());
            let square = rect([at[0], at[1], size, size], color);
            let [across, down] = [&self.across[i], &self.down[j]];
            let place =
                if self.is_board { format!("{across}{down}") } else { format!("{down}, {across}") };
            let shapes = [square, value].into_iter().take(if letters > 0 { 2 } else { 1 });
            with_tip(scene, paints.tip(&place, row), shapes);
        }
    }

    /// Draws the moves from cell to cell: a dot where a piece leaves, and the value where it enters.
    fn draw_steps(&self, scene: &mut Scene, [left, top]: [f64; 2], cell: f64, paints: &Paints) {
        let at = |[column, row]: [usize; 2]| {
            [left + cell * (column as f64 + 0.5), top + cell * (row as f64 + 0.5)]
        };
        if !self.steps.is_empty() {
            let [right, bottom] = [self.across.len(), self.down.len()];
            let corner =
                |column: usize, row: usize| [left + cell * column as f64, top + cell * row as f64];
            let across = (0..=bottom).map(|row| (corner(0, row), corner(right, row)));
            let down = (0..=right).map(|column| (corner(column, 0), corner(column, bottom)));
            across.chain(down).for_each(|(begin, end)| scene.add(line(begin, end, 0.8, SOFT)));
        }
        for &([from, to], row) in &self.steps {
            let Some((color, value)) = paints.of(row) else { continue };
            // Short of the middle of the cell, so that several moves to it do not hide each other.
            let (begin, middle) = (at(from), at(to));
            let end = [0, 1].map(|side| begin[side] + 0.85 * (middle[side] - begin[side]));
            let place = row.cells[paints.place].as_str();
            let mut shapes = vec![line(begin, end, 4.0, color), dot(begin, 4.5, color)];
            shapes.extend(head(begin, end).map(|side| line(side, end, 4.0, color)));
            if !value.is_empty() {
                let size = *VALUES.start();
                let wide = width(&value, f64::from(size)) + 4.0;
                let at = [(begin[0] + end[0]) / 2.0, (begin[1] + end[1]) / 2.0];
                shapes.push(rect([at[0] - wide / 2.0, at[1] - 7.0, wide, 14.0], color));
                let at = [at[0], at[1] + 3.6];
                shapes.push(text(at, &value, size, TextAnchor::Middle, color.text()));
            }
            with_tip(scene, paints.tip(place, Some(row)), shapes);
        }
    }

    /// Draws the lines between dots: those with a value, and the others as drawn.
    fn draw_lines(&self, scene: &mut Scene, [left, top]: [f64; 2], cell: f64, paints: &Paints) {
        if self.lines.is_empty() {
            return;
        }
        let at = |[column, row]: [usize; 2]| {
            [left + cell * (column as f64 + 0.5), top + cell * (row as f64 + 0.5)]
        };
        let [last_column, last_row] = [self.across.len() - 1, self.down.len() - 1];
        let dots = (0..=last_row).flat_map(|row| (0..=last_column).map(move |col| [col, row]));
        for [col, row] in dots.clone() {
            let ends = [
                (col < last_column).then_some([col + 1, row]),
                (row < last_row).then_some([col, row + 1]),
            ];
            for end in ends.into_iter().flatten() {
                if !self.lines.iter().any(|(line, _)| *line == [[col, row], end]) {
                    scene.add(line(at([col, row]), at(end), 3.0, SOFT));
                }
            }
        }
        for &([from, to], row) in &self.lines {
            let Some((color, value)) = paints.of(row) else { continue };
            let (begin, end) = (at(from), at(to));
            let size = VALUES.start();
            let wide = width(&value, f64::from(*size)) + 4.0;
            let [x, y] = [(begin[0] + end[0]) / 2.0, (begin[1] + end[1]) / 2.0];
            let plate = rect([x - wide / 2.0, y - 7.0, wide, 14.0], color);
            let letters = text([x, y + 3.6], &value, *size, TextAnchor::Middle, color.text());
            let place = row.cells[paints.place].as_str();
            let mut shapes = vec![line(begin, end, 5.0, color)];
            if !value.is_empty() {
                shapes.extend([plate, letters]);
            }
            with_tip(scene, paints.tip(place, Some(row)), shapes);
        }
        for place in dots {
            scene.add(dot(at(place), 3.2, INK));
        }
    }
}

/// Splits the name of a move such as `b3b2` into the cells that are left and entered; that of another
/// move is both.
fn cells_of(text: &str) -> (&str, &str) {
    let digits = text.find(|c: char| c.is_ascii_digit());
    let second = digits.and_then(|at| Some(at + text[at..].find(|c: char| c.is_alphabetic())?));
    second.map_or((text, text), |at| text.split_at(at))
}

/// The interval at which names fit.
fn every(needed: f64, cell: f64) -> usize {
    ((needed / cell).ceil() as usize).max(1)
}

/// The ends of the two sides of the head of an arrow.
fn head(begin: [f64; 2], end: [f64; 2]) -> [[f64; 2]; 2] {
    const LENGTH: f64 = 9.0;
    let angle = (end[1] - begin[1]).atan2(end[0] - begin[0]);
    [-0.5, 0.5].map(|turn| {
        let (sine, cosine) = (angle + turn).sin_cos();
        [end[0] - LENGTH * cosine, end[1] - LENGTH * sine]
    })
}

fn dot([cx, cy]: [f64; 2], r: f64, color: Color) -> Primitive {
    let fill = super::picture::paint(color).into();
    let (fill_opacity, stroke, stroke_width) = (None, None, None);
    Primitive::Circle { cx, cy, r, fill, fill_opacity, stroke, stroke_width }
}

/// Parses `c2` as a column, a to z and then A to Z, and a row. Both count from 0.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_a_letter_and_a_number() {
        assert_eq!(point("c2"), Some([2, 1]));
        assert_eq!(point("A64"), Some([26, 63]));
        for text in ["", "c", "2c", "c0", "c201", "é1", "c-1"] {
            assert_eq!(point(text), None, "{text}");
        }
        assert_eq!([0, 25, 26].map(letter), ["a", "z", "A"]);
    }

    #[test]
    fn moves_are_two_cells() {
        assert_eq!(cells_of("b3b2"), ("b3", "b2"));
        assert_eq!(cells_of("a10c12"), ("a10", "c12"));
        assert_eq!(cells_of("c2"), ("c2", "c2"));
        assert_eq!(cells_of("pass"), ("pass", "pass"));
    }
}

//! Tables for the terminal, with separated thousands and shares as percentages.

use super::computed::Computed;
use super::style::bold;
use bsq_analyses::{Cell, ColumnType, Table};
use bsq_api::tables::csv;
use bsq_engine::text::thousands;
use comfy_table::{Cell as Shown, CellAlignment, ContentArrangement, Table as Screen, presets};

/// The maximum width of a table.
pub const WIDTH: usize = 80;
/// A table with more rows is not transposed.
const MANY_ROWS: usize = 8;

/// The most characters in a line of a column of rows side by side.
const NARROW: usize = 24;

/// The main table of every answer, with rows side by side if they are compared.
pub fn text(answers: &[Computed], is_compared: bool) -> String {
    let texts = answers.iter().map(|answer| text_of(answer, is_compared));
    texts.collect::<Vec<_>>().join("\n")
}

fn text_of(answer: &Computed, is_compared: bool) -> String {
    let Some(table) = answer.tables.first() else { return String::new() };
    let mut text = bold(&table.title);
    if !answer.rules.label.is_empty() {
        text += &format!(" ({})", answer.rules.label);
    }
    text.push('\n');
    if let Some(drawing) = &table.drawing {
        text += &format!("\n{}\n", drawing.text.trim_end());
    }
    let is_drawn = table.drawing.as_ref().is_some_and(|drawing| drawing.is_complete);
    if !table.rows.is_empty() && (is_compared || !is_drawn) {
        let drawn = if is_compared { compared(table) } else { draw(table) };
        text += &format!("\n{drawn}\n");
    }
    if let Some(note) = &table.note {
        text += &format!("\n{}\n", textwrap::fill(note, wrapping(WIDTH)));
    }
    text
}

/// How text is wrapped: not at hyphens, which moves such as `a1-b1` contain.
pub fn wrapping(width: usize) -> textwrap::Options<'static> {
    textwrap::Options::new(width)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
}

/// Formats a table, with its total under a rule: upright if it fits or has many rows, otherwise
/// transposed, and if that is too wide, each row transposed by itself.
fn draw(table: &Table) -> String {
    let shown = main_columns(table);
    let head: Vec<&str> = shown.iter().map(|&i| &*table.columns[i].name).collect();
    let mut rows = readable_rows(table, &shown);
    let (totals, apart) = match table.total.as_deref() {
        Some(total) if is_part_of(total, table) => (totals(total, &head), String::new()),
        Some(total) => (Vec::new(), format!("\n\n{}", draw(total))),
        None => (Vec::new(), String::new()),
    };
    rows.extend(totals.iter().cloned());

    let stacked: Vec<String> = head.iter().map(|name| name.replace('_', "\n")).collect();
    let is_right = |column: usize| is_number(table.columns[shown[column]].kind);
    let upright = ruled(lay_out(&stacked, &rows, is_right), totals.len());
    if is_narrow(&upright) || rows.len() > MANY_ROWS {
        return upright + &apart;
    }
    let side = on_its_side(&head, &rows);
    if is_narrow(&side) {
        return side + &apart;
    }
    let alone = rows.iter().map(|row| on_its_side(&head, std::slice::from_ref(row)));
    alone.collect::<Vec<_>>().join("\n\n") + &apart
}

/// The columns that are shown for reading.
fn main_columns(table: &Table) -> Vec<usize> {
    let is_main = |name| table.main_columns.is_empty() || table.main_columns.contains(name);
    (0..table.columns.len()).filter(|&i| is_main(&table.columns[i].name)).collect()
}

fn readable_rows(table: &Table, shown: &[usize]) -> Vec<Vec<String>> {
    let row = |row: &Vec<Cell>| -> Vec<String> {
        shown.iter().map(|&i| readable(&row[i], table.columns[i].kind)).collect()
    };
    table.rows.iter().map(row).collect()
}

/// Formats a table with its rows as columns, in blocks of as many rows as fit beside each other.
fn compared(table: &Table) -> String {
    let shown = main_columns(table);
    let head: Vec<&str> = shown.iter().map(|&i| &*table.columns[i].name).collect();
    let mut rows = readable_rows(table, &shown);
    for text in rows.iter_mut().flatten().filter(|text| text.chars().count() > NARROW) {
        let is_board = text.contains('/');
        *text =
            if is_board { text.replace('/', "\n") } else { textwrap::fill(text, wrapping(NARROW)) };
    }
    let (mut blocks, mut rest) = (Vec::new(), &rows[..]);
    while !rest.is_empty() {
        let side_by_side = (1..=rest.len()).map(|rows| on_its_side(&head, &rest[..rows]));
        let fitting = side_by_side.enumerate().take_while(|(i, block)| *i == 0 || is_narrow(block));
        let (last, block) = fitting.last().expect("there are rows");
        blocks.push(block);
        rest = &rest[last + 1..];
    }
    blocks.join("\n\n")
}

/// Whether all columns of a total are columns of its table.
fn is_part_of(total: &Table, table: &Table) -> bool {
    total.columns.iter().all(|column| table.columns.iter().any(|it| it.name == column.name))
}

/// The rows of a total under the columns of its table: `all` in the first column that it lacks.
fn totals(total: &Table, head: &[&str]) -> Vec<Vec<String>> {
    let at: Vec<Option<usize>> =
        head.iter().map(|name| total.columns.iter().position(|it| it.name == *name)).collect();
    let first = at.iter().position(Option::is_none);
    let row = |row: &Vec<Cell>| -> Vec<String> {
        let cells = at.iter().enumerate();
        let cells = cells.map(|(column, at)| match at {
            Some(at) => readable(&row[*at], total.columns[*at].kind),
            None if Some(column) == first => "all".to_string(),
            None => String::new(),
        });
        cells.collect()
    };
    total.rows.iter().map(row).collect()
}

/// The text with a rule above its last lines.
fn ruled(text: String, last: usize) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let width = lines.iter().map(|line| textwrap::core::display_width(line)).max().unwrap_or(0);
    let rule = "─".repeat(width);
    if last > 0 {
        lines.insert(lines.len().saturating_sub(last), &rule);
    }
    lines.join("\n")
}

fn is_narrow(text: &str) -> bool {
    text.lines().all(|line| textwrap::core::display_width(line) <= WIDTH)
}

fn on_its_side(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |i: usize| -> Vec<String> {
        let name = head[i].replace('_', " ");
        std::iter::once(name).chain(rows.iter().map(|row| row[i].clone())).collect()
    };
    let lines: Vec<Vec<String>> = (1..head.len()).map(line).collect();
    lay_out(&line(0), &lines, |column| column > 0 && rows.len() > 1)
}

fn lay_out(head: &[String], rows: &[Vec<String>], right: impl Fn(usize) -> bool) -> String {
    let mut screen = Screen::new();
    screen.load_style(presets::NOTHING);
    if rows.iter().all(|row| row.len() == 2) {
        // A name and a value: a long value is wrapped.
        screen.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH as u16);
    }
    let line = |cells: &[String]| -> Vec<Shown> {
        let side = |column| if right(column) { CellAlignment::Right } else { CellAlignment::Left };
        let cells = cells.iter().enumerate();
        cells.map(|(column, text)| Shown::new(text).set_alignment(side(column))).collect()
    };
    screen.set_header(line(head));
    for cells in rows {
        screen.add_row(line(cells));
    }
    let height = head.iter().map(|name| name.lines().count()).max().unwrap_or(0);
    let text = screen.to_string();
    let lines = text.lines().map(str::trim_end).enumerate();
    let lines = lines.map(|(i, line)| if i < height { bold(line) } else { line.to_string() });
    lines.collect::<Vec<_>>().join("\n")
}

fn is_number(kind: ColumnType) -> bool {
    !matches!(kind, ColumnType::Text | ColumnType::Truth)
}

fn readable(cell: &Cell, kind: ColumnType) -> String {
    match cell {
        Cell::Integer(n) => thousands(n),
        Cell::Real(x) if kind == ColumnType::Share => format!("{:.2}%", 100.0 * x),
        Cell::Real(_) => csv::text(cell, kind),
        Cell::Text(text) => text.clone(),
        Cell::Truth(true) => "yes".to_string(),
        Cell::Truth(false) => "no".to_string(),
        Cell::Empty => "-".to_string(),
    }
}

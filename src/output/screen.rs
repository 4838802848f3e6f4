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

/// The main table of every answer.
pub fn text(answers: &[Computed]) -> String {
    answers.iter().map(text_of).collect::<Vec<_>>().join("\n")
}

fn text_of(answer: &Computed) -> String {
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
    if !is_drawn && !table.rows.is_empty() {
        text += &format!("\n{}\n", draw(table));
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
pub fn draw(table: &Table) -> String {
    let shown: Vec<usize> = (0..table.columns.len())
        .filter(|&i| {
            table.main_columns.is_empty() || table.main_columns.contains(&table.columns[i].name)
        })
        .collect();
    let head: Vec<&str> = shown.iter().map(|&i| &*table.columns[i].name).collect();
    let row = |row: &Vec<Cell>| -> Vec<String> {
        shown.iter().map(|&i| readable(&row[i], table.columns[i].kind)).collect()
    };
    let mut rows: Vec<Vec<String>> = table.rows.iter().map(row).collect();
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

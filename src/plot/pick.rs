//! Selects the rows of a sheet that a chart draws, with their places and values.

use super::drawing::SERIES;
use super::error::{Place, PlotError};
use super::label;
use super::number::Number;
use super::sheet::{Row, Sheet};
use bsq_analyses::{Chart, Kind, Only};
use bsq_games::british_square::heuristic::language::nearest;
use std::collections::{HashMap, HashSet};

/// The name of a total.
const TOTAL: &str = "all";

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The text that determines its place.
    pub x: String,
    /// The index of its series.
    pub series: usize,
    /// The value.
    pub number: Number,
    /// The value as a text of the table.
    pub text: String,
    /// Its name.
    pub name: Option<String>,
    /// The line of its row.
    pub line: u64,
}

/// The values of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks {
    /// The values, in the order of the rows.
    pub marks: Vec<Mark>,
    /// The kind of the column of places.
    pub x_kind: Kind,
    /// The kind of the values.
    pub y_kind: Kind,
    /// The names of the series. Without series, one empty name.
    pub series: Vec<String>,
}

impl Marks {
    /// Whether the places of all values are numbers.
    pub fn x_is_number(&self) -> bool {
        matches!(self.x_kind, Kind::Integer | Kind::Label | Kind::Real(_))
            || self.marks.iter().all(|mark| Number::parse(&mark.x).is_some())
    }
}

/// Returns the index of a column. `asked` is the flag that names it.
pub fn column(sheet: &Sheet, name: &str, asked: &'static str) -> Result<usize, PlotError> {
    let found = sheet.columns.iter().position(|column| column.name == name);
    found.ok_or_else(|| {
        let names = sheet.columns.iter().map(|column| column.name.as_str());
        PlotError::NoColumn {
            asked,
            name: name.to_string(),
            suggestion: suggestion(name, names.clone()),
            columns: some(names),
        }
    })
}

/// Joins names with commas. Of many names, only the first ones.
pub fn some<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const MOST: usize = 30;
    let more = names.len().saturating_sub(MOST);
    let mut text = names.take(MOST).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}

/// Suggests the most similar known word, as the end of a sentence. There is no suggestion for a
/// single letter.
fn suggestion<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    match nearest(word, known).filter(|_| word.chars().count() > 1) {
        Some(known) => format!("; did you mean '{known}'?"),
        None => String::new(),
    }
}

/// The rows that a chart draws: those that satisfy its conditions, except totals in the columns
/// `named` and in columns of names, unless a condition asks for them.
pub fn rows<'s>(
    sheet: &'s Sheet,
    chart: &Chart,
    named: &[usize],
) -> Result<Vec<&'s Row>, PlotError> {
    let mut wanted: Vec<(usize, &str, bool)> = Vec::new();
    for only in chart.only {
        let (name, value, is) = match *only {
            Only::Is(name, value) => (name, Some(value), true),
            Only::IsNot(name, value) => (name, Some(value), false),
            Only::AsFirst(name) => (name, None, true),
        };
        let column = column(sheet, name, "--only")?;
        let first = sheet.rows.first().map_or("", |row| row.cells[column].as_str());
        wanted.push((column, value.unwrap_or(first), is));
    }
    let is_asked = |column: usize| wanted.iter().any(|&(asked, _, is)| is && asked == column);
    let has_names = |column: usize| {
        named.contains(&column) || matches!(sheet.columns[column].kind, Kind::Label | Kind::Text)
    };
    let without_totals: Vec<usize> =
        (0..sheet.columns.len()).filter(|&column| has_names(column) && !is_asked(column)).collect();
    let fits = |row: &&Row| {
        wanted.iter().all(|&(column, value, is)| (row.cells[column] == value) == is)
            && without_totals.iter().all(|&column| row.cells[column] != TOTAL)
    };
    let rows: Vec<&Row> = sheet.rows.iter().filter(fits).collect();
    match rows.is_empty() {
        true => Err(PlotError::NoRows { table: sheet.name.clone() }),
        false => Ok(rows),
    }
}

/// Parses the value of a cell. None if the cell is empty.
pub fn number(sheet: &Sheet, row: &Row, column: usize) -> Result<Option<Number>, PlotError> {
    let text = row.cells[column].trim();
    if text.is_empty() {
        return Ok(None);
    }
    Number::parse(text)
        .map(Some)
        .ok_or_else(|| PlotError::NoNumber(place(sheet, row, column, text)))
}

/// The description of a cell in an error.
pub fn place(sheet: &Sheet, row: &Row, column: usize, text: &str) -> Place {
    let text = label::fit(text, 1.0, 40.0);
    Place { text, column: sheet.columns[column].name.clone(), line: row.line }
}

/// Collects the values of a chart with two axes.
pub fn marks(sheet: &Sheet, chart: &Chart) -> Result<Marks, PlotError> {
    let x = column(sheet, chart.x, "--x")?;
    let ys: Vec<usize> =
        chart.y.iter().map(|name| column(sheet, name, "--y")).collect::<Result<_, _>>()?;
    let by = chart.by.map(|name| column(sheet, name, "--by")).transpose()?;
    let name = chart.name.map(|name| column(sheet, name, "name")).transpose()?;
    let named: Vec<usize> = std::iter::once(x).chain(by).collect();
    let mut series: Vec<String> = Vec::new();
    let mut marks: Vec<Mark> = Vec::new();
    for row in rows(sheet, chart, &named)? {
        for &y in &ys {
            let Some(number) = number(sheet, row, y)? else { continue };
            let which = series_name(sheet, row, by, (ys.len() > 1).then_some(y));
            let (number, text) = shown(number, &row.cells[y], chart.complement);
            let series = position(&mut series, which);
            let name = name.map(|name| row.cells[name].clone());
            let (x, line) = (row.cells[x].clone(), row.line);
            marks.push(Mark { x, series, number, text, name, line });
        }
    }
    if marks.is_empty() {
        return Err(PlotError::NoRows { table: sheet.name.clone() });
    }
    let order = reorder(&mut series, chart.order);
    marks.iter_mut().for_each(|mark| mark.series = order[mark.series]);
    if series.len() > SERIES {
        let by = chart.by.unwrap_or("--y").to_string();
        return Err(PlotError::ManySeries { by, count: series.len() });
    }
    let y_kind = ys.iter().map(|&y| sheet.columns[y].kind).reduce(common).unwrap_or(Kind::Integer);
    Ok(Marks { marks, x_kind: sheet.columns[x].kind, y_kind, series })
}

/// Returns an error if two values of a series have the same place, where one would hide the other.
pub fn alone(marks: &Marks) -> Result<(), PlotError> {
    let mut taken: HashMap<(&str, usize), u64> = HashMap::new();
    for mark in &marks.marks {
        if let Some(other) = taken.insert((&mark.x, mark.series), mark.line) {
            let series = marks.series[mark.series].as_str();
            let words = [mark.x.as_str(), series].into_iter().filter(|word| !word.is_empty());
            let place = words.collect::<Vec<_>>().join(", ");
            return Err(PlotError::Twice { place, lines: [other, mark.line] });
        }
    }
    Ok(())
}

/// The common kind of the values of two columns.
fn common(one: Kind, other: Kind) -> Kind {
    if one == other { one } else { Kind::Real(6) }
}

fn series_name(sheet: &Sheet, row: &Row, by: Option<usize>, y: Option<usize>) -> String {
    let by = by.map(|by| row.cells[by].clone());
    let y = y.map(|y| label::plain(&sheet.columns[y].name));
    by.into_iter().chain(y).collect::<Vec<_>>().join(", ")
}

/// A share, or its complement, with its text.
fn shown(number: Number, text: &str, complement: bool) -> (Number, String) {
    if !complement {
        return (number, text.to_string());
    }
    let rest = 1.0 - number.scaled(0);
    (Number::of(rest).unwrap_or(Number::ZERO), format!("{rest:.6}"))
}

/// Returns the index of a name, and appends the name if it is new.
pub fn position(names: &mut Vec<String>, name: String) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

/// Moves the names in `first` to the front, in that order. Returns the new index of each name.
pub fn reorder(names: &mut Vec<String>, first: &[&str]) -> Vec<usize> {
    let rank = |name: &String| first.iter().position(|one| one == name).unwrap_or(first.len());
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&i| rank(&names[i]));
    let mut gone = vec![0; names.len()];
    order.iter().enumerate().for_each(|(to, &from)| gone[from] = to);
    *names = order.into_iter().map(|i| names[i].clone()).collect();
    gone
}

/// The distinct texts: sorted if all are numbers, otherwise in order of appearance.
pub fn categories<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut seen = HashSet::new();
    let different: Vec<&str> = texts.filter(|text| seen.insert(*text)).collect();
    let number = |text: &&str| Some((Number::parse(text)?, text.to_string()));
    match different.iter().map(number).collect::<Option<Vec<(Number, String)>>>() {
        None => different.into_iter().map(String::from).collect(),
        Some(mut numbers) => {
            numbers.sort_by(|(one, _), (other, _)| one.compare(other));
            numbers.into_iter().map(|(_, text)| text).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_have_an_order_come_first() {
        let mut names = ["drawn", "won", "other", "lost"].map(String::from).to_vec();
        let gone = reorder(&mut names, &["won", "lost", "never", "drawn"]);
        assert_eq!(names, ["won", "lost", "drawn", "other"]);
        assert_eq!(gone, [2, 0, 3, 1]);
    }

    #[test]
    fn numbers_are_sorted_and_words_are_not() {
        let sorted = |texts: &[&str]| categories(texts.iter().copied());
        assert_eq!(sorted(&["10", "9", "-3", "9"]), ["-3", "9", "10"]);
        assert_eq!(sorted(&["first", "all", "first", "9"]), ["first", "all", "9"]);
    }
}

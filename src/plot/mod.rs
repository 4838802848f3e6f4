//! Pictures of tables. A chart says what of a table is drawn and how; nothing here knows a question.
//!
//! ```text
//! Table, or CSV and manifest ──> Sheet ──> Marks ──> Drawing ──> SVG ──> PNG
//! ```

mod axes;
mod bars;
mod boards;
mod curves;
mod drawing;
mod file;
mod frame;
mod label;
mod map;
mod number;
mod pick;
#[cfg(feature = "full")]
mod png;
mod read;
mod scale;
mod sheet;
mod svg;
#[cfg(test)]
mod tests;
mod theme;

pub use drawing::Drawing;
pub use file::{Picture, svg};
pub use pick::some;
pub use read::read;
pub use sheet::Sheet;

use bsq_analyses::{Chart, Figure, Kind};
use drawing::Paint;
use frame::{MARGIN, NARROW, WIDTH};
use number::Number;
use pick::Marks;
use scale::Scale;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// A column is asked for that there is not.
    #[error("there is no column '{name}' for {asked}; there are {columns}{suggestion}")]
    NoColumn {
        /// What it was asked for.
        asked: &'static str,
        /// Its name.
        name: String,
        /// The nearest name, as the end of a sentence.
        suggestion: String,
        /// The names.
        columns: String,
    },
    /// A cell is no number.
    #[error("line {line}, column '{column}': '{text}' is no number, and only numbers can be drawn")]
    NoNumber {
        /// What it is.
        text: String,
        /// Its column.
        column: String,
        /// Its line, or row.
        line: u64,
    },
    /// A cell names no place on a board.
    #[error(
        "line {line}, column '{column}': '{text}' is no cell such as c2, and no line such as a1-b1"
    )]
    NoPlace {
        /// What it is.
        text: String,
        /// Its column.
        column: String,
        /// Its line, or row.
        line: u64,
    },
    /// Nothing is left.
    #[error(
        "there is nothing to draw: no row of '{table}' has a value and fits what was asked for (rows that are a total, 'all', are left out)"
    )]
    NoRows {
        /// The table.
        table: String,
    },
    /// Nothing is above 0.
    #[error("no value is above 0, and a logarithmic axis has room for such alone; leave --log out")]
    NoLog,
    /// More series than colours.
    #[error("'{by}' makes {count} different colours; at most {SERIES} can be told apart", SERIES = drawing::SERIES)]
    ManySeries {
        /// What tells them apart.
        by: String,
        /// How many there are.
        count: usize,
    },
    /// More bars than there is room for.
    #[error(
        "{count} bars are too many to be seen, {most} are the most; --kind lines or points has room for more"
    )]
    ManyBars {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// More values than there is room for.
    #[error("{count} values are too many for a picture, {most} are the most")]
    ManyMarks {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A map with too many rows or columns.
    #[error("a map with {count} squares at a side is too large, {most} are the most")]
    LargeMap {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// Too many maps or boards.
    #[error("{count} boards are too many for a picture, {most} are the most")]
    ManyPanels {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// Two rows for a place.
    #[error("lines {} and {} are both about {place}, where there is room for one value; --only COLUMN=VALUE takes some rows, --by COLUMN gives them colours of their own", lines[0], lines[1])]
    Twice {
        /// The place.
        place: String,
        /// The lines, or rows.
        lines: [u64; 2],
    },
    /// A map of no column or of several.
    #[error(
        "a map takes one column for --y, its rows, and not {count}; --by is the column with the values"
    )]
    OneSide {
        /// How many there are.
        count: usize,
    },
    /// A map without values.
    #[error("a map needs --by COLUMN, the column with the values")]
    NoValue,
}

/// Draws a chart of a sheet.
pub fn draw(sheet: &Sheet, chart: &Chart) -> Result<Drawing, PlotError> {
    let around = Frame::new(sheet, chart);
    match chart.figure {
        Figure::Bars => bars::draw(&pick::marks(sheet, chart)?, chart.log, &around),
        Figure::Lines => curves::draw(&pick::marks(sheet, chart)?, chart.log, true, &around),
        Figure::Points => curves::draw(&pick::marks(sheet, chart)?, chart.log, false, &around),
        Figure::Map => map::draw(sheet, chart, &around),
        Figure::Boards => boards::draw(sheet, chart, &around),
    }
}

/// What the rows of a chart are about: the rules of the table, but where each row says its own, those of
/// the rows that are drawn, if they are the same.
fn about<'a>(sheet: &'a Sheet, chart: &Chart) -> &'a str {
    let says = |column: usize| sheet.rows.iter().any(|row| row.cells[column] == sheet.about);
    let rules = sheet.columns.iter().position(|column| column.name == "rules");
    let Some(rules) = rules.filter(|&column| says(column)) else { return &sheet.about };
    let drawn = pick::rows(sheet, chart, &[]).unwrap_or_default();
    let mut said = drawn.iter().map(|row| row.cells[rules].as_str());
    let first = said.next().unwrap_or_default();
    if said.all(|other| other == first) { first } else { "" }
}

/// The words around a picture.
struct Frame<'a> {
    title: &'a str,
    about: &'a str,
    x_label: &'a str,
    y_label: String,
    log_x: bool,
}

impl<'a> Frame<'a> {
    fn new(sheet: &'a Sheet, chart: &'a Chart) -> Frame<'a> {
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

    /// Begins a picture of values on a scale.
    fn begin(&self, marks: &Marks, scale: &Scale) -> (Drawing, f64) {
        let legend: Vec<(Paint, &str)> =
            (0..).map(Paint::Series).zip(marks.series.iter().map(String::as_str)).collect();
        let shows = format!("{}{}", self.y_label, label::unit_name(scale.unit()));
        frame::begin(WIDTH, [self.title, self.about, &shows], &legend)
    }

    /// Begins a picture of that width, or somewhat wider, with that legend.
    fn begin_with(&self, width: f64, legend: &[(Paint, &str)]) -> (Drawing, f64) {
        let width = (width + 2.0 * MARGIN).clamp(NARROW, WIDTH);
        frame::begin(width, [self.title, self.about, &self.y_label], legend)
    }
}

impl Marks {
    /// Whether all places are numbers.
    fn x_is_number(&self) -> bool {
        matches!(self.x_kind, Kind::Integer | Kind::Label | Kind::Real(_))
            || self.marks.iter().all(|mark| Number::parse(&mark.x).is_some())
    }
}

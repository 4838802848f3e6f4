//! Which picture a table makes: data beside its columns; what draws it knows no question.

use crate::{british_square as bs, dots, rpsw};

/// How a table is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A bar for each value, from zero.
    Bars,
    /// A line for each series.
    Lines,
    /// A dot for each row.
    Points,
    /// A coloured square for each row, its columns by `x`, its rows by `y`, its value by `by`.
    Map,
    /// Boards, with a value `by` on what `x` names: a cell such as `c2`, a line such as `a1-b1`.
    Boards,
}

/// Which rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only<'a> {
    /// Those that have this value in this column.
    Is(&'a str, &'a str),
    /// Those that have another.
    IsNot(&'a str, &'a str),
    /// Those that have the value of the first row.
    AsFirst(&'a str),
}

impl<'a> Only<'a> {
    /// The column that decides.
    pub fn column(&self) -> &'a str {
        match self {
            Only::Is(column, _) | Only::IsNot(column, _) | Only::AsFirst(column) => column,
        }
    }
}

/// A picture of a table. Rows that are a total, with `all` in a column of names or in one that places
/// or colours them, are left out, unless `only` takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chart<'a> {
    /// The name of the table.
    pub table: &'a str,
    /// How it is drawn.
    pub figure: Figure,
    /// The column that places a row from left to right.
    pub x: &'a str,
    /// The columns whose values are drawn.
    pub y: &'a [&'a str],
    /// The column that colours tell apart.
    pub by: Option<&'a str>,
    /// The columns for each of whose values there is a map, or a board, of its own.
    pub panels: &'a [&'a str],
    /// The columns with the rows and the columns of a board; as far as its rows reach if left out.
    pub size: Option<[&'a str; 2]>,
    /// The column that names a dot.
    pub name: Option<&'a str>,
    /// Which rows are drawn; those that fit all of these.
    pub only: &'a [Only<'a>],
    /// Names of what colours tell apart that come first, in this order.
    pub order: &'a [&'a str],
    /// Whether equal distances up are equal ratios.
    pub log: bool,
    /// Whether equal distances to the right are.
    pub log_x: bool,
    /// Whether what a share lacks of one is drawn.
    pub complement: bool,
    /// What stands below; the name of the column if empty.
    pub x_label: &'a str,
    /// What stands above; the name of the column if empty.
    pub y_label: &'a str,
}

impl<'a> Chart<'a> {
    /// A chart that has yet to be told what to draw.
    pub const fn new(table: &'a str, figure: Figure) -> Chart<'a> {
        Chart {
            table,
            figure,
            x: "",
            y: &[],
            by: None,
            panels: &[],
            size: None,
            name: None,
            only: &[],
            order: &[],
            log: false,
            log_x: false,
            complement: false,
            x_label: "",
            y_label: "",
        }
    }
}

/// Every chart, by the table's name.
pub const CHARTS: &[&Chart] = &[
    &bs::playouts::CHART,
    &bs::states::CHART,
    &bs::terminals::CHART,
    &bs::scores::CHART,
    &bs::openings::CHART,
    &bs::variants::CHART,
    &bs::mirror::BY_TURN_CHART,
    &bs::blunders::CHART,
    &bs::heuristics::CHART,
    &bs::boards::CHART,
    &rpsw::arrangements::CHART,
    &rpsw::arrangements::SUMMARY_CHART,
    &rpsw::distances::DISTANCES_CHART,
    &rpsw::distances::ITERATIONS_CHART,
    &rpsw::draws::CHART,
    &dots::boards::CHART,
    &dots::boards::OPENINGS_CHART,
    &dots::positions::CHART,
    &dots::rules::CHART,
    &dots::rules::BY_LINE_CHART,
];

/// The chart of the table of that name.
pub fn chart_of(table: &str) -> Option<&'static Chart<'static>> {
    CHARTS.iter().copied().find(|chart| chart.table == table)
}

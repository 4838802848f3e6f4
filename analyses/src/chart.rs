//! Declarations of charts of tables.

/// The kind of a chart.
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

/// A condition on the rows that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only<'a> {
    /// The column has the value.
    Is(&'a str, &'a str),
    /// The column has another value.
    IsNot(&'a str, &'a str),
    /// The column has the value that it has in the first row.
    AsFirst(&'a str),
}

impl<'a> Only<'a> {
    /// The column of the condition.
    pub fn column(&self) -> &'a str {
        match self {
            Only::Is(column, _) | Only::IsNot(column, _) | Only::AsFirst(column) => column,
        }
    }
}

/// The declaration of a chart of a table.
///
/// Totals, which are rows with `all` in a column of names or in one that places or colours them,
/// are only drawn if `only` selects them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chart<'a> {
    /// The name of the table.
    pub table: &'a str,
    /// The kind of the chart.
    pub figure: Figure,
    /// The column that places a row from left to right.
    pub x: &'a str,
    /// The columns whose values are drawn.
    pub y: &'a [&'a str],
    /// The column that selects the colour.
    pub by: Option<&'a str>,
    /// The columns with a separate map or board for each of their values.
    pub panels: &'a [&'a str],
    /// The columns with the numbers of rows and columns of a board. If `None`, a board extends as
    /// far as the cells that are named.
    pub size: Option<[&'a str; 2]>,
    /// The column that names a dot.
    pub name: Option<&'a str>,
    /// The conditions on the rows that are drawn, all of which must hold.
    pub only: &'a [Only<'a>],
    /// Values of `by` that come first, in this order.
    pub order: &'a [&'a str],
    /// Whether the vertical axis is logarithmic.
    pub log: bool,
    /// Whether the horizontal axis is logarithmic.
    pub log_x: bool,
    /// Whether shares are drawn as their difference from 1.
    pub complement: bool,
    /// The label of the horizontal axis; the name of the column if empty.
    pub x_label: &'a str,
    /// The title; the name of the column if empty.
    pub y_label: &'a str,
}

impl<'a> Chart<'a> {
    /// A chart of a table without columns.
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

//! Declarations of charts of tables.

use crate::palette::{Color, FIRST, SECOND, TIE};

/// The kind of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A bar for each value, from zero.
    Bars,
    /// The values of each place, one on another.
    Stack,
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
    /// The column has another value.
    IsNot(&'a str, &'a str),
    /// The column has the value that it has in the first row.
    AsFirst(&'a str),
}

impl<'a> Only<'a> {
    /// The column of the condition.
    pub fn column(&self) -> &'a str {
        match self {
            Only::IsNot(column, _) | Only::AsFirst(column) => column,
        }
    }
}

/// How a chart shows a value, or a column that is one of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown<'a> {
    /// The value or the name of the column in the table.
    pub value: &'a str,
    /// The words of the chart.
    pub label: &'a str,
    /// The colour; one without a meaning if `None`.
    pub color: Option<Color>,
}

impl<'a> Shown<'a> {
    /// Words for a value.
    pub const fn new(value: &'a str, label: &'a str) -> Shown<'a> {
        Shown { value, label, color: None }
    }

    /// Words and the colour of the first player.
    pub const fn first(value: &'a str, label: &'a str) -> Shown<'a> {
        Shown { value, label, color: Some(FIRST) }
    }

    /// Words and the colour of the second player.
    pub const fn second(value: &'a str, label: &'a str) -> Shown<'a> {
        Shown { value, label, color: Some(SECOND) }
    }

    /// Words and the colour of ties and draws.
    pub const fn tie(value: &'a str, label: &'a str) -> Shown<'a> {
        Shown { value, label, color: Some(TIE) }
    }
}

/// The player to move, in charts with a series for each.
pub const PLAYERS: &[Shown] = &[
    Shown::first("first", "first player to move"),
    Shown::second("second", "second player to move"),
];

/// The player who follows a heuristic, in charts with a series for each.
pub const FOLLOWERS: &[Shown] = &[
    Shown::first("first", "the first player follows it"),
    Shown::second("second", "the second player follows it"),
];

/// The declaration of a chart of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chart<'a> {
    /// The name of the table; a `*` stands for any letters, as in `heuristic_*`.
    pub table: &'a str,
    /// The kind of the chart.
    pub figure: Figure,
    /// The finding that the chart states, with facts in braces that are computed from the values that
    /// are drawn:
    ///
    /// * `{count}`: their number, or that of the cells of a map or board;
    /// * `{total}`: their sum, and `{last at}` the last place of a horizontal axis of numbers;
    /// * `{most}` and `{least}`: the largest and smallest value, with `{most at}` its place,
    ///   `{most series}` its series and `{most share}` its share of the sum, and `{range}` both.
    ///
    /// Each but the last may be that of one series, as in `{total of won}`; `{share of won}` is the
    /// share of its sum. The series are values of `by`, or columns if there are several `y`; those of
    /// scores are `+`, `0` and `-`. Two braces are one.
    pub title: &'a str,
    /// The column that places a row from left to right; if empty, each of the columns `y` has a place
    /// of its own.
    pub x: &'a str,
    /// The columns whose values are drawn.
    pub y: &'a [&'a str],
    /// The column that selects the colour.
    pub by: Option<&'a str>,
    /// Whether the values of `by` are scores: positive ones have the colour of the first player,
    /// negative ones that of the second player.
    pub is_score: bool,
    /// How values of `x` and `by`, or the columns `y`, are shown. Those come first, in this order.
    pub shown: &'a [Shown<'a>],
    /// The columns with a separate map or board for each of their values.
    pub panels: &'a [&'a str],
    /// The columns with the numbers of rows and columns of a board. If `None`, a board extends as
    /// far as the cells that are named.
    pub size: Option<[&'a str; 2]>,
    /// The column that names a dot.
    pub name: Option<&'a str>,
    /// The conditions on the rows that are drawn, all of which must hold.
    pub only: &'a [Only<'a>],
    /// Whether the vertical axis is logarithmic.
    pub log_y: bool,
    /// Whether the horizontal axis is logarithmic.
    pub log_x: bool,
    /// What a cell of a map without a row stands for, or one of a board.
    pub blank: &'a str,
    /// Whether the table is about all boards up to the size of the rules.
    pub is_up_to: bool,
    /// Whether shares are drawn as their difference from 1.
    pub complement: bool,
    /// The label of the horizontal axis.
    pub x_label: &'a str,
    /// The label of the vertical axis, or what the colours of a map or board show.
    pub y_label: &'a str,
    /// The label of the rows of a map.
    pub rows_label: &'a str,
}

/// A chart of groups, whose columns are named when the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupChart {
    /// The name of the table.
    pub table: String,
    /// The kind of the chart.
    pub figure: Figure,
    /// The title of the table.
    pub title: String,
    /// How the values of the keys are shown.
    pub shown: &'static [Shown<'static>],
    /// The columns of the keys: one or two.
    pub keys: Vec<String>,
    /// The column whose values are drawn.
    pub values: String,
    /// What a cell of a map without a group stands for.
    pub blank: String,
}

impl GroupChart {
    /// Passes the chart to `draw`.
    pub fn with<T>(&self, draw: impl FnOnce(&Chart) -> T) -> T {
        let GroupChart { table, figure, title, shown, keys, values, blank } = self;
        let x = keys.first().map_or("", String::as_str);
        let second = keys.get(1).map(String::as_str);
        let [of_values, of_second] = [&[values.as_str()], &[second.unwrap_or_default()]];
        let title = title.replace('{', "{{");
        // Words, and the places of a map, do not need the name of the key.
        let is_said = *figure == Figure::Map || ["outcome", "player"].contains(&x);
        let key = if is_said { String::new() } else { format!("{x} ") };
        let title = format!("{title}; {values} up to {{most}} ({key}{{most at}})");
        let plain = Chart { x, x_label: x, shown, ..Chart::new(table, *figure, &title) };
        draw(&if *figure == Figure::Map {
            let (by, rows_label) = (Some(values.as_str()), of_second[0]);
            Chart { y: of_second, by, y_label: values, rows_label, blank, ..plain }
        } else {
            let of_first = (!shown.is_empty()).then_some(x);
            Chart { y: of_values, by: second.or(of_first), y_label: values, ..plain }
        })
    }
}

impl<'a> Chart<'a> {
    /// A chart of a table without columns.
    pub const fn new(table: &'a str, figure: Figure, title: &'a str) -> Chart<'a> {
        Chart {
            table,
            figure,
            title,
            x: "",
            y: &[],
            by: None,
            is_score: false,
            shown: &[],
            panels: &[],
            size: None,
            name: None,
            only: &[],
            log_y: false,
            log_x: false,
            blank: "",
            is_up_to: false,
            complement: false,
            x_label: "",
            y_label: "",
            rows_label: "",
        }
    }

    /// Whether the chart is of a table of that name.
    pub fn is_of(&self, table: &str) -> bool {
        match self.table.split_once('*') {
            Some((start, end)) => table.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
            None => self.table == table,
        }
    }

    /// Whether the chart can be drawn from these columns.
    pub fn suits<'b>(&self, columns: impl Iterator<Item = &'b str> + Clone) -> bool {
        self.columns().all(|name| columns.clone().any(|column| column == name))
    }

    /// The columns that the chart needs.
    pub fn columns(&self) -> impl Iterator<Item = &'a str> {
        let single = [Some(self.x), self.by, self.name].into_iter().flatten();
        let lists = self.y.iter().chain(self.panels).copied();
        let only = self.only.iter().map(Only::column);
        let single = single.filter(|name| !name.is_empty());
        single.chain(lists).chain(self.size.into_iter().flatten()).chain(only)
    }
}

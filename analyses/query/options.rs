//! The options of queries and exports besides those of the rules.

use super::columns::Dataset;
use crate::options::{MOVES, POSITION};
use bsq_engine::options::{OptionKind, RuleOption};
use std::borrow::Cow;

/// The option of the condition.
pub const CONDITION: RuleOption = text(
    "condition",
    "CONDITION",
    "The condition on the rows, such as 'best_moves = 1 and ply > 5'; 'true' for all",
);

/// The option of the rows.
pub const DATASET: RuleOption = RuleOption::new(
    "dataset",
    OptionKind::Choice { values: Cow::Borrowed(&DATASETS) },
    Some("positions"),
    "What a row is: a position, or a legal move of one",
);

/// The option that asks for the columns.
pub const COLUMNS: RuleOption = RuleOption::new(
    "columns",
    OptionKind::Truth,
    Some("no"),
    "List the columns instead, with their meaning",
);

const DATASETS: [Cow<'static, str>; 2] =
    [Cow::Borrowed(Dataset::NAMES[0]), Cow::Borrowed(Dataset::NAMES[1])];

/// The option of the keys.
pub const BY: RuleOption =
    text("by", "LIST", "Group the rows by these columns or expressions, separated by commas");

/// The option of rows that are shown.
pub const ROWS: RuleOption = RuleOption::new(
    "rows",
    OptionKind::Integer { least: 1, most: MOST_ROWS },
    None,
    "Show the first N rows instead, as boards on a terminal",
);
/// The option of the columns that are shown.
pub const SHOW: RuleOption = text(
    "show",
    "COLUMNS",
    "With --rows: the columns, separated by commas [default: those of every game and those that the \
     condition names]",
);
/// The option that counts rows.
pub const COUNT: RuleOption = RuleOption::new(
    "count",
    OptionKind::Truth,
    Some("no"),
    "The number of rows, besides other aggregates",
);
/// The option of sums.
pub const SUM: RuleOption = text(
    "sum",
    "LIST",
    "The sums of these columns or expressions; a condition counts 1 where it holds",
);
/// The option of means.
pub const MEAN: RuleOption = text(
    "mean",
    "LIST",
    "The means of these, for a condition the share of the rows; rows without a value do not count",
);
/// The option of least values.
pub const MIN: RuleOption = text("min", "LIST", "The least values of these");
/// The option of greatest values.
pub const MAX: RuleOption = text("max", "LIST", "The greatest values of these");

/// The options of a query besides those of the rules, in the order in which front ends show them.
pub const OF_QUERIES: [RuleOption; 13] =
    [CONDITION, DATASET, BY, ROWS, SHOW, COUNT, SUM, MEAN, MIN, MAX, COLUMNS, POSITION, MOVES];

/// The options of an export besides those of the rules.
pub const OF_EXPORTS: [RuleOption; 5] = [CONDITION, DATASET, ALL_SHOWN, POSITION, MOVES];

/// The option of the columns where all are shown by default.
pub const ALL_SHOWN: RuleOption =
    text("show", "COLUMNS", "The columns, separated by commas [default: all]");

/// The most rows that are shown.
const MOST_ROWS: i64 = 1_000_000;

/// An option whose value is text.
const fn text(name: &'static str, form: &'static str, help: &'static str) -> RuleOption {
    RuleOption::new(name, OptionKind::Text { form: Cow::Borrowed(form) }, None, help)
}

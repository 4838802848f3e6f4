//! The tables of answers.

use super::aggregate::{Aggregate, DECIMALS, Kind, number_cell};
use super::answer::{Groups, Key, Shown};
use super::{Dataset, Named, Query};
use crate::any::OUTCOMES;
use crate::chart::PLAYERS;
use crate::{Cell, Column, ColumnType, Drawing, Figure, GroupChart, Table};
use bsq_engine::expression::{Expression, Type};
use bsq_engine::game::Game;

/// The name of the table.
const NAME: &str = "query";

impl<G: Game> Query<G> {
    /// The rows that are shown.
    pub(super) fn table_of_rows(&self, rows: Vec<Shown>) -> Table {
        let columns: Vec<Column> = self.shown.iter().map(|&at| self.columns[at].column()).collect();
        let title = format!("{} {}{}", first(rows.len()), self.dataset.name(), self.filter());
        let mut table = Table::new(NAME, &title, &columns);
        let mut boards = Vec::new();
        for Shown { cells, drawing } in rows {
            if let Some(drawing) = drawing {
                boards.push(format!("{}\n{}", drawing.trim_end(), caption(&columns, &cells)));
            }
            table.push(cells);
        }
        if !boards.is_empty() {
            table.drawing = Some(Drawing { text: boards.join("\n\n"), is_complete: true });
        }
        table
    }

    /// The table of an export, without rows.
    pub(super) fn table_of_export(&self) -> Table {
        let columns: Vec<Column> = self.shown.iter().map(|&at| self.columns[at].column()).collect();
        let what = match self.dataset {
            Dataset::Positions => "Every position",
            Dataset::Moves => "Every move",
        };
        let title = format!("{what}{}", self.filter());
        let mut table = Table::new(self.dataset.name(), &title, &columns);
        table.note = Some(
            "Of positions that are equal by a symmetry of the board there is one.".to_string(),
        );
        table
    }

    /// The groups, in the order of their keys, with the total over all of them.
    pub(super) fn table_of_groups(&self, mut groups: Groups) -> Table {
        let begun = || self.aggregates.iter().map(|(kind, _)| kind.begin()).collect::<Vec<_>>();
        if self.keys.is_empty() && groups.is_empty() {
            groups.insert(Vec::new(), begun());
        }
        let mut groups: Vec<(Vec<Key>, Vec<Aggregate>)> = groups.into_iter().collect();
        groups.sort_by(|(one, _), (other, _)| one.cmp(other));
        let (keys, results) = self.columns_of_groups();
        let title = self.title_of_groups();
        let mut total = begun();
        let mut table = Table::new(NAME, &title, &[&keys[..], &results[..]].concat());
        let cells = |aggregates: &[Aggregate]| -> Vec<Cell> {
            aggregates.iter().zip(&results).map(|(it, column)| it.cell(column.kind)).collect()
        };
        for (key, aggregates) in &groups {
            let key = key.iter().zip(&self.keys).map(|(key, of)| self.key_cell(key, of));
            table.push(key.chain(cells(aggregates)).collect());
            total.iter_mut().zip(aggregates).for_each(|(all, one)| all.absorb(one));
        }
        if !self.keys.is_empty() {
            let name = format!("{NAME}_total");
            let mut all = Table::new(&name, &format!("{title}, in total"), &results);
            all.push(cells(&total));
            table.total = Some(Box::new(all));
        }
        table
    }

    /// The chart of the groups, if there are one or two keys.
    pub(super) fn chart(&self) -> Option<GroupChart> {
        let (keys, results) = self.columns_of_groups();
        let numbers = keys.iter().filter(|key| matches!(key.kind, ColumnType::Integer | DECIMALS));
        let (first, _) = self.aggregates.first()?;
        let figure = match (keys.len(), numbers.count()) {
            (1, _) => Figure::Bars,
            (2, 2) => Figure::Map,
            // Only numbers of rows and sums add up.
            (2, _) if matches!(first, Kind::Count | Kind::Sum) => Figure::Stack,
            (2, _) => Figure::Bars,
            _ => return None,
        };
        let is_key = |name: &str| keys.iter().any(|key| key.name == name);
        let shown = match figure {
            Figure::Map => &[],
            _ if is_key("outcome") => OUTCOMES,
            _ if is_key("player") => PLAYERS,
            _ => &[],
        };
        Some(GroupChart {
            table: NAME.to_string(),
            figure,
            title: self.title_of_groups(),
            shown,
            keys: keys.into_iter().map(|key| key.name.into_owned()).collect(),
            values: results.into_iter().next()?.name.into_owned(),
            blank: format!("no {}", self.dataset.name()),
        })
    }

    fn title_of_groups(&self) -> String {
        let texts: Vec<&str> = self.keys.iter().map(|key| key.text.as_str()).collect();
        let by = match texts[..] {
            [] => String::new(),
            [only] => format!(", by {only}"),
            [ref others @ .., last] => format!(", by {} and {last}", others.join(", ")),
        };
        let what = match self.dataset {
            Dataset::Positions => "Positions",
            Dataset::Moves => "Moves",
        };
        format!("{what}{}{by}", self.filter())
    }

    /// The condition as a part of a title.
    fn filter(&self) -> String {
        if self.text.trim() == "true" { String::new() } else { format!(" where {}", self.text) }
    }

    /// The columns of the keys, and those of the aggregates.
    fn columns_of_groups(&self) -> (Vec<Column>, Vec<Column>) {
        let mut names = Names::default();
        let keys = self.keys.iter().map(|key| self.key_column(key, &mut names)).collect();
        let results = (0..self.aggregates.len()).map(|at| self.aggregate_column(at, &mut names));
        (keys, results.collect())
    }

    fn key_column(&self, key: &Named<Expression>, names: &mut Names) -> Column {
        let kind = match &key.expression {
            Expression::Number(quantity) if quantity.is_integral() => ColumnType::Integer,
            Expression::Number(_) => DECIMALS,
            Expression::Truth(_) => ColumnType::Truth,
            Expression::Words(_) | Expression::Text(_) => ColumnType::Text,
        };
        Column::named(names.of(&key.text), kind, self.meaning(&key.text)).key()
    }

    fn aggregate_column(&self, at: usize, names: &mut Names) -> Column {
        let (kind, quantity) = &self.aggregates[at];
        let Some(quantity) = quantity else {
            let name = names.of(self.dataset.name());
            let about = match self.dataset {
                Dataset::Positions => "positions, up to symmetry",
                Dataset::Moves => "legal moves of positions, these up to symmetry",
            };
            return Column::named(name, ColumnType::Integer, about.to_string());
        };
        let is_orbit_size = (*kind, quantity.text.as_str()) == (Kind::Sum, super::ORBIT_SIZE);
        let about = match kind {
            _ if is_orbit_size && self.dataset == Dataset::Positions => {
                "positions, symmetric ones counted separately".to_string()
            }
            Kind::Count | Kind::Sum => format!("sum of: {}", self.meaning(&quantity.text)),
            Kind::Mean => format!("mean of: {}", self.meaning(&quantity.text)),
            Kind::Min => format!("least of: {}", self.meaning(&quantity.text)),
            Kind::Max => format!("greatest of: {}", self.meaning(&quantity.text)),
        };
        let name = names.of(&format!("{}_{}", kind.name(), quantity.text));
        Column::named(name, kind.column_type(quantity.expression.is_integral()), about)
    }

    /// What the values of an expression are: those of a column, or its text.
    fn meaning(&self, text: &str) -> String {
        let column = self.columns.iter().find(|column| column.name() == text);
        column.map_or(text, |column| column.help()).to_string()
    }

    fn key_cell(&self, key: &Key, of: &Named<Expression>) -> Cell {
        match (key, &of.expression) {
            (Key::Number(number), Expression::Number(quantity)) => {
                let kind = if quantity.is_integral() { ColumnType::Integer } else { DECIMALS };
                number_cell(*number, kind)
            }
            (Key::Truth(truth), _) => (*truth).into(),
            (Key::Word(word), Expression::Words(column)) => match self.columns[*column].kind() {
                Type::Words(words) => words.get(*word).copied().into(),
                _ => Cell::Empty,
            },
            (Key::Text(text), _) => text.as_str().into(),
            _ => Cell::Empty,
        }
    }
}

/// The first words of a title.
fn first(rows: usize) -> String {
    match rows {
        0 => "No".to_string(),
        1 => "The first of the".to_string(),
        rows => format!("The first {rows}"),
    }
}

/// The columns of a row below its board, without the position and what has no value.
fn caption(columns: &[Column], cells: &[Cell]) -> String {
    let shown = columns.iter().zip(cells).filter_map(|(column, cell)| {
        let text = match cell {
            _ if column.name == "position" => return None,
            Cell::Integer(number) => number.to_string(),
            Cell::Text(text) => text.clone(),
            Cell::Truth(true) => return Some(column.name.to_string()),
            Cell::Truth(false) => return Some(format!("not {}", column.name)),
            Cell::Real(number) => number.to_string(),
            Cell::Empty => return None,
        };
        Some(format!("{} {text}", column.name))
    });
    wrapped(shown)
}

/// The widest line of a caption, in characters.
const WIDTH: usize = 78;

/// Joins phrases by commas, in lines.
fn wrapped(phrases: impl Iterator<Item = String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for phrase in phrases {
        match lines.last_mut() {
            Some(line) if line.len() + 2 + phrase.len() <= WIDTH => *line += &format!(", {phrase}"),
            last => {
                if let Some(line) = last {
                    line.push(',');
                }
                lines.push(phrase);
            }
        }
    }
    lines.join("\n")
}

/// The names of columns that are taken.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    /// A name for an expression: its letters and digits, joined by `_`. A number makes it unique.
    fn of(&mut self, text: &str) -> String {
        let words =
            text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let name = words.collect::<Vec<_>>().join("_").to_lowercase();
        let numbered = (2u32..).map(|number| format!("{name}_{number}"));
        let mut free = std::iter::once(name.clone()).chain(numbered);
        let name = free.find(|name| !self.0.contains(name)).expect("there are always more numbers");
        self.0.push(name.clone());
        name
    }
}

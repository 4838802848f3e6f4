//! Tables of values: a row for each of many positions, or for each of their moves.

use crate::answer::{Answer, BoundsAnswer, Class, MoveAnswer, Outcome, ValueAnswer};
use bsq_analyses::{Column, ColumnType, Table, Texts, Values};
use bsq_engine::definition::OptionalFact;
use bsq_engine::error::Error;
use bsq_engine::game::{Measure, Value};
use bsq_engine::proved::Proved;
use bsq_engine::results::{Series, column};
use bsq_engine::score::Score;
use bsq_engine::view::Fact;
use std::collections::BTreeMap;
use std::time::Duration;

/// The column of the numbers of lines.
const LINE: &str = "line";

/// What is asked about each position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValuesRequest {
    /// Moves to play from the position, separated by spaces or commas.
    pub moves: String,
    /// Whether every move is valued.
    pub of_moves: bool,
    /// The maximum number of moves of the principal variation; 0 for the best move alone, without a
    /// column for the variation.
    pub line: usize,
    /// The time for a position, after which its value is what is proved by then.
    pub time: Option<Duration>,
}

/// A position with its value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PositionValues {
    /// The position, as [`Answer::position`]. `None` if the text is not one.
    pub position: Option<String>,
    /// The value, as [`Answer::value`].
    pub value: Option<ValueAnswer>,
    /// Bounds on the value, as [`Answer::bounds`].
    pub bounds: Option<BoundsAnswer>,
    /// Bounds on the points to come.
    pub to_come: Option<Proved<Score>>,
    /// The legal moves, the best ones first. Empty if they were not requested.
    pub moves: Vec<MoveAnswer>,
    /// The principal variation, at least its first move, which is best. `None` if it was not requested
    /// or not found.
    pub line: Option<Vec<String>>,
    /// Further facts about the position.
    pub facts: BTreeMap<String, Fact>,
    /// Whether everything that was requested was found.
    pub is_complete: bool,
    /// Why that was not found, unless the time was over.
    pub error: Option<Error>,
}

impl PositionValues {
    /// A position of whose value bounds are known, without anything else.
    pub(crate) fn of(value: Option<Proved<Value>>) -> PositionValues {
        PositionValues {
            value: value.and_then(|value| value.exact()).map(Into::into),
            bounds: value.map(Into::into),
            ..PositionValues::default()
        }
    }
}

impl From<&Answer> for PositionValues {
    fn from(answer: &Answer) -> PositionValues {
        let to_come = answer.to_come_min.zip(answer.to_come_max);
        let best = answer.best().next().map(|mv| vec![mv.name.clone()]);
        PositionValues {
            position: Some(answer.position.clone()),
            value: answer.value,
            bounds: answer.bounds.clone(),
            to_come: to_come.map(|(least, most)| Proved { least, most }),
            moves: answer.moves.clone(),
            line: answer.principal_variation.clone().or(best),
            facts: answer.facts.clone(),
            is_complete: answer.is_complete,
            error: None,
        }
    }
}

/// The columns of a table of values.
///
/// A table of positions has the columns `line`, `position`, `outcome`, `score`, `score_min`,
/// `score_max`, `proved`, `plies`, `best`, `error`; one of moves, a row for each, `line`, `position`,
/// `move`, `outcome`, `score`, `cost`, `best`, `error`. Then come columns that only some games have,
/// and those that were asked for.
#[derive(Clone, Debug)]
pub struct ValuesSchema {
    measure: Measure,
    states_points: bool,
    of_moves: bool,
    has_line: bool,
    facts: Vec<&'static OptionalFact>,
}

impl ValuesSchema {
    pub(crate) fn new(
        measure: Measure,
        states_points: bool,
        facts: Vec<&'static OptionalFact>,
        request: &ValuesRequest,
    ) -> ValuesSchema {
        let &ValuesRequest { of_moves, line, .. } = request;
        ValuesSchema { measure, states_points, of_moves, has_line: line > 0, facts }
    }

    /// Whether points may be fractions.
    pub fn has_fractions(&self) -> bool {
        self.measure == Measure::Fractions
    }

    /// The table without rows.
    pub fn table(&self) -> Table {
        let points = match self.measure {
            Measure::Plies | Measure::Points => column::integer,
            Measure::Fractions => column::text,
        };
        let mut columns = vec![
            column::integer(LINE, "the line of the input, from 1").key(),
            column::text(
                "position",
                "the position, in a form that is accepted; empty if there is none",
            ),
        ];
        let score = "first player's points minus the second player's at the end; empty if unknown or \
                     in games without points";
        if self.of_moves {
            columns.extend([
                column::text("move", "the move, in the notation of the game").key(),
                column::text(
                    "outcome",
                    "first, second, tie or draw after the move; empty if unknown",
                ),
                points("score", score),
                points(
                    "cost",
                    "points that the move gives away; empty if unknown or in games without points",
                ),
                column::truth("best", "whether no move is better; empty if unknown"),
            ]);
        } else {
            columns.extend([
                column::text("outcome", "first, second, tie or draw under best play; empty if unknown"),
                points("score", score),
                points("score_min", "the least score that is not excluded; empty if unknown or in games without points"),
                points("score_max", "the greatest score that is not excluded"),
                column::truth("proved", "whether the value is known, or to_come where the points so far are not"),
                column::integer("plies", "plies until the win; empty if unknown, if nobody wins, or in games with points"),
                column::text("best", "a best move; empty if unknown or in a terminal position"),
            ]);
        }
        columns.push(column::text(
            "error",
            "why there is no value; empty if there is one, or if the time was over",
        ));
        if self.of_moves && self.measure == Measure::Plies {
            columns.push(column::integer(
                "plies",
                "plies until the win, this move included; empty if unknown or if nobody wins",
            ));
        }
        if !self.of_moves && self.measure == Measure::Plies {
            columns.push(column::text(
                "bounds",
                "what is proved, in words, if the value is not known",
            ));
        }
        if !self.states_points {
            columns.push(points(
                "to_come",
                "first player's points minus the second player's from here on; empty if unknown",
            ));
        }
        if !self.states_points && !self.of_moves {
            columns.push(points("to_come_min", "the least that is not excluded"));
            columns.push(points("to_come_max", "the most that is not excluded"));
        }
        if self.has_line {
            columns.push(column::text(
                "pv",
                if self.of_moves {
                    "the principal variation, in the row of its first move"
                } else {
                    "the principal variation"
                },
            ));
        }
        columns.extend(self.facts.iter().map(|fact| column::text(fact.key, fact.help)));
        let title = if self.of_moves { "Value of each move" } else { "Value of each position" };
        Table::new("solve", title, &columns)
    }

    /// A batch without rows.
    pub fn batch(&self) -> ValuesBatch<'_> {
        let fields = self.table().columns.iter().map(Field::new).collect();
        ValuesBatch { schema: self, fields, next: 0 }
    }
}

/// Rows of a table of values.
pub struct ValuesBatch<'a> {
    schema: &'a ValuesSchema,
    fields: Vec<Field>,
    /// The column of the next value.
    next: usize,
}

/// The values of a column.
enum Field {
    Line(Vec<i64>),
    Integer(Vec<Option<i32>>),
    Truth(Vec<Option<bool>>),
    Text(Texts, Vec<bool>),
}

impl Field {
    fn new(column: &Column) -> Field {
        match column.kind {
            ColumnType::Integer if column.name == LINE => Field::Line(Vec::new()),
            ColumnType::Integer => Field::Integer(Vec::new()),
            ColumnType::Truth => Field::Truth(Vec::new()),
            _ => Field::Text(Texts::default(), Vec::new()),
        }
    }
}

impl ValuesBatch<'_> {
    /// Adds the rows of a position: one, or one for each move. `message` is that of its error.
    pub fn push(&mut self, line: u64, found: &PositionValues, message: Option<&str>) {
        if !self.schema.of_moves {
            self.push_position(line, found, message);
        } else if found.moves.is_empty() {
            self.push_move(line, found, None, message);
        } else {
            found.moves.iter().for_each(|mv| self.push_move(line, found, Some(mv), message));
        }
    }

    fn push_position(&mut self, line: u64, found: &PositionValues, message: Option<&str>) {
        let bounds = found.bounds.as_ref();
        let outcome = found.value.map(|value| value.outcome).or_else(|| bounds?.outcome());
        let to_come = found.to_come.and_then(|points| points.exact());
        self.line(line);
        self.text(found.position.as_deref());
        self.text(outcome.map(Outcome::name));
        self.points(found.value.and_then(|value| value.score));
        self.points(bounds.and_then(|bounds| bounds.least.score));
        self.points(bounds.and_then(|bounds| bounds.most.score));
        self.truth(found.position.as_ref().map(|_| found.value.is_some() || to_come.is_some()));
        self.integer(found.value.and_then(|value| value.plies));
        let best = found.line.as_ref().and_then(|line| line.first());
        self.text(best.map(String::as_str));
        self.text(message);
        if self.schema.measure == Measure::Plies {
            let bounds = bounds.filter(|_| found.value.is_none());
            self.text(bounds.map(|bounds| bounds.words.as_str()));
        }
        if !self.schema.states_points {
            self.points(to_come);
            self.points(found.to_come.map(|points| points.least));
            self.points(found.to_come.map(|points| points.most));
        }
        if self.schema.has_line {
            let line = found.line.as_ref().filter(|line| !line.is_empty());
            self.text(line.map(|line| line.join(" ")).as_deref());
        }
        self.facts(&found.facts, None);
    }

    /// Adds the row of a move, or that of a position without moves.
    fn push_move(
        &mut self,
        line: u64,
        found: &PositionValues,
        mv: Option<&MoveAnswer>,
        message: Option<&str>,
    ) {
        let value = mv.map_or(found.value, |mv| mv.value);
        let is_best = mv.and_then(|mv| mv.class).map(|class| class == Class::Best);
        self.line(line);
        self.text(found.position.as_deref());
        self.text(mv.map(|mv| mv.name.as_str()));
        self.text(value.map(|value| value.outcome.name()));
        self.points(value.and_then(|value| value.score));
        self.points(mv.and_then(|mv| mv.cost));
        self.truth(is_best);
        self.text(message);
        if self.schema.measure == Measure::Plies {
            self.integer(value.and_then(|value| value.plies));
        }
        if !self.schema.states_points {
            let of_position = || found.to_come.and_then(|points| points.exact());
            self.points(mv.map_or_else(of_position, |mv| mv.to_come));
        }
        if self.schema.has_line {
            let is_first =
                |line: &&Vec<String>| mv.is_some_and(|mv| line.first() == Some(&mv.name));
            let line = found.line.as_ref().filter(is_first);
            self.text(line.map(|line| line.join(" ")).as_deref());
        }
        self.facts(&found.facts, mv.map(|mv| &mv.facts));
    }

    /// The rows.
    pub fn finish(self) -> Vec<Series> {
        let series = |field| match field {
            Field::Line(lines) => Values::Long(lines).into(),
            Field::Integer(values) => Series::integers(values),
            Field::Truth(values) => Series::truths(values),
            Field::Text(texts, present) => {
                let is_full = present.iter().all(|is_present| *is_present);
                Series { values: Values::Text(texts), present: (!is_full).then_some(present) }
            }
        };
        self.fields.into_iter().map(series).collect()
    }

    fn next(&mut self) -> &mut Field {
        let at = self.next;
        self.next = (at + 1) % self.fields.len();
        &mut self.fields[at]
    }

    fn line(&mut self, line: u64) {
        match self.next() {
            Field::Line(lines) => lines.push(i64::try_from(line).unwrap_or(i64::MAX)),
            _ => unreachable!("the first column is the line"),
        }
    }

    fn integer(&mut self, number: Option<u32>) {
        match self.next() {
            Field::Integer(values) => values.push(number.and_then(|it| i32::try_from(it).ok())),
            _ => unreachable!("a column of integers"),
        }
    }

    fn truth(&mut self, truth: Option<bool>) {
        match self.next() {
            Field::Truth(values) => values.push(truth),
            _ => unreachable!("a column of truth values"),
        }
    }

    fn text(&mut self, text: Option<&str>) {
        match self.next() {
            Field::Text(texts, present) => {
                texts.push(text.unwrap_or_default());
                present.push(text.is_some());
            }
            _ => unreachable!("a column of texts"),
        }
    }

    /// Points are integers, or texts if they may be fractions.
    fn points(&mut self, points: Option<Score>) {
        match self.next() {
            Field::Integer(values) => values.push(points.and_then(Score::to_integer)),
            Field::Text(texts, present) => {
                texts.push(&points.map_or(String::new(), exact));
                present.push(points.is_some());
            }
            _ => unreachable!("a column of points"),
        }
    }

    /// The optional facts of a move; those about the position alone are the same for every move.
    fn facts(
        &mut self,
        of_position: &BTreeMap<String, Fact>,
        of_move: Option<&BTreeMap<String, Fact>>,
    ) {
        for fact in &self.schema.facts {
            let found = of_move.and_then(|facts| facts.get(fact.key));
            let found = found.or(of_position.get(fact.key));
            let text = found.and_then(Fact::text);
            self.text(text.as_deref());
        }
    }
}

/// Points as in tables: an integer, or a reduced fraction such as `-3/2`.
pub fn exact(points: Score) -> String {
    match (points.numerator(), points.denominator()) {
        (points, 1) => points.to_string(),
        (numerator, denominator) => format!("{numerator}/{denominator}"),
    }
}

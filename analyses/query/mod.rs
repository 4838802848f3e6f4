//! Questions of one's own: the positions of a game, or their moves, that meet a condition.
//!
//! The dataset `positions` has a row for each position, up to symmetry; `moves` has one for each
//! legal move of each. A query has a condition on the rows, an
//! [expression](bsq_engine::expression), and either groups them by keys, with aggregates of each
//! group, or shows the first of them. Counts are of positions up to symmetry; the sum of `orbit_size`
//! counts all.
//!
//! ```
//! use bsq_analyses::query;
//! use bsq_analyses::source::Explorer;
//! use bsq_games::mnk;
//!
//! let rules = mnk::Rules::tic_tac_toe();
//! let query = query::analysis::<Explorer<mnk::Rules>>("mnk", &rules, |_| Vec::new());
//! let given = [("condition", "terminal and outcome = tie"), ("sum", "orbit_size")];
//! let tables = query.prepare(&given, None).unwrap().run(&Default::default()).unwrap();
//! assert_eq!(tables[0].rows, [[16u32.into()]]); // drawn boards
//! ```

mod aggregate;
mod answer;
mod batch;
mod columns;
pub mod options;
mod stream;
mod table;

use crate::source::{Root, Source, Visit};
use crate::{Analysis, AnalysisError, Described, Job, OptionValues, Table};
use aggregate::Kind;
use answer::Answer;
use bsq_engine::dataset::GameColumn;
use bsq_engine::expression::{ColumnName, Condition, Expression, Quantity, Type};
use bsq_engine::game::Game;
use bsq_engine::monitor::{Growth, Monitor};
use bsq_engine::options::RuleOption;
use bsq_engine::record::Recorded;
use bsq_engine::results::Series;
use bsq_engine::tabulate;
use bsq_engine::view::View;
use columns::{Known, names};
use options::{
    BY, COLUMNS, CONDITION, COUNT, DATASET, MAX, MEAN, MIN, OF_EXPORTS, OF_QUERIES, ROWS, SHOW, SUM,
};
use std::ops::ControlFlow;
use std::sync::Arc;
use stream::Stream;

pub(crate) use batch::Batch;
pub use columns::Dataset;
pub(crate) use columns::{Row, columns, keeps_player};
pub use stream::{Sink, Streamed};

/// The most rows that are shown as boards.
const MOST_BOARDS: usize = 100;

/// A query that has been checked.
pub struct Query<G: Game> {
    dataset: Dataset,
    columns: Vec<Known<G>>,
    /// The text of the condition.
    text: String,
    condition: Condition,
    keys: Vec<Named<Expression>>,
    aggregates: Aggregates,
    /// The number of rows to show, instead of groups.
    rows: Option<usize>,
    /// The columns that are shown.
    shown: Vec<usize>,
    /// Draws a position.
    draw: Option<Draw<G>>,
}

/// Kinds of aggregates, each with its number, which is missing where rows are counted.
type Aggregates = Vec<(Kind, Option<Named<Quantity>>)>;

type Draw<G> = fn(&G, &<G as Game>::Position) -> String;

/// An expression with its text.
struct Named<T> {
    text: String,
    expression: T,
}

/// The query of a game by its name, as an analysis of a source. `of_game` returns the columns that
/// only this game has.
pub fn analysis<S: Source<Game: View>>(
    game: &str,
    default: &S::Game,
    of_game: impl Fn(&S::Game) -> Vec<GameColumn<S::Game>> + Send + Sync + 'static,
) -> Analysis {
    let summary = "the positions, or the moves, that meet a condition";
    about_rows::<S>("query", summary, &OF_QUERIES, game, default, of_game, |asked| {
        let described = asked.described();
        if asked.request.value(&COLUMNS.name) == Some("yes") {
            let listed = listed(asked.dataset, &asked.columns);
            return Ok(Job::new(described, move |_| Ok(vec![listed.clone()])));
        }
        let prepared = Arc::new(asked.prepared(Query::of)?);
        let (query, estimated) = (&prepared.query, Arc::clone(&prepared));
        let chart = if query.rows.is_none() { query.chart() } else { None };
        let job = Job::new(described, move |monitor| prepared.run(monitor));
        Ok(job.with_chart(chart).with_estimate(move || estimated.estimate()))
    })
}

/// The export of a game by its name: all rows of a dataset that meet a condition, by default all, in a
/// fixed order. The job has them as [rows](Job::rows) that need not fit in memory.
pub fn export<S: Source<Game: View>>(
    game: &str,
    default: &S::Game,
    of_game: impl Fn(&S::Game) -> Vec<GameColumn<S::Game>> + Send + Sync + 'static,
) -> Analysis {
    let summary = "every position, or every move, as a table";
    about_rows::<S>("export", summary, &OF_EXPORTS, game, default, of_game, |asked| {
        let described = asked.described();
        let prepared = Arc::new(asked.prepared(|request, _, dataset, columns| {
            Query::of_export(request, dataset, columns)
        })?);
        let table = prepared.query.table_of_export();
        let [streamed, estimated] = [Arc::clone(&prepared), Arc::clone(&prepared)];
        let job = Job::new(described, move |monitor| Ok(vec![prepared.whole(monitor)?]));
        let rows = Streamed::new(table, move |batch_rows, sink, monitor| {
            streamed.stream(batch_rows, sink, monitor)
        });
        Ok(job.with_rows(rows).with_estimate(move || estimated.estimate()))
    })
}

/// A request about the rows of a dataset.
struct Asked<'a, S: Source> {
    game: &'a str,
    request: &'a OptionValues<'a>,
    rules: S::Game,
    root: Option<Root<S::Game>>,
    source: S,
    dataset: Dataset,
    columns: Vec<Known<S::Game>>,
}

/// A query that has been checked, with the positions that it is about.
struct Prepared<S: Source> {
    query: Query<S::Game>,
    source: S,
    visit: Visit<S::Game>,
}

/// An analysis of the rows of datasets of a source.
fn about_rows<S: Source<Game: View>>(
    name: &'static str,
    summary: &'static str,
    own: &[RuleOption],
    game: &str,
    default: &S::Game,
    of_game: impl Fn(&S::Game) -> Vec<GameColumn<S::Game>> + Send + Sync + 'static,
    prepare: fn(Asked<S>) -> Result<Job, AnalysisError>,
) -> Analysis {
    let (game, default) = (game.to_string(), default.clone());
    let rules = default.format().options.iter();
    let options: Vec<RuleOption> = own.iter().chain(S::OPTIONS).chain(rules).cloned().collect();
    Analysis::new(name, summary, options, move |request| {
        let (rules, source) = S::open(request, &default)?;
        // A position may contain rules, such as its board.
        let (rules, root) = Root::of(request, rules)?;
        source.check(&rules, root.as_ref())?;
        let dataset = dataset(request);
        let all = columns(&rules, source.knows_ply(), of_game(&rules));
        let is_in = |column: &Known<S::Game>| dataset == Dataset::Moves || !column.is_of_move();
        let (columns, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_in);
        let asked = Asked { game: &game, request, rules, root, source, dataset, columns };
        prepare(asked).map_err(|error| match error {
            AnalysisError::Option { name, why } => {
                let advice = request.given(&name).and_then(|text| advice(text, &others));
                AnalysisError::Option { why: why + advice.as_deref().unwrap_or_default(), name }
            }
            error => error,
        })
    })
}

/// What to say about a text that names columns of moves, where rows are positions.
fn advice<G: Game>(text: &str, of_moves: &[Known<G>]) -> Option<String> {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let word = words.find(|word| of_moves.iter().any(|column| column.name() == *word))?;
    Some(format!("\n'{word}' is a column of the dataset 'moves'"))
}

impl<S: Source<Game: View>> Asked<'_, S> {
    fn described(&self) -> Described {
        crate::any::described(self.game, &self.rules, self.root.as_ref())
    }

    /// Parses the query.
    fn prepared(
        self,
        parse: impl FnOnce(
            &OptionValues,
            &S::Game,
            Dataset,
            Vec<Known<S::Game>>,
        ) -> Result<Query<S::Game>, AnalysisError>,
    ) -> Result<Prepared<S>, AnalysisError> {
        let Asked { request, rules, root, source, dataset, columns, .. } = self;
        let query = parse(request, &rules, dataset, columns)?;
        let visit = Visit { rules, root, is_ordered: query.is_ordered() };
        Ok(Prepared { query, source, visit })
    }
}

impl<S: Source<Game: View>> Prepared<S> {
    fn estimate(&self) -> Option<f64> {
        self.source.estimate(&self.visit.rules)
    }

    /// The answer as a table.
    fn run(&self, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
        let Prepared { query, source, visit } = self;
        let growth = Growth::new(monitor, if query.rows.is_some() { "rows" } else { "groups" });
        let answer = Answer::new(query, &visit.rules, &growth);
        let answer = source.collect(visit, answer, monitor)?.finish()?;
        Ok(vec![match query.rows {
            Some(_) => query.table_of_rows(answer.rows),
            None => query.table_of_groups(answer.groups),
        }])
    }

    /// Passes the rows to a sink, in a fixed order.
    fn stream(
        &self,
        batch_rows: usize,
        sink: &mut Sink,
        monitor: &Monitor,
    ) -> Result<(), AnalysisError> {
        let Prepared { query, source, visit } = self;
        let stream = Stream::new(query, &visit.rules, batch_rows, sink);
        source.collect(visit, stream, monitor)?.finish()
    }

    /// All rows in a table.
    fn whole(&self, monitor: &Monitor) -> Result<Table, AnalysisError> {
        let mut table = self.query.table_of_export();
        let mut add = |batch: Vec<Series>| {
            let rows = batch.first().map_or(0, |series| series.values.len());
            for row in 0..rows {
                table.push(batch.iter().map(|series| series.cell(row)).collect());
            }
            ControlFlow::Continue(())
        };
        self.stream(1, &mut add, monitor)?;
        Ok(table)
    }
}

/// The dataset that a request names.
fn dataset(request: &OptionValues) -> Dataset {
    request.value(&DATASET.name).and_then(Dataset::by_name).expect("the value was checked")
}

/// The table of the columns of a dataset.
fn listed<G: Game>(dataset: Dataset, columns: &[Known<G>]) -> Table {
    let title = format!("Columns of the dataset {}", dataset.name());
    let mut table = tabulate!("columns", &title, for column in columns => {
        "column": text key, "the name" => column.name();
        "values": text, "what the values are: numbers, true or false, one of some words, or text"
            => match column.kind() {
                Type::Number => "number".to_string(),
                Type::Truth => "true or false".to_string(),
                Type::Words(words) => words.join(", "),
                Type::Text => "text".to_string(),
            };
        "meaning": text, "what the column says" => column.help();
    });
    if columns.iter().any(|column| column.help().contains("you")) {
        table.note = Some("'You' is the player to move.".to_string());
    }
    table
}

impl<G: View> Query<G> {
    fn of(
        request: &OptionValues,
        rules: &G,
        dataset: Dataset,
        columns: Vec<Known<G>>,
    ) -> Result<Query<G>, AnalysisError> {
        let Some(text) = request.given(&CONDITION.name) else {
            let why = "a query needs a condition, such as 'terminal'; 'true' selects all rows";
            return Err(AnalysisError::option(&*CONDITION.name, why));
        };
        let scope = Scope { request, names: names(&columns) };
        let condition = Condition::parse(text, &scope.names)
            .map_err(|error| AnalysisError::option(&*CONDITION.name, error.to_string()))?;
        let keys = scope.expressions(&BY)?;
        let mut aggregates = scope.aggregates()?;
        let rows: Option<usize> =
            request.given(&ROWS.name).map(|_| request.integer(&ROWS.name)).transpose()?;
        if rows.is_some() {
            refuse(request, &[BY, COUNT, SUM, MEAN, MIN, MAX], "--rows shows rows, not groups")?;
        } else {
            refuse(request, &[SHOW], "columns are shown with --rows only")?;
        }
        let is_shown = |&at: &usize| columns[at].is_shown() || condition.columns().contains(&at);
        let shown = match request.given(&SHOW.name) {
            Some(list) => shown(list, &columns)?,
            None => (0..columns.len()).filter(is_shown).collect(),
        };
        if aggregates.is_empty() {
            aggregates.push((Kind::Count, None));
            if dataset == Dataset::Positions && has_symmetries(rules) {
                let sum = scope.expression(&SUM, ORBIT_SIZE)?;
                aggregates.push((Kind::Sum, Some(quantity(&SUM, sum)?)));
            }
        }
        let draw: Option<Draw<G>> = rows
            .filter(|&rows| rows <= MOST_BOARDS)
            .map(|_| (|game: &G, position: &G::Position| game.drawing(position, &|_| None)) as _);
        let text = text.to_string();
        drop(scope);
        Ok(Query { dataset, text, condition, keys, aggregates, rows, shown, draw, columns })
    }

    /// The query of an export: all columns, and all rows that meet a condition, by default all.
    fn of_export(
        request: &OptionValues,
        dataset: Dataset,
        columns: Vec<Known<G>>,
    ) -> Result<Query<G>, AnalysisError> {
        let text = request.given(&CONDITION.name).unwrap_or("true").to_string();
        let condition = Condition::parse(&text, &names(&columns))
            .map_err(|error| AnalysisError::option(&*CONDITION.name, error.to_string()))?;
        let shown = match request.given(&SHOW.name) {
            Some(list) => shown(list, &columns)?,
            None => (0..columns.len()).collect(),
        };
        let (keys, aggregates, rows, draw) = (Vec::new(), Aggregates::new(), None, None);
        Ok(Query { dataset, columns, text, condition, keys, aggregates, rows, shown, draw })
    }
}

/// Returns an error if one of some options is given.
fn refuse(request: &OptionValues, options: &[RuleOption], why: &str) -> Result<(), AnalysisError> {
    match options.iter().find(|option| request.given(&option.name).is_some()) {
        Some(option) => Err(AnalysisError::option(option.name.clone(), why)),
        None => Ok(()),
    }
}

/// Whether some position has other images, judged by the start and the positions after each first
/// move.
fn has_symmetries<G: Game>(game: &G) -> bool {
    let start = game.start();
    let after = game.moves(&start).into_iter().map(|mv| game.play(&start, mv));
    std::iter::once(start.clone())
        .chain(after)
        .any(|position| game.images(&position).iter().any(|image| *image != position))
}

/// A request with the columns that its expressions can name.
struct Scope<'a> {
    request: &'a OptionValues<'a>,
    names: Vec<ColumnName<'a>>,
}

impl Scope<'_> {
    /// The expressions of an option, which are separated by commas.
    fn expressions(&self, option: &RuleOption) -> Result<Vec<Named<Expression>>, AnalysisError> {
        let texts = self.request.given(&option.name).unwrap_or_default().split(',').map(str::trim);
        texts.filter(|text| !text.is_empty()).map(|text| self.expression(option, text)).collect()
    }

    fn expression(
        &self,
        option: &RuleOption,
        text: &str,
    ) -> Result<Named<Expression>, AnalysisError> {
        let expression = Expression::parse(text, &self.names)
            .map_err(|error| AnalysisError::option(option.name.clone(), error.to_string()))?;
        Ok(Named { text: text.to_string(), expression })
    }

    /// The aggregates, in the order of their kinds.
    fn aggregates(&self) -> Result<Aggregates, AnalysisError> {
        let mut aggregates = Aggregates::new();
        if self.request.value(&COUNT.name) == Some("yes") {
            aggregates.push((Kind::Count, None));
        }
        for (kind, option) in
            [(Kind::Sum, SUM), (Kind::Mean, MEAN), (Kind::Min, MIN), (Kind::Max, MAX)]
        {
            for expression in self.expressions(&option)? {
                aggregates.push((kind, Some(quantity(&option, expression)?)));
            }
        }
        Ok(aggregates)
    }
}

/// The number that an expression of an option is: of a condition, 1 where it holds, and else 0.
fn quantity(
    option: &RuleOption,
    Named { text, expression }: Named<Expression>,
) -> Result<Named<Quantity>, AnalysisError> {
    match expression {
        Expression::Number(expression) => Ok(Named { text, expression }),
        Expression::Truth(condition) => Ok(Named { text, expression: condition.into() }),
        _ => {
            let why = format!("'{text}' is neither a number nor a condition");
            Err(AnalysisError::option(option.name.clone(), why))
        }
    }
}

impl<G: Game> Query<G> {
    /// Whether all rows are the answer.
    fn is_export(&self) -> bool {
        self.rows.is_none() && self.aggregates.is_empty()
    }

    /// Whether the answer depends on the order of the positions, or on which image of each is visited.
    fn is_ordered(&self) -> bool {
        let is_text = |key: &Named<Expression>| matches!(key.expression, Expression::Text(_));
        self.is_export() || self.rows.is_some() || self.keys.iter().any(is_text)
    }
}

/// The column that the default aggregates add.
const ORBIT_SIZE: &str = "orbit_size";

/// The columns of a list of names.
pub(crate) fn shown<G: Game>(
    list: &str,
    columns: &[Known<G>],
) -> Result<Vec<usize>, AnalysisError> {
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    let found = names.map(|name| {
        columns.iter().position(|column| column.name() == name).ok_or_else(|| {
            let known = columns.iter().map(Known::name);
            let advice = bsq_engine::expression::suggestion(name, known);
            AnalysisError::option(&*SHOW.name, format!("'{name}' is not a column{advice}"))
        })
    });
    let found: Vec<usize> = found.collect::<Result<_, AnalysisError>>()?;
    if found.is_empty() {
        return Err(AnalysisError::option(&*SHOW.name, "no column is named"));
    }
    Ok(found)
}

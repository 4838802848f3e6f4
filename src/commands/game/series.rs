//! `bsq GAME solve` under several rules: `--penalty 0,-1,-2` or `--k 3,4,5`.

use super::solve::{Question, switches};
use super::{LONGEST_LINE, PositionArgs, advised, command_of, of_rules};
use crate::cli::flags::{LIST, takes_list};
use crate::cli::solve::Solve;
use crate::errors::{is_stopped, proved_so_far, usage};
use crate::output::{self, Computed, Folder};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{Cell, Column, ColumnType, Table};
use bsq_api::command::{self, quoted};
use bsq_api::requests::options_of;
use bsq_api::{
    Answer, Cost, Game, PositionValues, RuleOption, RulesAnswer, ValueAnswer, ValuesRequest, exact,
};
use bsq_engine::results::{self, column};
use bsq_engine::score::Score;
use std::collections::HashMap;
use std::path::Path;

/// The column of differences between rows.
const CHANGE: &str = "change";
/// The columns that are not for reading: the same in every row, or empty.
const HIDDEN: [&str; 4] = ["line", "position", "proved", "error"];
/// Those that tell nothing new if every score is known.
const IF_UNKNOWN: [&str; 5] = ["score_min", "score_max", "to_come", "to_come_min", "to_come_max"];

/// Options, each with the values of a list.
type Lists<'a> = Vec<(&'a RuleOption, Vec<&'a str>)>;

/// Whether the value of an option is a list.
pub fn is_given(game: &dyn Game, position: &PositionArgs) -> bool {
    !lists(game, position).is_empty()
}

/// Answers with a row for each combination of the values, or with one for each of its moves.
pub fn run(game: &dyn Game, args: Solve) -> Result<()> {
    let Solve { position, values, pv, checkpoint, output } = args;
    if checkpoint.is_some() {
        return Err(usage("--checkpoint is for one value of each rule, not for a list"));
    }
    let run = Run::begin(&output.work)?;
    let lists = lists(game, &position);
    let base = base(game, &position, &lists)?;
    let under = |rules: &[(&str, &str)]| {
        let rules = rules.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        PositionArgs { rules: base.rules.iter().cloned().chain(rules).collect(), ..base.clone() }
    };
    let line = if pv { LONGEST_LINE } else { 0 };
    let request = ValuesRequest { of_moves: values, line, ..ValuesRequest::default() };
    // A value is refused before the first one is answered.
    let combinations = combinations(&lists);
    let schemas = combinations.iter().map(|rules| {
        let args = under(rules);
        let schema = game.values_schema(&args.rules(), &args.resources(), &request);
        schema.map_err(|error| advised(error, None))
    });
    let schemas = schemas.collect::<Result<Vec<_>>>()?;
    let schema = schemas.iter().find(|schema| schema.has_fractions()).unwrap_or(&schemas[0]);
    let folder = Folder::open(&output)?;
    let (mut batch, mut rows) = (schema.batch(), Rows::default());
    let (mut common, mut stopped) = (RulesAnswer::new(), None);
    for combination in &combinations {
        let session = under(combination).open(game)?;
        // As for one position, a best move does not take another search.
        let line = if session.cost() == Cost::Search { line } else { line.max(1) };
        let (session, facts) = (session.as_ref(), &*position.facts);
        let question = Question { session, facts, values, line, time: position.time };
        // After Ctrl-C, the last row is what is proved.
        let answer = match question.ask(&run) {
            Err(error) if is_stopped(&error) && output.out.is_none() => {
                stopped = Some(proved_so_far());
                session.so_far()
            }
            answer => answer?,
        };
        batch.push(1, &PositionValues::from(&answer), None);
        rows.push(combination, &answer, values);
        common = answer.rules;
        if stopped.is_some() {
            break;
        }
    }
    // Those that vary are columns.
    common.retain(|name, _| lists.iter().all(|(option, _)| option.parameter() != *name));
    let answer = Computed {
        command: command_line(game, &position, &base, values, pv),
        rules: of_rules(game, &common),
        tables: vec![rows.table(&lists, &schema.table(), &batch.finish())],
    };
    output::deliver(&run, &output, folder, &[answer])?;
    run.end();
    stopped.map_or(Ok(()), Err)
}

/// The options whose values are lists.
fn lists<'a>(game: &'a dyn Game, position: &'a PositionArgs) -> Lists<'a> {
    let of_option = |option: &'a RuleOption| {
        let given = position.rules.iter().find(|(name, _)| *name == option.name);
        let (_, list) = given.filter(|(_, value)| value.contains(LIST))?;
        let mut values: Vec<&str> = Vec::new();
        for value in list.split(LIST).map(str::trim) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        Some((option, values))
    };
    game.options().iter().filter(|option| takes_list(option)).filter_map(of_option).collect()
}

/// Every choice of a value from each list, in the order of the lists.
fn combinations<'a>(lists: &'a Lists<'a>) -> Vec<Vec<(&'a str, &'a str)>> {
    lists.iter().fold(vec![Vec::new()], |combinations, (option, values)| {
        let more = combinations.iter().flat_map(|rules| {
            values.iter().map(|value| [&rules[..], &[(&*option.name, *value)]].concat())
        });
        more.collect()
    })
}

/// The position without the lists. Values of a list replace those of a file.
fn base(game: &dyn Game, position: &PositionArgs, lists: &Lists) -> Result<PositionArgs> {
    let is_single = |name: &str| lists.iter().all(|(option, _)| option.name != name);
    let rules = position.rules.iter().filter(|(name, _)| is_single(name)).cloned().collect();
    let base = PositionArgs { rules, ..position.clone() };
    if !base.given.as_deref().is_some_and(|path| Path::new(path).is_file()) {
        return Ok(base);
    }
    let session = base.open(game)?;
    let rules = session.rules();
    let rules = options_of(game, &rules).into_iter().filter(|(name, _)| is_single(name));
    Ok(PositionArgs {
        given: Some(session.position()),
        rules: rules.map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        moves: String::new(),
        ..base
    })
}

/// The command that gives the same table.
fn command_line(
    game: &dyn Game,
    position: &PositionArgs,
    base: &PositionArgs,
    values: bool,
    pv: bool,
) -> String {
    let mut verb = "solve".to_string();
    if let Some(given) = &base.given {
        verb += &format!(" {}", quoted(given));
    }
    if !base.moves.is_empty() {
        verb += &format!(" --moves {}", quoted(&base.moves));
    }
    let given = position.rules.iter().filter(|(_, value)| value.contains(LIST));
    let rules: Vec<_> = base.rules.iter().chain(given).map(|(a, b)| (&**a, &**b)).collect();
    verb += &command::flags(game.options(), &rules);
    verb += &switches(position, values, pv);
    command_of(game, &verb)
}

/// What the rows contain besides the columns of the schema.
#[derive(Default)]
struct Rows {
    /// The rules of each row.
    rules: Vec<Vec<String>>,
    /// The points of each row minus those of the same move under the rules before.
    changes: Vec<Option<Score>>,
    /// The points of each move, or of the position, under the last rules.
    last: HashMap<Option<String>, Score>,
}

impl Rows {
    /// Adds the rows of an answer.
    fn push(&mut self, rules: &[(&str, &str)], answer: &Answer, of_moves: bool) {
        let points =
            |value: Option<ValueAnswer>, to_come| value.and_then(|it| it.score).or(to_come);
        let mut rows: Vec<(Option<String>, Option<Score>)> = Vec::new();
        if of_moves {
            let moves = answer.moves.iter();
            rows.extend(moves.map(|mv| (Some(mv.name.clone()), points(mv.value, mv.to_come))));
        }
        if rows.is_empty() {
            rows.push((None, points(answer.value, answer.to_come)));
        }
        for (mv, points) in &rows {
            self.rules.push(rules.iter().map(|(_, value)| value.to_string()).collect());
            self.changes.push(points.zip(self.last.get(mv)).map(|(now, last)| now - *last));
        }
        self.last = rows.into_iter().filter_map(|(mv, points)| Some((mv, points?))).collect();
    }

    /// The table: columns of the rules, those of the schema, and the change if one rule varies.
    fn table(self, lists: &Lists, schema: &Table, values: &[results::Series]) -> Table {
        let is_integer = |(_, values): &(&RuleOption, Vec<&str>)| {
            values.iter().all(|value| value.parse::<i32>().is_ok())
        };
        let are_integers: Vec<bool> = lists.iter().map(is_integer).collect();
        let columns = lists.iter().zip(&are_integers).map(|((option, _), is_integer)| {
            let kind = if *is_integer { ColumnType::Integer } else { ColumnType::Text };
            Column::named(option.parameter(), kind, "the value of this rule".to_string()).key()
        });
        let mut columns: Vec<Column> = columns.chain(schema.columns.iter().cloned()).collect();
        let has_change = lists.len() == 1 && self.changes.iter().any(Option::is_some);
        let of_fractions = self.changes.iter().flatten().any(|it| it.to_integer().is_none());
        if has_change {
            let column = if of_fractions { column::text } else { column::integer };
            columns.push(column(
                CHANGE,
                "score, or else to_come, minus that of the same move under the value before; empty if unknown",
            ));
        }
        let title = format!("{} under several rules", schema.title);
        let mut table = Table::new(&schema.name, &title, &columns);
        for (row, (rules, change)) in self.rules.into_iter().zip(self.changes).enumerate() {
            let rules = rules.into_iter().zip(&are_integers);
            let rules = rules.map(|(value, is_integer)| match value.parse::<i32>() {
                Ok(value) if *is_integer => Cell::Integer(value.into()),
                _ => Cell::Text(value),
            });
            let mut cells: Vec<Cell> = rules.chain(values.iter().map(|it| it.cell(row))).collect();
            if has_change {
                cells.push(match change.map(|it| (it.to_integer(), it)) {
                    None => Cell::Empty,
                    Some((Some(points), _)) if !of_fractions => Cell::Integer(points.into()),
                    Some((_, points)) => Cell::Text(exact(points)),
                });
            }
            table.push(cells);
        }
        let score = columns.iter().position(|column| column.name == "score");
        let is_known = table.rows.iter().all(|row| score.is_some_and(|at| row[at] != Cell::Empty));
        let is_hidden =
            |name: &str| HIDDEN.contains(&name) || is_known && IF_UNKNOWN.contains(&name);
        let names = columns.into_iter().map(|column| column.name);
        table.main_columns =
            names.filter(|name| !is_hidden(name) && table.has_values(name)).collect();
        table
    }
}

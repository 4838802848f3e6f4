//! `bsq GAME query`.

use super::args::{OutputArgs, PlotArgs, TableArgs, solved_board};
use super::flags::{beside_rules, flags, given, given_tablebase, memory, memory_limit, tablebase};
use crate::memory::Share;
use bsq_analyses::options::TABLEBASE;
use bsq_analyses::query::options::{COLUMNS, CONDITION};
use bsq_api::{Analysis, Game};
use bsq_games::british_square;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use std::path::PathBuf;

/// `bsq GAME query`.
pub struct Query {
    /// The options of the query that were given, with their values.
    pub given: Vec<(String, String)>,
    /// The tablebase that was given.
    pub tablebase: Option<PathBuf>,
    /// The memory allowed, in bytes.
    pub memory: u64,
    /// The chart.
    pub plot: PlotArgs,
    /// The output.
    pub output: OutputArgs,
}

/// The verb.
pub const QUERY: &str = "query";

/// The command of a game.
pub fn command(game: &dyn Game, query: &Analysis) -> Command {
    let condition = Arg::new(CONDITION.name.to_string())
        .value_name("CONDITION")
        .required_unless_present(COLUMNS.name.to_string())
        .allow_hyphen_values(true)
        .help(CONDITION.help.to_string());
    let mut command =
        flags(Command::new(QUERY).arg(condition), beside_rules(game, query, &APART), None);
    command = memory(command, Share::ThreeQuarters);
    if query.option(&TABLEBASE.name).is_some() {
        command = tablebase(command);
    }
    command = flags(command, game.options(), Some("Rules"));
    if game.info().name == british_square::NAME {
        command = command.mut_arg("board", |board| board.help(solved_board()));
    }
    OutputArgs::augment_args(TableArgs::augment_args(PlotArgs::augment_args(command)))
        .about("Count or show the positions, or the moves, that meet a condition")
        .long_about(None)
        .after_long_help(LANGUAGE)
}

/// The options with arguments of their own.
const APART: [&str; 2] = ["condition", "tablebase"];

/// The condition, which has no flag.
pub fn condition(matches: &ArgMatches) -> Option<(String, String)> {
    let text: Option<String> = matches.get_one(&CONDITION.name).cloned();
    text.map(|text| (CONDITION.name.to_string(), text))
}

/// The arguments of the command.
pub fn parse(
    game: &dyn Game,
    query: &Analysis,
    matches: &ArgMatches,
) -> Result<Query, clap::Error> {
    let mut given = given(beside_rules(game, query, &APART).chain(game.options()), matches);
    let tablebase = given_tablebase(matches, &mut given);
    given.extend(condition(matches));
    Ok(Query {
        given,
        tablebase,
        memory: memory_limit(matches, Share::ThreeQuarters),
        plot: PlotArgs::from_arg_matches(matches)?,
        output: OutputArgs::of_tables(matches)?,
    })
}

/// The language of conditions, for the long help.
const LANGUAGE: &str = "\
Conditions:
  best_moves = 1 and ply > 5      =, !=, <, <=, >, >= compare numbers
  not terminal or outcome = tie   'and', 'or', 'not', parentheses
  (ply + 1) / 2 is odd            exact numbers; + - * /, 'is odd', 'is even'
  player = first                  one of the words of a column
'query --columns' lists the columns. A comparison with a missing value does
not hold.

Without --by, --rows and aggregates, the answer is the number of positions:
up to symmetry, and with symmetric ones counted separately.";

//! `bsq GAME export`.

use super::args::{EXPORT_EXAMPLES, RuleFlags, WorkArgs, file_format};
use super::flags::{beside_rules, flags, given, given_tablebase, memory, memory_limit, tablebase};
use super::query::condition;
use crate::memory::Share;
use bsq_analyses::EXPORTS;
use bsq_analyses::options::TABLEBASE;
use bsq_analyses::query::Dataset;
use bsq_analyses::query::options::CONDITION;
use bsq_api::tables::manifest::FileFormat;
use bsq_api::{Analysis, Game};
use bsq_games::british_square;
use bsq_games::british_square::Rules;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueHint, value_parser};
use std::path::PathBuf;

/// `bsq GAME export`.
pub struct Export {
    /// The table, or `list`.
    pub table: String,
    /// The options that were given, with their values, without the dataset.
    pub given: Vec<(String, String)>,
    /// The rules of British Square.
    pub rules: Option<Rules>,
    /// The tablebase that was given.
    pub tablebase: Option<PathBuf>,
    /// The format, if it is given.
    pub format: Option<FileFormat>,
    /// The file.
    pub file: Option<PathBuf>,
    /// The folder.
    pub out: Option<PathBuf>,
    /// The memory allowed, in bytes.
    pub memory: u64,
    /// How the work is done.
    pub work: WorkArgs,
}

/// The verb.
pub const EXPORT: &str = "export";

/// The command of a game.
pub fn command(game: &dyn Game, export: &Analysis) -> Command {
    let datasets = [
        PossibleValue::new(Dataset::Positions.name()).help("every position, up to symmetry"),
        PossibleValue::new(Dataset::Moves.name()).help("every legal move of each of them"),
        PossibleValue::new("list").help("list the tables, one per line"),
    ];
    let exports = special(game).map(|(name, summary)| PossibleValue::new(name).help(summary));
    let table = Arg::new("table")
        .value_name("TABLE")
        .required(true)
        .value_parser(PossibleValuesParser::new(exports.chain(datasets)))
        .hide_possible_values(true)
        .help("The table: positions, moves, or another one; 'list' lists them");
    let row_condition = Arg::new(CONDITION.name.to_string())
        .value_name("CONDITION")
        .allow_hyphen_values(true)
        .help("Only the rows that meet this condition, as in 'query'");
    let format = Arg::new("format")
        .long("format")
        .short('f')
        .value_name("csv|jsonl|parquet|arrow")
        .value_parser(file_format())
        .hide_possible_values(true)
        .help(
            "The format [default: that of the file's ending, or csv]; Parquet is smaller, Parquet \
             and Arrow are typed and need a build with all features",
        );
    let file = Arg::new("file")
        .long("output")
        .short('o')
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .conflicts_with("out")
        .help("Write to this file [default: standard output]");
    let out = Arg::new("out")
        .long("out")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help("Write the file and its manifest to this folder");
    let command = Command::new(EXPORT).args([table, row_condition, format, file, out]);
    let mut command =
        memory(flags(command, beside_rules(game, export, &APART), None), Share::ThreeQuarters);
    if export.option(&TABLEBASE.name).is_some() {
        command = tablebase(command);
    }
    command = if is_british_square(game) {
        RuleFlags::augment_args(command).after_help(EXPORT_EXAMPLES)
    } else {
        flags(command, game.options(), Some("Rules"))
    };
    WorkArgs::augment_args(command)
        .about("Write every position, or every move, with its values to a file")
        .long_about(None)
}

/// The exports of a game besides those of its datasets: names and summaries.
pub fn special(game: &dyn Game) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_british_square = is_british_square(game);
    let exports = EXPORTS.iter().filter(move |_| is_british_square);
    exports.map(|export| (export.name, export.summary))
}

fn is_british_square(game: &dyn Game) -> bool {
    game.info().name == british_square::NAME
}

/// The options with arguments of their own.
const APART: [&str; 3] = ["condition", "dataset", "tablebase"];

/// The arguments of the command.
pub fn parse(
    game: &dyn Game,
    export: &Analysis,
    matches: &ArgMatches,
) -> Result<Export, clap::Error> {
    let path = |id: &str| matches.try_get_one::<PathBuf>(id).ok().flatten().cloned();
    let mut given = given(beside_rules(game, export, &APART).chain(game.options()), matches);
    let tablebase = given_tablebase(matches, &mut given);
    given.extend(condition(matches));
    let rules =
        if is_british_square(game) { Some(RuleFlags::from_arg_matches(matches)?.0) } else { None };
    Ok(Export {
        table: matches.get_one::<String>("table").cloned().unwrap_or_default(),
        given,
        rules,
        tablebase,
        format: matches.get_one("format").copied(),
        file: path("file"),
        out: path("out"),
        memory: memory_limit(matches, Share::ThreeQuarters),
        work: WorkArgs::from_arg_matches(matches)?,
    })
}

//! `bsq GAME sample`.

use super::args::{OutputArgs, TableArgs};
use super::flags::{beside_rules, flags, given, given_tablebase, memory, memory_limit, tablebase};
use crate::memory::Share;
use bsq_analyses::options::TABLEBASE;
use bsq_analyses::sample::NUMBER;
use bsq_api::{Analysis, Game};
use clap::{Arg, ArgMatches, Args, Command};
use std::path::PathBuf;

/// `bsq GAME sample`.
pub struct Sample {
    /// The options that were given, with their values.
    pub given: Vec<(String, String)>,
    /// The tablebase that was given.
    pub tablebase: Option<PathBuf>,
    /// The memory allowed, in bytes.
    pub memory: u64,
    /// The output.
    pub output: OutputArgs,
}

/// The verb.
pub const SAMPLE: &str = "sample";

/// The command of a game.
pub fn command(game: &dyn Game, sample: &Analysis) -> Command {
    let number = Arg::new(NUMBER.name.to_string())
        .value_name("N")
        .required(true)
        .help(NUMBER.help.to_string());
    let mut command =
        flags(Command::new(SAMPLE).arg(number), beside_rules(game, sample, &APART), None);
    command = memory(command, Share::ThreeQuarters);
    if sample.option(&TABLEBASE.name).is_some() {
        command = tablebase(command);
    }
    command = flags(command, game.options(), Some("Rules"));
    OutputArgs::augment_args(TableArgs::augment_args(command))
        .about("Draw random positions: of playouts, or of all states")
        .long_about(None)
}

/// The options with arguments of their own.
const APART: [&str; 2] = ["number", "tablebase"];

/// The arguments of the command.
pub fn parse(
    game: &dyn Game,
    sample: &Analysis,
    matches: &ArgMatches,
) -> Result<Sample, clap::Error> {
    let mut given = given(beside_rules(game, sample, &APART).chain(game.options()), matches);
    let tablebase = given_tablebase(matches, &mut given);
    let number: Option<&String> = matches.get_one(&NUMBER.name);
    given.extend(number.map(|number| (NUMBER.name.to_string(), number.clone())));
    Ok(Sample {
        given,
        tablebase,
        memory: memory_limit(matches, Share::ThreeQuarters),
        output: OutputArgs::of_tables(matches)?,
    })
}

//! `bsq GAME analyze`: its flags are derived from what the analyses of the game take.

use super::args::{OutputArgs, PlotArgs, TableArgs, with_flags};
use super::flags::{flags, given, given_tablebase, memory, memory_limit, tablebase};
use crate::memory::Share;
use bsq_analyses::options::{METHOD, TABLEBASE};
use bsq_analyses::{Analysis, Method, parts};
use bsq_api::{Game, OptionKind, RuleOption};
use bsq_games::british_square;
use bsq_games::british_square::count::sets::Part;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use std::path::PathBuf;

/// `bsq GAME analyze`.
pub struct Analyze {
    /// The name of the analysis, `all` or `list`.
    pub analysis: String,
    /// The options that were given, with their values.
    pub given: Vec<(String, String)>,
    /// The memory allowed, in bytes.
    pub memory: u64,
    /// The tablebase that was given.
    pub tablebase: Option<PathBuf>,
    /// The part of a count.
    pub part: Option<Part>,
    /// The chart.
    pub plot: PlotArgs,
    /// The output.
    pub output: OutputArgs,
}

/// The verb.
pub const ANALYZE: &str = "analyze";

/// The command for the analyses of a game.
pub fn command(game: &dyn Game) -> Command {
    let all = game.analyses();
    let value =
        |one: &Analysis| PossibleValue::new(one.name().to_string()).help(with_flags(one.summary()));
    let special = [
        PossibleValue::new("list").help("list the analyses, one per line"),
        PossibleValue::new("all").help("run all but those that run only by name"),
    ];
    let analysis = Arg::new("analysis")
        .value_name("ANALYSIS")
        .required(true)
        .value_parser(PossibleValuesParser::new(all.iter().map(value).chain(special)))
        .hide_possible_values(true)
        .help("The analysis; 'list' lists them, 'all' runs all but those that run only by name");
    let mut command = memory(Command::new(ANALYZE).arg(analysis), Share::ThreeQuarters);
    let methods = methods(all);
    if !methods.is_empty() {
        let methods = methods
            .into_iter()
            .map(|method| PossibleValue::new(method.name()).help(with_flags(method.summary())));
        command = command.arg(
            Arg::new(METHOD)
                .long(METHOD)
                .value_name("METHOD")
                .value_parser(PossibleValuesParser::new(methods))
                .help(
                    "The method; all give the same numbers [default: closed-form for playouts, \
                     sets for states, or \
                     transfer-matrix beyond 25 cells; retrograde for blunders and heuristics]",
                ),
        );
    }
    command = flags(command, parameters(game), Some("Rules"));
    if all.iter().any(|one| one.option(&TABLEBASE.name).is_some()) {
        command = tablebase(command);
    }
    if game.info().name == british_square::NAME {
        let divided: Vec<&str> = parts::names().collect();
        let part = Arg::new("part")
            .long("part")
            .value_name("I/N")
            .value_parser(value_parser!(Part))
            .requires("file")
            .help(
                "Count part I of N and write it to the file of -o; 'bsq merge' adds all parts. \
                 Needs --method sets",
            )
            .help_heading(format!("Parts of large counts ({})", divided.join(", ")));
        command = command.arg(part);
    }
    OutputArgs::augment_args(TableArgs::augment_args(PlotArgs::augment_args(command)))
        .about("Run an analysis: positions, playouts, openings, ...")
        .long_about(None)
}

/// The methods of the analyses.
fn methods(all: &[Analysis]) -> Vec<Method> {
    let has = |one: &Analysis, name: &str| match one.option(METHOD).map(|option| &option.kind) {
        Some(OptionKind::Choice { values }) => values.iter().any(|value| value == name),
        _ => false,
    };
    let is_offered = |method: &Method| all.iter().any(|one| has(one, method.name()));
    Method::ALL.into_iter().filter(is_offered).collect()
}

/// The options that some analysis takes, the rules first, but for those about how the work is done.
fn parameters(game: &dyn Game) -> Vec<&RuleOption> {
    let mut options: Vec<&RuleOption> = game.options().iter().collect();
    for option in game.analyses().iter().flat_map(Analysis::options) {
        let is_parameter = ![METHOD, &TABLEBASE.name].contains(&&*option.name);
        if is_parameter && options.iter().all(|known| known.name != option.name) {
            options.push(option);
        }
    }
    options
}

/// The arguments of the command.
pub fn parse(game: &dyn Game, matches: &ArgMatches) -> Result<Analyze, clap::Error> {
    let text = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
    let mut given = given(parameters(game), matches);
    given.extend(text(METHOD).map(|method| (METHOD.to_string(), method)));
    let tablebase = given_tablebase(matches, &mut given);
    Ok(Analyze {
        analysis: text("analysis").unwrap_or_default(),
        given,
        memory: memory_limit(matches, Share::ThreeQuarters),
        tablebase,
        part: matches.try_get_one("part").ok().flatten().copied(),
        plot: PlotArgs::from_arg_matches(matches)?,
        output: OutputArgs::of_tables(matches)?,
    })
}

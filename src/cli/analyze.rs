//! `bsq GAME analyze`: its flags are derived from what the analyses of the game take.

use super::args::{OutputArgs, PlotArgs, with_flags};
use super::flags::{flags, given, memory, tablebase};
use bsq_analyses::{Analysis, Method, RequestOption, of_game};
use bsq_api::{Game, Question, RuleOption};
use bsq_games::british_square::count::sets::Part;
use bytesize::ByteSize;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use std::path::PathBuf;

/// `bsq GAME analyze`.
pub struct Analyze {
    /// The name of the analysis, `all` or `list`.
    pub analysis: String,
    /// The options of subjects and questions that were given, with their values.
    pub given: Vec<(&'static str, String)>,
    /// A tablebase.
    pub tablebase: Option<PathBuf>,
    /// The method.
    pub method: Option<Method>,
    /// The memory limit.
    pub memory: Option<ByteSize>,
    /// The part of a count.
    pub part: Option<Part>,
    /// The chart.
    pub plot: PlotArgs,
    /// The output.
    pub output: OutputArgs,
}

/// An analysis of a game: one of its own, or a question about any game.
#[derive(Clone, Copy)]
pub enum Offered {
    /// One of its own.
    Own(&'static Analysis),
    /// A question about any game.
    Any(Question),
}

impl Offered {
    /// All analyses of a game. Its own ones replace questions of the same name.
    pub fn of(game: &str) -> Vec<Offered> {
        let own = || of_game(game);
        let any = Question::ALL.into_iter();
        let any = any.filter(|any| own().all(|own| own.name != any.name()));
        own().map(Offered::Own).chain(any.map(Offered::Any)).collect()
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        match self {
            Offered::Own(analysis) => analysis.name,
            Offered::Any(question) => question.name(),
        }
    }

    /// What its tables contain, with the names of flags.
    pub fn summary(&self) -> String {
        with_flags(match self {
            Offered::Own(analysis) => analysis.summary,
            Offered::Any(question) => question.summary(),
        })
    }

    /// Whether it only runs on request by name. Questions about any game take long on the boards of
    /// games that have analyses of their own.
    pub fn is_long(&self, game: &str) -> bool {
        match self {
            Offered::Own(analysis) => analysis.is_long,
            Offered::Any(_) => of_game(game).next().is_some(),
        }
    }

    /// The options that it takes.
    pub fn options(&self, game: &dyn Game) -> Vec<&'static RuleOption> {
        match self {
            Offered::Own(analysis) => analysis.takes.options(),
            Offered::Any(question) => game.options().iter().chain(question.options()).collect(),
        }
    }

    /// Whether it is about a tablebase.
    pub fn takes_tablebase(&self) -> bool {
        matches!(self, Offered::Own(analysis) if analysis.takes.is_tablebase())
    }

    /// The methods, the default first. Empty if there is only one.
    fn methods(&self) -> &'static [Method] {
        match self {
            Offered::Own(analysis) => analysis.methods,
            Offered::Any(_) => &[],
        }
    }

    /// Whether it can be counted in parts.
    fn has_parts(&self) -> bool {
        matches!(self, Offered::Own(analysis) if analysis.options.contains(&RequestOption::Part))
    }
}

/// The verb.
pub const ANALYZE: &str = "analyze";

/// The command for the analyses of a game.
pub fn command(game: &dyn Game) -> Command {
    let all = Offered::of(game.info().name);
    let value = |one: &Offered| PossibleValue::new(one.name()).help(one.summary());
    let special = [
        PossibleValue::new("list").help("list the analyses, one per line"),
        PossibleValue::new("all").help("run all except those marked long"),
    ];
    let analysis = Arg::new("analysis")
        .value_name("ANALYSIS")
        .required(true)
        .value_parser(PossibleValuesParser::new(all.iter().map(value).chain(special)))
        .hide_possible_values(true)
        .help("The analysis; 'list' lists them, 'all' runs all except the long ones");
    let mut command = memory(Command::new(ANALYZE).arg(analysis));
    let is_offered = |method: &Method| all.iter().any(|one| one.methods().contains(method));
    let methods: Vec<Method> = Method::ALL.into_iter().filter(is_offered).collect();
    if !methods.is_empty() {
        let methods = methods
            .into_iter()
            .map(|method| PossibleValue::new(method.name()).help(with_flags(method.summary())));
        command = command.arg(
            Arg::new("method")
                .long("method")
                .value_name("METHOD")
                .value_parser(PossibleValuesParser::new(methods))
                .help(
                    "The method; all give the same numbers [default: closed-form for playouts, \
                     sets for states, or \
                     transfer-matrix beyond 25 cells; retrograde for blunders and heuristics]",
                ),
        );
    }
    command = flags(command, options(game, &all), "Rules");
    if all.iter().any(Offered::takes_tablebase) {
        command = tablebase(command);
    }
    let in_parts: Vec<&str> = all.iter().filter(|one| one.has_parts()).map(Offered::name).collect();
    if !in_parts.is_empty() {
        let part = Arg::new("part")
            .long("part")
            .value_name("I/N")
            .value_parser(value_parser!(Part))
            .requires("file")
            .help(
                "Count part I of N and write it to the file of -o; 'bsq merge' adds all parts. \
                 Needs --method sets",
            )
            .help_heading(format!("Parts of large counts ({})", in_parts.join(", ")));
        command = command.arg(part);
    }
    OutputArgs::augment_args(PlotArgs::augment_args(command))
        .about("Run an analysis: positions, playouts, openings, ...")
        .long_about(None)
}

/// The options that some analysis takes, the rules first.
fn options(game: &dyn Game, all: &[Offered]) -> Vec<&'static RuleOption> {
    let mut options: Vec<&RuleOption> = game.options().iter().collect();
    for option in all.iter().flat_map(|one| one.options(game)) {
        if options.iter().all(|known| known.name != option.name) {
            options.push(option);
        }
    }
    options
}

/// The arguments of the command.
pub fn parse(game: &dyn Game, matches: &ArgMatches) -> Result<Analyze, clap::Error> {
    let all = Offered::of(game.info().name);
    let text = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
    let path = |id: &str| matches.try_get_one::<PathBuf>(id).ok().flatten().cloned();
    Ok(Analyze {
        analysis: text("analysis").unwrap_or_default(),
        given: given(options(game, &all), matches),
        tablebase: path("tablebase"),
        method: text("method").as_deref().and_then(Method::by_name),
        memory: matches.get_one("memory").copied(),
        part: matches.try_get_one("part").ok().flatten().copied(),
        plot: PlotArgs::from_arg_matches(matches)?,
        output: OutputArgs::from_arg_matches(matches)?,
    })
}

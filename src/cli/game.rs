//! The subcommands of a registered game: `solve`, `analyze`, `query`, `play`, `export` and, if it has
//! tablebases, `tablebase`, with a flag for each option of its rules.

use super::analyze::{self, ANALYZE, Analyze};
use super::args::{OutputArgs, WorkArgs, parse_no_flag, within};
use super::export::{self, EXPORT, Export};
use super::flags::{self, flags, memory};
use super::query::{self, QUERY, Query};
use super::sample::{self, SAMPLE, Sample};
use super::solve::{CHECKPOINT, PositionArgs, Solve};
use super::tablebase::{self, TABLEBASE, TablebaseCommand};
use super::test_heuristic::{self, TEST_HEURISTIC, TestHeuristic};
use crate::memory::Share;
use bsq_api::Game;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint, value_parser};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What `bsq GAME` does.
pub enum GameCommand {
    /// `solve`.
    Solve(Solve),
    /// `analyze`.
    Analyze(Box<Analyze>),
    /// `query`.
    Query(Box<Query>),
    /// `sample`.
    Sample(Box<Sample>),
    /// `export`.
    Export(Box<Export>),
    /// `play`.
    Play(Play),
    /// `test-heuristic`.
    TestHeuristic(TestHeuristic),
    /// `tablebase`.
    Tablebase(TablebaseCommand),
}

impl GameCommand {
    /// The tablebase that the command reads.
    pub fn tablebase(&self) -> Option<&Path> {
        match self {
            GameCommand::Solve(solve) | GameCommand::Tablebase(TablebaseCommand::Probe(solve)) => {
                solve.position.tablebase.as_deref()
            }
            GameCommand::Analyze(analyze) => analyze.tablebase.as_deref(),
            GameCommand::Query(query) => query.tablebase.as_deref(),
            GameCommand::Export(export) => export.tablebase.as_deref(),
            GameCommand::Sample(sample) => sample.tablebase.as_deref(),
            GameCommand::Play(play) => play.position.tablebase.as_deref(),
            GameCommand::Tablebase(TablebaseCommand::Verify(verify)) => Some(&verify.path),
            GameCommand::TestHeuristic(test) => test.tablebase.as_deref(),
            GameCommand::Tablebase(TablebaseCommand::Build(_)) => None,
        }
    }

    /// The options of the analysis that the command runs, with the values that are given.
    pub fn analysis_options(&mut self) -> Option<&mut Vec<(String, String)>> {
        match self {
            GameCommand::Analyze(analyze) => Some(&mut analyze.given),
            GameCommand::Query(query) => Some(&mut query.given),
            GameCommand::Export(export) => Some(&mut export.given),
            GameCommand::Sample(sample) => Some(&mut sample.given),
            GameCommand::TestHeuristic(test) => Some(&mut test.given),
            GameCommand::Solve(_) | GameCommand::Play(_) | GameCommand::Tablebase(_) => None,
        }
    }
}

/// `bsq GAME play`.
pub struct Play {
    /// The position.
    pub position: PositionArgs,
    /// The sides of the first and of the second player: `you`, or an agent.
    pub sides: [String; 2],
    /// The random seed of agents.
    pub seed: u64,
    /// Whether the game is controlled by words even on a terminal.
    pub plain: bool,
    /// Whether values are hidden.
    pub hide_values: bool,
    /// How the work is done.
    pub work: WorkArgs,
}

/// The names of the verbs.
const SOLVE: &str = "solve";
const PLAY: &str = "play";
/// The argument for the file of a game.
const GAME_FILE: &str = "game file";
/// What `solve` does with more positions, and with more values of a rule.
const FOR_EACH_LINE: &str = "; '-' answers each line of standard input, or the column 'position' of a \
                             table of CSV or Parquet, with a row";
const RULES_OF_SOLVE: &str = "Rules (several values, separated by commas, give a row for each)";

/// The subcommand of a game, without its verbs.
pub fn command(game: &dyn Game) -> Command {
    let info = game.info();
    Command::new(info.name.to_string())
        .about(format!("{}: {}", info.title, info.summary))
        .display_order(100)
        .long_about(format!("{}: {}.\n\n{}", info.title, info.summary, info.rules))
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// Adds the verbs of a game.
pub fn verbs(command: Command, game: &dyn Game) -> Command {
    let example = game.example();
    let subject = |command: Command, more: &str, rules: &'static str| {
        let position = Arg::new("position").value_name("POSITION").allow_hyphen_values(true);
        let position = position.value_parser(parse_no_flag).help(format!(
            "A position such as '{}', moves from the start such as '{}', the size of a board such as \
             4x5, or a file with a position or a game{more} [default: the start of the game]",
            example.position, example.moves
        ));
        let moves = Arg::new("moves")
            .long("moves")
            .value_name("MOVES")
            .default_value("")
            .hide_default_value(true)
            .help(format!("Play these moves from the position first, such as '{}'", example.moves));
        resources(flags(command.arg(position).arg(moves), game.options(), Some(rules)), game)
    };
    let values = Arg::new("values")
        .long("values")
        .alias("map")
        .action(ArgAction::SetTrue)
        .help("Also find the value of every move; a table shows the values anyway if they are found at once");
    let pv = Arg::new("pv")
        .long("pv")
        .action(ArgAction::SetTrue)
        .help("Also find the principal variation, up to the first move that repeats a position");
    let checkpoint = Arg::new(CHECKPOINT)
        .long(CHECKPOINT)
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("Save the results of the search to this file, and resume from it if it exists");
    let facts = game.optional_facts().iter().map(|fact| {
        let flag = Arg::new(fact.name).long(fact.name).action(ArgAction::SetTrue);
        flag.help(fact.help)
    });
    let method = (!game.methods().is_empty()).then(|| {
        Arg::new("method")
            .long("method")
            .value_name("METHOD")
            .value_parser(PossibleValuesParser::new(game.methods()))
            .help(format!("The method; all give the same values [default: {}]", game.methods()[0]))
    });
    let time = flags::time().help(
        "The time for a position, such as 500ms, 30s or 5m; then the answer is what is proved so far",
    );
    let solve = Command::new(SOLVE).args([values, pv]).args(method).args(facts);
    let solve = solve.args([time, checkpoint]);
    let agents = game.agents(&[]).unwrap_or_default().into_iter().map(|agent| agent.name);
    let agents = Agents(agents.chain(["you".to_string()]).collect());
    let side = |id: &'static str, player: &str| {
        let side = Arg::new(id).long(id).value_name("AGENT").default_value("you");
        side.value_parser(agents.clone()).hide_possible_values(true).help(format!(
            "The {player} player: you, perfect, random, mistakes-25, or another agent; an unknown name \
             lists them all"
        ))
    };
    let seed = Arg::new("seed")
        .long("seed")
        .value_name("N")
        .value_parser(within(0, u64::MAX))
        .default_value("1")
        .help("The random seed of agents");
    let plain = Arg::new("plain")
        .long("plain")
        .action(ArgAction::SetTrue)
        .help("Read commands from standard input [default without a terminal]");
    let hide = Arg::new("hide-values")
        .long("hide-values")
        .alias("no-values")
        .action(ArgAction::SetTrue)
        .help("Hide values and best moves at first");
    let time = flags::time()
        .default_value("5s")
        .help("The time for a move of an agent or for values; then the best so far counts");
    let play = Command::new(PLAY)
        .arg(side("first", "first"))
        .arg(side("second", "second"))
        .args([time, seed, hide, plain]);
    let all = [
        OutputArgs::augment_args(with_lists(subject(solve, FOR_EACH_LINE, RULES_OF_SOLVE), game))
            .about("Find the value and the best moves of a position")
            .display_order(0)
            .long_about(None),
        analyze::command(game).display_order(1),
        WorkArgs::augment_args(subject(play, "", "Rules"))
            .about("Play on the terminal, with the value of every move")
            .display_order(3)
            .long_about(None),
    ];
    let tablebase = game.tablebases().map(|info| tablebase::command(game, info, &all[0]));
    // Behind the verbs of all games.
    let test = game.heuristic_test().map(|test| test_heuristic::command(game, test));
    let test = test.map(|command| command.display_order(10));
    let query = game.query().map(|query| query::command(game, query).display_order(2));
    let export = game.export().map(|export| export::command(game, export).display_order(4));
    let sample = game.sample().map(|sample| sample::command(game, sample).display_order(5));
    let more = [query, export, sample, test, tablebase].into_iter().flatten();
    let verbs = all.into_iter().chain(more);
    match game.info().file {
        Some(_) => command.subcommands(verbs.map(with_file)),
        None => command.subcommands(verbs),
    }
}

/// Lets the first argument of a verb name the file of the game.
fn with_file(command: Command) -> Command {
    let mut index = 1;
    let command = command.mut_args(|arg| {
        if arg.is_positional() {
            index += 1;
            arg.index(index)
        } else {
            arg
        }
    });
    let file = Arg::new(GAME_FILE).index(1).value_name("FILE").required(true);
    let file = file.value_parser(value_parser!(PathBuf)).value_hint(ValueHint::FilePath);
    let file = file.help("The game, as CSV with the columns position,player,move,next");
    command.arg(file.help_heading(None))
}

/// The file of the game, if its verbs take one.
pub fn file(game: &dyn Game, matches: &ArgMatches) -> Option<PathBuf> {
    game.info().file.as_ref()?;
    let (_, matches) = matches.subcommand()?;
    matches.get_one(GAME_FILE).cloned()
}

/// Lets the flags of rules with a value take a list of them.
fn with_lists(command: Command, game: &dyn Game) -> Command {
    let with_lists = game.options().iter().filter(|option| flags::takes_list(option));
    with_lists.fold(command, |command, option| {
        command.mut_arg(&*option.name, |arg| arg.value_delimiter(flags::LIST))
    })
}

/// Adds the flags about what an evaluation may use.
fn resources(command: Command, game: &dyn Game) -> Command {
    match game.tablebases() {
        Some(_) => flags::tablebase(memory(command, Share::Half)),
        None => memory(command, Share::Half),
    }
}

/// Accepts any text as an agent; completions suggest these names.
#[derive(Clone)]
struct Agents(Vec<String>);

impl TypedValueParser for Agents {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}

/// The arguments of a game.
pub fn parse(game: &dyn Game, matches: &ArgMatches) -> Result<GameCommand, clap::Error> {
    let (verb, matches) = matches.subcommand().expect("clap requires a subcommand");
    let text = |id: &str| matches.get_one::<String>(id).cloned();
    let flag = |id: &str| matches.get_flag(id);
    if let (TEST_HEURISTIC, Some(test)) = (verb, game.heuristic_test()) {
        return Ok(GameCommand::TestHeuristic(test_heuristic::parse(game, test, matches)?));
    }
    if let (QUERY, Some(query)) = (verb, game.query()) {
        return Ok(GameCommand::Query(Box::new(query::parse(game, query, matches)?)));
    }
    if let (SAMPLE, Some(sample)) = (verb, game.sample()) {
        return Ok(GameCommand::Sample(Box::new(sample::parse(game, sample, matches)?)));
    }
    if let (EXPORT, Some(export)) = (verb, game.export()) {
        return Ok(GameCommand::Export(Box::new(export::parse(game, export, matches)?)));
    }
    Ok(match (verb, game.tablebases()) {
        (SOLVE, _) => GameCommand::Solve(Solve::parse(game, matches)?),
        (ANALYZE, _) => GameCommand::Analyze(Box::new(analyze::parse(game, matches)?)),
        (TABLEBASE, Some(info)) => GameCommand::Tablebase(tablebase::parse(game, info, matches)?),
        _ => GameCommand::Play(Play {
            position: PositionArgs::parse(game, matches),
            sides: ["first", "second"].map(|player| text(player).unwrap_or_default()),
            seed: matches.get_one("seed").copied().unwrap_or_default(),
            plain: flag("plain"),
            hide_values: flag("hide-values"),
            work: WorkArgs::from_arg_matches(matches)?,
        }),
    })
}

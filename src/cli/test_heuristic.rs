//! `bsq GAME test-heuristic`.

use super::args::{OutputArgs, PlotArgs, RuleFlags, TableArgs};
use super::flags::{
    beside_rules, flags, given, given_tablebase, memory, memory_limit, tablebase, time,
};
use crate::memory::Share;
use bsq_analyses::british_square::heuristics::FROM_START;
use bsq_analyses::choices::{ChoiceRows, Outside};
use bsq_analyses::options::{METHOD, TABLEBASE};
use bsq_api::{Analysis, Game, OptionKind, command};
use bsq_games::british_square;
use clap::builder::PossibleValuesParser;
use clap::{
    Arg, ArgGroup, ArgMatches, Args, Command, FromArgMatches as _, ValueHint, value_parser,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// `bsq GAME test-heuristic`.
pub struct TestHeuristic {
    /// The name or the rules of a heuristic, or `list`, or `features` in British Square.
    pub heuristic: String,
    /// The choices to test instead.
    pub choices: Option<Choices>,
    /// A file of lists.
    pub lists: Option<PathBuf>,
    /// The file of failing positions.
    pub failures: Option<PathBuf>,
    /// The options of the analysis that were given, with their values.
    pub given: Vec<(String, String)>,
    /// The tablebase that was given.
    pub tablebase: Option<PathBuf>,
    /// The memory allowed, in bytes.
    pub memory: u64,
    /// The picture.
    pub plot: PlotArgs,
    /// The output.
    pub output: OutputArgs,
}

/// Where choices come from.
pub enum Choices {
    /// A file.
    File(PathBuf),
    /// A program, and the time in which it has to read or answer something.
    Program(String, Duration),
}

/// The verb.
pub const TEST_HEURISTIC: &str = "test-heuristic";

/// The flags of choices from outside.
const CHOICES: &str = "choices";
const PROGRAM: &str = "program";
/// The time of a program.
const PATIENCE: Duration = Duration::from_secs(60);

/// The flags that only British Square has.
const LISTS: &str = "lists";
const FAILURES: &str = "failures";

/// The command for a game: of a heuristic, if the game has some, or of choices from outside.
pub fn command(game: &dyn Game, test: &Analysis) -> Command {
    let is_british_square = game.info().name == british_square::NAME;
    let path = |name: &'static str| {
        let arg = Arg::new(name).long(name).value_name("FILE");
        arg.value_parser(value_parser!(PathBuf)).value_hint(ValueHint::FilePath)
    };
    let outside = [CHOICES, PROGRAM];
    let heuristic = Arg::new("name").value_name("HEURISTIC").conflicts_with_all(outside);
    let heuristic = heuristic.required_unless_present_any(outside).allow_hyphen_values(true);
    let heuristic = heuristic.help(if is_british_square {
        "A name, or rules such as 'most claim, most free-difference'; 'list' lists the names, \
         'features' the features that rules can use"
    } else {
        "The name of a heuristic; 'list' lists the names"
    });
    let from_start = FROM_START.name.to_string();
    let mut command = Command::new(TEST_HEURISTIC);
    let choices = path(CHOICES).conflicts_with(PROGRAM).help(
        "Test the choices of this table instead, CSV or Parquet with the columns 'position' and \
         'move'; positions that are missing do not count",
    );
    let program = Arg::new(PROGRAM).long(PROGRAM).value_name("COMMAND").help(
        "Test the choices of this program instead: it reads a position from each line and writes \
         the moves that it prefers to a line",
    );
    let patience = time()
        .requires(PROGRAM)
        .help("The time in which the program has to read or answer something [default: 60s]");
    if game.heuristics().is_empty() {
        let source = ArgGroup::new("source").args(outside).required(true);
        command = command.args([choices, program, patience]).group(source);
        if game.info().file.is_some() {
            // The line of both is too long.
            let line = command::line(game.info(), TEST_HEURISTIC);
            let usage = ["--choices <FILE>", "--program <COMMAND>"];
            let usage = usage.map(|source| format!("{line} [OPTIONS] {source}"));
            command = command.override_usage(usage.join("\n       "));
        }
    } else {
        command = command.args([heuristic, choices, program, patience]);
    }
    if is_british_square {
        command = command
            .arg(path(LISTS).help("Also look up names in this file").conflicts_with_all(outside));
    }
    command = flags(command, beside_rules(game, test, &APART), None);
    if is_british_square {
        command = command.mut_arg(from_start.clone(), |arg| arg.conflicts_with_all(outside));
        let failures = path(FAILURES).conflicts_with(from_start.clone());
        command = command.arg(failures.conflicts_with_all(outside).help(
            "Write every failing position to this CSV file, with its perfect and its liked moves",
        ));
    }
    if let Some(OptionKind::Choice { values }) = test.option(METHOD).map(|option| &option.kind) {
        let names = PossibleValuesParser::new(values.iter().map(|value| value.to_string()));
        let method = Arg::new(METHOD).long(METHOD).value_name("METHOD").value_parser(names);
        let method = method.conflicts_with(from_start.clone()).conflicts_with_all(outside);
        command = command.arg(method.help(
            "The method of visiting every position [default: retrograde; depth-first with \
             --failures, --pieces, --moves or --position]",
        ));
    }
    command = memory(command, Share::ThreeQuarters);
    if has_tablebase(game) {
        command = tablebase(command);
    }
    command = if is_british_square {
        RuleFlags::augment_args(command).after_long_help(RULE_LISTS)
    } else {
        flags(command, game.options(), Some("Rules"))
    };
    OutputArgs::augment_args(TableArgs::augment_args(PlotArgs::augment_args(command)))
        .about("Compare a heuristic, or your program, with perfect play at every decision")
        .long_about(None)
}

/// Whether choices can be compared with a tablebase.
fn has_tablebase(game: &dyn Game) -> bool {
    let test = game.outside_test("", &Outside::Choices(Arc::new(ChoiceRows::default())));
    test.is_some_and(|test| test.option(&TABLEBASE.name).is_some())
}

/// The options with arguments of their own.
const APART: [&str; 3] = ["heuristic", METHOD, "tablebase"];

/// The arguments of the command.
pub fn parse(
    game: &dyn Game,
    test: &Analysis,
    matches: &ArgMatches,
) -> Result<TestHeuristic, clap::Error> {
    let path = |id: &str| matches.try_get_one::<PathBuf>(id).ok().flatten().cloned();
    let text = |id: &str| matches.try_get_one::<String>(id).ok().flatten().cloned();
    let mut given = given(beside_rules(game, test, &APART).chain(game.options()), matches);
    let tablebase = given_tablebase(matches, &mut given);
    let patience = matches.try_get_one("time").ok().flatten().copied().unwrap_or(PATIENCE);
    let program = text(PROGRAM).map(|program| Choices::Program(program, patience));
    given.extend(text(METHOD).map(|method| (METHOD.to_string(), method)));
    Ok(TestHeuristic {
        heuristic: text("name").unwrap_or_default(),
        choices: program.or_else(|| path(CHOICES).map(Choices::File)),
        tablebase,
        lists: path(LISTS),
        failures: path(FAILURES),
        given,
        memory: memory_limit(matches, Share::ThreeQuarters),
        plot: PlotArgs::from_arg_matches(matches)?,
        output: OutputArgs::of_tables(matches)?,
    })
}

/// The syntax of decision lists, for the long help.
const RULE_LISTS: &str = "\
The rules apply in order. Each chooses among the moves that the rules before it left:
  most claim                                 the highest value of a feature
  least opponent-best-claim                  the lowest value
  3*claim + 2*safe-difference                the highest weighted sum
  reply(own-free - opponent-free)            after the opponent's reply that is worst for it
  most claim up to 2, least contested down to 3   values beyond the limit are equal
  if contested = 0: most own-free            only if the condition holds before the move
  if turn > 1 and contested is odd: ...      =, !=, <, <=, >, >=, 'is odd', 'is even'
  if not (turn > 1 or own-free/2 > opponent-free): ...   'and', 'or', 'not', parentheses
  greedy, most free-difference               a named list, then more rules
A file of lists has entries 'name = rules'. A line that begins with a blank continues the entry;
'#' begins a comment.";

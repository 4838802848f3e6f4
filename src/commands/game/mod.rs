//! The subcommands of registered games.

mod analyze;
mod batch;
mod export;
mod play;
mod query;
mod sample;
mod series;
mod solve;
mod tablebase;
mod test_heuristic;

use crate::cli::game::GameCommand;
use crate::cli::solve::PositionArgs;
use crate::errors::{raise_memory, usage};
use anyhow::Result;
use bsq_analyses::options::POSITION;
use bsq_api::{
    Described, Error, Game, Kind, OptionKind, Resources, RuleOption, RulesAnswer, Session, command,
};
use bsq_engine::options::borrowed;
use bsq_engine::storage::files;
use bsq_engine::text::is_size;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub use analyze::command_line;

/// The most moves of a principal variation that is printed.
pub const LONGEST_LINE: usize = 1000;
/// The longest record that is read, in bytes.
const LONGEST_RECORD: u64 = 1 << 20;

/// Runs a subcommand of a game.
pub fn run(game: &dyn Game, mut command: GameCommand) -> Result<()> {
    if let Some(path) = command.tablebase().filter(|path| !path.exists()) {
        let (path, build) = (path.display(), build_command(game));
        return Err(usage(format!("there is no tablebase {path}; '{build}' builds one")));
    }
    let tablebase = command.tablebase().map(Path::to_path_buf);
    if let Some(given) = command.analysis_options() {
        read_root(game, given, tablebase)?;
    }
    match command {
        GameCommand::Solve(args) => solve::run(game, args),
        GameCommand::Analyze(args) => analyze::run(game, *args),
        GameCommand::Export(args) => export::run(game, *args),
        GameCommand::Query(args) => query::run(game, *args),
        GameCommand::Sample(args) => sample::run(game, &args),
        GameCommand::Play(args) => play::run(game, args),
        GameCommand::TestHeuristic(args) => test_heuristic::run(game, args),
        GameCommand::Tablebase(args) => tablebase::run(game, args),
    }
}

/// The text of a command of a game, without the name of the program.
fn command_of(game: &dyn Game, verb: &str) -> String {
    command::of_game(game.info(), verb)
}

/// The command that builds a tablebase of a game.
fn build_command(game: &dyn Game) -> String {
    command::line(game.info(), "tablebase build PATH")
}

/// The rules of the given options as they are presented with results.
fn described(game: &dyn Game, given: &[(&str, &str)]) -> Result<Described> {
    Ok(of_rules(game, &game.rules(given).map_err(|error| advised(error, None))?))
}

/// Rules as they are presented with results.
fn of_rules(game: &dyn Game, rules: &RulesAnswer) -> Described {
    Described::new(&game.info().name, game.options(), rules)
}

impl PositionArgs {
    /// The given options of the rules.
    fn rules(&self) -> Vec<(&str, &str)> {
        borrowed(&self.rules)
    }

    /// What an evaluation may use.
    fn resources(&self) -> Resources {
        let facts = self.facts.iter().map(|fact| fact.to_string()).collect();
        let (tablebase, workload, method) = (self.tablebase.clone(), self.workload, self.method);
        Resources { tablebase, facts, workload, method, ..Resources::new(self.memory) }
    }

    /// The game in progress from the position, after the moves.
    fn open(&self, game: &dyn Game) -> Result<Box<dyn Session>> {
        let (mut rules, resources) = (self.rules(), self.resources());
        let mut session = match self.given.as_deref() {
            Some(size) if is_size(size) && game.options().iter().any(is_board_option) => {
                match rules.iter().find(|(name, _)| *name == "board") {
                    Some((_, board)) if !board.eq_ignore_ascii_case(size) => {
                        return Err(two_boards(size));
                    }
                    Some(_) => {}
                    None => rules.push(("board", size)),
                }
                let opened = game.open(&rules, None, &resources);
                opened.map_err(|error| match error.location.as_deref() {
                    Some("board") => Error { location: None, ..error },
                    _ => error,
                })
            }
            Some(path) if Path::new(path).is_file() => game.load(&read(path)?, &rules, &resources),
            position => game.open(&rules, position, &resources),
        }
        .map_err(|error| advised(error, self.given.as_deref()))?;
        session.play(&self.moves).map_err(|error| advised(error, None))?;
        Ok(session)
    }
}

/// The error of a board given instead of a position, and another by `--board`.
fn two_boards(size: &str) -> anyhow::Error {
    usage(format!("'{size}' is a board, and --board gives another"))
}

fn is_board_option(option: &RuleOption) -> bool {
    option.kind == OptionKind::Board
}

/// Reads the position in which an analysis begins, if it is given by a file with a position or a game:
/// the position and the rules of the file take the place of its name.
fn read_root(
    game: &dyn Game,
    given: &mut Vec<(String, String)>,
    tablebase: Option<PathBuf>,
) -> Result<()> {
    let Some(at) = given.iter().position(|(name, _)| *name == POSITION.name) else { return Ok(()) };
    let path = given[at].1.clone();
    if !Path::new(&path).is_file() {
        return if is_file_name(&path) {
            Err(usage(format!("there is no file {path}")))
        } else {
            Ok(())
        };
    }
    let found = game.position_of(&read(&path)?, &rules_of(game, given), tablebase.as_deref());
    let (of_file, position) = found.map_err(|error| advised(error, Some(&path)))?;
    given[at].1 = position;
    given.retain(|(name, _)| !is_rule(game, name));
    given.extend(given_rules(game, &of_file));
    Ok(())
}

/// Whether an option is one of the rules.
fn is_rule(game: &dyn Game, name: &str) -> bool {
    game.options().iter().any(|option| option.name == name)
}

/// The options that are those of the rules.
fn rules_of<'a>(game: &dyn Game, given: &'a [(String, String)]) -> Vec<(&'a str, &'a str)> {
    borrowed(given).into_iter().filter(|(name, _)| is_rule(game, name)).collect()
}

/// Rules as options of a request.
fn given_rules(game: &dyn Game, rules: &RulesAnswer) -> Vec<(String, String)> {
    let value = |option: &RuleOption| {
        Some((option.name.to_string(), rules.get(&option.parameter())?.clone()?))
    };
    game.options().iter().filter_map(value).collect()
}

/// Reads a game record.
fn read(path: &str) -> Result<String> {
    files::read_text(Path::new(path), LONGEST_RECORD).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge | ErrorKind::InvalidData => usage(format!("{path}: {error}")),
        _ => anyhow::Error::new(error).context(format!("cannot read {path}")),
    })
}

/// Whether a text looks like a board, cells or moves rather than the name of a file.
fn is_like_a_board(text: &str) -> bool {
    let is_cell =
        |c: char| c.is_whitespace() || c.is_ascii_digit() || "./-_|?+,XOABxoab".contains(c);
    text.contains('/') || text.contains(char::is_whitespace) || text.chars().all(is_cell)
}

/// Whether a text looks like the name of a file: it has an ending of letters.
fn is_file_name(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    let is_word = |part: &str| part.len() > 1 && part.chars().all(|c| c.is_ascii_lowercase());
    let stem = Path::new(text).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ending.is_some_and(is_word) && stem.chars().any(char::is_alphanumeric)
}

/// The error with the flag or the file that it is about.
fn advised(error: Error, given: Option<&str>) -> anyhow::Error {
    let message = match (error.location.as_deref(), given) {
        (Some("position"), Some(path)) if Path::new(path).exists() => {
            format!("{path} is not a regular file, nor a position: {error}")
        }
        (Some("position"), Some(text)) if is_file_name(text) => {
            format!("there is no file {text}; nor is it a position: {error}")
        }
        (Some("position"), Some(text)) if !is_like_a_board(text) => {
            format!("{error}; and there is no file {text}")
        }
        (Some("record"), Some(path)) => format!("{path}: {error}"),
        (Some("position" | "moves" | "tablebase"), _) => error.to_string(),
        (Some(option), _) => format!("--{}: {error}", option.replace(' ', "-")),
        (None, _) if error.kind == Kind::Refused => raise_memory(&error),
        (None, _) => error.to_string(),
    };
    match error.kind {
        Kind::Usage => usage(message),
        _ => Error { message, ..error }.into(),
    }
}

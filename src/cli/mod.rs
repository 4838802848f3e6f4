//! The command line: arguments of the subcommands, and the subcommands of games, which are derived
//! from their options.

pub mod analyze;
pub mod args;
pub mod flags;
pub mod game;
pub mod serve;
pub mod tablebase;
pub mod test_heuristic;

use crate::printable;
use args::{Args, parse_no_flag};
use bsq_api::{Game, Registry};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches, Subcommand};
use game::GameCommand;
use std::ffi::OsString;

/// The game of commands that do not name one.
pub const DEFAULT_GAME: &str = bsq_games::british_square::NAME;

/// What a command line asks for.
pub enum Parsed<'a> {
    /// A verb that every game has.
    Game(&'a dyn Game, Box<GameCommand>),
    /// Anything else.
    Other(Box<Args>),
}

/// The command with the subcommands of all games.
pub fn command(registry: &Registry) -> Command {
    registry.games().fold(Args::command(), |command, game| match &*game.info().name {
        DEFAULT_GAME => game::verbs(command, game),
        _ => command.subcommand(game::command(game)),
    })
}

/// The version with the commit and the features of the build.
pub fn version(commit: &str) -> String {
    let features = if cfg!(feature = "full") { "full" } else { "none" };
    format!("{} (commit {commit}, features: {features})", env!("CARGO_PKG_VERSION"))
}

/// The error about arguments that the parser rejected, which quotes them safe to print.
pub fn refusal(command: Command, args: Vec<OsString>, error: clap::Error) -> clap::Error {
    let quoted: Vec<OsString> = args
        .iter()
        .map(|arg| printable::argument(&arg.to_string_lossy()).into_owned().into())
        .collect();
    let error = if quoted == args {
        error
    } else {
        // What is wrong with an argument is wrong with its quotation as well.
        command.clone().try_get_matches_from(&quoted).err().unwrap_or(error)
    };
    unknown_flag(command, quoted).unwrap_or(error)
}

/// The error of an unknown flag, if that is what is wrong. The parser takes it for a position, which
/// may begin with a hyphen.
fn unknown_flag(command: Command, args: Vec<OsString>) -> Option<clap::Error> {
    let error = without_hyphens(command).try_get_matches_from(args).err()?;
    let is_flag = |text: &String| text.starts_with("--") && parse_no_flag(text).is_err();
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(text)) if is_flag(text) => Some(error),
        _ => None,
    }
}

/// The command with positions that cannot begin with a hyphen.
fn without_hyphens(command: Command) -> Command {
    let strict =
        |arg: Arg| if arg.get_id() == "position" { arg.allow_hyphen_values(false) } else { arg };
    command.mut_args(strict).mut_subcommands(without_hyphens)
}

/// The arguments in the order in which the parser expects them: without the name of the default
/// game, and with options that every verb has behind the verb.
pub fn ordered(command: &Command, args: Vec<OsString>) -> Vec<OsString> {
    let mut rest = separated(args).into_iter().peekable();
    let mut ordered: Vec<OsString> = rest.next().into_iter().collect();
    let mut options = Vec::new();
    let mut command = Some(command);
    while let Some(word) = rest.peek().and_then(|word| word.to_str()) {
        if let Some(takes_value) = common_option(word) {
            options.extend(rest.by_ref().take(if takes_value { 2 } else { 1 }));
        } else if word == DEFAULT_GAME && ordered.len() == 1 {
            rest.next();
        } else if let Some(verb) = command.and_then(|command| command.find_subcommand(word)) {
            command = Some(verb);
            ordered.extend(rest.next());
        } else {
            break;
        }
    }
    ordered.into_iter().chain(options).chain(rest).collect()
}

/// The arguments with a blank between a short option of every verb and its value: the parser would
/// take `-fcsv` for a position that begins with a hyphen.
fn separated(args: Vec<OsString>) -> Vec<OsString> {
    let end = args.iter().position(|word| word == "--").unwrap_or(args.len());
    let separate = |(at, word): (usize, OsString)| match word.to_str() {
        Some(text) if at < end && text.len() > 2 && text.is_char_boundary(2) => {
            if ["-f", "-j", "-o"].contains(&&text[..2]) {
                vec![text[..2].into(), text[2..].into()]
            } else {
                vec![word]
            }
        }
        _ => vec![word],
    };
    args.into_iter().enumerate().flat_map(separate).collect()
}

/// Whether a word is an option that every verb has, and whether its value is the next word.
fn common_option(word: &str) -> Option<bool> {
    match word {
        "-q" | "--quiet" | "-v" | "--verbose" => Some(false),
        "-o" | "--output" | "-f" | "--format" | "-j" | "--threads" => Some(true),
        _ => {
            let long = ["--output=", "--format=", "--threads="];
            long.iter().any(|it| word.starts_with(it)).then_some(false)
        }
    }
}

/// The command that was parsed.
pub fn parse<'a>(registry: &'a Registry, matches: &ArgMatches) -> Result<Parsed<'a>, clap::Error> {
    let (name, inner) = matches.subcommand().expect("clap requires a subcommand");
    let game = registry.get(name).filter(|game| game.info().name != DEFAULT_GAME);
    match (game, registry.get(DEFAULT_GAME)) {
        (Some(game), _) => Ok(Parsed::Game(game, Box::new(game::parse(game, inner)?))),
        (None, Some(game)) if !args::Command::has_subcommand(name) => {
            Ok(Parsed::Game(game, Box::new(game::parse(game, matches)?)))
        }
        _ => Ok(Parsed::Other(Box::new(Args::from_arg_matches(matches)?))),
    }
}

//! The command line: arguments of the subcommands, and the subcommands of games, which are derived
//! from their options.

pub mod analyze;
pub mod args;
pub mod export;
pub mod flags;
pub mod game;
pub mod query;
pub mod sample;
pub mod serve;
pub mod solve;
pub mod subcommands;
pub mod tablebase;
pub mod test_heuristic;

use crate::Program;
use crate::printable;
use args::parse_no_flag;
use bsq_api::Game;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, FromArgMatches, Subcommand};
use game::GameCommand;
use std::ffi::OsString;
use std::path::PathBuf;
use subcommands::BritishSquareCommand;

/// What a command line asks for.
pub enum Parsed<'a> {
    /// A verb that every game has, and the file of the game, if it is not part of the program.
    Game(&'a dyn Game, Option<PathBuf>, Box<GameCommand>),
    /// A subcommand of British Square.
    BritishSquare(Box<BritishSquareCommand>),
    /// A subcommand of every program.
    Other(Box<subcommands::Command>),
}

/// The command with a subcommand for each game. Only games for which `is_asked` is true have their verbs
/// in it: to build those of all games takes half of the time in which a command starts.
pub fn command(program: &Program, is_asked: impl Fn(&str) -> bool) -> Command {
    let command = Command::new(program.name.clone())
        .version(program.version.clone())
        .max_term_width(100)
        .arg_required_else_help(true)
        .subcommand_required(true);
    let mut help = String::new();
    if !program.examples.is_empty() {
        help += &format!("Examples:\n{}\n", program.examples.trim_end());
    }
    if !program.notes.is_empty() {
        help += &format!("\n{}", program.notes);
    }
    let command = if help.is_empty() { command } else { command.after_help(help) };
    let mut command = subcommands::Command::augment_subcommands(command);
    if program.has_british_square() {
        command = BritishSquareCommand::augment_subcommands(command);
    }
    // The subcommands have set it to their own description.
    command = command.about(program.about.clone());
    let top_level = program.top_level().map(|game| &game.info().name);
    let is_only = program.registry.games().count() == 1;
    let command = command.mut_subcommand("games", |games| games.hide(is_only));
    program.registry.games().fold(command, |command, game| {
        if Some(&game.info().name) == top_level {
            game::verbs(command, game)
        } else {
            let own = game::command(game);
            let own = if is_asked(&game.info().name) { game::verbs(own, game) } else { own };
            command.subcommand(own)
        }
    })
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
    let mut error = unknown_flag(command, quoted).unwrap_or(error);
    // A flag as a value, after '--', is never what was meant.
    let is_escape = |tip: &ContextValue| tip.to_string().contains("as a value");
    if error.get(ContextKind::Suggested).is_some_and(is_escape) {
        error.remove(ContextKind::Suggested);
    }
    // Moves are often given without quotation marks.
    let is_word = |arg: &ContextValue| !arg.to_string().starts_with('-');
    if error.kind() == ErrorKind::UnknownArgument
        && error.get(ContextKind::InvalidArg).is_some_and(is_word)
    {
        let tip = "write a position or moves with blanks between quotation marks: '7 19'";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
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

/// The arguments in the order in which the parser expects them: without the name of the game whose
/// verbs are at the top level, and with options that every verb has behind the verb.
pub fn ordered(program: &Program, command: &Command, args: Vec<OsString>) -> Vec<OsString> {
    let top_level = program.top_level().map(|game| &*game.info().name);
    let mut rest = separated(args).into_iter().peekable();
    let mut ordered: Vec<OsString> = rest.next().into_iter().collect();
    let mut options = Vec::new();
    let mut command = Some(command);
    while let Some(word) = rest.peek().and_then(|word| word.to_str()) {
        if let Some(takes_value) = common_option(word) {
            options.extend(rest.by_ref().take(if takes_value { 2 } else { 1 }));
        } else if Some(word) == top_level && ordered.len() == 1 {
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
pub fn parse<'a>(program: &'a Program, matches: &ArgMatches) -> Result<Parsed<'a>, clap::Error> {
    let (name, inner) = matches.subcommand().expect("clap requires a subcommand");
    if subcommands::Command::has_subcommand(name) {
        return Ok(Parsed::Other(Box::new(subcommands::Command::from_arg_matches(matches)?)));
    }
    if program.has_british_square() && BritishSquareCommand::has_subcommand(name) {
        let command = BritishSquareCommand::from_arg_matches(matches)?;
        return Ok(Parsed::BritishSquare(Box::new(command)));
    }
    // Anything else is the name of a game, or a verb of the game at the top level.
    match (program.registry.get(name), program.top_level()) {
        (Some(game), _) => of_game(game, inner),
        (None, Some(game)) => of_game(game, matches),
        (None, None) => Err(clap::Error::new(ErrorKind::InvalidSubcommand)),
    }
}

fn of_game<'a>(game: &'a dyn Game, matches: &ArgMatches) -> Result<Parsed<'a>, clap::Error> {
    let command = Box::new(game::parse(game, matches)?);
    Ok(Parsed::Game(game, game::file(game, matches), command))
}

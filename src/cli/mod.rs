//! The command line: arguments of the subcommands, and the subcommands of games, which are derived
//! from their options.

pub mod analyze;
pub mod args;
pub mod flags;
pub mod game;
pub mod removed;
pub mod tablebase;

use args::Args;
use bsq_api::{Game, Registry};
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches, Subcommand};
use game::GameCommand;

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
    registry.games().fold(Args::command(), |command, game| match game.info().name {
        DEFAULT_GAME => game::verbs(command, game),
        _ => command.subcommand(game::command(game)),
    })
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

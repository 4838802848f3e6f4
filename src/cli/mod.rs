//! The command line: arguments of the subcommands, and the subcommands of games, which are derived
//! from their options.

pub mod args;
pub mod game;
pub mod serve;

use args::{Args, DotsCommand, RpswCommand};
use bsq_api::{Game, Registry};
use bsq_games::{dots, rpsw};
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches, Subcommand};
use game::GameCommand;

/// The game of commands that do not name one.
pub const DEFAULT_GAME: &str = bsq_games::british_square::NAME;

/// What a command line asks for.
pub enum Parsed<'a> {
    /// A verb that every game has.
    Game(&'a dyn Game, Box<GameCommand>),
    /// A verb of Dots-and-Boxes alone.
    Dots(DotsCommand),
    /// A verb of rock-paper-scissors-well alone.
    Rpsw(RpswCommand),
    /// Anything else.
    Other(Box<Args>),
}

/// The command with the subcommands of all games.
pub fn command(registry: &Registry) -> Command {
    registry.games().fold(Args::command(), |command, game| match game.info().name {
        DEFAULT_GAME => game::verbs(command, game),
        dots::NAME => command.subcommand(game::command(game, DotsCommand::augment_subcommands)),
        rpsw::NAME => command.subcommand(game::command(game, RpswCommand::augment_subcommands)),
        _ => command.subcommand(game::command(game, |command| command)),
    })
}

/// The command that was parsed.
pub fn parse<'a>(registry: &'a Registry, matches: &ArgMatches) -> Result<Parsed<'a>, clap::Error> {
    let (name, inner) = matches.subcommand().expect("clap requires a subcommand");
    let game = registry.get(name).filter(|game| game.info().name != DEFAULT_GAME);
    let own = |verb: Option<&str>| match (name, verb) {
        (dots::NAME, Some(verb)) => DotsCommand::has_subcommand(verb),
        (rpsw::NAME, Some(verb)) => RpswCommand::has_subcommand(verb),
        _ => false,
    };
    match (game, registry.get(DEFAULT_GAME)) {
        (Some(game), _) if own(inner.subcommand_name()) => match game.info().name {
            dots::NAME => Ok(Parsed::Dots(DotsCommand::from_arg_matches(inner)?)),
            _ => Ok(Parsed::Rpsw(RpswCommand::from_arg_matches(inner)?)),
        },
        (Some(game), _) => Ok(Parsed::Game(game, Box::new(game::parse(game, inner)?))),
        (None, Some(game)) if !args::Command::has_subcommand(name) => {
            Ok(Parsed::Game(game, Box::new(game::parse(game, matches)?)))
        }
        _ => Ok(Parsed::Other(Box::new(Args::from_arg_matches(matches)?))),
    }
}

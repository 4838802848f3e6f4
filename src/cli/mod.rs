//! The command line: arguments of the subcommands, and the subcommands of registered games, which
//! are derived from their options.

pub mod args;
pub mod game;

use args::Args;
use bsq_api::{Game, Registry};
use clap::{Command, CommandFactory, Subcommand};

/// The command with the subcommands of all games.
pub fn command(registry: &Registry) -> Command {
    generic_games(registry)
        .fold(Args::command(), |command, it| command.subcommand(game::command(it)))
}

/// The games whose subcommands are derived from their options: those without subcommands of their
/// own.
pub fn generic_games(registry: &Registry) -> impl Iterator<Item = &dyn Game> {
    let is_generic = |name| name != DEFAULT_GAME && !args::Command::has_subcommand(name);
    registry.games().filter(move |game| is_generic(game.info().name))
}

/// The game of commands that do not name one.
pub const DEFAULT_GAME: &str = bsq_games::british_square::NAME;

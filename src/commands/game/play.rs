//! `bsq GAME play`.

use super::{advised, is_board_option};
use crate::cli::game::Play;
use crate::play;
use crate::run::Run;
use anyhow::Result;
use bsq_api::{Error, Game, Monitor, Request, Session};

/// Plays a game until the person quits.
pub fn run(game: &dyn Game, args: Play) -> Result<()> {
    let session = args.subject.open(game)?;
    let rules = unusual_rules(game, session.as_ref()).map_err(|error| advised(error, None))?;
    let run = Run::begin(&args.work)?;
    let play = play::Play {
        info: game.info(),
        rules,
        session,
        sides: args.sides,
        seed: args.seed,
        show_values: !args.hide_values,
        plain: args.plain,
    };
    play::play(play, &run).map_err(|error| match error.downcast::<Error>() {
        Ok(error) => advised(error, None),
        Err(error) => error,
    })?;
    run.end();
    Ok(())
}

/// The size of the board, and the options of the rules that do not have their defaults.
fn unusual_rules(game: &dyn Game, session: &dyn Session) -> Result<String, Error> {
    let rules = session.answer(Request::default(), &Monitor::default())?.rules;
    let words = game.options().iter().filter_map(|option| {
        let value = rules.get(&option.parameter())?.as_deref()?;
        match option.default {
            _ if is_board_option(option) => Some(value.to_string()),
            default if default == Some(value) => None,
            _ => Some(format!("{} {value}", option.name)),
        }
    });
    Ok(words.collect::<Vec<String>>().join(", "))
}

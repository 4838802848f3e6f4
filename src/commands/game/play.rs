//! `bsq GAME play`.

use super::{advised, of_rules};
use crate::cli::game::Play;
use crate::play;
use crate::run::Run;
use anyhow::Result;
use bsq_api::{Error, Game, Monitor, Request};
use std::time::Duration;

/// Plays a game until the person quits.
pub fn run(game: &dyn Game, args: Play) -> Result<()> {
    let run = Run::begin(&args.work)?;
    let session = args.position.open(game)?;
    let start = session.answer(Request::default(), &Monitor::default());
    let rules = start.map_err(|error| advised(error, None))?.rules;
    let play = play::Play {
        info: game.info().clone(),
        rules: of_rules(game, &rules).label,
        session,
        sides: args.sides,
        seed: args.seed,
        // The flag has a default.
        time: args.position.time.unwrap_or(Duration::MAX),
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

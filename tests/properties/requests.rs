//! Requests of the API.

use super::{choice, is_told, text};
use bsq_api::requests::{Batch, EngineKey, Query, Subject, Target, options_of, routes};
use bsq_api::{Game, Registry};
use std::sync::OnceLock;

fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(Registry::standard)
}

/// The game that a byte selects.
fn game(choice: u8) -> &'static dyn Game {
    let games: Vec<&dyn Game> = registry().games().collect();
    games[usize::from(choice) % games.len()]
}

/// A query is rejected with a message, or asks about rules that can be asked about again, at every
/// path. The first byte selects the game.
pub fn query(input: &[u8]) {
    let (choice, rest) = choice(input);
    let name = &game(choice).info().name;
    for route in routes().iter().filter(|route| matches!(route.target, Target::Position(_))) {
        match Query::parse(registry(), &route.path.replace("{game}", name), text(rest), None) {
            Ok(Query::Position(asked, _)) => subject(&asked),
            Ok(_) => panic!("{} is about something else", route.path),
            Err(error) => is_told(error),
        }
    }
}

/// A batch of questions is rejected with a message, or asks about rules that can be asked about
/// again. The first byte selects the game.
pub fn questions(input: &[u8]) {
    let (choice, rest) = choice(input);
    let game = registry().find(&game(choice).info().name).expect("it is registered");
    match Batch::parse(rest) {
        Ok(batch) => {
            let _ = batch.request().map_err(is_told);
            match batch.subjects(&game) {
                Ok(subjects) => subjects.into_iter().take(16).for_each(|asked| match asked {
                    Ok(asked) => subject(&asked),
                    Err(error) => is_told(error),
                }),
                Err(error) => is_told(error),
            }
        }
        Err(error) => is_told(error),
    }
}

fn subject(asked: &Subject) {
    match asked.engine_key() {
        Ok(EngineKey { rules, .. }) => {
            let given = options_of(asked.game.as_ref(), &rules);
            let again = asked.game.rules_at(&given, asked.position.as_deref(), None);
            assert_eq!(again.expect("the same rules"), rules, "{given:?}");
        }
        Err(error) => is_told(error),
    }
}

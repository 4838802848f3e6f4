//! Requests of the API.

use super::{choice, is_told, text};
use bsq_api::requests::{Batch, Parameters, Subject, options_of};
use bsq_api::{Game, Registry};
use std::sync::OnceLock;

/// The names of the parameters of all routes.
const NAMES: [&str; 9] =
    ["position", "moves", "values", "line", "limit", "agent", "seed", "task", "level"];

/// The game that a byte selects.
fn game(choice: u8) -> &'static dyn Game {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    let registry = REGISTRY.get_or_init(Registry::standard);
    let games: Vec<&dyn Game> = registry.games().collect();
    games[usize::from(choice) % games.len()]
}

/// A query is rejected with a message, or asks about rules that can be asked about again. The first
/// byte selects the game.
pub fn query(input: &[u8]) {
    let (choice, rest) = choice(input);
    let game = game(choice);
    match Parameters::parse(text(rest), &NAMES, Some(game)) {
        Ok(parameters) => {
            subject(&parameters.subject(game));
            let _ = parameters.request().map_err(is_told);
            let _ = parameters.puzzle().map_err(is_told);
        }
        Err(error) => is_told(error),
    }
}

/// A batch of questions is rejected with a message, or asks about rules that can be asked about
/// again. The first byte selects the game.
pub fn questions(input: &[u8]) {
    let (choice, rest) = choice(input);
    let game = game(choice);
    match serde_json::from_slice::<Batch>(rest) {
        Ok(batch) => {
            let _ = batch.request().map_err(is_told);
            match batch.subjects(game) {
                Ok(subjects) => subjects.take(16).for_each(|asked| match asked {
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
    match asked.all_rules() {
        Ok(rules) => {
            let given = options_of(asked.game, &rules);
            let again = asked.game.rules_at(&given, asked.position.as_deref());
            assert_eq!(again.expect("the same rules"), rules, "{given:?}");
        }
        Err(error) => is_told(error),
    }
}

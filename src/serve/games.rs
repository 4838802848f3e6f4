//! The most recently requested games, each with its evaluator.

use bsq_games::british_square::{Evaluator, Rules};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// The number of games whose evaluators are kept.
const GAMES_KEPT: usize = 4;

/// A game with its evaluator, which only one search uses at a time: threads of two searches would
/// wait for each other and could not be cancelled meanwhile.
pub struct Game {
    rules: Rules,
    evaluator: Arc<tokio::sync::Mutex<Option<Evaluator>>>,
}

impl Game {
    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Waits for exclusive access to the evaluator, in order of arrival.
    pub async fn turn(&self) -> OwnedMutexGuard<Option<Evaluator>> {
        Arc::clone(&self.evaluator).lock_owned().await
    }
}

/// The most recent games.
#[derive(Default)]
pub struct Games {
    /// The most recent game is the last.
    kept: Mutex<Vec<Arc<Game>>>,
}

impl Games {
    /// Returns the game of these rules, which becomes the most recent one.
    pub fn of(&self, rules: &Rules) -> Arc<Game> {
        let mut kept = self.kept();
        let game = match kept.iter().position(|game| game.rules == *rules) {
            Some(place) => kept.remove(place),
            None => Arc::new(Game { rules: rules.clone(), evaluator: Arc::default() }),
        };
        kept.push(Arc::clone(&game));
        if kept.len() > GAMES_KEPT {
            // If the evaluator is in use, that search drops it at the end.
            let oldest = kept.remove(0);
            if let Ok(mut evaluator) = oldest.evaluator.try_lock() {
                *evaluator = None;
            }
        }
        game
    }

    /// Whether the evaluator of a game is still kept.
    pub fn keeps(&self, game: &Arc<Game>) -> bool {
        self.kept().iter().any(|kept| Arc::ptr_eq(kept, game))
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<Game>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

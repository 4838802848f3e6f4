//! The games asked about last, each with its evaluator.

use bsq_games::british_square::{Evaluator, Rules};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// Games whose evaluator is kept.
const GAMES_KEPT: usize = 4;

/// One game. Who searches it has it alone: threads of two searches would wait for each other,
/// and could not be told meanwhile that nobody wants an answer any more.
pub struct Game {
    rules: Rules,
    evaluator: Arc<tokio::sync::Mutex<Option<Evaluator>>>,
}

impl Game {
    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Waits until nobody else searches the game, first come first served.
    pub async fn turn(&self) -> OwnedMutexGuard<Option<Evaluator>> {
        Arc::clone(&self.evaluator).lock_owned().await
    }
}

/// A few games.
#[derive(Default)]
pub struct Games {
    /// The latest at the end.
    kept: Mutex<Vec<Arc<Game>>>,
}

impl Games {
    /// The game of these rules, from now on the latest.
    pub fn of(&self, rules: &Rules) -> Arc<Game> {
        let mut kept = self.kept();
        let game = match kept.iter().position(|game| game.rules == *rules) {
            Some(place) => kept.remove(place),
            None => Arc::new(Game { rules: rules.clone(), evaluator: Arc::default() }),
        };
        kept.push(Arc::clone(&game));
        if kept.len() > GAMES_KEPT {
            // Who is searching it forgets it afterwards.
            let oldest = kept.remove(0);
            if let Ok(mut evaluator) = oldest.evaluator.try_lock() {
                *evaluator = None;
            }
        }
        game
    }

    /// Whether a game is still among the last ones.
    pub fn keeps(&self, game: &Arc<Game>) -> bool {
        self.kept().iter().any(|kept| Arc::ptr_eq(kept, game))
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<Game>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

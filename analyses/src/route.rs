//! Ways to count playouts, which know nothing of each other.

use crate::{Asked, Context, PassError};
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::count::territory;
use bsq_games::british_square::count::territory::RemainingError;
use bsq_games::british_square::{CountedWide, TooLarge};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// A way to the number of playouts. All lead to the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// From the sets of pieces in which play can end, and the orders that lead there.
    Orders,
    /// Forward, turn by turn, over every state.
    Levels,
    /// Backward, from what is left of the game for each player.
    Territory,
}

impl Route {
    /// All of them.
    pub const ALL: [Route; 3] = [Route::Orders, Route::Levels, Route::Territory];

    /// The word by which the command knows it.
    pub fn name(self) -> &'static str {
        match self {
            Route::Orders => "orders",
            Route::Levels => "levels",
            Route::Territory => "territory",
        }
    }

    /// What it does, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Route::Orders => "from the pieces play can end with; any board, seconds",
            Route::Levels => "forward over every state; takes --memory, --scratch and --resume",
            Route::Territory => {
                "backward over what is left of the game; takes --memory, no --pieces"
            }
        }
    }

    /// The route of that name.
    pub fn by_name(name: &str) -> Option<Route> {
        Route::ALL.into_iter().find(|route| route.name() == name)
    }

    /// Whether the route can be taken under such rules and in such room.
    pub fn check(self, context: &Context) -> Result<(), PassError> {
        let rules = &context.rules;
        rules.check().map_err(TooLarge::Rules)?;
        let refused = match self {
            Route::Levels => {
                CountedWide::new(rules.clone())?;
                None
            }
            Route::Orders => context.asked.flag(),
            Route::Territory if !territory::takes(rules) => return Err(PIECES),
            Route::Territory => Asked { memory: false, ..context.asked }.flag(),
        };
        match refused {
            Some(asked) => Err(PassError::RouteRoom { asked, route: self.name() }),
            None => Ok(()),
        }
    }

    /// For each score in which play can end, in pieces without the bias, how many playouts do.
    pub fn playouts(self, context: &Context) -> Result<BTreeMap<i32, BigUint>, PassError> {
        self.check(context)?;
        let Context { rules, monitor, .. } = context;
        match self {
            Route::Orders => Ok(closed_form::playouts_by_score(rules, monitor)?),
            Route::Territory => {
                let bytes = context.room.and_then(|room| room.memory).unwrap_or(u64::MAX);
                let counted = territory::playouts_by_score(rules, bytes, monitor);
                counted.map_err(|error| match error {
                    RemainingError::Pieces => PIECES,
                    RemainingError::Solve(error) => error.into(),
                })
            }
            Route::Levels => {
                let outcomes = context.census()?.outcomes.into_iter();
                Ok(outcomes.map(|(score, outcome)| (score, outcome.playouts)).collect())
            }
        }
    }
}

/// Why there is no route by territory.
const PIECES: PassError =
    PassError::Pieces { what: "the route 'territory'", instead: "take orders or levels" };

//! Ways to count playouts, which know nothing of each other.

use crate::{Asked, Context, PassError};
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::count::territory;
use bsq_games::british_square::count::territory::TerritoryCountError;
use bsq_games::british_square::{LevelGame128, TooLarge};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// A way to the number of playouts. All lead to the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From the sets of pieces in which play can end, and the orders that lead there.
    Orders,
    /// Forward, turn by turn, over every state.
    Levels,
    /// Backward, from what is left of the game for each player.
    Territory,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 3] = [Method::Orders, Method::Levels, Method::Territory];

    /// The word by which the command knows it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Orders => "orders",
            Method::Levels => "levels",
            Method::Territory => "territory",
        }
    }

    /// What it does, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Method::Orders => "from the pieces play can end with; any board, seconds",
            Method::Levels => "forward over every state; takes --memory, --scratch and --resume",
            Method::Territory => {
                "backward over what is left of the game; takes --memory, no --pieces"
            }
        }
    }

    /// The route of that name.
    pub fn by_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|route| route.name() == name)
    }

    /// Whether the route can be taken under such rules and in such room.
    pub fn check(self, context: &Context) -> Result<(), PassError> {
        let rules = &context.rules;
        rules.check().map_err(TooLarge::Rules)?;
        let refused = match self {
            Method::Levels => {
                LevelGame128::new(rules.clone())?;
                None
            }
            Method::Orders => context.asked.flag(),
            Method::Territory if !territory::supports(rules) => return Err(PIECES),
            Method::Territory => Asked { memory: false, ..context.asked }.flag(),
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
            Method::Orders => Ok(closed_form::playouts_by_score(rules, monitor)?),
            Method::Territory => {
                let bytes = context.room.and_then(|room| room.memory).unwrap_or(u64::MAX);
                let counted = territory::playouts_by_score(rules, bytes, monitor);
                counted.map_err(|error| match error {
                    TerritoryCountError::Pieces => PIECES,
                    TerritoryCountError::Solve(error) => error.into(),
                })
            }
            Method::Levels => {
                let outcomes = context.census()?.scores.into_iter();
                Ok(outcomes.map(|(score, outcome)| (score, outcome.playouts)).collect())
            }
        }
    }
}

/// Why there is no route by territory.
const PIECES: PassError =
    PassError::Pieces { what: "the route 'territory'", instead: "take orders or levels" };

//! Ways to count playouts, which know nothing of each other.

use crate::PassError;
use bsq_engine::game::british_square::{BritishSquare, Rules, TooLarge, orders, territory};
use bsq_engine::solve::{Monitor, levels};
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

/// How much memory the route by territory may take, in bytes.
const TERRITORY_BYTES: u64 = 6 << 30;

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
            Route::Levels => "forward over every state; gives states too",
            Route::Territory => "backward over what is left of the game; pieces without limit",
        }
    }

    /// The route of that name.
    pub fn by_name(name: &str) -> Option<Route> {
        Route::ALL.into_iter().find(|route| route.name() == name)
    }

    /// Whether the route can be taken under such rules.
    pub fn check(self, rules: &Rules) -> Result<(), PassError> {
        rules.check().map_err(TooLarge::Rules)?;
        match self {
            Route::Levels => BritishSquare::new(rules.clone()).map(drop)?,
            Route::Territory if !territory::takes(rules) => return Err(PassError::Pieces),
            Route::Orders | Route::Territory => {}
        }
        Ok(())
    }

    /// For each score in which play can end, in pieces without the bias, how many playouts do.
    pub fn playouts(
        self,
        rules: &Rules,
        monitor: &Monitor,
    ) -> Result<BTreeMap<i32, BigUint>, PassError> {
        self.check(rules)?;
        match self {
            Route::Orders => Ok(orders::playouts_by_score(rules, monitor)?),
            Route::Territory => {
                let counted = territory::playouts_by_score(rules, TERRITORY_BYTES, monitor);
                counted.map_err(|error| match error {
                    territory::TerritoryError::Pieces => PassError::Pieces,
                    territory::TerritoryError::Solve(error) => error.into(),
                })
            }
            Route::Levels => {
                let census = levels::count(&BritishSquare::new(rules.clone())?, monitor)?;
                let outcomes = census.outcomes.into_iter();
                Ok(outcomes.map(|(score, outcome)| (score, outcome.playouts)).collect())
            }
        }
    }
}

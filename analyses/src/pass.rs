//! What a pass is, and what it is given.

use crate::route::Route;
use crate::table::Table;
use bsq_engine::game::british_square::{BritishSquare, Rules, TooLarge};
use bsq_engine::solve::levels::{self, Census};
use bsq_engine::solve::search::{self, Solved};
use bsq_engine::solve::{Monitor, SolveError};

/// One question and the way to its answer.
pub trait Pass: Send + Sync {
    /// The word by which the command knows it; also the name of its folder.
    fn name(&self) -> &'static str;
    /// What it answers, in a line.
    fn summary(&self) -> &'static str;
    /// Whether it takes so long that nobody gets it without asking for it by name.
    fn is_long(&self) -> bool {
        false
    }
    /// Says what is wrong with the rules or the route before any work is done.
    fn check(&self, context: &Context) -> Result<(), PassError> {
        match context.route {
            Some(route) if route != Route::Levels => {
                Err(PassError::Route { pass: self.name(), route: route.name() })
            }
            _ => context.game().map(drop),
        }
    }
    /// Answers.
    fn run(&self, context: &Context) -> Result<Vec<Table>, PassError>;
}

/// Why a pass has no answer.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PassError {
    /// The rules are none, or too large for the solvers.
    #[error(transparent)]
    Rules(#[from] TooLarge),
    /// The pass needs states, and the route passes them by.
    #[error(
        "'{pass}' counts states, which the route '{route}' does not see; leave --route out or take levels"
    )]
    Route {
        /// The pass.
        pass: &'static str,
        /// The route.
        route: &'static str,
    },
    /// A limit on pieces and the route by territory.
    #[error("the route 'territory' takes no limit on pieces; take orders or levels")]
    Pieces,
    /// The solver did not come to its end.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// What a pass is given: the rules, and whom to tell how far it is.
pub struct Context<'a> {
    /// The rules that were asked for.
    pub rules: Rules,
    /// How to count playouts, if that was asked for.
    pub route: Option<Route>,
    /// Progress and the wish to stop.
    pub monitor: Monitor<'a>,
}

impl Context<'_> {
    /// A context that nobody watches.
    pub fn new(rules: Rules) -> Context<'static> {
        Context { rules, route: None, monitor: Monitor::default() }
    }

    /// The game of the rules.
    pub fn game(&self) -> Result<BritishSquare, PassError> {
        Ok(BritishSquare::new(self.rules.clone())?)
    }

    /// The same watcher for other rules.
    pub fn with(&self, rules: Rules) -> Context<'_> {
        Context { rules, route: self.route, monitor: self.monitor }
    }

    /// States and playouts, turn by turn.
    pub fn census(&self) -> Result<Census, PassError> {
        Ok(levels::count(&self.game()?, &self.monitor)?)
    }

    /// The value of every state, in pieces: the bias is not subtracted.
    pub fn solve(&self, game: &BritishSquare) -> Result<Solved, PassError> {
        Ok(search::solve(game, &game.root(), &self.monitor)?)
    }
}

/// A rule set in a few words, such as `5x5 standard`, `5x5 centre allowed`, `4x5 bias 2, 11 pieces`.
///
/// ```
/// use bsq_engine::game::british_square::Rules;
/// let rules = Rules { bias: 2, ..Rules::standard(5, 5).unwrap() };
/// assert_eq!(bsq_analyses::rules_label(&rules), "5x5 bias 2");
/// ```
pub fn rules_label(rules: &Rules) -> String {
    let mut words = Vec::new();
    if rules.center_allowed {
        words.push("centre allowed".to_string());
    }
    if rules.bias != 0 {
        words.push(format!("bias {}", rules.bias));
    }
    if let Some(pieces) = rules.pieces {
        words.push(format!("{pieces} pieces"));
    }
    match words.is_empty() {
        true => format!("{} standard", rules.board),
        false => format!("{} {}", rules.board, words.join(", ")),
    }
}

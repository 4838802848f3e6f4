//! What a pass is, and what it is given.

use crate::PASSES;
use crate::chart::{Chart, chart_of};
use crate::method::Method;
use crate::table::Table;
use bsq_engine::levels;
use bsq_engine::levels::{Census, MemoryBudget, PlacementGame, StateKey};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong;
use bsq_engine::strong::Solved;
use bsq_games::british_square::{
    BritishSquare, EvaluatorError, LevelGame64, LevelGame128, Rules, TooLarge,
};

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
    /// Whether it only counts, state by state: then it takes boards of up to
    /// [`MAX_COUNTED_CELLS`](bsq_games::british_square::MAX_COUNTED_CELLS) cells, and a
    /// [`MemoryBudget`].
    fn only_counts(&self) -> bool {
        false
    }
    /// The chart of one of its tables, the main one if that has one.
    fn chart(&self) -> Option<&'static Chart<'static>> {
        chart_of(self.name())
    }
    /// Says what is wrong with the rules, the route or the room before any work is done.
    fn check(&self, context: &Context) -> Result<(), PassError> {
        if let Some(route) = context.route.filter(|&route| route != Method::Levels) {
            return Err(PassError::Route { pass: self.name(), route: route.name() });
        }
        if self.only_counts() {
            LevelGame128::new(context.rules.clone())?;
            return Ok(());
        }
        context.check_no_room(self.name())?;
        context.game().map(drop)
    }
    /// Answers.
    fn run(&self, context: &Context) -> Result<Vec<Table>, PassError>;
}

impl From<EvaluatorError> for PassError {
    fn from(error: EvaluatorError) -> PassError {
        match error {
            EvaluatorError::TooLarge(error) => PassError::Rules(error),
            EvaluatorError::Solve(error) => PassError::Solve(error),
        }
    }
}

/// Why a pass has no answer.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PassError {
    /// The rules are none, or too large for the solvers.
    #[error(transparent)]
    Rules(#[from] TooLarge),
    /// The pass needs states, and the route passes them by.
    #[error(
        "'{pass}' is about states, which the route '{route}' does not see; leave --route out or take levels"
    )]
    Route {
        /// The pass.
        pass: &'static str,
        /// The route.
        route: &'static str,
    },
    /// There is a limit on pieces, and what is to be done rests on there being none.
    #[error("{what} takes no limit on pieces; {instead}")]
    Pieces {
        /// The pass or the route.
        what: &'static str,
        /// A way out.
        instead: &'static str,
    },
    /// The pass takes no memory limit or scratch folder.
    #[error("{asked} is for one of {}, not for '{pass}'", counting().join(", "))]
    Room {
        /// What was asked for.
        asked: &'static str,
        /// The pass.
        pass: &'static str,
    },
    /// Nor does the route.
    #[error("the route '{route}' takes no {asked}; leave --route out or take levels")]
    RouteRoom {
        /// What was asked for.
        asked: &'static str,
        /// The route.
        route: &'static str,
    },
    /// The solver did not come to its end.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The passes that only count.
fn counting() -> Vec<&'static str> {
    PASSES.iter().filter(|pass| pass.only_counts()).map(|pass| pass.name()).collect()
}

/// Which limits were asked for, before there is a [`MemoryBudget`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// A memory limit.
    pub memory: bool,
    /// A scratch folder.
    pub scratch: bool,
}

impl Asked {
    /// The flag of one of them.
    pub fn flag(self) -> Option<&'static str> {
        match self {
            Asked { scratch: true, .. } => Some("--scratch"),
            Asked { memory: true, .. } => Some("--memory"),
            _ => None,
        }
    }
}

/// What a pass is given: the rules, whom to tell how far it is, and how much room there is.
pub struct Context<'a> {
    /// The rules that were asked for.
    pub rules: Rules,
    /// How to count playouts, if that was asked for.
    pub route: Option<Method>,
    /// Progress and the wish to stop.
    pub monitor: Monitor<'a>,
    /// What was asked for about memory and scratch folder: all that a check knows of them.
    pub asked: Asked,
    /// Memory and scratch folder of a count; no limit and none if left out.
    pub room: Option<&'a MemoryBudget>,
    /// What was counted under these rules elsewhere; it is not counted again.
    pub census: Option<&'a Census>,
}

impl Context<'_> {
    /// A context that nobody watches.
    pub fn new(rules: Rules) -> Context<'static> {
        Context {
            rules,
            route: None,
            monitor: Monitor::default(),
            asked: Asked::default(),
            room: None,
            census: None,
        }
    }

    /// Fails if a memory limit or a scratch folder was asked for, which that pass has no use for.
    pub(crate) fn check_no_room(&self, pass: &'static str) -> Result<(), PassError> {
        self.asked.flag().map_or(Ok(()), |asked| Err(PassError::Room { asked, pass }))
    }

    /// The game of the rules.
    pub fn game(&self) -> Result<BritishSquare, PassError> {
        Ok(BritishSquare::new(self.rules.clone())?)
    }

    /// The same watcher for other rules. A scratch folder is for one count only.
    pub fn with(&self, rules: Rules) -> Context<'_> {
        Context {
            rules,
            route: self.route,
            monitor: self.monitor,
            asked: Asked::default(),
            room: None,
            census: None,
        }
    }

    /// States and playouts, turn by turn.
    pub fn census(&self) -> Result<Census, PassError> {
        if let Some(census) = self.census {
            return Ok(census.clone());
        }
        let rules = self.rules.clone();
        match rules.board.cells() <= u64::SET_BITS {
            true => self.count(&LevelGame64::new(rules)?),
            false => self.count(&LevelGame128::new(rules)?),
        }
    }

    fn count(&self, game: &impl PlacementGame) -> Result<Census, PassError> {
        Ok(match self.room {
            Some(room) => levels::count_within(game, room, &self.monitor)?,
            None => levels::count(game, &self.monitor)?,
        })
    }

    /// The value of every state, in pieces: the bias is not subtracted.
    pub fn solve(&self, game: &BritishSquare) -> Result<Solved, PassError> {
        Ok(strong::solve(game, &game.root(), &self.monitor)?)
    }
}

/// A rule set in a few words, such as `5x5 standard`, `5x5 centre allowed`, `4x5 bias 2, 11 pieces`.
///
/// ```
/// use bsq_games::british_square::Rules;
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

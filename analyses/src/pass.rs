//! What a pass is, and what it is given.

use crate::table::Table;
use bsq_engine::game::british_square::{BritishSquare, Counted, Rules, TooLarge};
use bsq_engine::solve::levels::{self, Census, Room};
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
    /// Whether [`Context::census`] is all that it needs: then it takes boards of up to
    /// [`MAX_COUNTED_CELLS`](bsq_engine::game::british_square::MAX_COUNTED_CELLS) cells, and a
    /// [`Room`].
    fn only_counts(&self) -> bool {
        false
    }
    /// Whether there can be an answer for these rules.
    fn check(&self, rules: &Rules) -> Result<(), TooLarge> {
        match self.only_counts() {
            true => Counted::new(rules.clone()).map(drop),
            false => BritishSquare::new(rules.clone()).map(drop),
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
    /// The solver did not come to its end.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// What a pass is given: the rules, whom to tell how far it is, and how much room there is.
pub struct Context<'a> {
    /// The rules that were asked for.
    pub rules: Rules,
    /// Progress and the wish to stop.
    pub monitor: Monitor<'a>,
    /// Memory and scratch folder of a count; no limit and none if left out.
    pub room: Option<&'a Room>,
}

impl Context<'_> {
    /// A context that nobody watches.
    pub fn new(rules: Rules) -> Context<'static> {
        Context { rules, monitor: Monitor::default(), room: None }
    }

    /// The game of the rules.
    pub fn game(&self) -> Result<BritishSquare, PassError> {
        Ok(BritishSquare::new(self.rules.clone())?)
    }

    /// The same watcher for other rules. A scratch folder is for one count only.
    pub fn with(&self, rules: Rules) -> Context<'_> {
        Context { rules, monitor: self.monitor, room: None }
    }

    /// States and playouts, turn by turn.
    pub fn census(&self) -> Result<Census, PassError> {
        let game = Counted::new(self.rules.clone())?;
        Ok(match self.room {
            Some(room) => levels::count_within(&game, room, &self.monitor)?,
            None => levels::count(&game, &self.monitor)?,
        })
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

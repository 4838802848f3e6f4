//! Values of positions for many who ask at once, each within a limit of time.
//!
//! A question goes through three doors. Who asks what another one is asking waits for the same
//! answer. Searches of one game come one after the other, since they share what it has learned.
//! And a [`Lane`] lets in only so many searches of a kind, so that short ones need not wait for
//! long ones. All waiting is asynchronous: who gives up leaves no thread behind that waits.

use super::games::Games;
use super::lane::Lane;
use anyhow::Result;
use bsq_engine::evaluate::{Cost, Detail, Evaluator as _};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_games::british_square::count::state_bounds::states_at_most;
use bsq_games::british_square::evaluator::{equivalent_rules, with_bias};
use bsq_games::british_square::{
    Board, Evaluation, Evaluator, EvaluatorError, MAX_SOLVED_CELLS, Position, Rules,
};
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::spawn_blocking;

/// Answers kept: some tens of megabytes.
const ANSWERS_KEPT: usize = 20_000;
/// Regions that a search may have met, some hundred bytes each, before its evaluator is made anew.
const MOST_REGIONS: usize = 1 << 20;
/// Searches of small boards at a time, each on one thread.
const SHORT_SEARCHES: usize = 2;
/// States that a search with a limit on pieces may meet, some twelve bytes each.
const MOST_STATES: u64 = 40_000_000;
/// Searches of larger boards at a time, each on all threads, with a table each.
const LONG_SEARCHES: usize = 3;

/// What one request may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the question to the answer.
    pub time: Duration,
    /// Cells of a board.
    pub cells: usize,
    /// Memory for the table of one game.
    pub table_bytes: u64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// Not within the limit.
    #[error(
        "the value was not found within {0} s, waiting included; ask again later, or ask with values=false"
    )]
    TooLong(u64),
    /// Such a game is not searched.
    #[error("{0}; ask with values=false")]
    Unsearchable(EvaluatorError),
    /// Without a limit on pieces it would be.
    #[error(
        "a {0} board has too many states to be searched with a limit on pieces; leave pieces out, or ask with values=false"
    )]
    TooManyStates(Board),
    /// A search that failed, out of memory for example.
    #[error("the search failed: {0}")]
    Failed(anyhow::Error),
}

impl From<SolveError> for Unanswered {
    fn from(error: SolveError) -> Unanswered {
        Unanswered::Failed(error.into())
    }
}

/// Searches of a kind: neither their number nor what they learn is at the cost of other kinds.
#[derive(Clone)]
struct Kind {
    lane: Arc<Lane>,
    games: Arc<Games>,
}

impl Kind {
    fn new(searches: usize, threads: usize) -> Kind {
        Kind { lane: Lane::new(searches, threads), games: Arc::default() }
    }
}

/// Finds values and remembers them.
pub struct Answers {
    limits: Limits,
    known: Cache<(Rules, Position), Arc<Evaluation>>,
    short: Kind,
    long: Kind,
    /// Searches of all states, which take a hundred megabytes and more each: one at a time.
    states: Kind,
}

impl Answers {
    /// No answer yet.
    pub fn new(limits: Limits) -> Answers {
        let threads = rayon::current_num_threads();
        Answers {
            limits,
            known: Cache::new(ANSWERS_KEPT),
            short: Kind::new(SHORT_SEARCHES, 1),
            long: Kind::new(LONG_SEARCHES, threads),
            states: Kind::new(1, threads),
        }
    }

    /// What a request may take.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The value of a position and of its moves.
    pub async fn of(&self, rules: &Rules, position: &Position) -> Result<Evaluation, Unanswered> {
        let key = (equivalent_rules(rules, position), *position);
        let is_searched = key.0.pieces.is_some() && rules.board.cells() <= MAX_SOLVED_CELLS;
        if is_searched && states_at_most(&rules.board) > MOST_STATES {
            return Err(Unanswered::TooManyStates(rules.board));
        }
        let found = self.known.get_or_insert_async(&key, self.search(&key.0, position));
        let too_long = Unanswered::TooLong(self.limits.time.as_secs());
        let found = tokio::time::timeout(self.limits.time, found).await;
        Ok(with_bias(&*found.unwrap_or(Err(too_long))?, rules.bias))
    }

    /// Ends soon after nobody waits for it any more.
    async fn search(
        &self,
        rules: &Rules,
        position: &Position,
    ) -> Result<Arc<Evaluation>, Unanswered> {
        let Kind { lane, games } = self.kind(rules).clone();
        let game = games.of(rules);
        let mut known = game.turn().await;
        let detail = Detail::Moves;
        if let Some(evaluator) = known.as_ref()
            && evaluator.cost(position, detail) == Cost::LookUp
        {
            // A look-up takes less time than to hand it to another thread.
            return Ok(Arc::new(evaluator.evaluate(position, detail, &Monitor::default())?));
        }
        let place = lane.enter().await;
        let nobody_waits = SetOnDrop::default();
        let stop = nobody_waits.flag();
        let bytes = self.limits.table_bytes;
        let position = *position;
        let search = spawn_blocking(move || {
            let value = || {
                let new = || Evaluator::with_table(game.rules(), bytes);
                let evaluator = known.take().map_or_else(new, Ok);
                let evaluator = evaluator.map_err(Unanswered::Unsearchable)?;
                let monitor = Monitor { progress: None, stop: Some(&stop) };
                let found = evaluator.evaluate(&position, detail, &monitor);
                let is_small =
                    evaluator.solver().is_none_or(|solver| solver.regions() <= MOST_REGIONS);
                if games.keeps(&game) && is_small {
                    *known = Some(evaluator);
                }
                Ok(Arc::new(found?))
            };
            lane.run(&place, value).map_err(Unanswered::Failed)?
        });
        search.await.unwrap_or_else(|panic| Err(Unanswered::Failed(panic.into())))
    }

    fn kind(&self, rules: &Rules) -> &Kind {
        match rules.pieces {
            Some(_) => &self.states,
            None if Evaluator::has_table(rules) => &self.short,
            None => &self.long,
        }
    }
}

/// A flag that is set when its owner is gone.
#[derive(Default)]
pub struct SetOnDrop(Arc<AtomicBool>);

impl SetOnDrop {
    /// The flag, for whoever looks at it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

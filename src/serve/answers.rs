//! Values of positions for concurrent requests, with a time limit.
//!
//! Equal requests are coalesced and wait for the same answer. Searches of one game run one after
//! the other, because they share an evaluator. A [`Lane`] limits the number of searches of a kind,
//! so that short ones do not wait for long ones. All waiting is asynchronous, so a cancelled
//! request leaves no waiting thread behind.

use super::games::Games;
use super::lane::Lane;
use anyhow::Result;
use bsq_engine::evaluate::{Cost, Detail, Evaluator as _};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_games::british_square::count::state_bounds::states_at_most;
use bsq_games::british_square::{
    Board, Evaluation, Evaluator, EvaluatorError, MAX_SOLVED_CELLS, Position, Rules,
};
use bsq_games::british_square::{equivalent_rules, with_bias};
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::time::Duration;

/// The number of answers in the cache, some tens of megabytes.
const ANSWERS_KEPT: usize = 20_000;
/// The number of regions, some hundred bytes each, above which an evaluator is replaced by a new
/// one.
const MOST_REGIONS: usize = 1 << 20;
/// Simultaneous searches of small boards, each on one thread.
const SHORT_SEARCHES: usize = 2;
/// The maximum number of states of a search with a limit on pieces, about twelve bytes each.
const MOST_STATES: u64 = 40_000_000;
/// Simultaneous searches of larger boards, each on all threads with a table of its own.
const LONG_SEARCHES: usize = 3;

/// The limits of a request.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time from the request to the answer.
    pub time: Duration,
    /// The number of cells of a board.
    pub cells: usize,
    /// The memory for the table of a game, in bytes.
    pub table_bytes: u64,
}

/// The reason why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// The time limit, in seconds, has expired.
    #[error(
        "the value was not found within {0} s, waiting included; ask again later, or ask with values=false"
    )]
    TooLong(u64),
    /// The game cannot be searched.
    #[error("{0}; ask with values=false")]
    Unsearchable(EvaluatorError),
    /// The board has too many states for a limit on pieces.
    #[error(
        "a {0} board has too many states to be searched with a limit on pieces; leave pieces out, or ask with values=false"
    )]
    TooManyStates(Board),
    /// The search failed, for example for lack of memory.
    #[error("the search failed: {0}")]
    Failed(anyhow::Error),
}

impl From<SolveError> for Unanswered {
    fn from(error: SolveError) -> Unanswered {
        Unanswered::Failed(error.into())
    }
}

/// The lane and the evaluators of a kind of search, which kinds do not share.
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

/// Computes and caches values.
pub struct Answers {
    limits: Limits,
    known: Cache<(Rules, Position), Arc<Evaluation>>,
    short: Kind,
    long: Kind,
    /// Searches of all states, one at a time because each takes a hundred megabytes or more.
    states: Kind,
}

impl Answers {
    /// Creates an empty cache.
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

    /// The limits of a request.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the values of a position and of its moves.
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

    /// Searches a position. Stops soon after the last request for it is cancelled.
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
            // A look-up is faster than starting it on another thread.
            return Ok(Arc::new(evaluator.evaluate(position, detail, &Monitor::default())?));
        }
        let bytes = self.limits.table_bytes;
        let position = *position;
        let search = lane.search(move |monitor| {
            let new = || Evaluator::with_table(game.rules(), bytes);
            let evaluator = known.take().map_or_else(new, Ok).map_err(Unanswered::Unsearchable)?;
            let found = evaluator.evaluate(&position, detail, monitor);
            let is_small = evaluator.solver().is_none_or(|solver| solver.regions() <= MOST_REGIONS);
            if games.keeps(&game) && is_small {
                *known = Some(evaluator);
            }
            Ok(Arc::new(found?))
        });
        search.await.map_err(Unanswered::Failed)?
    }

    fn kind(&self, rules: &Rules) -> &Kind {
        match rules.pieces {
            Some(_) => &self.states,
            None if Evaluator::has_table(rules) => &self.short,
            None => &self.long,
        }
    }
}

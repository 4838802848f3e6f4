//! Values of positions for many who ask at once, each within a limit of time.

use anyhow::Result;
use bsq_analyses::{PassError, Valued, Valuer, suitable_table};
use bsq_engine::game::british_square::{Position, Rules};
use bsq_engine::solve::Monitor;
use quick_cache::sync::Cache;
use rayon::ThreadPoolBuilder;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Answers kept: some tens of megabytes.
const ANSWERS_KEPT: usize = 100_000;
/// Sets of rules whose valuers, with all that they have learned, are kept.
const VALUERS_KEPT: usize = 4;
/// Searches at a time, each with threads of its own: a short one need not wait for a long one.
const SEARCHES: usize = 4;

/// What one request may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the question to the answer.
    pub time: Duration,
    /// Cells of a board.
    pub cells: usize,
    /// Memory for the table of one set of rules.
    pub table_bytes: u64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// Not within the limit.
    #[error(
        "the value was not found within {0} s; ask again, since what was learned is kept, or ask with values=false"
    )]
    TooLong(u64),
    /// Such a game is not searched.
    #[error("{0}")]
    Unsearchable(PassError),
    /// A search that failed, out of memory for example.
    #[error("the search failed: {0}")]
    Failed(anyhow::Error),
}

/// Finds values and remembers them.
pub struct Answers {
    limits: Limits,
    known: Cache<(Rules, Position), Arc<Valued>>,
    /// The last ones used, the latest at the end.
    valuers: Mutex<Vec<Arc<Valuer>>>,
    searches: Arc<Semaphore>,
    /// Of each search.
    threads: usize,
}

impl Answers {
    /// No answer yet.
    pub fn new(limits: Limits) -> Answers {
        Answers {
            limits,
            known: Cache::new(ANSWERS_KEPT),
            valuers: Mutex::default(),
            searches: Arc::new(Semaphore::new(SEARCHES)),
            threads: rayon::current_num_threads(),
        }
    }

    /// What a request may take.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The value of a position and of its moves. Who asks for what another is waiting for waits
    /// with it.
    pub async fn of(&self, rules: &Rules, position: &Position) -> Result<Arc<Valued>, Unanswered> {
        let key = (rules.clone(), *position);
        let found = self.known.get_or_insert_async(&key, self.search(rules, position));
        let too_long = Unanswered::TooLong(self.limits.time.as_secs());
        tokio::time::timeout(self.limits.time, found).await.unwrap_or(Err(too_long))
    }

    /// Ends soon after nobody waits for it any more.
    async fn search(&self, rules: &Rules, position: &Position) -> Result<Arc<Valued>, Unanswered> {
        let permit = Arc::clone(&self.searches).acquire_owned().await;
        let permit = permit.expect("the semaphore stays open");
        let valuer = self.valuer(rules).map_err(Unanswered::Unsearchable)?;
        let nobody_waits = SetOnDrop::default();
        let (stop, threads, position) = (Arc::clone(&nobody_waits.0), self.threads, *position);
        let search = spawn_blocking(move || {
            let _permit = permit;
            let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
            let monitor = Monitor { progress: None, stop: Some(&stop) };
            Ok(pool.install(|| valuer.value(&position, true, &monitor))?)
        });
        let valued: Result<Valued> = search.await.unwrap_or_else(|panic| Err(panic.into()));
        valued.map(Arc::new).map_err(Unanswered::Failed)
    }

    fn valuer(&self, rules: &Rules) -> Result<Arc<Valuer>, PassError> {
        let bytes = suitable_table(&rules.board).min(self.limits.table_bytes);
        let mut valuers = lock(&self.valuers);
        let found = valuers.iter().position(|valuer| valuer.rules() == rules);
        let valuer = match found {
            Some(place) => valuers.remove(place),
            None => Arc::new(Valuer::new(rules, Some(bytes))?),
        };
        if valuers.len() == VALUERS_KEPT {
            valuers.remove(0);
        }
        valuers.push(Arc::clone(&valuer));
        Ok(valuer)
    }
}

/// What these locks guard is whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A flag that is set when its owner is gone.
#[derive(Default)]
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

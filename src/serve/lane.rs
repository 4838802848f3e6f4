//! Limits the number of simultaneous searches of a kind.

use anyhow::Result;
use bsq_engine::monitor::Monitor;
use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

/// The number of simultaneous short evaluations of a game.
const SHORT: usize = 2;
/// The number of simultaneous long searches of a game, each with its own tables.
const SEARCHES: usize = 2;

/// A limited number of simultaneous searches, in order of arrival, each with its own threads.
pub struct Lane {
    places: Arc<Semaphore>,
    /// The number of threads of a search. If it is 0, the thread that waits for the search runs it.
    threads: usize,
    /// Unused thread pools. Creating one takes as long as a short search.
    idle: Mutex<Vec<ThreadPool>>,
}

/// The lanes of a game. Different games and kinds do not wait for each other.
pub struct Lanes {
    /// Short searches, and evaluations that build a table of the whole board.
    pub short: Arc<Lane>,
    /// Searches that may be long.
    pub search: Arc<Lane>,
}

impl Lanes {
    /// Creates idle lanes.
    pub fn new() -> Lanes {
        let threads = rayon::current_num_threads();
        Lanes { short: Lane::new(SHORT, threads), search: Lane::new(SEARCHES, threads) }
    }
}

impl Lane {
    /// Creates a lane for the given number of searches, each on the given number of threads.
    pub fn new(searches: usize, threads: usize) -> Arc<Lane> {
        let places = Arc::new(Semaphore::new(searches));
        Arc::new(Lane { places, threads, idle: Mutex::default() })
    }

    /// Waits for a place.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit> {
        Ok(Arc::clone(&self.places).acquire_owned().await?)
    }

    /// Runs a search in a place. Its monitor is stopped when the future is dropped.
    pub async fn search<T: Send + 'static>(
        self: &Arc<Lane>,
        place: OwnedSemaphorePermit,
        work: impl FnOnce(&Monitor) -> T + Send + 'static,
    ) -> Result<T> {
        let lane = Arc::clone(self);
        let dropped = SetOnDrop::default();
        let stop = dropped.flag();
        let search = spawn_blocking(move || {
            let _place = place;
            lane.run(|| work(&Monitor { progress: None, stop: Some(&stop) }))
        });
        search.await?
    }

    /// Runs work on a thread pool, which is lost if the work panics.
    fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        if self.threads == 0 {
            return Ok(work());
        }
        let idle = self.idle.lock().pop();
        let pool = match idle {
            Some(pool) => pool,
            None => ThreadPoolBuilder::new()
                .num_threads(self.threads)
                .start_handler(|_| lower_priority())
                .build()?,
        };
        let done = pool.install(work);
        self.idle.lock().push(pool);
        Ok(done)
    }
}

/// Lowers the priority of the current thread, so that look-ups and the threads that wait for
/// requests run first.
fn lower_priority() {
    // A failure is ignored, because the priority affects only the speed.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 10);
}

/// A flag that is set when its owner is dropped.
#[derive(Default)]
struct SetOnDrop(Arc<AtomicBool>);

impl SetOnDrop {
    /// Returns the flag.
    fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

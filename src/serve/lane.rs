//! Limits the number of simultaneous searches of a kind.

use super::fair::{Fair, GLANCE, Place};
use anyhow::Result;
use bsq_engine::monitor::Monitor;
use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, spawn_blocking};
use tracing::subscriber::{NoSubscriber, with_default};

/// The time after which a search makes room for that of another client.
const SLICE: Duration = Duration::from_secs(1);

/// A limited number of simultaneous searches, each with its own threads. Clients take turns.
pub struct Lane {
    places: Arc<Fair>,
    threads: Threads,
    /// Unused thread pools. Creating one takes as long as a short search.
    idle: Mutex<Vec<ThreadPool>>,
}

/// The threads of the searches of a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// The one that waits for the search.
    One,
    /// One for each core.
    All,
    /// One for each core, of a low priority.
    InTheBackground,
}

/// The lanes of a game. Different games and kinds do not wait for each other.
pub struct Lanes {
    /// Short searches.
    pub short: Arc<Lane>,
    /// Evaluations that build a table of the whole board.
    pub build: Arc<Lane>,
}

impl Lanes {
    /// Creates idle lanes.
    pub fn new() -> Lanes {
        Lanes {
            short: Lane::new(4, 1, Threads::All),
            build: Lane::new(2, 1, Threads::InTheBackground),
        }
    }
}

impl Lane {
    /// Creates a lane for the given number of searches, of which at most `most` are those of one
    /// client.
    pub fn new(searches: usize, most: u64, threads: Threads) -> Arc<Lane> {
        Arc::new(Lane { places: Fair::new(searches, most), threads, idle: Mutex::default() })
    }

    /// Waits for a place.
    pub async fn place(&self, client: IpAddr) -> Place {
        self.places.place(client).await
    }

    /// Waits for a place, and runs a search in it.
    pub async fn search_next<T: Send + 'static>(
        self: &Arc<Lane>,
        client: IpAddr,
        work: impl FnOnce(&Monitor) -> T + Send + 'static,
    ) -> Result<T> {
        let place = self.place(client).await;
        self.search(place, work).await
    }

    /// Runs a search in a place. Its monitor is stopped when the future is dropped.
    pub async fn search<T: Send + 'static>(
        self: &Arc<Lane>,
        place: Place,
        work: impl FnOnce(&Monitor) -> T + Send + 'static,
    ) -> Result<T> {
        let (_dropped, search) = self.start(place, work);
        search.await?
    }

    /// Runs a search in a place, and stops it when its time is over and another client waits for
    /// the place or for the `turn` of the same engine.
    pub async fn search_in_turn<T: Send + 'static>(
        self: &Arc<Lane>,
        place: Place,
        turn: &Fair,
        client: IpAddr,
        work: impl FnOnce(&Monitor) -> T + Send + 'static,
    ) -> Result<Searched<T>> {
        let (dropped, mut search) = self.start(place, work);
        let began = Instant::now();
        let is_wanted = || turn.is_wanted(client) || self.places.is_wanted(client);
        while began.elapsed() < SLICE || !is_wanted() {
            tokio::select! {
                found = &mut search => return Ok(Searched { found: found??, made_room: false }),
                () = tokio::time::sleep(GLANCE) => {}
            }
        }
        drop(dropped);
        Ok(Searched { found: search.await??, made_room: true })
    }

    /// Starts a search, which is stopped when the first result is dropped.
    fn start<T: Send + 'static>(
        self: &Arc<Lane>,
        place: Place,
        work: impl FnOnce(&Monitor) -> T + Send + 'static,
    ) -> (SetOnDrop, JoinHandle<Result<T>>) {
        let lane = Arc::clone(self);
        let dropped = SetOnDrop::default();
        let stop = dropped.flag();
        let search = spawn_blocking(move || {
            let _place = place;
            lane.run(|| work(&Monitor { stop: Some(&stop), ..Monitor::default() }))
        });
        (dropped, search)
    }

    /// Runs work on a thread pool, which is lost if the work panics. Solvers do not write to the log,
    /// which is that of requests.
    fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        let work = || with_default(NoSubscriber::default(), work);
        if self.threads == Threads::One {
            return Ok(work());
        }
        let idle = self.idle.lock().pop();
        let pool = if let Some(pool) = idle {
            pool
        } else {
            let is_low = self.threads == Threads::InTheBackground;
            ThreadPoolBuilder::new()
                .num_threads(rayon::current_num_threads())
                .start_handler(move |_| {
                    if is_low {
                        lower_priority();
                    }
                })
                .build()?
        };
        let done = pool.install(work);
        self.idle.lock().push(pool);
        Ok(done)
    }
}

/// The end of a search.
pub struct Searched<T> {
    /// What it found.
    pub found: T,
    /// Whether it was stopped because another client waits.
    pub made_room: bool,
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

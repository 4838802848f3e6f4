//! Room for so many searches of a kind at a time.

use anyhow::Result;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many searches at a time, first come first served, each with threads of its own.
pub struct Lane {
    places: Arc<Semaphore>,
    /// Of each search.
    threads: usize,
    /// Those that nobody is using. To make one takes as long as a short search.
    idle: Mutex<Vec<ThreadPool>>,
}

/// The right to search.
pub struct Place(
    #[expect(dead_code, reason = "it matters when it is dropped")] OwnedSemaphorePermit,
);

impl Lane {
    /// For that many searches, each on so many threads.
    pub fn new(searches: usize, threads: usize) -> Arc<Lane> {
        let places = Arc::new(Semaphore::new(searches));
        Arc::new(Lane { places, threads, idle: Mutex::default() })
    }

    /// Waits for a place.
    pub async fn enter(&self) -> Place {
        let permit = Arc::clone(&self.places).acquire_owned().await;
        Place(permit.expect("the semaphore stays open"))
    }

    /// Works on threads of the lane. They are lost if that panics.
    pub fn run<T: Send>(&self, _: &Place, work: impl FnOnce() -> T + Send) -> Result<T> {
        let idle = self.idle().pop();
        let build = || ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = idle.map_or_else(build, Ok)?;
        let done = pool.install(work);
        self.idle().push(pool);
        Ok(done)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<ThreadPool>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! The environment of a job: threads, progress, Ctrl-C, and the log.

use crate::cli::args::WorkArgs;
use crate::memory;
use crate::new_file::require_regular;
use crate::progress::Reporter;
use anyhow::{Context, Result};
use bsq_engine::monitor::Monitor;
use bytesize::ByteSize;
use parking_lot::Mutex;
use std::fs::File;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

static STOP: AtomicBool = AtomicBool::new(false);
/// The time within which several signals count as one. Closing a terminal sends several.
const REPEATED: Duration = Duration::from_millis(200);
/// The function that is called before the process is forced to exit.
static LAST: Mutex<Option<fn()>> = Mutex::new(None);

/// A job, from start to end.
pub struct Run {
    reporter: Option<Reporter>,
    began: Instant,
}

/// Guards a section in which a stopped process is forced to exit.
pub struct Watch(Arc<AtomicBool>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
        *LAST.lock() = None;
    }
}

/// Handles Ctrl-C and SIGTERM, on a separate thread.
///
/// The first signal asks the job to stop. The second one ends the process, because the job may be
/// waiting for a file or a pipe. Temporary files that remain are removed by the next process that
/// writes the same files.
fn signalled() {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    STOP.store(true, Ordering::Relaxed);
    if FIRST.get_or_init(Instant::now).elapsed() >= REPEATED {
        exit_forced();
    }
}

fn exit_forced() -> ! {
    let last = LAST.lock().take();
    if let Some(last) = last {
        last();
    }
    std::process::exit(130)
}

impl Run {
    /// Sets up the threads, the log and the handler of Ctrl-C. A second Ctrl-C ends the process at
    /// once.
    pub fn begin(work: &WorkArgs) -> Result<Run> {
        let log = tracing_subscriber::fmt()
            .with_ansi(false)
            .log_internal_errors(false)
            .with_max_level(tracing::Level::DEBUG);
        let started = match &work.log {
            Some(path) => {
                let file = require_regular(path)
                    .and_then(|()| Ok(File::create(path)?))
                    .with_context(|| format!("cannot write the log {}", path.display()))?;
                log.with_writer(std::sync::Mutex::new(file)).try_init()
            }
            None => Ok(()),
        };
        started.map_err(anyhow::Error::from_boxed).context("cannot start the log")?;
        let threads = work.threads.unwrap_or_else(|| {
            let cores = std::thread::available_parallelism();
            cores.map_or(1, NonZero::get)
        });
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        ctrlc::set_handler(signalled)?;
        let reporter = (!work.quiet).then(|| Reporter::new(work.verbose));
        Ok(Run { reporter, began: Instant::now() })
    }

    /// Returns the monitor through which solvers report progress and are cancelled by Ctrl-C.
    pub fn monitor(&self) -> Monitor<'_> {
        let progress = self.reporter.as_ref().map(|reporter| reporter as _);
        Monitor { progress, stop: Some(&STOP), ..Monitor::default() }
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_stopped(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }

    /// Forces the process to exit some time after Ctrl-C, even if no code checks
    /// [`Run::is_stopped`]. Calls `at_last` before the exit.
    ///
    /// Applies until the returned guard is dropped.
    pub fn exit_when_stuck(&self, grace: Duration, at_last: fn()) -> Watch {
        *LAST.lock() = Some(at_last);
        let watch = Watch(Arc::new(AtomicBool::new(true)));
        let watching = Arc::clone(&watch.0);
        std::thread::spawn(move || {
            while watching.load(Ordering::Relaxed) {
                let was_stopped = STOP.load(Ordering::Relaxed);
                std::thread::sleep(grace);
                if was_stopped && watching.load(Ordering::Relaxed) {
                    exit_forced();
                }
            }
        });
        watch
    }

    /// The seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Prints a note to standard error.
    pub fn note(&self, text: &str) {
        self.monitor().note(text);
    }

    /// Prints the last status of a stopped job, if it reported one.
    pub fn note_stopped(&self) {
        if let Some(status) = self.reporter.as_ref().map(Reporter::last_status)
            && !status.is_empty()
        {
            self.note(&format!("stopped at: {status}"));
        }
    }

    /// Removes the progress bar, so that a result can be printed.
    pub fn clear(&self) {
        if let Some(reporter) = &self.reporter {
            reporter.clear();
        }
    }

    /// Ends the job, and logs the data that varies between runs.
    pub fn end(self) {
        self.clear();
        let seconds = self.seconds();
        let threads = rayon::current_num_threads();
        let peak_kib = memory::peak_kib();
        let peak = peak_kib
            .map(|kib| format!(", {} of memory at most", ByteSize::kib(kib).display().iec()));
        let on = if threads == 1 { "1 thread".to_string() } else { format!("{threads} threads") };
        self.monitor().detail(&format!("{seconds:.2} s on {on}{}", peak.unwrap_or_default()));
        let peak_kib = peak_kib.unwrap_or(0);
        tracing::info!(seconds, threads, peak_kib, "done");
    }
}

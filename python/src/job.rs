//! Jobs on a thread of their own, so that Ctrl-C stops them, and their errors as exceptions.

use bsq_api::{Error, Kind, Monitor};
use bsq_engine::monitor::Progress;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How often Python is asked for signals.
pub const TICK: Duration = Duration::from_millis(5);

/// Progress is shown whenever so many ticks are over.
const SHOWN: u32 = 20;

/// The progress of a job.
#[derive(Default)]
struct Seen(Mutex<Stage>);

/// What a job is doing.
#[derive(Clone, Default)]
struct Stage {
    /// The units of the work, in the plural.
    what: String,
    /// Their number, about.
    units: u64,
    done: u64,
    status: String,
}

impl Seen {
    fn change(&self, change: impl FnOnce(&mut Stage)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Shows the progress by `bsq._progress`.
    fn show(&self, py: Python<'_>) -> PyResult<()> {
        let Stage { what, units, done, status } =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        py.import("bsq._progress")?.call_method1("show", (what, units, done, status))?;
        Ok(())
    }
}

impl Progress for Seen {
    fn begin(&self, what: &str, units: u64) {
        let stage = Stage { what: what.to_string(), units, ..Stage::default() };
        self.change(|seen| *seen = stage);
    }

    fn advance(&self, units: u64) {
        self.change(|seen| seen.done += units);
    }

    fn status(&self, text: &str) {
        self.change(|seen| seen.status = text.to_string());
    }
}

/// Runs a job without the lock of the interpreter. Ctrl-C stops it.
///
/// # Errors
///
/// Those of the job, of [`start`], and of the handler of a signal.
pub fn run<T: Send>(
    py: Python<'_>,
    job: impl FnOnce(&Monitor) -> Result<T, Error> + Send,
) -> PyResult<T> {
    start(py)?;
    let (stop, seen) = (AtomicBool::new(false), Seen::default());
    let (found, raised, ticks) = py.detach(|| {
        std::thread::scope(|scope| {
            let (done, finished) = sync_channel::<()>(1);
            let (stop, seen) = (&stop, &seen);
            let worker = scope.spawn(move || {
                let monitor =
                    Monitor { stop: Some(stop), progress: Some(seen), ..Monitor::default() };
                let found = job(&monitor);
                let _ = done.send(());
                found
            });
            let (mut raised, mut ticks) = (None, 0u32);
            while finished.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                ticks = ticks.wrapping_add(1);
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    if ticks.is_multiple_of(SHOWN) { seen.show(py) } else { Ok(()) }
                });
                if let (None, Err(error)) = (&raised, looked) {
                    stop.store(true, Ordering::Relaxed);
                    raised = Some(error);
                }
            }
            (worker.join().unwrap_or_else(|panic| resume_unwind(panic)), raised, ticks)
        })
    });
    if ticks >= SHOWN {
        py.import("bsq._progress")?.call_method0("end")?;
    }
    match raised {
        Some(error) => Err(error),
        None => found.map_err(|error| exception(py, error)),
    }
}

/// Notes that work begins in this process.
///
/// # Errors
///
/// In a process that was forked after work began in another one.
pub fn start(py: Python<'_>) -> PyResult<()> {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let process = std::process::id();
    if *FIRST.get_or_init(|| process) == process {
        return Ok(());
    }
    let message = "this process was forked after bsq had begun to work, and the threads were left \
                   behind; start processes with multiprocessing.get_context('spawn')";
    Err(exception(py, Error::of(Kind::Refused, message)))
}

/// Whether this is the main thread of Python.
pub fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let current = threading.call_method0("current_thread")?;
    Ok(current.is(&threading.call_method0("main_thread")?))
}

/// The exception of an error, a class of `bsq._errors`.
pub fn exception(py: Python<'_>, error: Error) -> PyErr {
    let Error { kind, location, message } = error.of_parameter();
    let name = match kind {
        Kind::Usage => "UsageError",
        Kind::Refused => "RefusedError",
        Kind::Stopped => "StoppedError",
        Kind::Failed => "FailedError",
    };
    let class = py.import("bsq._errors").and_then(|module| module.getattr(name));
    match class.and_then(|class| class.call1((message, location))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

//! Jobs on a thread of their own, so that Ctrl-C stops them, and their errors as exceptions.

use bsq_api::{Error, Kind, Monitor};
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How often Python is asked for signals.
const TICK: Duration = Duration::from_millis(5);

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
    let stop = AtomicBool::new(false);
    let (found, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (done, finished) = sync_channel::<()>(1);
            let stop = &stop;
            let worker = scope.spawn(move || {
                let found = job(&Monitor { stop: Some(stop), ..Monitor::default() });
                let _ = done.send(());
                found
            });
            let mut raised = None;
            while finished.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    stop.store(true, Ordering::Relaxed);
                    raised = Some(error);
                }
            }
            (worker.join().unwrap_or_else(|panic| resume_unwind(panic)), raised)
        })
    });
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

//! Progress on standard error: a bar on a terminal, otherwise a line at regular intervals.

use crate::printable;
use bsq_engine::monitor::Progress;
use bsq_engine::text::thousands;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The time before a bar is shown, so that short jobs show none.
const BAR_AFTER: Duration = Duration::from_millis(300);
/// Without a terminal: the time before the first line.
const LINE_AFTER: Duration = Duration::from_millis(1500);
/// Without a terminal: the time between lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows progress.
pub struct Reporter {
    bar: ProgressBar,
    /// Whether details are printed.
    verbose: bool,
    began: Instant,
    /// The current job, if there is no terminal.
    lines: Option<Mutex<Job>>,
}

#[derive(Default)]
struct Job {
    what: String,
    /// The approximate number of units; 0 if unknown.
    units: u64,
    status: String,
    done: u64,
    /// When the next line is due.
    due: Option<Instant>,
}

impl Reporter {
    /// Creates a reporter: a bar on a terminal, otherwise lines.
    pub fn new(verbose: bool) -> Reporter {
        let terminal = std::io::stderr().is_terminal();
        let lines = (!terminal).then(Mutex::default);
        Reporter { bar: ProgressBar::hidden(), verbose, began: Instant::now(), lines }
    }

    /// Shows the bar on a terminal if it is time.
    fn show(&self) {
        if self.lines.is_none() && self.bar.is_hidden() && self.began.elapsed() >= BAR_AFTER {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// The state of the last job that reported one.
    pub fn last_status(&self) -> String {
        self.bar.prefix()
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The style of a bar, or of a counter if the number of units is unknown.
fn style(units: u64) -> Option<ProgressStyle> {
    let template = match units {
        0 => "{spinner} {human_pos} {msg}, {rate}/s, {elapsed}; {prefix}",
        _ => "{msg} [{bar:12}] {human_pos} of ~{human_len}, {rate}/s, {eta} left",
    };
    let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = write!(text, "{}", thousands(state.per_sec() as u64));
    };
    let style = ProgressStyle::with_template(template).ok()?;
    Some(style.progress_chars("=> ").with_key("rate", rate))
}

impl Progress for Reporter {
    fn begin(&self, what: &str, units: u64) {
        if let Some(style) = style(units) {
            self.bar.set_style(style);
        }
        self.bar.set_length(units);
        self.bar.set_message(what.to_string());
        self.bar.reset();
        self.show();
        if let Some(Ok(mut job)) = self.lines.as_ref().map(Mutex::lock) {
            // Short jobs in a row count as one job for the first line.
            let due = job.due.or_else(|| Some(Instant::now() + LINE_AFTER));
            *job = Job { what: what.to_string(), units, due, ..Job::default() };
        }
    }

    fn advance(&self, units: u64) {
        self.show();
        self.bar.inc(units);
        if let Some(Ok(mut job)) = self.lines.as_ref().map(Mutex::lock) {
            job.done += units;
            let now = Instant::now();
            if job.due.is_some_and(|due| now >= due) {
                job.due = Some(now + LINE_EVERY);
                let _ = match (job.units, &job.status) {
                    (0, status) => {
                        let status =
                            if status.is_empty() { String::new() } else { format!("; {status}") };
                        writeln!(std::io::stderr(), "{}: {}{status}", job.what, thousands(job.done))
                    }
                    (units, _) => {
                        let (done, units) = (thousands(job.done), thousands(units));
                        writeln!(std::io::stderr(), "{}: {done} of about {units}", job.what)
                    }
                };
            }
        }
    }

    fn note(&self, text: &str) {
        self.clear();
        // Notes are dropped if standard error is closed.
        let _ = writeln!(std::io::stderr(), "{}", printable::message(text));
    }

    fn detail(&self, text: &str) {
        if self.verbose {
            self.note(text);
        }
    }

    fn status(&self, text: &str) {
        self.show();
        self.bar.set_prefix(text.to_string());
        if let Some(Ok(mut job)) = self.lines.as_ref().map(Mutex::lock) {
            job.status = text.to_string();
        }
    }
}

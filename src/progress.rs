//! How far the work is, on standard error: a bar on a terminal, now and then a line elsewhere.

use bsq_engine::solve::Progress;
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Where there is no terminal: how long a job runs before its first line, and between lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows progress.
pub struct Reporter {
    bar: ProgressBar,
    /// The job in plain lines, where there is no terminal.
    lines: Option<Mutex<Job>>,
}

#[derive(Default)]
struct Job {
    what: String,
    units: u64,
    done: u64,
    said: Option<Instant>,
}

impl Reporter {
    /// A reporter for this terminal, or for this log.
    pub fn new() -> Reporter {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new(0) } else { ProgressBar::hidden() };
        let style = "{msg} [{bar:24}] {human_pos} of ~{human_len}, {rate}/s, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
                let _ = write!(text, "{}", HumanCount(state.per_sec() as u64));
            };
            bar.set_style(style.progress_chars("=> ").with_key("rate", rate));
        }
        Reporter { bar, lines: (!terminal).then(Mutex::default) }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Reporter {
    fn begin(&self, what: &str, units: u64) {
        self.bar.reset();
        self.bar.set_length(units);
        self.bar.set_message(what.to_string());
        if let Some(Ok(mut job)) = self.lines.as_ref().map(Mutex::lock) {
            *job = Job { what: what.to_string(), units, done: 0, said: Some(Instant::now()) };
        }
    }

    fn advance(&self, units: u64) {
        self.bar.inc(units);
        if let Some(Ok(mut job)) = self.lines.as_ref().map(Mutex::lock) {
            job.done += units;
            if job.said.is_some_and(|said| said.elapsed() >= LINE_EVERY) {
                job.said = Some(Instant::now());
                let _ = writeln!(
                    std::io::stderr(),
                    "{}: {} of about {}",
                    job.what,
                    job.done,
                    job.units
                );
            }
        }
    }
}

//! How far the work is, on standard error: a bar on a terminal, now and then a line elsewhere.

use bsq_engine::monitor::Progress;
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
    /// About how many there are; 0 where nobody can tell.
    units: u64,
    status: String,
    done: u64,
    said: Option<Instant>,
}

impl Reporter {
    /// A reporter for this terminal, or for this log.
    pub fn new() -> Reporter {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new(0) } else { ProgressBar::hidden() };
        Reporter { bar, lines: (!terminal).then(Mutex::default) }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// How a bar looks, or a count where nobody can tell how much there is to do.
fn style(units: u64) -> Option<ProgressStyle> {
    let template = match units {
        0 => "{spinner} {human_pos} {msg}, {rate}/s, {elapsed}; {prefix}",
        _ => "{msg} [{bar:12}] {human_pos} of ~{human_len}, {rate}/s, {eta} left",
    };
    let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let _ = write!(text, "{}", HumanCount(state.per_sec() as u64));
    };
    let style = ProgressStyle::with_template(template).ok()?;
    Some(style.progress_chars("=> ").with_key("rate", rate))
}

impl Progress for Reporter {
    fn begin(&self, what: &str, units: u64) {
        self.bar.reset();
        if let Some(style) = style(units) {
            self.bar.set_style(style);
        }
        self.bar.set_length(units);
        self.bar.set_message(what.to_string());
        if let Some(Ok(mut job)) = self.lines.as_ref().map(Mutex::lock) {
            // Many short jobs in a row are one long one.
            let said = job.said.or_else(|| Some(Instant::now()));
            *job = Job { what: what.to_string(), units, said, ..Job::default() };
        }
    }

    fn advance(&self, units: u64) {
        self.bar.inc(units);
        if let Some(Ok(mut job)) = self.lines.as_ref().map(Mutex::lock) {
            job.done += units;
            if job.said.is_some_and(|said| said.elapsed() >= LINE_EVERY) {
                job.said = Some(Instant::now());
                let _ = match (job.units, &job.status) {
                    (0, status) => {
                        let status =
                            if status.is_empty() { String::new() } else { format!("; {status}") };
                        writeln!(std::io::stderr(), "{}: {}{status}", job.what, job.done)
                    }
                    (units, _) => {
                        let (what, done) = (&job.what, job.done);
                        writeln!(std::io::stderr(), "{what}: {done} of about {units}")
                    }
                };
            }
        }
    }

    fn status(&self, text: &str) {
        self.bar.set_prefix(text.to_string());
        if let Some(Ok(mut job)) = self.lines.as_ref().map(Mutex::lock) {
            job.status = text.to_string();
        }
    }
}

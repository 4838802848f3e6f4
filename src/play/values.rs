//! Values found by a thread of their own, so that nobody waits for them.

use bsq_analyses::{Valued, Valuer};
use bsq_engine::game::british_square::Position;
use bsq_engine::solve::{Monitor, SolveError};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// What is known, and one position that is being searched.
pub struct Values {
    known: HashMap<Position, Valued>,
    open: Option<Open>,
    questions: Sender<(Position, Arc<AtomicBool>)>,
    answers: Receiver<(Position, Result<Valued, SolveError>)>,
    error: Option<String>,
}

/// A search that goes on.
struct Open {
    position: Position,
    since: Instant,
    stop: Arc<AtomicBool>,
}

impl Values {
    /// Nothing known yet.
    pub fn of(valuer: Valuer) -> io::Result<Values> {
        let (questions, asked) = channel::<(Position, Arc<AtomicBool>)>();
        let (tell, answers) = channel();
        std::thread::Builder::new().name("values".to_string()).spawn(move || {
            for (position, stop) in asked {
                let monitor = Monitor { progress: None, stop: Some(&stop) };
                let found = valuer.value(&position, true, &monitor);
                if tell.send((position, found)).is_err() {
                    return; // nobody is left to tell
                }
            }
        })?;
        Ok(Values { known: HashMap::new(), open: None, questions, answers, error: None })
    }

    /// What is known of a position.
    pub fn get(&self, position: &Position) -> Option<&Valued> {
        self.known.get(position)
    }

    /// Sees to it that a position will be known, instead of the one asked for before.
    pub fn ask(&mut self, position: &Position) {
        let is_open = self.open.as_ref().is_some_and(|open| open.position == *position);
        if is_open || self.known.contains_key(position) || self.error.is_some() {
            return;
        }
        if let Some(open) = &self.open {
            open.stop.store(true, Ordering::Relaxed);
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.open = Some(Open { position: *position, since: Instant::now(), stop: stop.clone() });
        if self.questions.send((*position, stop)).is_err() {
            self.error = Some("the search has ended unexpectedly".to_string());
        }
    }

    /// Takes up what was found since.
    pub fn take(&mut self) {
        while let Ok(answer) = self.answers.try_recv() {
            self.keep(answer);
        }
    }

    /// How long the open search has gone on.
    pub fn searching(&self) -> Option<Duration> {
        self.open.as_ref().map(|open| open.since.elapsed())
    }

    /// Why nothing more will be found.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Waits for the open search.
    #[cfg(test)]
    pub fn wait(&mut self) {
        while self.open.is_some() {
            let answer = self.answers.recv().expect("the thread goes on");
            self.keep(answer);
        }
    }

    fn keep(&mut self, (position, found): (Position, Result<Valued, SolveError>)) {
        let was_open = self.open.take_if(|open| open.position == position).is_some();
        match found {
            Ok(valued) => {
                self.known.insert(position, valued);
            }
            // Something else was wanted; if it is wanted again, it is asked for again.
            Err(SolveError::Stopped) => {}
            Err(error) if was_open => self.error = Some(error.to_string()),
            Err(_) => {}
        }
    }
}

impl Drop for Values {
    fn drop(&mut self) {
        if let Some(open) = &self.open {
            open.stop.store(true, Ordering::Relaxed);
        }
    }
}

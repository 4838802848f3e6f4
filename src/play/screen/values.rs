//! Values and moves of agents, found on another thread, so that the screen does not wait for them.

use crate::play::contest::Contest;
use bsq_api::{Answer, Choice, Detail, Error, Kind, Monitor, Request, Session};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The most moves of a principal variation.
const LONGEST_LINE: usize = 60;

/// A question about a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// The value.
    Value,
    /// The value of every move.
    Moves,
    /// The principal variation.
    Line,
    /// The move of an agent with a seed.
    Agent(String, u64),
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Found {
    /// The position with what was asked.
    Answer(Box<Answer>),
    /// The move of an agent.
    Move(Choice),
}

/// A question about the position of that text.
type Key = (String, Question);

struct Job {
    key: Key,
    time: Duration,
    session: Box<dyn Session>,
    stop: Arc<AtomicBool>,
}

/// What is known, and one question that is being answered.
pub struct Values {
    known: HashMap<Key, Result<Found, Error>>,
    open: Option<Open>,
    jobs: Sender<Job>,
    found: Receiver<(Key, Arc<AtomicBool>, Result<Found, Error>)>,
}

/// A running job.
struct Open {
    key: Key,
    since: Instant,
    stop: Arc<AtomicBool>,
}

impl Values {
    /// Starts the thread.
    pub fn new() -> std::io::Result<Values> {
        let (jobs, asked) = channel::<Job>();
        let (tell, found) = channel();
        std::thread::Builder::new().name("values".to_string()).spawn(move || {
            for Job { key, time, session, stop } in asked {
                let result = answer(session.as_ref(), &key.1, time, &stop);
                if tell.send((key, stop, result)).is_err() {
                    return; // the receiver is gone
                }
            }
        })?;
        Ok(Values { known: HashMap::new(), open: None, jobs, found })
    }

    /// The answer to a question about a position, or why there is none; `None` if it is not known
    /// yet.
    pub fn get(&self, position: &str, question: Question) -> Option<&Result<Found, Error>> {
        self.known.get(&(position.to_string(), question))
    }

    /// A position with the values of its moves, if they are known.
    pub fn moves(&self, position: &str) -> Option<&Answer> {
        match self.get(position, Question::Moves) {
            Some(Ok(Found::Answer(answer))) => Some(answer),
            _ => None,
        }
    }

    /// Answers a question about the position after `at` moves of a game, instead of the one asked
    /// before.
    pub fn ask(&mut self, contest: &Contest, at: usize, position: &str, question: Question) {
        let key = (position.to_string(), question);
        if self.open.as_ref().is_some_and(|open| open.key == key) || self.known.contains_key(&key) {
            return;
        }
        self.stop();
        let (mut session, time) = (contest.session.fork(), contest.time);
        session.go_to(at);
        let stop = Arc::new(AtomicBool::new(false));
        self.open = Some(Open { key: key.clone(), since: Instant::now(), stop: stop.clone() });
        // The thread ends only after its sender does.
        let _ = self.jobs.send(Job { key, time, session, stop });
    }

    /// Receives what was found.
    pub fn take(&mut self) {
        while let Ok((key, stop, result)) = self.found.try_recv() {
            self.keep(key, &stop, result);
        }
    }

    /// The duration of the running job.
    pub fn working(&self) -> Option<Duration> {
        self.open.as_ref().map(|open| open.since.elapsed())
    }

    /// Stops the running job.
    pub fn stop(&mut self) {
        if let Some(open) = self.open.take() {
            open.stop.store(true, Ordering::Relaxed);
        }
    }

    fn keep(&mut self, key: Key, stop: &Arc<AtomicBool>, result: Result<Found, Error>) {
        // The same question may have been asked twice; the flag identifies the job.
        self.open.take_if(|open| Arc::ptr_eq(&open.stop, stop));
        if !matches!(&result, Err(error) if error.kind == Kind::Stopped) {
            self.known.insert(key, result);
        }
    }

    /// Waits for the running job.
    #[cfg(test)]
    pub fn wait(&mut self) {
        while self.open.is_some() {
            let (key, stop, result) = self.found.recv().expect("the thread goes on");
            self.keep(key, &stop, result);
        }
    }
}

impl Drop for Values {
    fn drop(&mut self) {
        self.stop();
    }
}

fn answer(
    session: &dyn Session,
    question: &Question,
    time: Duration,
    stop: &AtomicBool,
) -> Result<Found, Error> {
    let time = Some(time);
    let monitor = Monitor { stop: Some(stop), ..Monitor::default() };
    monitor.check().map_err(|stopped| Error::of(Kind::Stopped, stopped))?;
    let (detail, line) = match question {
        Question::Value => (Some(Detail::Value), 0),
        Question::Moves => (Some(Detail::Moves), 0),
        Question::Line => (None, LONGEST_LINE),
        Question::Agent(agent, seed) => {
            return session.choose(agent, *seed, time, &monitor).map(Found::Move);
        }
    };
    session
        .answer(Request { detail, line, time }, &monitor)
        .map(|answer| Found::Answer(Box::new(answer)))
}

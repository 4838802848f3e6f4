//! Evaluations of positions on another thread, so that the screen does not wait for them.

use crate::solution::MAPPED_CELLS;
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_games::british_square::{Evaluation, Evaluator, Position};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The evaluations so far, and one position that is being searched.
pub struct Values {
    known: HashMap<Position, Evaluation>,
    open: Option<Open>,
    questions: Sender<Question>,
    answers: Receiver<Answer>,
    error: Option<String>,
}

/// A position, and the flag that ends its search.
type Question = (Position, Arc<AtomicBool>);
/// An evaluation, and whether it is the last one of the request.
type Answer = (Question, Result<Evaluation, SolveError>, bool);

/// A running search.
struct Open {
    position: Position,
    since: Instant,
    stop: Arc<AtomicBool>,
}

impl Values {
    /// Creates an empty cache.
    pub fn of(evaluator: Evaluator) -> io::Result<Values> {
        let (questions, asked) = channel::<Question>();
        let (tell, answers) = channel();
        let is_large = evaluator.game().board.cells() > MAPPED_CELLS;
        std::thread::Builder::new().name("values".to_string()).spawn(move || {
            for (position, stop) in asked {
                // On large boards the values of the moves take longer than the value alone.
                for detail in
                    [Detail::Value, Detail::Moves].into_iter().skip(usize::from(!is_large))
                {
                    let monitor = Monitor { progress: None, stop: Some(&stop) };
                    let found = evaluator.evaluate(&position, detail, &monitor);
                    let is_all = detail == Detail::Moves || found.is_err();
                    if tell.send(((position, Arc::clone(&stop)), found, is_all)).is_err() {
                        return; // the receiver is gone
                    }
                    if is_all {
                        break;
                    }
                }
            }
        })?;
        Ok(Values { known: HashMap::new(), open: None, questions, answers, error: None })
    }

    /// The evaluation of a position, as far as it is known.
    pub fn get(&self, position: &Position) -> Option<&Evaluation> {
        self.known.get(position)
    }

    /// Whether the values of all moves of a position are known.
    pub fn is_known(&self, position: &Position) -> bool {
        self.get(position).is_some_and(|found| found.moves.is_some())
    }

    /// Searches a position, instead of the one requested before.
    pub fn ask(&mut self, position: &Position) {
        let is_open = self.open.as_ref().is_some_and(|open| open.position == *position);
        if is_open || self.is_known(position) || self.error.is_some() {
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

    /// Receives new evaluations.
    pub fn take(&mut self) {
        while let Ok(answer) = self.answers.try_recv() {
            self.keep(answer);
        }
    }

    /// The duration of the running search.
    pub fn searching(&self) -> Option<Duration> {
        self.open.as_ref().map(|open| open.since.elapsed())
    }

    /// The reason why there will be no more evaluations.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Waits for the running search.
    #[cfg(test)]
    pub fn wait(&mut self) {
        while self.open.is_some() {
            let answer = self.answers.recv().expect("the thread goes on");
            self.keep(answer);
        }
    }

    fn keep(&mut self, ((position, stop), found, is_all): Answer) {
        // The same position may have been requested twice; the flag identifies the request.
        let is_this = |open: &mut Open| is_all && Arc::ptr_eq(&open.stop, &stop);
        let was_open = self.open.take_if(is_this).is_some();
        match found {
            Ok(evaluation) => {
                self.known.insert(position, evaluation);
            }
            // Another position was requested. If this one is needed, it is requested again.
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

#[cfg(test)]
mod tests {
    use super::*;
    use bsq_games::british_square::{Move, Rules};

    #[test]
    fn a_position_asked_for_twice_can_be_given_up_twice() {
        let rules = Rules::standard(7, 8).unwrap();
        let mut values = Values::of(Evaluator::new(&rules, Some(1 << 26)).unwrap()).unwrap();
        let start = rules.start();
        // A game that is nearly over, and one that is too large to solve.
        let mut end = start;
        while rules.moves(&end).len() > 3 || end.turn < 10 {
            end = rules.play(&end, rules.moves(&end)[0]);
        }
        assert_ne!(rules.moves(&end), [Move::Pass]);
        for position in [start, end, start, end, start] {
            values.ask(&position);
        }
        values.keep(values.answers.recv().unwrap());
        assert!(values.open.is_some(), "the last question is still open");
        values.ask(&end);
        values.wait();
        assert!(values.is_known(&end) && !values.is_known(&start));
    }
}

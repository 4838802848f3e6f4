//! Scores, probed or searched on another thread.

use crate::dots::{Scores, find, is_stored};
use crate::run::Run;
use anyhow::{Result, bail};
use bsq_engine::evaluate::Evaluator as _;
use bsq_engine::monitor::Monitor;
use bsq_games::dots::{Evaluator, Lines, Rules};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Positions with more open lines are searched only on request.
const SOON: u32 = 31;
/// The time after which a running search is reported, the first time and again.
const PATIENCE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(30)];

/// Computes scores and caches them.
pub struct Thinker<'a> {
    evaluator: Evaluator,
    run: &'a Run,
    known: RefCell<HashMap<Lines, Rc<Scores>>>,
}

impl<'a> Thinker<'a> {
    /// Creates an empty cache.
    pub fn new(evaluator: Evaluator, run: &'a Run) -> Thinker<'a> {
        Thinker { evaluator, run, known: RefCell::default() }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.evaluator.game()
    }

    /// Whether the scores of a position take little time.
    pub fn is_soon(&self, lines: Lines) -> bool {
        let open = (self.evaluator.game().board.all() & !lines).count_ones();
        open <= SOON
            || is_stored(&self.evaluator, lines)
            || self.known.borrow().contains_key(&lines)
    }

    /// The scores of a position, however long the search takes; Ctrl-C ends it.
    pub fn scores(&self, lines: Lines) -> Result<Rc<Scores>> {
        if let Some(known) = self.known.borrow().get(&lines) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(self.think(lines)?);
        self.known.borrow_mut().insert(lines, Rc::clone(&found));
        Ok(found)
    }

    fn think(&self, lines: Lines) -> Result<Scores> {
        // A progress bar would overwrite the game.
        let monitor = Monitor { progress: None, ..self.run.monitor() };
        let evaluator = &self.evaluator;
        thread::scope(|scope| {
            let (tell, told) = channel();
            thread::Builder::new().name("values".to_string()).spawn_scoped(scope, move || {
                // The receiver is waiting.
                let _ = tell.send(find(evaluator, lines, &monitor));
            })?;
            let mut patience = PATIENCE[0];
            loop {
                match told.recv_timeout(patience) {
                    Ok(found) => return found,
                    Err(RecvTimeoutError::Timeout) => {
                        self.run.note("Still thinking; Ctrl-C ends the game.");
                        patience = PATIENCE[1];
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        bail!("the search has ended unexpectedly")
                    }
                }
            }
        })
    }
}

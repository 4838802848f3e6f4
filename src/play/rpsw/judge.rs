//! What perfect play makes of a position, looked up once.

use bsq_games::rpsw::{JudgedMove, Move, Position, Rules, Store, Verdict};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// How many plies of best play are shown.
const LINE: usize = 16;

/// A position and all its moves.
#[derive(Debug, PartialEq, Eq)]
pub struct Judged {
    /// For the player to move.
    pub verdict: Verdict,
    /// The best moves first.
    pub moves: Vec<JudgedMove>,
}

impl Judged {
    /// The moves that are as good as any.
    pub fn best(&self) -> impl Iterator<Item = Move> {
        let best = self.moves.iter().take_while(|judged| judged.verdict == self.verdict);
        best.map(|judged| judged.mv)
    }

    /// What a move is worth.
    pub fn of(&self, mv: Move) -> Option<Verdict> {
        self.moves.iter().find(|judged| judged.mv == mv).map(|judged| judged.verdict)
    }
}

/// What is known, or why it cannot be.
pub type Known = Result<Rc<Judged>, String>;

/// Judges positions by what is stored of them.
pub struct Judge<S> {
    rules: Rules,
    store: S,
    /// Screens are drawn often, and a position takes many look-ups.
    known: RefCell<HashMap<Position, Known>>,
}

impl<S: Store<Error: std::fmt::Display>> Judge<S> {
    /// Of a game by these rules.
    pub fn new(rules: Rules, store: S) -> Judge<S> {
        Judge { rules, store, known: RefCell::default() }
    }

    /// What is known of a position.
    pub fn judged(&self, position: &Position) -> Known {
        if let Some(known) = self.known.borrow().get(position) {
            return known.clone();
        }
        let known = self.look_up(position);
        self.known.borrow_mut().insert(*position, known.clone());
        known
    }

    /// Best play from a position, as far as it is shown.
    pub fn principal_variation(&self, position: &Position) -> Result<Vec<Move>, String> {
        let line = self.rules.principal_variation(&self.store, position, LINE);
        line.map_err(|error| error.to_string())
    }

    fn look_up(&self, position: &Position) -> Known {
        let moves = self.rules.judged_moves(&self.store, position);
        let moves = moves.map_err(|error| error.to_string())?;
        let verdict = match moves.first() {
            Some(best) => best.verdict,
            None => {
                let verdict = self.rules.verdict(&self.store, position);
                verdict.map_err(|error| error.to_string())?
            }
        };
        Ok(Rc::new(Judged { verdict, moves }))
    }
}

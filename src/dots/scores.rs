//! What positions are worth: from a book of all of them, or by a search.

use anyhow::Result;
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;
use bsq_games::dots::search::Solver;
use bsq_games::dots::tablebase::Tablebase;
use bsq_games::dots::{Board, Lines, Position, Rules};
use std::cmp::Reverse;
use std::sync::OnceLock;

/// A move with what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The line.
    pub line: usize,
    /// Boxes that it closes.
    pub takes: u32,
    /// Boxes from there on and points of penalty, the mover's less the other's; none if unknown.
    pub score: Option<i32>,
}

/// A position and all its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// Boxes still to come and points of penalty, the mover's less the other's; none if unknown.
    pub value: Option<i32>,
    /// The best ones first; of these those that take boxes first, then in the order of reading.
    pub moves: Vec<Scored>,
}

impl Scores {
    /// The moves that are as good as any, if that is known.
    pub fn best(&self) -> impl Iterator<Item = &Scored> {
        self.moves.iter().take_while(|scored| scored.score.is_some() && scored.score == self.value)
    }

    /// What a move is worth.
    pub fn of(&self, line: usize) -> Option<i32> {
        self.moves.iter().find(|scored| scored.line == line).and_then(|scored| scored.score)
    }
}

/// Scores, and how many positions had to be searched for them.
pub struct Found {
    /// What was found.
    pub scores: Scores,
    /// Positions that are not in the book.
    pub searched: usize,
}

/// Where values come from.
pub struct Source {
    rules: Rules,
    book: Option<Tablebase>,
    solver: OnceLock<Solver>,
    table_bytes: u64,
    /// Positions with more open lines are not searched.
    most_open: u32,
}

impl Source {
    /// From a book if there is one, else by a search with a table of that size.
    pub fn new(rules: Rules, book: Option<Tablebase>, table_bytes: u64, most_open: u32) -> Source {
        Source { rules, book, solver: OnceLock::new(), table_bytes, most_open }
    }

    /// The board and the penalty; the variant says nothing.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The book.
    pub fn book(&self) -> Option<&Tablebase> {
        self.book.as_ref()
    }

    /// Whether all that is asked of a position is in the book.
    pub fn has(&self, lines: Lines) -> bool {
        let moves = self.rules.moves(&Position::of_lines(lines));
        self.book.as_ref().is_some_and(|book| {
            book.has(lines) && moves.into_iter().all(|line| book.has(lines | 1 << line))
        })
    }

    /// What is known of a position, or can be found.
    pub fn scores(&self, lines: Lines, monitor: &Monitor) -> Result<Found> {
        let is_searched = open(&self.rules.board, lines) <= self.most_open;
        let mut searched = 0;
        let mut value = |lines: Lines| -> Result<Option<i32>> {
            let known = self.book.as_ref().map(|book| book.value(lines)).transpose()?.flatten();
            if known.is_some() || !is_searched {
                return Ok(known.map(i32::from));
            }
            searched += 1;
            Ok(Some(self.solver()?.value(lines, monitor)?))
        };
        let mut moves = Vec::new();
        let position = Position::of_lines(lines);
        for line in self.rules.moves(&position) {
            let takes = self.rules.closes(lines, line).count_ones();
            let after = value(lines | 1 << line)?;
            let score = after.map(|after| if takes == 0 { -after } else { takes as i32 + after });
            moves.push(Scored { line, takes, score });
        }
        moves.sort_by_key(|&Scored { line, takes, score }| (Reverse(score), takes == 0, line));
        // Of moves that are not all known the best may be another one.
        let value = match moves.first() {
            Some(best) if moves.iter().all(|scored| scored.score.is_some()) => best.score,
            Some(_) => value(lines)?,
            None => Some(self.rules.penalty),
        };
        Ok(Found { scores: Scores { value, moves }, searched })
    }

    fn solver(&self) -> Result<&Solver> {
        if let Some(solver) = self.solver.get() {
            return Ok(solver);
        }
        let made = Solver::new(self.rules.board, self.rules.penalty, self.table_bytes)?;
        Ok(self.solver.get_or_init(|| made))
    }
}

/// How many lines are open.
fn open(board: &Board, lines: Lines) -> u32 {
    (board.all() & !lines).count_ones()
}

//! British Square in plain mode.

use super::machine_move;
use crate::play::joined;
use crate::play::plain::Plain;
use crate::play::side::Side;
use crate::run::Run;
use crate::solution::{MAPPED_CELLS, Solution};
use anyhow::Result;
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_games::british_square::{Evaluator, GameRecord, Move, Position, Rules};
use std::io::Write;

/// Evaluates positions with a progress bar.
pub struct InWords<'a> {
    /// Searches values.
    pub evaluator: Evaluator,
    /// Shows the progress.
    pub run: &'a Run,
}

impl InWords<'_> {
    fn unknown(&self, position: &Position) -> Solution {
        Solution::unknown(self.evaluator.game().clone(), *position)
    }

    fn solution(&self, position: &Position) -> Result<Solution> {
        let found = self.evaluator.evaluate(position, Detail::Moves, &self.run.monitor());
        self.run.clear();
        Ok(self.unknown(position).with(&found?))
    }
}

impl Plain for InWords<'_> {
    type Rules = Rules;
    type Known = Solution;
    const HELP: &'static str = "\
a tile (8) or coordinate (c2)   play there
0                               pass, where no move is legal
-1                              begin again
undo, redo                      back to your last decision, one move on
moves                           every move with its cost
hint                            the perfect moves
game                            the game so far, to copy; 'bsq play FILE' goes on from it
quit                            the end, like the end of input
";
    const HIDES: bool = false;

    fn known_soon(&self, position: &Position) -> Result<Option<Solution>> {
        self.solution(position).map(Some)
    }

    fn warning(&self, known: &Solution, mv: Move) -> Option<String> {
        known.warning(mv)
    }

    fn machine_move(&self, side: &Side, position: &Position) -> Result<Option<Move>> {
        let solution = match side {
            Side::Perfect => self.solution(position)?,
            _ => self.unknown(position),
        };
        Ok(machine_move(side, &solution))
    }

    fn told(&self, side: &Side, position: &Position, mv: Move) -> String {
        let name = self.evaluator.game().format_move(mv);
        format!("{} ({}) plays {name}", side.label(), position.to_move)
    }

    /// Prints the board with the map of values, and the perfect moves.
    fn draw(&self, line: &GameRecord, show_values: bool, out: &mut impl Write) -> Result<()> {
        let mut solution = self.unknown(line.position());
        if show_values {
            if line.rules().board.cells() > MAPPED_CELLS {
                // The search may take a while.
                write!(out, "\n{}\n{}", solution.heading(), solution.picture())?;
                out.flush()?;
            }
            solution = self.solution(line.position())?;
        }
        write!(out, "\n{}\n{}", solution.heading(), solution.picture())?;
        match solution.is_over() {
            true => writeln!(out, "\nThe game is over.")?,
            false if show_values => write!(out, "\n{}", suggestions(&solution))?,
            false => writeln!(out)?,
        }
        Ok(())
    }

    fn answer(&self, word: &str, position: &Position) -> Result<Option<String>> {
        Ok(match word {
            "hint" => Some(suggestions(&self.solution(position)?)),
            "moves" | "m" => Some(self.solution(position)?.costs()),
            _ => None,
        })
    }
}

/// The perfect moves, a pass as 0, as it is typed.
fn suggestions(solution: &Solution) -> String {
    let tile = |mv: Move| match mv {
        Move::Pass => "0".to_string(),
        mv => solution.rules.move_name(mv),
    };
    let perfect = joined(solution.perfect().into_iter().map(tile));
    format!("Suggestions: {}\n", if perfect.is_empty() { "none" } else { &perfect })
}

//! Dots-and-Boxes in plain mode.

use super::thinker::Thinker;
use super::words;
use crate::dots::Scores;
use crate::play::plain::Plain;
use crate::play::side::Side;
use anyhow::Result;
use bsq_engine::game::Notation;
use bsq_games::dots::{GameRecord, Position, Rules};
use std::io::Write;
use std::rc::Rc;

impl Plain for Thinker<'_> {
    type Rules = Rules;
    type Known = Rc<Scores>;
    const HELP: &'static str = "\
two dots (a1-b1)     draw the line between them; several may stand in a line
-1                   begin again
undo, redo           back to your last decision, one move on
moves                every move with its score: boxes from there on, yours less the other's
hint                 the best moves
values               show scores, or do not
game                 the game so far, to copy; give the file of it to go on from it
quit                 the end, like the end of input
";

    fn known_soon(&self, position: &Position) -> Result<Option<Rc<Scores>>> {
        self.is_soon(position.lines).then(|| self.scores(position.lines)).transpose()
    }

    fn warning(&self, known: &Rc<Scores>, mv: usize) -> Option<String> {
        words::warning(self.rules(), known, mv)
    }

    fn machine_move(&self, _: &Side, position: &Position) -> Result<Option<usize>> {
        Ok(self.scores(position.lines)?.moves.first().map(|best| best.line))
    }

    fn told(&self, side: &Side, position: &Position, mv: usize) -> String {
        let (mover, name) = (words::named(position.to_move), self.rules().format_move(mv));
        let takes = self.rules().closes(position.lines, mv).count_ones();
        let taking = ["", ", taking a box", ", taking two boxes"][takes.min(2) as usize];
        format!("{}, the {mover}, draws {name}{taking}", side.label())
    }

    /// Prints the board, the boxes so far, and the best moves.
    fn draw(&self, line: &GameRecord, show_values: bool, out: &mut impl Write) -> Result<()> {
        let (rules, position) = (line.rules(), line.position());
        let (heading, tally) = (words::heading(line), words::tally(rules, position));
        write!(out, "\n{heading}\n{tally}\n\n{}", rules.board.drawing(position))?;
        out.flush()?;
        if let Some(ending) = words::ending(rules, position) {
            writeln!(out, "\n{ending}.")?;
            return Ok(());
        }
        if !show_values {
            return Ok(());
        }
        match self.known_soon(position)? {
            Some(scores) => {
                let value = scores.value.map(|value| words::sentence(rules, position, value));
                writeln!(out, "\n{}.", value.unwrap_or_default())?;
                write!(out, "{}", words::suggestions(rules, &scores))?;
            }
            None => {
                writeln!(out, "\nToo much is open to be scored at once; 'hint' takes its time.")?;
            }
        }
        Ok(())
    }

    fn answer(&self, word: &str, position: &Position) -> Result<Option<String>> {
        Ok(match word {
            "hint" => Some(words::suggestions(self.rules(), &*self.scores(position.lines)?)),
            "moves" | "m" => {
                let scores = self.scores(position.lines)?;
                let label = |line: usize| scores.of(line).map(|score| score.to_string());
                let picture = self.rules().board.labelled(position, label);
                Some(format!("{picture}\n{}", words::moves(self.rules(), &scores)))
            }
            _ => None,
        })
    }
}

//! Rock-paper-scissors-well in plain mode.

use super::evaluations::Evaluations;
use super::words;
use crate::play::plain::Plain;
use crate::play::side::Side;
use anyhow::{Error, Result};
use bsq_engine::game::Player;
use bsq_games::rpsw::notation::letter;
use bsq_games::rpsw::{Evaluation, GameRecord, Move, Position, Rules};
use std::io::Write;
use std::rc::Rc;

impl Evaluations<'_> {
    fn known(&self, position: &Position) -> Result<Rc<Evaluation>> {
        self.evaluation(position).map_err(Error::msg)
    }
}

impl Plain for Evaluations<'_> {
    type Rules = Rules;
    type Known = (Player, Rc<Evaluation>);
    const HELP: &'static str = "\
two squares (b1b2)   the piece on the first goes to the second
-1                   begin again
undo, redo           back to your last decision, one move on
moves                every legal move and what it is worth to the player to move
hint                 the best moves
line                 how best play goes on
values               show verdicts, or do not
game                 the game so far, to copy; give the file of it to go on from it
quit                 the end, like the end of input
";

    fn known_soon(&self, position: &Position) -> Result<Option<Self::Known>> {
        Ok(Some((position.to_move, self.known(position)?)))
    }

    fn warning(&self, (player, known): &Self::Known, mv: Move) -> Option<String> {
        words::warning(self.rules(), *player, known, mv)
    }

    fn machine_move(&self, _: &Side, position: &Position) -> Result<Option<Move>> {
        Ok(self.known(position)?.best().next())
    }

    fn told(&self, side: &Side, position: &Position, mv: Move) -> String {
        let told = words::told(self.rules(), position, mv);
        format!("{} ({}) plays {told}", side.label(), position.to_move)
    }

    /// Prints the value, the board, and the best moves.
    fn draw(&self, line: &GameRecord, show_values: bool, out: &mut impl Write) -> Result<()> {
        let (rules, position) = (self.rules(), line.position());
        let ending = words::ending(rules, position);
        write!(
            out,
            "\nRock-paper-scissors-well {}x{}, ",
            rules.board().cols(),
            rules.board().rows()
        )?;
        match &ending {
            Some(ending) => writeln!(out, "the game is over\n{ending}")?,
            None => {
                writeln!(out, "turn {}: the {} player to move", line.at() + 1, position.to_move)?;
            }
        }
        if show_values && ending.is_none() {
            let value = self.known(position)?.value;
            writeln!(out, "{}", value.as_ref().map(words::sentence).unwrap_or_default())?;
        }
        if let Some(repetition) = words::repetition(line) {
            writeln!(out, "{repetition}: play need not end")?;
        }
        writeln!(out, "\n{}", picture(rules, position))?;
        match ending {
            Some(_) => writeln!(out, "The game is over.")?,
            None if show_values => write!(out, "{}", suggestions(self, position)?)?,
            None => {}
        }
        Ok(())
    }

    fn answer(&self, word: &str, position: &Position) -> Result<Option<String>> {
        Ok(match word {
            "hint" => Some(suggestions(self, position)?),
            "moves" | "m" => Some(moves(self, position)?),
            "line" | "l" => {
                let line = self.principal_variation(position).map_err(Error::msg)?.into_iter();
                Some(listed("Best play", &words::names(self.rules(), line)))
            }
            _ => None,
        })
    }
}

/// The board, with rows numbered from below.
fn picture(rules: &Rules, position: &Position) -> String {
    let (cols, rows) = (rules.board().cols(), rules.board().rows());
    let symbol = |square: usize| {
        let piece = rules.piece_on(position, square as u8);
        piece.map_or('.', |(player, kind)| letter(player, kind))
    };
    let mut text = String::new();
    for row in (0..rows).rev() {
        text += &format!("  {}", row + 1);
        (0..cols).for_each(|col| text.extend([' ', symbol(row * cols + col)]));
        text.push('\n');
    }
    text += "   ";
    ('a'..).take(cols).for_each(|name| text.extend([' ', name]));
    text.push('\n');
    text
}

fn suggestions(evaluations: &Evaluations, position: &Position) -> Result<String> {
    let known = evaluations.known(position)?;
    Ok(listed("Suggestions", &words::names(evaluations.rules(), known.best())))
}

fn listed(title: &str, names: &str) -> String {
    format!("{title}: {}\n", if names.is_empty() { "none" } else { names })
}

/// The moves, a line each, best first.
fn moves(evaluations: &Evaluations, position: &Position) -> Result<String> {
    let known = evaluations.known(position)?;
    let lines = known.moves.iter().flatten().filter_map(|evaluated| {
        let told = words::told(evaluations.rules(), position, evaluated.mv);
        let value = words::short(&evaluated.value?, position.to_move);
        Some(format!("{value:<10}  {told}\n"))
    });
    let lines: String = lines.collect();
    Ok(if lines.is_empty() { "none\n".to_string() } else { lines })
}

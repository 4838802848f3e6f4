//! The game line by line: moves are read from lines of text, so that it can be scripted.

use super::thinker::Thinker;
use super::words;
use crate::dots::Scores;
use crate::play::input::{Next, Talk, print, talk};
use crate::play::seat::Seat;
use crate::run::Run;
use anyhow::Result;
use bsq_engine::game::Notation;
use bsq_games::dots::{GameRecord, Rules};
use std::io::{Read, Write};
use std::rc::Rc;

/// The commands.
const HELP: &str = "\
two dots (a1-b1)     draw the line between them; several may stand in a line
-1                   begin again
undo, redo           back to your last decision, one move on
moves                every move with its score: boxes from there on, yours less the other's
hint                 the best moves
values               show scores, or do not
game                 the game so far, to copy; give the file of it to go on from it
quit                 the end, like the end of input
";

/// A game played line by line.
pub struct Game<'a> {
    line: GameRecord,
    sides: [Seat; 2],
    thinker: Thinker<'a>,
    show_values: bool,
}

impl<'a> Game<'a> {
    /// Continues a game.
    pub fn new(
        line: GameRecord,
        sides: [Seat; 2],
        thinker: Thinker<'a>,
        show_values: bool,
    ) -> Game<'a> {
        Game { line, sides, thinker, show_values }
    }

    /// Reads words to the end of input. Prints the game if a search is cancelled.
    pub fn play(
        &mut self,
        run: &Run,
        input: impl Read + Send + 'static,
        mut out: impl Write,
    ) -> Result<()> {
        let played = talk(self, run, input, &mut out);
        if played.is_err() && run.is_stopped() && !self.line.moves().is_empty() {
            write!(out, "\n{}", self.line)?;
        }
        played
    }

    fn rules(&self) -> &Rules {
        self.line.rules()
    }

    fn scores(&self) -> Result<Rc<Scores>> {
        self.thinker.scores(self.line.position().lines)
    }

    /// The scores, if values are shown and known soon.
    fn scores_soon(&self) -> Result<Option<Rc<Scores>>> {
        let is_soon = self.show_values && self.thinker.is_soon(self.line.position().lines);
        is_soon.then(|| self.scores()).transpose()
    }

    /// Plays a move, and prints its cost if it is a mistake.
    fn place(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        let mv = match self.rules().parse_move(word) {
            Ok(mv) => mv,
            Err(error) => return print(out, &format!("{error}\n")),
        };
        let before = self.scores_soon()?;
        if let Err(error) = self.line.play(mv) {
            return print(out, &format!("{error}\n"));
        }
        let warning = before.and_then(|scores| words::warning(self.rules(), &scores, mv));
        if let Some(warning) = warning {
            writeln!(out, "{warning}.")?;
        }
        Ok(Next::Show)
    }

    fn mover(&self) -> Seat {
        self.sides[self.line.position().to_move.index()]
    }

    fn is_over(&self) -> bool {
        self.line.position().lines == self.rules().board.all()
    }

    /// Goes back to the last decision of the person.
    fn step_back(&mut self) {
        for at in (0..self.line.at()).rev() {
            self.line.go_to(at);
            if self.mover() == Seat::You {
                return;
            }
        }
    }

    /// Plays the moves of machines until it is the person's turn, first those that were undone.
    fn let_machines_move(&mut self, out: &mut impl Write) -> Result<()> {
        while self.mover() != Seat::You && !self.is_over() {
            // Show what has been played while the next move is searched.
            out.flush()?;
            let mv = match self.line.moves().get(self.line.at()) {
                Some(&mv) => Some(mv),
                None => self.scores()?.moves.first().map(|best| best.line),
            };
            let Some(mv) = mv else { break };
            let mover = words::named(self.line.position().to_move);
            let name = self.rules().format_move(mv);
            let takes = self.rules().closes(self.line.position().lines, mv).count_ones();
            let taking = ["", ", taking a box", ", taking two boxes"][takes.min(2) as usize];
            writeln!(out, "{}, the {mover}, draws {name}{taking}", self.mover().label())?;
            self.line.play(mv)?;
        }
        Ok(())
    }

    /// The board, the boxes so far, and the best moves.
    fn draw(&self, out: &mut impl Write) -> Result<()> {
        let (rules, position) = (self.rules(), self.line.position());
        let tally = words::tally(rules, position);
        write!(
            out,
            "\n{}\n{tally}\n\n{}",
            words::heading(&self.line),
            rules.board.drawing(position)
        )?;
        out.flush()?;
        if let Some(ending) = words::ending(rules, position) {
            writeln!(out, "\n{ending}.")?;
            return Ok(());
        }
        match self.scores_soon()? {
            Some(scores) => {
                let verdict = scores.value.map(|value| words::verdict(rules, position, value));
                writeln!(out, "\n{}.", verdict.unwrap_or_default())?;
                write!(out, "{}", words::suggestions(rules, &scores))?;
            }
            None if self.show_values => {
                writeln!(out, "\nToo much is open to be scored at once; 'hint' takes its time.")?;
            }
            None => {}
        }
        Ok(())
    }

    /// The board with the score of every move on it, and the list of them.
    fn moves(&self) -> Result<String> {
        let (rules, scores) = (self.rules(), self.scores()?);
        let label = |line: usize| scores.of(line).map(|score| score.to_string());
        let picture = rules.board.labelled(self.line.position(), label);
        Ok(format!("{picture}\n{}", words::moves(rules, &scores)))
    }
}

impl Talk for Game<'_> {
    fn show(&mut self, out: &mut impl Write) -> Result<()> {
        self.let_machines_move(out)?;
        self.draw(out)
    }

    fn follow(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        match word {
            "quit" | "q" | "exit" => return Ok(Next::Quit),
            "-1" | "restart" => {
                self.line = GameRecord::from(*self.rules(), self.line.positions()[0]);
            }
            "undo" | "u" => self.step_back(),
            "redo" | "r" => self.line.go_to(self.line.at() + 1),
            "values" | "v" => self.show_values = !self.show_values,
            "help" | "h" | "?" => return print(out, HELP),
            "game" | "g" => return print(out, &self.line.to_string()),
            "hint" => return print(out, &words::suggestions(self.rules(), &*self.scores()?)),
            "moves" | "m" => return print(out, &self.moves()?),
            word => return self.place(word, out),
        }
        Ok(Next::Show)
    }
}

//! The plain mode: moves are read from lines of text, so that a game can be scripted.

use super::judge::{Judge, Judged};
use super::words;
use crate::play::input::{Next, Talk, print, talk};
use crate::play::seat::Seat;
use crate::run::Run;
use anyhow::{Result, anyhow};
use bsq_engine::game::Notation;
use bsq_games::rpsw::notation::letter;
use bsq_games::rpsw::{GameRecord, JudgedMove, Rules, Store};
use std::fmt::Display;
use std::io::{Read, Write};
use std::rc::Rc;

/// What can be typed.
const HELP: &str = "\
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

/// A game in the plain mode.
pub struct Game<'a, S> {
    line: GameRecord,
    sides: [Seat; 2],
    judge: Judge<S>,
    run: &'a Run,
    show_values: bool,
}

impl<'a, S: Store<Error: Display>> Game<'a, S> {
    /// A game that goes on from a line of play.
    pub fn new(
        line: GameRecord,
        sides: [Seat; 2],
        judge: Judge<S>,
        run: &'a Run,
        show_values: bool,
    ) -> Game<'a, S> {
        Game { line, sides, judge, run, show_values }
    }

    /// Reads words until there are no more.
    pub fn play(mut self, input: impl Read + Send + 'static, out: impl Write) -> Result<()> {
        let run = self.run;
        talk(&mut self, run, input, out)
    }

    fn rules(&self) -> &Rules {
        self.line.rules()
    }

    /// Plays a move that was typed and says what it gives away.
    fn place(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        let mv = match self.rules().parse_move(word) {
            Ok(mv) => mv,
            Err(error) => return print(out, &format!("{error}\n")),
        };
        let before = *self.line.position();
        if let Err(error) = self.line.play(mv) {
            return print(out, &format!("{error}\n"));
        }
        if self.show_values {
            let known = self.judge.judged(&before).map_err(|error| anyhow!(error))?;
            let now = known.of(mv).unwrap_or(known.verdict);
            if let Some(warning) = words::warning(self.rules(), mv, known.verdict, now) {
                writeln!(out, "{warning}.")?;
            }
        }
        Ok(Next::Show)
    }

    /// One move back, and on to the last decision of the person against a machine.
    fn step_back(&mut self) {
        for at in (0..self.line.at()).rev() {
            self.line.go_to(at);
            if self.mover() == Seat::You {
                return;
            }
        }
    }

    fn mover(&self) -> Seat {
        self.sides[self.line.position().to_move.index()]
    }

    /// Machines move until it is the person's turn; where later moves are known, as they stand.
    /// Two machines stop where they would go round for ever.
    fn let_machines_move(&mut self, out: &mut impl Write) -> Result<()> {
        let alone = !self.sides.contains(&Seat::You);
        while self.mover() != Seat::You && !(alone && words::repetition(&self.line).is_some()) {
            self.run.monitor().check()?;
            let mv = match self.line.moves().get(self.line.at()) {
                Some(&mv) => Some(mv),
                None => self.known()?.best().next(),
            };
            let Some(mv) = mv else { break };
            let mover = self.line.position().to_move;
            let told = words::told(self.rules(), self.line.position(), mv);
            writeln!(out, "{} ({mover}) plays {told}", self.mover().label())?;
            self.line.play(mv)?;
        }
        Ok(())
    }

    /// The verdict, the board, and the best moves.
    fn draw(&self, out: &mut impl Write) -> Result<()> {
        let ending = words::ending(self.rules(), self.line.position());
        let player = self.line.position().to_move;
        let (cols, rows) = (self.rules().cols(), self.rules().rows());
        write!(out, "\nRock-paper-scissors-well {cols}x{rows}, ")?;
        match &ending {
            Some(ending) => writeln!(out, "the game is over\n{ending}")?,
            None => writeln!(out, "turn {}: the {player} player to move", self.line.at() + 1)?,
        }
        if self.show_values && ending.is_none() {
            writeln!(out, "{}", words::verdict(self.known()?.verdict, player))?;
        }
        if let Some(repetition) = words::repetition(&self.line) {
            writeln!(out, "{repetition}: play need not end")?;
        }
        writeln!(out, "\n{}", self.picture())?;
        match ending {
            Some(_) => writeln!(out, "The game is over.")?,
            None if self.show_values => write!(out, "{}", self.suggestions()?)?,
            None => {}
        }
        Ok(())
    }

    /// The board, its rows numbered from below.
    fn picture(&self) -> String {
        let (cols, rows) = (self.rules().cols(), self.rules().rows());
        let symbol = |square: usize| {
            let piece = self.rules().piece_on(self.line.position(), square as u8);
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

    fn suggestions(&self) -> Result<String> {
        let best = words::names(self.rules(), self.known()?.best());
        Ok(format!("Suggestions: {}\n", if best.is_empty() { "none" } else { &best }))
    }

    /// Every move, a line each, the best ones first.
    fn moves(&self) -> Result<String> {
        let known = self.known()?;
        let line = |judged: &JudgedMove| {
            let told = words::told(self.rules(), self.line.position(), judged.mv);
            format!("{:<10}  {told}\n", words::short(judged.verdict))
        };
        let lines: String = known.moves.iter().map(line).collect();
        Ok(if lines.is_empty() { "none\n".to_string() } else { lines })
    }

    fn principal_variation(&self) -> Result<String> {
        let line =
            self.judge.principal_variation(self.line.position()).map_err(|error| anyhow!(error))?;
        let moves = words::names(self.rules(), line.into_iter());
        Ok(format!("Best play: {}\n", if moves.is_empty() { "none" } else { &moves }))
    }

    fn known(&self) -> Result<Rc<Judged>> {
        self.judge.judged(self.line.position()).map_err(|error| anyhow!(error))
    }
}

impl<S: Store<Error: Display>> Talk for Game<'_, S> {
    fn show(&mut self, out: &mut impl Write) -> Result<()> {
        self.let_machines_move(out)?;
        self.draw(out)
    }

    fn follow(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        match word {
            "quit" | "q" | "exit" => return Ok(Next::Quit),
            "-1" | "restart" => {
                self.line = GameRecord::from(self.rules().clone(), self.line.positions()[0]);
            }
            "undo" | "u" => self.step_back(),
            "redo" | "r" => self.line.go_to(self.line.at() + 1),
            "values" | "v" => self.show_values = !self.show_values,
            "help" | "h" | "?" => return print(out, HELP),
            "game" | "g" => return print(out, &self.line.to_string()),
            "hint" => return print(out, &self.suggestions()?),
            "moves" | "m" => return print(out, &self.moves()?),
            "line" | "l" => return print(out, &self.principal_variation()?),
            word => return self.place(word, out),
        }
        Ok(Next::Show)
    }
}

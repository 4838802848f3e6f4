//! The plain mode: a game controlled by words of text, so that it can be scripted.

use super::app::OFTEN;
use super::input::{Next, Talk, print, talk};
use super::side::{Side, last_decision};
use crate::run::Run;
use anyhow::{Error, Result};
use bsq_engine::game::{Game, Notation};
use bsq_engine::record::{GameRecord, Recorded};
use std::io::{Read, Write};

/// A move of a game in plain mode.
pub type MoveOf<P> = <<P as Plain>::Rules as Game>::Move;
/// A position of a game in plain mode.
pub type PositionOf<P> = <<P as Plain>::Rules as Game>::Position;

/// The game-specific part of plain mode.
pub trait Plain {
    /// The rules.
    type Rules: Recorded;
    /// A position with its evaluation.
    type Known;
    /// A description of the words that can be typed.
    const HELP: &'static str;
    /// Whether a word shows or hides values.
    const HIDES: bool = true;

    /// The evaluation of a position, unless it takes too long to be computed with every move.
    fn known_soon(&self, position: &PositionOf<Self>) -> Result<Option<Self::Known>>;
    /// The cost of a move, if it has one.
    fn warning(&self, known: &Self::Known, mv: MoveOf<Self>) -> Option<String>;
    /// The move of a machine; `None` if the game has ended.
    fn machine_move(
        &self,
        side: &Side,
        position: &PositionOf<Self>,
    ) -> Result<Option<MoveOf<Self>>>;
    /// The sentence about a move of a machine.
    fn told(&self, side: &Side, position: &PositionOf<Self>, mv: MoveOf<Self>) -> String;
    /// Prints the position.
    fn draw(
        &self,
        line: &GameRecord<Self::Rules>,
        show_values: bool,
        out: &mut impl Write,
    ) -> Result<()>;
    /// The answer to a word that asks about a position; `None` for other words.
    fn answer(&self, word: &str, position: &PositionOf<Self>) -> Result<Option<String>>;
}

/// A game in plain mode.
pub struct Conversation<'a, P: Plain> {
    /// The record of the game.
    pub line: GameRecord<P::Rules>,
    game: P,
    sides: [Side; 2],
    run: &'a Run,
    show_values: bool,
}

impl<'a, P: Plain> Conversation<'a, P> {
    /// Creates a game that continues a record.
    pub fn new(
        game: P,
        line: GameRecord<P::Rules>,
        sides: [Side; 2],
        run: &'a Run,
        show_values: bool,
    ) -> Conversation<'a, P> {
        Conversation { line, game, sides, run, show_values }
    }

    /// Executes words until there are no more.
    pub fn play(&mut self, input: impl Read + Send + 'static, out: impl Write) -> Result<()> {
        let run = self.run;
        talk(self, run, input, out)
    }

    /// Plays a typed move and reports its cost.
    fn place(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        let mv = match self.line.rules().parse_move(word) {
            Ok(mv) => mv,
            Err(error) => return print(out, &format!("{error}\n")),
        };
        let before = match self.show_values {
            true => self.game.known_soon(self.line.position())?,
            false => None,
        };
        if let Err(error) = self.line.play(mv) {
            return print(out, &format!("{error}\n"));
        }
        if let Some(warning) = before.and_then(|known| self.game.warning(&known, mv)) {
            writeln!(out, "{warning}.")?;
        }
        Ok(Next::Show)
    }

    /// Plays moves of machines until a person is to move. Moves after the current position are
    /// repeated. Two machines stop when they repeat positions.
    fn let_machines_move(&mut self, out: &mut impl Write) -> Result<()> {
        let alone = !self.sides.contains(&Side::You);
        loop {
            let position = self.line.position();
            let side = &self.sides[self.line.rules().to_move(position).index()];
            let is_over = self.line.rules().moves(position).is_empty();
            if *side == Side::You || is_over || alone && self.line.times() >= OFTEN {
                return Ok(());
            }
            // The moves so far are shown while the next one is searched.
            out.flush()?;
            self.run.monitor().check()?;
            let mv = match self.line.moves().get(self.line.at()) {
                Some(&mv) => Some(mv),
                None => self.game.machine_move(side, position)?,
            };
            let Some(mv) = mv else { return Ok(()) };
            writeln!(out, "{}", self.game.told(side, position, mv))?;
            self.line.play(mv).map_err(|error| Error::msg(error.to_string()))?;
        }
    }
}

impl<P: Plain> Talk for Conversation<'_, P> {
    fn show(&mut self, out: &mut impl Write) -> Result<()> {
        self.let_machines_move(out)?;
        self.game.draw(&self.line, self.show_values, out)
    }

    fn follow(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        match word {
            "quit" | "q" | "exit" => return Ok(Next::Quit),
            "-1" | "restart" => {
                let start = self.line.positions()[0].clone();
                self.line = GameRecord::from(self.line.rules().clone(), start);
            }
            "undo" | "u" => {
                self.line.go_to(last_decision(&self.line, &self.sides).unwrap_or(0));
            }
            "redo" | "r" => self.line.go_to(self.line.at() + 1),
            "values" | "v" if P::HIDES => self.show_values = !self.show_values,
            "help" | "h" | "?" => return print(out, P::HELP),
            "game" | "g" => return print(out, &self.line.to_string()),
            word => {
                return match self.game.answer(word, self.line.position())? {
                    Some(answer) => print(out, &answer),
                    None => self.place(word, out),
                };
            }
        }
        Ok(Next::Show)
    }
}

//! `bsq GAME play`: a game controlled by words, so that it can be scripted.

use super::{advised, words};
use crate::cli::game::Play;
use crate::play::{Next, OFTEN, Talk, print, talk};
use crate::run::Run;
use crate::stop::is_stopped;
use anyhow::Result;
use bsq_api::{Answer, Class, Detail, Game, Request, Session};
use std::io::Write;

/// The most moves of a principal variation.
const LONGEST_LINE: usize = 200;

/// The words that can be typed.
const HELP: &str = "\
A move plays it. Other words:
  undo, u      take back, up to your last decision    redo, r    play it again
  moves, m     the value of every move                line, l    the principal variation
  hint         a best move                            values, v  show or hide values
  game, g      the record of the game                 restart    from the first position
  quit, q
";

/// Plays a game until the person quits.
pub fn run(game: &dyn Game, args: Play) -> Result<()> {
    let session = args.subject.open(game)?;
    let run = Run::begin(&args.work)?;
    let sides = args.sides.map(|side| match side.as_str() {
        "perfect" => Side::Perfect,
        _ => Side::You,
    });
    let mut table = InProgress { session, sides, run: &run, show_values: !args.hide_values };
    talk(&mut table, &run, std::io::stdin(), std::io::stdout())?;
    run.end();
    Ok(())
}

/// Who chooses the moves of a player.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The person at the keyboard.
    You,
    /// The first of the best moves.
    Perfect,
}

struct InProgress<'a> {
    session: Box<dyn Session>,
    sides: [Side; 2],
    run: &'a Run,
    show_values: bool,
}

impl InProgress<'_> {
    fn answer(&self, detail: Option<Detail>, line: usize) -> Result<Answer> {
        let answer = self.session.answer(Request { detail, line }, &self.run.monitor());
        answer.map_err(|error| advised(error, None))
    }

    /// The side to move, unless the game is over.
    fn side(&self, answer: &Answer) -> Option<Side> {
        (!answer.is_over).then(|| self.sides[answer.to_move as usize])
    }

    /// Lets perfect play move until a person is to move. Two machines stop when they repeat
    /// positions.
    fn let_machines_move(&mut self, out: &mut impl Write) -> Result<()> {
        let alone = !self.sides.contains(&Side::You);
        loop {
            let answer = self.answer(None, 0)?;
            if self.side(&answer) != Some(Side::Perfect) || alone && self.session.times() >= OFTEN {
                return Ok(());
            }
            // The moves so far are shown while the next one is searched.
            out.flush()?;
            let answer = self.answer(Some(Detail::Moves), 0)?;
            let best = &answer.moves[0].name;
            writeln!(out, "Perfect play: {best}.")?;
            self.session.play(best).map_err(|error| advised(error, None))?;
        }
    }

    /// Plays a typed move and reports what it gives away.
    fn place(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        let before = match self.show_values {
            true => self.answer(Some(Detail::Moves), 0).ok(),
            false => None,
        };
        if let Err(error) = self.session.play(word) {
            return print(out, &format!("{error}\n"));
        }
        let played = self.session.moves().swap_remove(self.session.at() - 1);
        if let Some(warning) = before.and_then(|before| words::warning(&before, &played)) {
            writeln!(out, "{warning}.")?;
        }
        Ok(Next::Show)
    }

    /// The number of moves before the last decision of a person, or 0.
    fn last_decision(&mut self) -> Result<usize> {
        let now = self.session.at();
        for at in (0..now).rev() {
            self.session.go_to(at);
            let answer = self.answer(None, 0)?;
            if self.side(&answer) == Some(Side::You) {
                return Ok(at);
            }
        }
        Ok(0)
    }
}

impl Talk for InProgress<'_> {
    fn show(&mut self, out: &mut impl Write) -> Result<()> {
        self.let_machines_move(out)?;
        write!(out, "\n{}", self.session.drawing(&|_| None))?;
        let answer = match self.answer(self.show_values.then_some(Detail::Moves), 0) {
            Err(error) if !is_stopped(&error) => {
                self.show_values = false;
                writeln!(out, "{error}; values are hidden.")?;
                self.answer(None, 0)?
            }
            answer => answer?,
        };
        if self.show_values || answer.is_over {
            let answer = if answer.is_over { self.answer(Some(Detail::Value), 0)? } else { answer };
            return Ok(writeln!(out, "{}.", words::verdict(&answer))?);
        }
        Ok(writeln!(out, "The {} player is to move.", words::player(answer.to_move))?)
    }

    fn follow(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        match self.try_to_follow(word, out) {
            Err(error)
                if error.downcast_ref::<bsq_api::Error>().is_some() && !is_stopped(&error) =>
            {
                print(out, &format!("{error}\n"))
            }
            next => next,
        }
    }
}

impl InProgress<'_> {
    fn try_to_follow(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        match word {
            "quit" | "q" | "exit" => return Ok(Next::Quit),
            "restart" => self.session.go_to(0),
            "undo" | "u" => {
                let at = self.last_decision()?;
                self.session.go_to(at);
            }
            "redo" | "r" => self.session.go_to(self.session.at() + 1),
            "values" | "v" => self.show_values = !self.show_values,
            "help" | "h" | "?" => return print(out, HELP),
            "game" | "g" => return print(out, &self.session.record()),
            "moves" | "m" => {
                let answer = self.answer(Some(Detail::Moves), 0)?;
                return print(out, &words::moves(&answer));
            }
            "hint" => {
                let answer = self.answer(Some(Detail::Moves), 0)?;
                let best = answer.moves.iter().find(|mv| mv.class == Some(Class::Best));
                let name = best.map_or("The game is over", |best| best.name.as_str());
                return print(out, &format!("{name}\n"));
            }
            "line" | "l" => {
                let line = self.answer(Some(Detail::Value), LONGEST_LINE)?.principal_variation;
                return print(out, &format!("{}\n", line.unwrap_or_default().join(" ")));
            }
            word => return self.place(word, out),
        }
        Ok(Next::Show)
    }
}

//! The plain mode: a game controlled by words of text, so that it can be scripted.

use super::contest::Contest;
use super::input::Input;
use super::{SO_FAR, SOON};
use crate::printable;
use crate::run::Run;
use crate::words;
use anyhow::Result;
use bsq_api::{Answer, Choice, Cost, Detail, Error, Kind, Request};
use std::io::{Read, Write};

/// The most moves of a principal variation.
const LONGEST_LINE: usize = 200;

/// The words that can be typed.
const HELP: &str = "\
A move plays it; several may stand in a line. Other words:
  undo, u      take back, up to your last decision    redo, r    play it again, or let the
                                                                 agents go on
  moves, m     the value of every move                line, l    the principal variation
  hint         the best moves                         values, v  show or hide values
  game, g      the record of the game                 restart    from the first position
  quit, q
";

/// The effect of a word.
#[derive(PartialEq, Eq)]
enum Next {
    /// The position may have changed and is shown again.
    Show,
    /// Nothing has changed.
    Wait,
    /// The game is quit.
    Quit,
}

/// Prints an answer that changes nothing.
fn print(out: &mut impl Write, text: &str) -> Result<Next> {
    out.write_all(text.as_bytes())?;
    Ok(Next::Wait)
}

/// A game in plain mode.
pub struct Conversation<'a> {
    /// The game and its players.
    pub contest: Contest,
    /// The title of the game and its rules in a few words.
    pub title: String,
    /// The job.
    pub run: &'a Run,
    /// Whether values are shown.
    pub show_values: bool,
}

impl Conversation<'_> {
    /// Reads and executes words until there are no more.
    pub fn play(&mut self, input: impl Read + Send + 'static, out: &mut impl Write) -> Result<()> {
        let mut input = Input::new(input)?;
        let mut next = Next::Show;
        while next != Next::Quit {
            if next == Next::Show {
                self.show(out)?;
            }
            next = match input.next_word(self.run, out)? {
                Some(word) => self.follow(&word.to_ascii_lowercase(), out)?,
                None => Next::Quit,
            };
        }
        Ok(())
    }

    fn answer(&self, detail: Option<Detail>, line: usize) -> Result<Answer, Error> {
        let request = Request { detail, line, time: Some(self.contest.time) };
        let answer = self.contest.session.answer(request, &self.run.monitor());
        self.run.clear();
        answer
    }

    /// The values of the moves, unless finding them takes long or is impossible; then the reason.
    fn values_soon(&self) -> Result<Result<Answer, String>, Error> {
        let now = self.contest.now();
        match &now.cost {
            Cost::Refused { reason } => Ok(Err(format!("The value is not known: {reason}"))),
            Cost::Search if now.moves.len() > SOON => {
                Ok(Err("The value takes a long search, which 'hint' makes".to_string()))
            }
            _ => match self.answer(Some(Detail::Moves), 0) {
                Err(error) if error.kind != Kind::Stopped => Ok(Err(error.to_string())),
                answer => Ok(Ok(answer?)),
            },
        }
    }

    /// Plays moves of agents until a person is to move. Moves after the current position are
    /// repeated. Two agents stop when they repeat positions.
    fn let_agents_move(&mut self, out: &mut impl Write) -> Result<()> {
        while !self.contest.repeats() && self.let_agent_move(out)? {}
        Ok(())
    }

    /// Plays a move of the agent to move. Returns whether it is an agent's turn.
    fn let_agent_move(&mut self, out: &mut impl Write) -> Result<bool> {
        let Some(agent) = self.contest.agent() else { return Ok(false) };
        // The moves so far are shown while the next one is searched.
        out.flush()?;
        let session = &self.contest.session;
        let known = session.moves().into_iter().nth(session.at());
        let Choice { mv, is_sure } = if let Some(mv) = known {
            Choice { mv, is_sure: true }
        } else {
            let Contest { seed, time, .. } = self.contest;
            session.choose(agent, seed, Some(time), &self.run.monitor())?
        };
        self.run.clear();
        let player = self.contest.now().to_move.name();
        let so_far = if is_sure { "" } else { SO_FAR };
        writeln!(out, "{agent} ({player}) plays {mv}{so_far}")?;
        self.contest.play(&mv)?;
        Ok(true)
    }

    /// Plays a typed move and reports what it gives away.
    fn place(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        let before = if self.show_values { self.values_soon()?.ok() } else { None };
        if let Err(error) = self.contest.play(word) {
            return print(out, &format!("{}\n", printable::message(&error.to_string())));
        }
        let played = self.contest.now().played.last();
        if let Some(warning) =
            before.and_then(|before| words::warning(&before, played.map_or("", String::as_str)))
        {
            writeln!(out, "{warning}.")?;
        }
        Ok(Next::Show)
    }

    fn try_to_follow(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        match word {
            "quit" | "q" | "exit" => return Ok(Next::Quit),
            "restart" | "-1" => self.contest.session.go_to(0),
            "undo" | "u" => {
                let at = self.contest.last_decision().unwrap_or(0);
                self.contest.session.go_to(at);
            }
            // Agents that have stopped go on.
            "redo" | "r" if self.let_agent_move(out)? => {}
            "redo" | "r" => self.contest.session.go_to(self.contest.session.at() + 1),
            "values" | "v" => self.show_values = !self.show_values,
            "help" | "h" | "?" => return print(out, HELP),
            "game" | "g" => return print(out, &self.contest.session.record()),
            "moves" | "m" => {
                let known = self.answer(Some(Detail::Moves), 0)?;
                let drawing = words::drawing(self.contest.session.as_ref(), &known);
                return print(out, &format!("{drawing}\n{}", words::moves(&known, str::to_string)));
            }
            "hint" => return print(out, &suggestions(&self.answer(Some(Detail::Moves), 0)?)),
            "line" | "l" => {
                let line = match self.answer(None, LONGEST_LINE)?.principal_variation {
                    Some(line) => listed(&line),
                    None => "not known yet; a longer --time may find it".to_string(),
                };
                return print(out, &format!("Best play: {line}\n"));
            }
            word => return self.place(word, out),
        }
        Ok(Next::Show)
    }

    /// Lets agents move until a person is to move, and prints the position.
    fn show(&mut self, out: &mut impl Write) -> Result<()> {
        self.let_agents_move(out)?;
        let now = self.contest.now();
        write!(out, "\n{}, ", self.title)?;
        if now.is_over {
            writeln!(out, "the game is over")?;
        } else {
            let (turn, player) = (self.contest.session.at() + 1, now.to_move.name());
            writeln!(out, "turn {turn}: the {player} player to move")?;
        }
        write!(out, "\n{}", self.contest.session.drawing(&|_| None))?;
        if self.contest.repeats() {
            writeln!(
                out,
                "\nThe position repeats: play need not end. 'redo' plays the next move."
            )?;
        }
        if now.is_over {
            return Ok(writeln!(out, "\n{}.", words::verdict(now))?);
        }
        if self.show_values {
            out.flush()?;
            match self.values_soon()? {
                Ok(known) => {
                    write!(out, "\n{}.\n{}", words::verdict(&known), suggestions(&known))?;
                }
                Err(why) => writeln!(out, "\n{why}.")?,
            }
        }
        Ok(())
    }

    /// Executes a word, and prints an error that does not end the game.
    fn follow(&mut self, word: &str, out: &mut impl Write) -> Result<Next> {
        match self.try_to_follow(word, out) {
            Err(error)
                if error.downcast_ref::<Error>().is_some_and(|it| it.kind != Kind::Stopped) =>
            {
                print(out, &format!("{}\n", printable::message(&error.to_string())))
            }
            next => next,
        }
    }
}

/// The best moves, or the one that seems best so far.
fn suggestions(answer: &Answer) -> String {
    if let Some(first) = answer.moves.first().filter(|_| !answer.is_complete) {
        return format!("Best so far: {}\n", first.name);
    }
    let best: Vec<&str> = answer.best().map(|mv| mv.name.as_str()).collect();
    format!("Suggestions: {}\n", listed(&best))
}

fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() { "none".to_string() } else { names.join(" ") }
}

//! The plain mode: moves are read from lines of text, so that a game can be scripted.

use super::input::{Next, Talk, print, talk};
use super::side::Side;
use crate::run::Run;
use crate::solution::{MAPPED_CELLS, Solution};
use anyhow::Result;
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_games::british_square::{Evaluator, GameRecord, Move, ParseError};
use std::io::{Read, Write};

/// What can be typed.
const HELP: &str = "\
a tile (8) or coordinate (c2)   play there
0                               pass, where no move is legal
-1                              begin again
undo, redo                      back to your last decision, one move on
moves                           every move with its cost
hint                            the perfect moves
game                            the game so far, to copy; 'bsq play FILE' goes on from it
quit                            the end, like the end of input
";

/// A game in the plain mode.
pub struct Game<'a> {
    line: GameRecord,
    sides: [Side; 2],
    evaluator: Evaluator,
    run: &'a Run,
    show_values: bool,
}

impl<'a> Game<'a> {
    /// A game that goes on from a line of play.
    pub fn new(
        line: GameRecord,
        sides: [Side; 2],
        evaluator: Evaluator,
        run: &'a Run,
        show_values: bool,
    ) -> Game<'a> {
        Game { line, sides, evaluator, run, show_values }
    }

    /// Reads words until there are no more.
    pub fn play(mut self, input: impl Read + Send + 'static, out: impl Write) -> Result<()> {
        let run = self.run;
        talk(&mut self, run, input, out)
    }

    /// Plays a move that was typed and says what it costs.
    fn place(&mut self, mv: Result<Move, ParseError>, out: &mut impl Write) -> Result<Next> {
        let mv = match mv {
            Ok(mv) => mv,
            Err(error) => return print(out, &format!("{error}\n")),
        };
        let before = self.solution(self.show_values)?;
        if let Err(error) = self.line.play(mv) {
            return print(out, &format!("{error}\n"));
        }
        if let Some(warning) = before.warning(mv) {
            writeln!(out, "{warning}.")?;
        }
        Ok(Next::Show)
    }

    /// One move back, and on to the last decision of the person against a machine.
    fn step_back(&mut self) {
        for at in (0..self.line.at()).rev() {
            self.line.go_to(at);
            let mover = self.line.position().to_move;
            if self.sides[mover.index()] == Side::You {
                return;
            }
        }
    }

    /// Machines move until it is the person's turn; where later moves are known, as they stand.
    fn let_machines_move(&mut self, out: &mut impl Write) -> Result<()> {
        loop {
            let mover = self.line.position().to_move;
            let side = &self.sides[mover.index()];
            let known = self.line.moves().get(self.line.at()).copied();
            let mv = match known.filter(|_| *side != Side::You) {
                Some(mv) => Some(mv),
                None => side.choose(&self.solution(side.needs_values())?),
            };
            let Some(mv) = mv else { return Ok(()) };
            writeln!(
                out,
                "{} ({mover}) plays {}",
                side.label(),
                self.line.rules().format_move(mv)
            )?;
            self.line.play(mv)?;
        }
    }

    /// The values map beside the board, and the perfect moves.
    fn draw(&self, out: &mut impl Write) -> Result<()> {
        if self.show_values && self.line.rules().board.cells() > MAPPED_CELLS {
            // The search may take a while.
            let board = self.solution(false)?;
            write!(out, "\n{}\n{}", board.heading(), board.picture())?;
            out.flush()?;
        }
        let solution = self.solution(self.show_values)?;
        write!(out, "\n{}\n{}", solution.heading(), solution.picture())?;
        match solution.is_over() {
            true => writeln!(out, "\nThe game is over.")?,
            false if self.show_values => write!(out, "\n{}", suggestions(&solution))?,
            false => writeln!(out)?,
        }
        Ok(())
    }

    /// The position, with its values if they are wanted.
    fn solution(&self, with_values: bool) -> Result<Solution> {
        let position = self.line.position();
        let solution = Solution::unknown(self.line.rules().clone(), *position);
        if !with_values {
            return Ok(solution);
        }
        let found = self.evaluator.evaluate(position, Detail::Moves, &self.run.monitor());
        self.run.clear();
        Ok(solution.with(&found?))
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
                self.line = GameRecord::from(self.line.rules().clone(), self.line.positions()[0]);
            }
            "undo" | "u" => self.step_back(),
            "redo" | "r" => self.line.go_to(self.line.at() + 1),
            "help" | "h" | "?" => return print(out, HELP),
            "game" | "g" => return print(out, &self.line.to_string()),
            "hint" => return print(out, &suggestions(&self.solution(true)?)),
            "moves" | "m" => return print(out, &self.solution(true)?.costs()),
            word => return self.place(self.line.rules().parse_move(word), out),
        }
        Ok(Next::Show)
    }
}

/// The perfect moves; 0 for a pass, as it is typed.
fn suggestions(solution: &Solution) -> String {
    let tile = |&mv: &Move| match mv {
        Move::Pass => "0".to_string(),
        mv => solution.rules.move_name(mv),
    };
    let perfect: Vec<String> = solution.perfect().iter().map(tile).collect();
    format!("Suggestions: {}\n", perfect.join(" ")).replace(": \n", ": none\n")
}

//! British Square on the terminal, with values from a search.

mod plain;
mod screen;
#[cfg(test)]
mod tests;
mod values;

use super::app::{Action, ActionOf, App, OnScreen, Unknown};
use super::grid::Grid;
use super::plain::Conversation;
use super::side::Side;
use super::{begin, is_interactive, terminal};
use crate::cli::args::Play;
use crate::lists::{heuristic, read_lists};
use crate::run::Run;
use crate::solution::{MAPPED_CELLS, Solution};
use crate::usage::{CENTRE_OPTION, usage, with_centre_option};
use anyhow::{Context, Result};
use bsq_engine::game::Player;
use bsq_engine::record::{RecordError, ValueError};
use bsq_games::british_square::heuristic::{ALL, Heuristic};
use bsq_games::british_square::{Evaluator, GameRecord, Move, Position, Rules, cells_of};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use std::time::Duration;
use values::Values;

/// Plays until the person quits.
pub fn run(args: Play) -> Result<()> {
    if args.db.is_some() {
        return Err(usage(
            "--db is for --game rpsw or dots; British Square is searched as it is played",
        ));
    }
    let lists = args.lists.as_deref().map(read_lists).transpose()?.unwrap_or_default();
    let sides = [side(&args.first, &lists)?, side(&args.second, &lists)?];
    let line = line(&args)?;
    let run = Run::begin(&args.work)?;
    let evaluator = Evaluator::new(line.rules(), args.table_size.map(|size| size.as_u64()));
    let evaluator = evaluator.with_context(|| format!("cannot search {}", line.rules().board))?;
    if args.plain || !is_interactive() {
        let game = plain::InWords { evaluator, run: &run };
        return Conversation::new(game, line, sides, &run, !args.no_values)
            .play(std::io::stdin(), std::io::stdout().lock());
    }
    let named = lists.into_iter().chain(ALL.iter().cloned());
    let others: Vec<Side> = named.map(|list| Side::Heuristic(Box::new(list))).collect();
    let game = BritishSquare::new(&line, Values::of(evaluator)?);
    terminal::play(App::new(game, line, sides, others, !args.no_values), &run)
}

/// Parses the name of a player.
fn side(text: &str, lists: &[Heuristic]) -> Result<Side> {
    Ok(match text {
        "you" => Side::You,
        "perfect" => Side::Perfect,
        text => {
            let found = heuristic(text, lists);
            let found = found.map_err(|e| usage(format!("{e}\n'you' and 'perfect' play too")));
            Side::Heuristic(Box::new(found?))
        }
    })
}

/// The record to begin with.
fn line(args: &Play) -> Result<GameRecord> {
    let rules = args.rules.rules();
    let advise = |error| with_centre_option(&error, Some(&error), CENTRE_OPTION).to_string();
    let mut line = begin(args.game.as_deref(), rules, parse_game, advise)?;
    line.rules().check().map_err(usage)?;
    line.play_all(&args.moves).map_err(usage)?;
    Ok(line)
}

/// Parses a file, which contains its rules.
fn parse_game(path: &str, text: &str, rules: &Rules) -> Result<GameRecord> {
    let usual = Rules::standard(5, 5)?;
    let line = GameRecord::parse(text, &usual).map_err(|error| {
        let cause = match &error {
            RecordError::Value { why: ValueError::Play(cause), .. } => Some(cause),
            _ => None,
        };
        usage(format!("{path}: {}", with_centre_option(&error, cause, CENTRE_OPTION)))
    })?;
    if *rules != usual && rules != line.rules() {
        return Err(usage(format!("{path} says other rules than the flags; leave the flags out")));
    }
    Ok(line)
}

/// The move of a machine; `None` at the end of the game, and if values are missing.
fn machine_move(side: &Side, solution: &Solution) -> Option<Move> {
    let legal = solution.rules.moves(&solution.position);
    match side {
        Side::You => None,
        _ if legal.len() <= 1 => legal.first().copied(),
        Side::Perfect => solution.perfect().first().copied(),
        Side::Heuristic(heuristic) => {
            let liked = heuristic.liked_at(&solution.rules, &solution.position);
            cells_of(liked).next().map(Move::Place)
        }
    }
}

/// The state of the screen that only British Square has.
pub struct BritishSquare {
    /// The cell on which Enter plays.
    cursor: usize,
    /// Whether claimed cells are marked.
    show_claims: bool,
    values: Values,
}

impl BritishSquare {
    fn new(line: &GameRecord, values: Values) -> BritishSquare {
        BritishSquare { cursor: line.rules().board.cells() / 2, show_claims: true, values }
    }
}

/// The actions of British Square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// Moves the cursor by the given number of columns to the right and rows down.
    Go(isize, isize),
    /// Plays on a cell.
    Click(usize),
    /// Shows or hides the marks of claimed cells.
    Claims,
}

impl OnScreen for BritishSquare {
    type Rules = Rules;
    type Action = Own;

    fn player_key(player: Player) -> char {
        match player {
            Player::First => 'x',
            Player::Second => 'o',
        }
    }

    fn key(code: KeyCode) -> Option<ActionOf<Self>> {
        Some(match code {
            KeyCode::Left => Action::Own(Own::Go(-1, 0)),
            KeyCode::Right => Action::Own(Own::Go(1, 0)),
            KeyCode::Up => Action::Own(Own::Go(0, -1)),
            KeyCode::Down => Action::Own(Own::Go(0, 1)),
            KeyCode::PageUp => Action::Step(-1),
            KeyCode::PageDown => Action::Step(1),
            KeyCode::Char('m') => Action::Own(Own::Claims),
            KeyCode::Char('x') => Action::Side(Player::First, true),
            KeyCode::Char('X') => Action::Side(Player::First, false),
            KeyCode::Char('o') => Action::Side(Player::Second, true),
            KeyCode::Char('O') => Action::Side(Player::Second, false),
            _ => return None,
        })
    }

    /// Digits of tile numbers, which reach every cell, and letters of columns that are not keys.
    fn is_typed(letter: char) -> bool {
        letter.is_ascii_alphanumeric()
    }

    fn click(_: &Grid, cell: usize) -> Own {
        Own::Click(cell)
    }

    fn scroll(by: isize) -> ActionOf<Self> {
        Action::Step(by)
    }

    fn act(app: &mut App<Self>, action: Own) {
        match action {
            Own::Go(right, down) => {
                let board = &app.line.rules().board;
                let (row, col) = (app.game.cursor / board.cols(), app.game.cursor % board.cols());
                let row = row.saturating_add_signed(down).min(board.rows() - 1);
                let col = col.saturating_add_signed(right).min(board.cols() - 1);
                app.game.cursor = row * board.cols() + col;
            }
            Own::Click(cell) => {
                app.game.cursor = cell;
                app.play(Move::Place(cell));
            }
            Own::Claims => app.game.show_claims = !app.game.show_claims,
        }
    }

    fn chosen(app: &App<Self>) -> Result<Move, &'static str> {
        match app.solution().must_pass() {
            true => Ok(Move::Pass),
            false => Ok(Move::Place(app.game.cursor)),
        }
    }

    /// Moves the cursor to the cell of the last move, or to the nearest legal one.
    fn changed(app: &mut App<Self>, played: Option<Move>) {
        let (rules, position, cursor) = (app.rules(), app.line.position(), app.game.cursor);
        let legal = rules.legal(position, position.to_move);
        let cols = rules.board.cols();
        let apart = |&cell: &usize| {
            (cell / cols).abs_diff(cursor / cols) + (cell % cols).abs_diff(cursor % cols)
        };
        if let Some(Move::Place(cell)) = played {
            app.game.cursor = cell;
        } else if legal >> cursor & 1 == 0 {
            app.game.cursor = cells_of(legal).min_by_key(apart).unwrap_or(cursor);
        }
    }

    /// Requests the first position that is not evaluated: the current one, the one before a move
    /// that may deserve a warning, and on small boards every other one of the record.
    fn tick(app: &mut App<Self>) {
        app.game.values.take();
        let small = app.rules().board.cells() <= MAPPED_CELLS;
        let others = app.line.positions().iter().rev().filter(|_| small);
        let pending = app.pending_position();
        let mut wanted = std::iter::once(app.line.position()).chain(pending).chain(others);
        let unknown = wanted.find(|position| !app.game.values.is_known(position)).copied();
        if let Some(position) = unknown {
            app.game.values.ask(&position);
        }
    }

    fn machine_move(app: &App<Self>) -> Option<Move> {
        machine_move(app.mover(), &app.solution())
    }

    fn told(app: &App<Self>, mv: Move) -> String {
        app.rules().format_move(mv)
    }

    fn warning(app: &App<Self>, at: usize, mv: Move) -> Result<Option<String>, Unknown> {
        let before = app.solution_at(at);
        if before.moves.is_some() { Ok(before.warning(mv)) } else { Err(Unknown) }
    }

    fn draw(app: &App<Self>, frame: &mut Frame) -> Option<Grid> {
        screen::draw(app, frame)
    }

    #[cfg(test)]
    fn wait(app: &mut App<Self>) -> bool {
        let searches = app.game.values.searching().is_some();
        app.game.values.wait();
        searches
    }
}

impl App<BritishSquare> {
    /// The current position, with its values as far as they are known.
    fn solution(&self) -> Solution {
        self.solution_at(self.line.at())
    }

    /// A position of the record, with its values as far as they are known.
    fn solution_at(&self, at: usize) -> Solution {
        let position: Position = self.line.positions()[at];
        let solution = Solution::unknown(self.rules().clone(), position);
        match self.game.values.get(&position) {
            Some(evaluation) => solution.with(evaluation),
            None => solution,
        }
    }

    /// The duration of the running search, or the reason why there are no more values.
    fn search(&self) -> Result<Option<Duration>, &str> {
        self.game.values.error().map_or_else(|| Ok(self.game.values.searching()), Err)
    }
}

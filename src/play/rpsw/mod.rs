//! Rock-paper-scissors-well on the terminal, with values from a tablebase.

mod evaluations;
mod plain;
mod screen;
#[cfg(test)]
mod tests;
mod words;

use super::app::{Action, ActionOf, App, OnScreen, Unknown};
use super::grid::Grid;
use super::plain::Conversation;
use super::side::Side;
use super::{begin, is_interactive, terminal};
use crate::cli::args::Play;
use crate::run::Run;
use crate::usage::usage;
use anyhow::Result;
use bsq_engine::game::{Game, Notation, Player, Value};
use bsq_engine::record::Recorded;
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::rpsw::{Evaluator, GameRecord, Move, Rules, Square};
use evaluations::{Evaluations, Known};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use std::path::Path;

/// The number of moves of a page of the list.
const PAGE: isize = 8;

/// The advice on building a tablebase.
const HOW: &str = "\
'bsq rpsw tablebase build rpsw.db' makes one (some minutes, 6 GiB of memory, a file of 0.5 GB),
'bsq rpsw tablebase build small.db --pieces 2' one of a smaller game, at once";

/// Plays until the person quits.
pub fn run(args: Play) -> Result<()> {
    if let Some(flag) = args.given.any_but(&[]) {
        return Err(usage(format!(
            "{flag} says nothing about rock-paper-scissors-well; the rules are those of the database"
        )));
    }
    let side = |who: &str| Side::parse(who, "rock-paper-scissors-well");
    let sides = [side(&args.first)?, side(&args.second)?];
    let tablebase = open(args.db.as_deref())?;
    let line = line(&args, tablebase.rules())?;
    let run = Run::begin(&args.work)?;
    let evaluations = Evaluations::new(Evaluator::Tablebase(&tablebase));
    if args.plain || !is_interactive() {
        return Conversation::new(evaluations, line, sides, &run, !args.no_values)
            .play(std::io::stdin(), std::io::stdout().lock());
    }
    let game = Rpsw { evaluations, chosen: None };
    terminal::play(App::new(game, line, sides, Vec::new(), !args.no_values), &run)
}

fn open(path: Option<&Path>) -> Result<Tablebase> {
    let Some(path) = path else {
        return Err(usage(format!(
            "rock-paper-scissors-well is played from a database of all positions: give it with --db.\n{HOW}"
        )));
    };
    if !path.exists() {
        return Err(usage(format!("there is no file {}.\n{HOW}", path.display())));
    }
    Ok(Tablebase::open(path)?)
}

/// The record to begin with.
fn line(args: &Play, rules: &Rules) -> Result<GameRecord> {
    let parse = |path: &str, text: &str, rules: &Rules| {
        let line = GameRecord::parse(text, rules);
        let line = line.map_err(|error| usage(format!("{path}: {error}")))?;
        match line.rules() == rules {
            true => Ok(line),
            false => Err(usage(format!(
                "{path}: the game has other rules ({}) than the database ({})",
                entries(line.rules()),
                entries(rules)
            ))),
        }
    };
    let mut line = begin(args.game.as_deref(), rules.clone(), parse, |error| error.to_string())?;
    line.play_all(&args.moves).map_err(usage)?;
    Ok(line)
}

/// The entries of the rules in a record.
fn entries(rules: &Rules) -> String {
    let entries = rules.entries().into_iter().map(|(name, value)| format!("{name} {value}"));
    entries.collect::<Vec<_>>().join(", ")
}

/// The state of the screen that only rock-paper-scissors-well has.
pub struct Rpsw<'a> {
    evaluations: Evaluations<'a>,
    /// The move that Enter plays.
    chosen: Option<Move>,
}

/// The actions of rock-paper-scissors-well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// Moves down in the list by this number of moves.
    Choose(isize),
    /// Chooses the piece on a square, or moves the chosen piece to it.
    Click(Square),
    /// Shows the principal variation.
    BestLine,
}

/// A legal move in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Listed {
    mv: Move,
    /// Its value, if values are shown.
    value: Option<Value>,
}

impl OnScreen for Rpsw<'_> {
    type Rules = Rules;
    type Action = Own;

    fn player_key(player: Player) -> char {
        match player {
            Player::First => 'f',
            Player::Second => 's',
        }
    }

    fn key(code: KeyCode) -> Option<ActionOf<Self>> {
        Some(match code {
            KeyCode::Up => Action::Own(Own::Choose(-1)),
            KeyCode::Down => Action::Own(Own::Choose(1)),
            KeyCode::PageUp => Action::Own(Own::Choose(-PAGE)),
            KeyCode::PageDown => Action::Own(Own::Choose(PAGE)),
            KeyCode::Left => Action::Step(-1),
            KeyCode::Right => Action::Step(1),
            KeyCode::Char('l') => Action::Own(Own::BestLine),
            KeyCode::Char('f') => Action::Side(Player::First, true),
            KeyCode::Char('s') => Action::Side(Player::Second, true),
            _ => return None,
        })
    }

    fn is_typed(letter: char) -> bool {
        matches!(letter, '0'..='9' | 'a'..='d' | 'A'..='D')
    }

    fn click(grid: &Grid, cell: usize) -> Own {
        Own::Click(screen::square_of(&grid.board, cell))
    }

    fn scroll(by: isize) -> ActionOf<Self> {
        Action::Own(Own::Choose(by))
    }

    fn act(app: &mut App<Self>, action: Own) {
        match action {
            Own::Choose(down) => app.choose(down),
            Own::Click(square) => app.click(square),
            Own::BestLine => app.message = app.principal_variation(),
        }
    }

    fn chosen(app: &App<Self>) -> Result<Move, &'static str> {
        app.game.chosen.ok_or("The game is over.")
    }

    fn changed(app: &mut App<Self>, _: Option<Move>) {
        app.choose_first();
    }

    /// Chooses the first move whose name begins with the typed text.
    fn typed(app: &mut App<Self>) {
        let listed = app.listed();
        let begins = |mv: Move| app.rules().format_move(mv).starts_with(&app.entry);
        let found = listed.iter().find(|listed| begins(listed.mv)).map(|listed| listed.mv);
        app.game.chosen = found.or(app.game.chosen);
    }

    /// Chooses the first move again: the chosen move must not reveal hidden values.
    fn values_toggled(app: &mut App<Self>) {
        app.entry.clear();
        app.choose_first();
    }

    fn machine_move(app: &App<Self>) -> Option<Move> {
        app.known().ok()?.best().next()
    }

    fn told(app: &App<Self>, mv: Move) -> String {
        words::told(app.rules(), app.line.position(), mv)
    }

    fn warning(app: &App<Self>, at: usize, mv: Move) -> Result<Option<String>, Unknown> {
        let position = &app.line.positions()[at];
        let known = app.game.evaluations.evaluation(position).map_err(|_| Unknown)?;
        Ok(words::warning(app.rules(), position.to_move, &known, mv))
    }

    fn draw(app: &App<Self>, frame: &mut Frame) -> Option<Grid> {
        screen::draw(app, frame)
    }
}

impl App<Rpsw<'_>> {
    /// The evaluation of the current position.
    fn known(&self) -> Known {
        self.game.evaluations.evaluation(self.line.position())
    }

    /// The legal moves, best first if values are shown.
    fn listed(&self) -> Vec<Listed> {
        if self.show_values
            && let Ok(known) = self.known()
        {
            let moves = known.moves.iter().flatten();
            return moves.map(|listed| Listed { mv: listed.mv, value: listed.value }).collect();
        }
        let moves = self.rules().moves(self.line.position()).into_iter();
        moves.map(|mv| Listed { mv, value: None }).collect()
    }

    /// The sentence about the end of the game, if it has ended.
    fn ending(&self) -> Option<String> {
        words::ending(self.rules(), self.line.position())
    }

    /// Whether a move of the record has changed the outcome, if known.
    fn was_mistake(&self, at: usize) -> bool {
        let known = self.game.evaluations.evaluation(&self.line.positions()[at]);
        let mv = self.line.moves()[at];
        let known = known.ok().and_then(|known| Some((known.value?, known.of(mv)?)));
        known.is_some_and(|(before, now)| before.outcome != now.outcome)
    }

    fn choose(&mut self, down: isize) {
        let listed = self.listed();
        let at = listed.iter().position(|listed| Some(listed.mv) == self.game.chosen).unwrap_or(0);
        let at = at.saturating_add_signed(down).min(listed.len().saturating_sub(1));
        self.game.chosen = listed.get(at).map(|listed| listed.mv);
        self.entry.clear();
    }

    fn choose_first(&mut self) {
        self.game.chosen = self.listed().first().map(|listed| listed.mv);
    }

    fn click(&mut self, square: Square) {
        self.entry.clear();
        let goes = self.game.chosen.map(|chosen| Move { to: square, ..chosen });
        let listed = self.listed();
        if let Some(listed) = listed.iter().find(|listed| Some(listed.mv) == goes) {
            self.play(listed.mv);
        } else if let Some(leaves) = listed.iter().find(|listed| listed.mv.from == square) {
            self.game.chosen = Some(leaves.mv);
        } else if let Some(mv) = goes {
            self.play(mv); // reports why it is illegal
        }
    }

    fn principal_variation(&self) -> String {
        match self.game.evaluations.principal_variation(self.line.position()) {
            Ok(line) if line.is_empty() => "The game is over.".to_string(),
            Ok(line) => format!("Best play: {}", words::names(self.rules(), line.into_iter())),
            Err(error) => format!("{error}."),
        }
    }
}

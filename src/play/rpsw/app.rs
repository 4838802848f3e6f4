//! What there is to see and to do, without a terminal.

use super::judge::{Judge, Known};
use super::{keys, screen, words};
use crate::play::grid::Grid;
use crate::play::seat::Seat;
use crate::play::terminal::Explorer;
use bsq_engine::game::{Game, Notation, Player};
use bsq_games::rpsw::{GameRecord, JudgedMove, Move, Rules, Square, Store, Verdict};
use ratatui::Frame;
use ratatui::crossterm::event::Event;
use std::fmt::Display;
use std::time::{Duration, Instant};

/// How long a machine seems to think.
const PAUSE: Duration = Duration::from_millis(400);
/// The letters of a move.
const MOST_LETTERS: usize = 4;

/// What a key or a click asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// So many moves down the list.
    Choose(isize),
    /// What was typed, or else the chosen move.
    Enter,
    /// The piece on a square, or the chosen piece to a square.
    Click(Square),
    /// A letter of a move.
    Type(char),
    /// Not the last letter.
    Erase,
    /// Away with what is in front, or what was typed.
    Cancel,
    /// Back to the last decision.
    Undo,
    /// So many moves along the line, back or on.
    Step(isize),
    /// To the first position of the line.
    ToStart,
    /// To the last position of the line.
    ToEnd,
    /// A new game from the same position.
    Restart,
    /// Verdicts, shown or not.
    Values,
    /// Warnings, given or not.
    Warnings,
    /// The best moves of this position.
    Hint,
    /// How best play goes on.
    BestLine,
    /// The other one who could play a side.
    Seat(Player),
    /// Machines may go on.
    PlayOn,
    /// The game as text.
    Game,
    /// All keys.
    Help,
    /// The end.
    Quit,
}

/// What is shown in front of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Popup {
    /// The keys.
    Help,
    /// The game as text.
    Game,
}

/// A legal move as it is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The move.
    pub mv: Move,
    /// What it is worth, if that is shown.
    pub verdict: Option<Verdict>,
}

/// A game that is looked at and played.
pub struct App<S> {
    /// The game so far.
    pub line: GameRecord,
    /// The move that Enter plays.
    pub chosen: Option<Move>,
    /// What was typed of a move.
    pub entry: String,
    /// What there is to say about the last action.
    pub message: String,
    /// What your last move gave away; it stays while machines answer.
    pub warning: String,
    /// Whether verdicts are shown.
    pub show_values: bool,
    /// Whether moves that give something away are named.
    pub warn: bool,
    /// Whether the best moves are marked although verdicts are not shown.
    pub hint: bool,
    /// What is in front.
    pub popup: Option<Popup>,
    /// Whether the player has enough.
    pub over: bool,
    /// Whether machines wait, since the player is looking back.
    pub paused: bool,
    sides: [Seat; 2],
    judge: Judge<S>,
    /// When the position last changed.
    since: Instant,
}

impl<S: Store<Error: Display>> App<S> {
    /// A game with these players.
    pub fn new(line: GameRecord, sides: [Seat; 2], judge: Judge<S>, show_values: bool) -> App<S> {
        let mut app = App {
            line,
            chosen: None,
            entry: String::new(),
            message: String::new(),
            warning: String::new(),
            show_values,
            warn: show_values,
            hint: false,
            popup: None,
            over: false,
            paused: false,
            sides,
            judge,
            since: Instant::now(),
        };
        app.changed();
        app
    }

    /// What is known of the position that is looked at.
    pub fn known(&self) -> Known {
        self.judge.judged(self.line.position())
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.line.rules()
    }

    /// The legal moves, the best ones first where verdicts are shown.
    pub fn listed(&self) -> Vec<Listed> {
        if self.show_values
            && let Ok(known) = self.known()
        {
            let listed =
                |&JudgedMove { mv, verdict }: &JudgedMove| Listed { mv, verdict: Some(verdict) };
            return known.moves.iter().map(listed).collect();
        }
        let moves = self.rules().moves(self.line.position()).into_iter();
        moves.map(|mv| Listed { mv, verdict: None }).collect()
    }

    /// Who plays for a player.
    pub fn side(&self, player: Player) -> Seat {
        self.sides[player.index()]
    }

    /// How the game has ended, if it has.
    pub fn ending(&self) -> Option<String> {
        words::ending(self.rules(), self.line.position())
    }

    /// Whether a machine is to move and waits until it may go on.
    pub fn waits_for_go(&self) -> bool {
        self.paused && self.mover() != Seat::You && self.ending().is_none()
    }

    /// Whether a move of the line has changed who wins; not said where it cannot be known.
    pub fn was_mistake(&self, at: usize) -> bool {
        let known = self.judge.judged(&self.line.positions()[at]);
        let known =
            known.ok().and_then(|known| Some((known.verdict, known.of(self.line.moves()[at])?)));
        known.is_some_and(|(before, now)| words::is_mistake(before, now))
    }

    fn mover(&self) -> Seat {
        self.side(self.line.position().to_move)
    }

    /// Does what was asked for.
    pub fn act(&mut self, action: Action) {
        if self.popup.take().is_some() && action != Action::Quit {
            return; // any key takes it away
        }
        self.message.clear();
        self.warning.clear();
        match action {
            Action::Choose(down) => self.choose(down),
            Action::Enter => self.enter(),
            Action::Click(square) => self.click(square),
            Action::Type(letter) => self.type_letter(letter),
            Action::Erase if self.entry.is_empty() => self.undo(),
            Action::Erase => drop(self.entry.pop()),
            Action::Cancel => self.entry.clear(),
            Action::Undo => self.undo(),
            Action::Step(by) => self.look_at(self.line.at().saturating_add_signed(by)),
            Action::ToStart => self.look_at(0),
            Action::ToEnd => self.look_at(self.line.moves().len()),
            Action::Restart => {
                self.line = GameRecord::from(self.rules().clone(), self.line.positions()[0]);
                self.changed();
                self.paused = false;
            }
            Action::Values => {
                self.show_values = !self.show_values;
                self.entry.clear();
                self.choose_first(); // hidden values are not to be told by what is chosen
            }
            Action::Warnings => {
                self.warn = !self.warn;
                let now = if self.warn { "on" } else { "off" };
                self.message = format!("Warnings are {now}.");
            }
            Action::Hint => self.hint = !self.hint,
            Action::BestLine => self.message = self.principal_variation(),
            Action::Seat(player) => self.change_side(player),
            Action::PlayOn => self.paused = false,
            Action::Game => self.popup = Some(Popup::Game),
            Action::Help => self.popup = Some(Popup::Help),
            Action::Quit => self.over = true,
        }
    }

    fn let_machine_move(&mut self) {
        let Ok(known) = self.known() else { return };
        let Some(mv) = known.best().next() else { return };
        let label = self.mover().label();
        let said =
            format!("{label} plays {}.", words::told(self.rules(), self.line.position(), mv));
        if self.line.play(mv).is_ok() {
            let warning = std::mem::take(&mut self.warning);
            self.changed();
            (self.warning, self.message) = (warning, said);
            // Two machines would go round for ever.
            let alone = !self.sides.contains(&Seat::You);
            self.paused = alone && words::repetition(&self.line).is_some();
        }
    }

    fn choose(&mut self, down: isize) {
        let listed = self.listed();
        let at = listed.iter().position(|listed| Some(listed.mv) == self.chosen).unwrap_or(0);
        let at = at.saturating_add_signed(down).min(listed.len().saturating_sub(1));
        self.chosen = listed.get(at).map(|listed| listed.mv);
        self.entry.clear();
    }

    /// Takes up a letter, and chooses the first move that begins like that.
    fn type_letter(&mut self, letter: char) {
        if self.entry.len() < MOST_LETTERS {
            self.entry.push(letter);
        }
        let listed = self.listed();
        let begins = |mv: Move| self.rules().format_move(mv).starts_with(&self.entry);
        let found = listed.iter().find(|listed| begins(listed.mv)).map(|listed| listed.mv);
        self.chosen = found.or(self.chosen);
    }

    fn enter(&mut self) {
        let typed = std::mem::take(&mut self.entry);
        if typed.is_empty() {
            match self.chosen {
                Some(mv) => self.play(mv),
                None => self.message = "The game is over.".to_string(),
            }
            return;
        }
        match self.rules().parse_move(&typed) {
            Ok(mv) => self.play(mv),
            Err(error) => self.message = format!("{error}."),
        }
    }

    fn click(&mut self, square: Square) {
        self.entry.clear();
        let goes = self.chosen.map(|chosen| Move { to: square, ..chosen });
        let listed = self.listed();
        if let Some(listed) = listed.iter().find(|listed| Some(listed.mv) == goes) {
            self.play(listed.mv);
        } else if let Some(leaves) = listed.iter().find(|listed| listed.mv.from == square) {
            self.chosen = Some(leaves.mv);
        } else if let Some(mv) = goes {
            self.play(mv); // says why not
        }
    }

    /// A move of the player.
    fn play(&mut self, mv: Move) {
        if self.mover() != Seat::You && !self.paused && self.ending().is_none() {
            let (label, key) = (self.mover().label(), player_key(self.line.position().to_move));
            self.message = format!("{label} is to move; {key} changes who plays.");
            return;
        }
        let warning = self.warning(mv);
        match self.line.play(mv) {
            Ok(()) => {
                self.changed();
                self.paused = false;
                self.warning = warning;
            }
            Err(error) => self.message = format!("{error}."),
        }
    }

    /// What is to be said of a move before it is made.
    fn warning(&self, mv: Move) -> String {
        let Some(known) = self.known().ok().filter(|_| self.warn) else { return String::new() };
        let now = known.of(mv);
        let warning = now.and_then(|now| words::warning(self.rules(), mv, known.verdict, now));
        warning.map_or_else(String::new, |warning| format!("{warning}. u takes it back."))
    }

    fn principal_variation(&self) -> String {
        match self.judge.principal_variation(self.line.position()) {
            Ok(line) if line.is_empty() => "The game is over.".to_string(),
            Ok(line) => format!("Best play: {}", words::names(self.rules(), line.into_iter())),
            Err(error) => format!("{error}."),
        }
    }

    /// Back to the last decision of the player; one move where no player is one.
    fn undo(&mut self) {
        let at = self.line.at();
        let yours = |&at: &usize| self.side(self.line.positions()[at].to_move) == Seat::You;
        let to = (0..at).rev().find(yours).unwrap_or(at.saturating_sub(1));
        self.look_at(to);
    }

    fn look_at(&mut self, at: usize) {
        self.line.go_to(at);
        self.changed();
        self.paused = true;
    }

    fn changed(&mut self) {
        self.since = Instant::now();
        self.hint = false;
        self.entry.clear();
        self.message.clear();
        self.warning.clear();
        self.choose_first();
    }

    fn choose_first(&mut self) {
        self.chosen = self.listed().first().map(|listed| listed.mv);
    }

    fn change_side(&mut self, player: Player) {
        let side = self.side(player).other();
        self.sides[player.index()] = side;
        self.since = Instant::now();
        self.message = format!("The {player} player: {}.", side.label());
    }

    /// Lets everything happen that goes on by itself.
    #[cfg(test)]
    pub fn settle(&mut self) {
        loop {
            let at = self.line.at();
            self.tick(Instant::now() + PAUSE);
            if self.line.at() == at {
                return;
            }
        }
    }
}

impl<S: Store<Error: Display>> Explorer for App<S> {
    /// Machines move.
    fn tick(&mut self, now: Instant) {
        let machine = self.mover() != Seat::You && !self.paused && self.popup.is_none();
        if machine && now.saturating_duration_since(self.since) >= PAUSE {
            self.let_machine_move();
        }
    }

    fn draw(&self, frame: &mut Frame) -> Option<Grid> {
        screen::draw(self, frame)
    }

    fn take(&mut self, event: &Event, grid: Option<&Grid>) {
        if let Some(action) = keys::action(event, grid) {
            self.act(action);
        }
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn text(&self) -> Option<String> {
        (!self.line.moves().is_empty()).then(|| self.line.to_string())
    }
}

/// The key that changes who plays.
pub fn player_key(player: Player) -> char {
    match player {
        Player::First => 'f',
        Player::Second => 's',
    }
}

//! A game on the screen: its state, and the effects of keys and clicks, independent of the
//! terminal.

use super::grid::Grid;
use super::side::{Side, last_decision};
use super::terminal::Explorer;
use bsq_engine::game::{Game, Notation, Player};
use bsq_engine::record::{GameRecord, Recorded};
use ratatui::Frame;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use std::time::{Duration, Instant};

/// The pause before the move of a machine.
const PAUSE: Duration = Duration::from_millis(400);
/// The longest text that names a move, in letters.
const MOST_LETTERS: usize = 4;
/// The number of occurrences of a position at which two machines stop.
pub const OFTEN: usize = 3;

/// An action requested by a key or a click. `A` is the type of the actions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<A> {
    /// An action of the game.
    Own(A),
    /// Plays the typed move, or the chosen one if nothing was typed.
    Enter,
    /// Appends a letter to the typed move.
    Type(char),
    /// Deletes the last letter; without one, undoes.
    Erase,
    /// Closes the popup, or clears the typed text.
    Cancel,
    /// Returns to the last decision.
    Undo,
    /// Moves forward or backward in the record by this number of moves.
    Step(isize),
    /// Goes to the first position of the record.
    ToStart,
    /// Goes to the last position of the record.
    ToEnd,
    /// Begins a new game from the same position.
    Restart,
    /// Shows or hides values.
    Values,
    /// Turns warnings on or off.
    Warnings,
    /// Marks the best moves of this position.
    Hint,
    /// Changes who plays for a player: the next choice, or the one before.
    Side(Player, bool),
    /// Lets machines continue.
    PlayOn,
    /// Shows the record as text.
    Game,
    /// Shows all keys.
    Help,
    /// Quits.
    Quit,
}

/// A popup in front of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Popup {
    /// The keys.
    Help,
    /// The record as text.
    Game,
}

/// A move of a game on the screen.
pub type MoveOf<G> = <<G as OnScreen>::Rules as Game>::Move;
/// An action of a game on the screen.
pub type ActionOf<G> = Action<<G as OnScreen>::Action>;

/// The game-specific part of a game on the screen.
pub trait OnScreen: Sized {
    /// The rules.
    type Rules: Recorded;
    /// The actions specific to this game.
    type Action;

    /// The key that changes the side of a player.
    fn player_key(player: Player) -> char;
    /// The actions of the keys of this game.
    fn key(code: KeyCode) -> Option<ActionOf<Self>>;
    /// Whether names of moves contain that character.
    fn is_typed(letter: char) -> bool;
    /// The action of a click on a cell.
    fn click(grid: &Grid, cell: usize) -> Self::Action;
    /// The action of the mouse wheel, by the given number of steps.
    fn scroll(by: isize) -> ActionOf<Self>;

    /// Performs an action of the game.
    fn act(app: &mut App<Self>, action: Self::Action);
    /// The move that Enter plays if nothing was typed, or the reason why there is none.
    fn chosen(app: &App<Self>) -> Result<MoveOf<Self>, &'static str>;
    /// Called when another position is shown, with the person's move that led to it, if any.
    fn changed(app: &mut App<Self>, played: Option<MoveOf<Self>>);
    /// Called when another letter was typed.
    fn typed(_: &mut App<Self>) {}
    /// Called when values were shown or hidden.
    fn values_toggled(_: &mut App<Self>) {}
    /// Receives computed values, and requests others.
    fn tick(_: &mut App<Self>) {}
    /// The move of the machine whose turn it is, if it is known.
    fn machine_move(app: &App<Self>) -> Option<MoveOf<Self>>;
    /// A move of the current position in words.
    fn told(app: &App<Self>, mv: MoveOf<Self>) -> String;
    /// The cost of a move in a position of the record, if it has one; an error if values are
    /// missing.
    fn warning(app: &App<Self>, at: usize, mv: MoveOf<Self>) -> Result<Option<String>, Unknown>;
    /// Draws the screen. Returns the area of the board, if it fits.
    fn draw(app: &App<Self>, frame: &mut Frame) -> Option<Grid>;

    /// Waits for a running search. Returns whether there was one.
    #[cfg(test)]
    fn wait(_: &mut App<Self>) -> bool {
        false
    }
}

/// The values of a position are not known yet.
pub struct Unknown;

/// A game on the screen.
pub struct App<G: OnScreen> {
    /// The state that only this game has.
    pub game: G,
    /// The record of the game.
    pub line: GameRecord<G::Rules>,
    /// The typed part of a move.
    pub entry: String,
    /// The report of the last action.
    pub message: String,
    /// The cost of the last move of a person, which remains visible while machines answer.
    pub warning: String,
    /// Whether values and best moves are shown.
    pub show_values: bool,
    /// Whether costs of moves are reported.
    pub warn: bool,
    /// Whether the best moves are marked although values are hidden.
    pub hint: bool,
    /// The open popup, if any.
    pub popup: Option<Popup>,
    /// Whether to quit.
    pub over: bool,
    /// Whether machines wait.
    pub paused: bool,
    sides: [Side; 2],
    /// The heuristics that can play.
    others: Vec<Side>,
    /// When the position last changed.
    since: Instant,
    /// A move of a person that may deserve a warning, and the number of moves before it.
    pending: Option<(usize, MoveOf<G>)>,
}

impl<G: OnScreen> App<G> {
    /// A game with these players.
    pub fn new(
        game: G,
        line: GameRecord<G::Rules>,
        sides: [Side; 2],
        others: Vec<Side>,
        show_values: bool,
    ) -> App<G> {
        let mut app = App {
            game,
            line,
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
            others,
            since: Instant::now(),
            pending: None,
        };
        app.changed(None);
        app
    }

    /// The rules.
    pub fn rules(&self) -> &G::Rules {
        self.line.rules()
    }

    /// The side that plays for a player.
    pub fn side(&self, player: Player) -> &Side {
        &self.sides[player.index()]
    }

    /// The side that plays for the player to move.
    pub fn mover(&self) -> &Side {
        self.side(self.to_move())
    }

    /// The player to move.
    pub fn to_move(&self) -> Player {
        self.rules().to_move(self.line.position())
    }

    /// Whether the game has ended.
    pub fn has_ended(&self) -> bool {
        self.rules().moves(self.line.position()).is_empty()
    }

    /// Whether a machine is to move and waits.
    pub fn waits_for_go(&self) -> bool {
        self.paused && *self.mover() != Side::You && !self.has_ended()
    }

    /// Performs an action.
    pub fn act(&mut self, action: ActionOf<G>) {
        if self.popup.take().is_some() && !matches!(action, Action::Quit) {
            return; // any key closes it
        }
        self.message.clear();
        self.warning.clear();
        match action {
            Action::Own(action) => G::act(self, action),
            Action::Enter => self.enter(),
            Action::Type(letter) => {
                if self.entry.len() < MOST_LETTERS {
                    self.entry.push(letter);
                }
                G::typed(self);
            }
            Action::Erase if self.entry.is_empty() => self.undo(),
            Action::Erase => drop(self.entry.pop()),
            Action::Cancel => self.entry.clear(),
            Action::Undo => self.undo(),
            Action::Step(by) => self.look_at(self.line.at().saturating_add_signed(by)),
            Action::ToStart => self.look_at(0),
            Action::ToEnd => self.look_at(self.line.moves().len()),
            Action::Restart => {
                let start = self.line.positions()[0].clone();
                self.line = GameRecord::from(self.rules().clone(), start);
                self.changed(None);
                self.paused = false;
            }
            Action::Values => {
                self.show_values = !self.show_values;
                G::values_toggled(self);
            }
            Action::Warnings => {
                self.warn = !self.warn;
                let now = if self.warn { "on" } else { "off" };
                self.message = format!("Warnings are {now}.");
            }
            Action::Hint => self.hint = !self.hint,
            Action::Side(player, onward) => self.change_side(player, onward),
            Action::PlayOn => self.paused = false,
            Action::Game => self.popup = Some(Popup::Game),
            Action::Help => self.popup = Some(Popup::Help),
            Action::Quit => self.over = true,
        }
    }

    fn let_machine_move(&mut self) {
        let Some(mv) = G::machine_move(self) else { return };
        let said = format!("{} plays {}.", self.mover().label(), G::told(self, mv));
        if self.line.play(mv).is_ok() {
            let (warning, pending) = (std::mem::take(&mut self.warning), self.pending);
            self.changed(None);
            (self.warning, self.pending, self.message) = (warning, pending, said);
            // Two machines could repeat positions forever.
            let alone = !self.sides.contains(&Side::You);
            self.paused = alone && self.line.times() >= OFTEN && !self.has_ended();
        }
    }

    /// Reports the cost of the last move of a person, once it is known.
    fn update_warning(&mut self) {
        let Some((at, mv)) = self.pending else { return };
        if at >= self.line.positions().len() || !self.warn {
            self.pending = None;
            return;
        }
        let Ok(warning) = G::warning(self, at, mv) else { return };
        self.pending = None;
        if let Some(warning) = warning {
            self.warning = format!("{warning}. u takes it back.");
        }
    }

    fn enter(&mut self) {
        let typed = std::mem::take(&mut self.entry);
        if typed.is_empty() {
            match G::chosen(self) {
                Ok(mv) => self.play(mv),
                Err(why) => self.message = why.to_string(),
            }
            return;
        }
        match self.rules().parse_move(&typed) {
            Ok(mv) => self.play(mv),
            Err(error) => self.message = format!("{error}."),
        }
    }

    /// Plays a move of a person.
    pub fn play(&mut self, mv: MoveOf<G>) {
        if *self.mover() != Side::You && !self.has_ended() && !self.paused {
            let (label, key) = (self.mover().label(), G::player_key(self.to_move()));
            self.message = format!("{label} is to move; {key} changes who plays.");
            return;
        }
        let at = self.line.at();
        match self.line.play(mv) {
            Ok(()) => {
                self.changed(Some(mv));
                self.paused = false;
                self.pending = Some((at, mv));
                self.update_warning();
            }
            Err(error) => self.message = format!("{error}."),
        }
    }

    /// Returns to the last decision of a person, or by one move if no person plays.
    fn undo(&mut self) {
        let to = last_decision(&self.line, &self.sides);
        self.look_at(to.unwrap_or(self.line.at().saturating_sub(1)));
    }

    fn look_at(&mut self, at: usize) {
        self.line.go_to(at);
        self.changed(None);
        self.paused = true;
    }

    fn changed(&mut self, played: Option<MoveOf<G>>) {
        self.since = Instant::now();
        self.hint = false;
        self.pending = None;
        self.entry.clear();
        self.message.clear();
        self.warning.clear();
        G::changed(self, played);
    }

    fn change_side(&mut self, player: Player, onward: bool) {
        let mut known = vec![Side::You, Side::Perfect];
        known.extend(self.others.iter().cloned());
        let now = &mut self.sides[player.index()];
        let count = known.len();
        *now = match known.iter().position(|side| side == now) {
            Some(at) if onward => known.swap_remove((at + 1) % count),
            Some(at) => known.swap_remove((at + count - 1) % count),
            None => Side::You,
        };
        self.since = Instant::now();
        self.message = format!("The {player} player: {}.", self.side(player).label());
    }

    /// The position before a move that may deserve a warning.
    pub fn pending_position(&self) -> Option<&<G::Rules as Game>::Position> {
        self.pending.and_then(|(at, _)| self.line.positions().get(at))
    }

    /// Waits until nothing changes without an action.
    #[cfg(test)]
    pub fn settle(&mut self) {
        loop {
            let at = self.line.at();
            self.tick(Instant::now());
            let waited = G::wait(self);
            self.tick(Instant::now() + PAUSE);
            if self.line.at() == at && !waited && !G::wait(self) {
                return;
            }
        }
    }
}

impl<G: OnScreen> Explorer for App<G> {
    fn tick(&mut self, now: Instant) {
        G::tick(self);
        self.update_warning();
        let machine = *self.mover() != Side::You && !self.paused && self.popup.is_none();
        if machine && now.saturating_duration_since(self.since) >= PAUSE {
            self.let_machine_move();
        }
    }

    fn draw(&self, frame: &mut Frame) -> Option<Grid> {
        G::draw(self, frame)
    }

    fn take(&mut self, event: &Event, grid: Option<&Grid>) {
        if let Some(action) = event_action::<G>(event, grid) {
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

/// The action of an event, if it has one.
fn event_action<G: OnScreen>(event: &Event, grid: Option<&Grid>) -> Option<ActionOf<G>> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_action::<G>(*key),
        Event::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let grid = grid?;
                Some(Action::Own(G::click(grid, grid.cell_at(mouse.column, mouse.row)?)))
            }
            MouseEventKind::ScrollUp => Some(G::scroll(-1)),
            MouseEventKind::ScrollDown => Some(G::scroll(1)),
            _ => None,
        },
        _ => None,
    }
}

fn key_action<G: OnScreen>(KeyEvent { code, modifiers, .. }: KeyEvent) -> Option<ActionOf<G>> {
    if modifiers.contains(KeyModifiers::CONTROL) {
        return (code == KeyCode::Char('c')).then_some(Action::Quit);
    }
    if let Some(action) = G::key(code) {
        return Some(action);
    }
    Some(match code {
        KeyCode::Enter | KeyCode::Char(' ') => Action::Enter,
        KeyCode::Backspace => Action::Erase,
        KeyCode::Esc => Action::Cancel,
        KeyCode::Home => Action::ToStart,
        KeyCode::End => Action::ToEnd,
        KeyCode::Char('[') => Action::Step(-1),
        KeyCode::Char(']' | 'r') => Action::Step(1),
        KeyCode::Char('u') => Action::Undo,
        KeyCode::Char('n') => Action::Restart,
        KeyCode::Char('v') => Action::Values,
        KeyCode::Char('w') => Action::Warnings,
        KeyCode::Char('i') => Action::Hint,
        KeyCode::Char('p') => Action::PlayOn,
        KeyCode::Char('t') => Action::Game,
        KeyCode::Char('?') | KeyCode::F(1) => Action::Help,
        KeyCode::Char('q') => Action::Quit,
        KeyCode::Char(letter) if G::is_typed(letter) => Action::Type(letter.to_ascii_lowercase()),
        _ => return None,
    })
}

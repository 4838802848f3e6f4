//! What there is to see and to do, without a terminal.

use super::grid::Grid;
use super::side::Side;
use super::terminal::Explorer;
use super::values::Values;
use super::{keys, screen};
use crate::solution::{MAPPED_CELLS, Solution};
use bsq_engine::game::Player;
use bsq_games::british_square::{GameRecord, Move, cells_of};
use ratatui::Frame;
use ratatui::crossterm::event::Event;
use std::time::{Duration, Instant};

/// How long a machine seems to think.
const PAUSE: Duration = Duration::from_millis(400);
/// The longest name of a tile.
const MOST_LETTERS: usize = 4;

/// What a key or a click asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The cursor so many columns to the right and rows down.
    Go(isize, isize),
    /// What was typed, or else the cell under the cursor, or a pass where nothing else is legal.
    Enter,
    /// A move on a cell.
    Click(usize),
    /// A letter of a tile's name.
    Type(char),
    /// Not the last letter.
    Erase,
    /// Away with what is in front, or what was typed.
    Cancel,
    /// Back to the last decision.
    Undo,
    /// On along the line.
    Redo,
    /// So many moves along the line, back or on.
    Step(isize),
    /// To the first position of the line.
    ToStart,
    /// To the last position of the line.
    ToEnd,
    /// A new game, by the same rules from the same position.
    Restart,
    /// Values and best moves, shown or not.
    Values,
    /// Claimed cells, shown or not.
    Claims,
    /// Warnings, given or not.
    Warnings,
    /// The perfect moves of this position.
    Hint,
    /// The next one, or the one before, who could play a side.
    Side(Player, bool),
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

/// A game that is looked at and played.
pub struct App {
    /// The game so far.
    pub line: GameRecord,
    /// The cell that Enter plays on.
    pub cursor: usize,
    /// What was typed of a tile's name.
    pub entry: String,
    /// What there is to say about the last action.
    pub message: String,
    /// What your last move has cost; it stays while machines answer.
    pub warning: String,
    /// Whether values and best moves are shown.
    pub show_values: bool,
    /// Whether claimed cells are marked.
    pub show_claims: bool,
    /// Whether costly moves are named.
    pub warn: bool,
    /// Whether the perfect moves of this position are marked although values are not shown.
    pub hint: bool,
    /// What is in front.
    pub popup: Option<Popup>,
    /// Whether the player has enough.
    pub over: bool,
    /// Whether machines wait, since the player is looking back.
    pub paused: bool,
    sides: [Side; 2],
    others: Vec<Side>,
    values: Values,
    /// When the position last changed.
    since: Instant,
    /// A move of the player that may deserve a warning, and how many moves there were before.
    judged: Option<(usize, Move)>,
}

impl App {
    /// A game with these players; `others` are whom else there is to play.
    pub fn new(line: GameRecord, sides: [Side; 2], others: Vec<Side>, values: Values) -> App {
        let mut app = App {
            cursor: line.rules().board.cells() / 2,
            line,
            entry: String::new(),
            message: String::new(),
            warning: String::new(),
            show_values: true,
            show_claims: true,
            warn: true,
            hint: false,
            popup: None,
            over: false,
            paused: false,
            sides,
            others,
            values,
            since: Instant::now(),
            judged: None,
        };
        app.put_cursor();
        app
    }

    /// The position that is looked at, with what is known of it.
    pub fn solution(&self) -> Solution {
        self.solution_at(self.line.at())
    }

    /// A position of the line, with what is known of it.
    pub fn solution_at(&self, at: usize) -> Solution {
        let position = self.line.positions()[at];
        let solution = Solution::unknown(self.line.rules().clone(), position);
        match self.values.get(&position) {
            Some(evaluation) => solution.with(evaluation),
            None => solution,
        }
    }

    /// Who plays for a player.
    pub fn side(&self, player: Player) -> &Side {
        &self.sides[player.index()]
    }

    /// How the search goes: for how long, or why it ended.
    pub fn search(&self) -> Result<Option<Duration>, &str> {
        self.values.error().map_or_else(|| Ok(self.values.searching()), Err)
    }

    /// Whether a machine is to move and waits until it may go on.
    pub fn waits_for_go(&self) -> bool {
        self.paused && *self.mover() != Side::You && !self.solution().is_over()
    }

    fn mover(&self) -> &Side {
        self.side(self.line.position().to_move)
    }

    /// Does what was asked for.
    pub fn act(&mut self, action: Action) {
        if self.popup.take().is_some() && !matches!(action, Action::Quit) {
            return; // any key takes it away
        }
        self.message.clear();
        self.warning.clear();
        match action {
            Action::Go(right, down) => self.go(right, down),
            Action::Enter => self.enter(),
            Action::Click(cell) => {
                self.cursor = cell;
                self.play(Move::Place(cell));
            }
            Action::Type(letter) if self.entry.len() < MOST_LETTERS => self.entry.push(letter),
            Action::Type(_) => {}
            Action::Erase if self.entry.is_empty() => self.undo(),
            Action::Erase => drop(self.entry.pop()),
            Action::Cancel => self.entry.clear(),
            Action::Undo => self.undo(),
            Action::Redo => self.look_at(self.line.at() + 1),
            Action::Step(by) => self.look_at(self.line.at().saturating_add_signed(by)),
            Action::ToStart => self.look_at(0),
            Action::ToEnd => self.look_at(self.line.moves().len()),
            Action::Restart => {
                self.line = GameRecord::from(self.line.rules().clone(), self.line.positions()[0]);
                self.changed();
                self.paused = false;
            }
            Action::Values => self.show_values = !self.show_values,
            Action::Claims => self.show_claims = !self.show_claims,
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

    /// Asks for the first that is not known of: the position that is looked at, the one before a
    /// move that is to be judged, and on small boards every other one of the line.
    fn ask(&mut self) {
        let positions = self.line.positions();
        let judged = self.judged.and_then(|(at, _)| positions.get(at));
        let small = self.line.rules().board.cells() <= MAPPED_CELLS;
        let others = positions.iter().rev().filter(|_| small);
        let mut wanted = std::iter::once(self.line.position()).chain(judged).chain(others);
        if let Some(&position) = wanted.find(|position| !self.values.is_known(position)) {
            self.values.ask(&position);
        }
    }

    fn let_machine_move(&mut self) {
        let Some(mv) = self.mover().choose(&self.solution()) else { return };
        let said = format!("{} plays {}.", self.mover().label(), self.line.rules().format_move(mv));
        if self.line.play(mv).is_ok() {
            let (warning, judged) = (std::mem::take(&mut self.warning), self.judged);
            self.changed();
            (self.warning, self.judged, self.message) = (warning, judged, said);
        }
    }

    /// Warns of the player's last move once its cost is known.
    fn judge(&mut self) {
        let Some((at, mv)) = self.judged else { return };
        if at >= self.line.positions().len() || !self.warn {
            self.judged = None;
            return;
        }
        let before = self.solution_at(at);
        if before.moves.is_none() {
            return;
        }
        self.judged = None;
        if let Some(warning) = before.warning(mv) {
            self.warning = format!("{warning}. u takes it back.");
        }
    }

    fn go(&mut self, right: isize, down: isize) {
        let board = &self.line.rules().board;
        let (row, col) = (self.cursor / board.cols(), self.cursor % board.cols());
        let row = row.saturating_add_signed(down).min(board.rows() - 1);
        let col = col.saturating_add_signed(right).min(board.cols() - 1);
        self.cursor = row * board.cols() + col;
    }

    fn enter(&mut self) {
        let typed = std::mem::take(&mut self.entry);
        let mv = match typed.as_str() {
            "" if self.solution().must_pass() => Ok(Move::Pass),
            "" => Ok(Move::Place(self.cursor)),
            typed => self.line.rules().parse_move(typed),
        };
        match mv {
            Ok(mv) => self.play(mv),
            Err(error) => self.message = format!("{error}."),
        }
    }

    /// A move of the player.
    fn play(&mut self, mv: Move) {
        if *self.mover() != Side::You && !self.solution().is_over() && !self.paused {
            let (label, key) = (self.mover().label(), player_key(self.line.position().to_move));
            self.message = format!("{label} is to move; {key} changes who plays.");
            return;
        }
        let at = self.line.at();
        match self.line.play(mv) {
            Ok(()) => {
                self.changed();
                self.paused = false;
                self.judged = Some((at, mv));
                if let Move::Place(cell) = mv {
                    self.cursor = cell;
                }
                self.judge();
            }
            Err(error) => self.message = format!("{error}."),
        }
    }

    /// Back to the last decision of the player; one move where no player is one.
    fn undo(&mut self) {
        let at = self.line.at();
        let yours = |&at: &usize| {
            let mover = self.line.positions()[at].to_move;
            self.sides[mover.index()] == Side::You
        };
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
        self.judged = None;
        self.entry.clear();
        self.message.clear();
        self.warning.clear();
        self.put_cursor();
    }

    /// Moves the cursor to a cell that can be played on, if it is on none.
    fn put_cursor(&mut self) {
        let legal = self.line.rules().legal(self.line.position(), self.line.position().to_move);
        if legal >> self.cursor & 1 == 0 && legal != 0 {
            self.cursor = self.nearest(cells_of(legal));
        }
    }

    /// The cell with the fewest steps to the cursor.
    fn nearest(&self, cells: impl Iterator<Item = usize>) -> usize {
        let cols = self.line.rules().board.cols();
        let apart = |&cell: &usize| {
            (cell / cols).abs_diff(self.cursor / cols) + (cell % cols).abs_diff(self.cursor % cols)
        };
        cells.min_by_key(apart).unwrap_or(self.cursor)
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

    /// Lets everything happen that goes on by itself.
    #[cfg(test)]
    pub fn settle(&mut self) {
        loop {
            let at = self.line.at();
            self.tick(Instant::now());
            self.values.wait();
            self.tick(Instant::now() + PAUSE);
            if self.line.at() == at && self.values.searching().is_none() {
                return;
            }
        }
    }
}

impl Explorer for App {
    /// Values come in, machines move.
    fn tick(&mut self, now: Instant) {
        self.values.take();
        self.ask();
        self.judge();
        let machine = *self.mover() != Side::You && !self.paused && self.popup.is_none();
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
        Player::First => 'x',
        Player::Second => 'o',
    }
}

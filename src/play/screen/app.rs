//! A game on the screen: its state, and what can be done, independent of the terminal.

use super::grid::{middle, towards};
use super::style::Look;
use super::values::{Found, Question, Values};
use crate::play::contest::{Contest, Side};
use crate::play::{SO_FAR, SOON};
use crate::words;
use bsq_api::{AgentInfo, Answer, Choice, Cost, Info, MoveAnswer, PlaceAnswer, Player};
use std::time::{Duration, Instant};

/// The pause before the move of an agent.
const PAUSE: Duration = Duration::from_millis(400);
/// The longest text that names a move, in letters.
const MOST_LETTERS: usize = 16;

/// A popup in front of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Popup {
    /// The keys and marks.
    Help,
    /// The record as text.
    Game,
    /// The agents that can play for a player, and the chosen one.
    Players(Player, usize),
}

/// A game on the screen.
pub struct App {
    /// The game and its players.
    pub contest: Contest,
    /// The name and rules of the game.
    pub info: Info,
    /// The options of the rules in a few words.
    pub rules: String,
    /// The colours.
    pub look: Look,
    /// What is known about positions.
    pub values: Values,
    /// The name of the place of the cursor.
    pub cursor: Option<String>,
    /// The first places of a move of which not all places are chosen.
    pub picked: Vec<String>,
    /// The typed part of a move, if one is typed.
    pub entry: Option<String>,
    /// The report of the last action.
    pub message: String,
    /// The cost of the last move of a person, which remains visible while agents answer.
    pub warning: String,
    /// Whether values and best moves are shown.
    pub show_values: bool,
    /// Whether best play is shown.
    pub show_line: bool,
    /// Whether claimed places are marked.
    pub show_claims: bool,
    /// Whether the best moves are marked although values are hidden.
    pub hint: bool,
    /// The open popup, if any.
    pub popup: Option<Popup>,
    /// Whether to quit.
    pub over: bool,
    /// Whether agents wait.
    pub paused: bool,
    /// Whether costs of moves are reported.
    warn: bool,
    /// When the position last changed.
    since: Instant,
    /// The number of moves before a move of a person that may deserve a warning.
    pending: Option<usize>,
}

impl App {
    /// A game on the screen.
    pub fn new(
        contest: Contest,
        (info, rules): (Info, String),
        look: Look,
        show_values: bool,
    ) -> std::io::Result<App> {
        let mut app = App {
            contest,
            info,
            rules,
            look,
            values: Values::new()?,
            cursor: None,
            picked: Vec::new(),
            entry: None,
            message: String::new(),
            warning: String::new(),
            show_values,
            show_line: false,
            show_claims: true,
            hint: false,
            popup: None,
            over: false,
            paused: false,
            warn: show_values,
            since: Instant::now(),
            pending: None,
        };
        app.changed();
        Ok(app)
    }

    /// Points at a place.
    pub fn click(&mut self, place: String) {
        self.cursor = Some(place.clone());
        self.entry = None;
        self.point(place);
    }

    /// Appends a letter to the typed move.
    pub fn write(&mut self, letter: char) {
        let entry = self.entry.get_or_insert_default();
        if entry.len() < MOST_LETTERS {
            entry.push(letter);
        }
    }

    /// Deletes the last letter of the typed move; without one, undoes.
    pub fn erase(&mut self) {
        match &mut self.entry {
            None => self.undo(),
            Some(entry) => {
                entry.pop();
                self.entry.take_if(|entry| entry.is_empty());
            }
        }
    }

    /// Drops what was typed or chosen.
    pub fn cancel(&mut self) {
        self.entry = None;
        self.picked.clear();
    }

    /// Moves forward or backward in the game by this number of moves.
    pub fn step(&mut self, by: isize) {
        self.look_at(self.contest.session.at().saturating_add_signed(by));
    }

    /// Begins again from the first position.
    pub fn restart(&mut self) {
        self.look_at(0);
        self.paused = false;
    }

    /// Turns warnings on or off.
    pub fn switch_warnings(&mut self) {
        self.warn = !self.warn;
        self.message = format!("Warnings are {}.", if self.warn { "on" } else { "off" });
    }

    /// Opens the list of agents for a player, at the one that plays.
    pub fn open_players(&mut self, player: Player) {
        let name = self.contest.side(player).name();
        let at = self.agents().iter().position(|agent| agent.name == name);
        self.popup = Some(Popup::Players(player, at.unwrap_or(0)));
    }

    /// In the list of agents for a player: lets the one with this index play.
    pub fn appoint(&mut self, player: Player, at: usize) {
        self.popup = None;
        let name = self.agents().swap_remove(at).name;
        self.message = format!("The {} player: {name}.", player.name());
        self.contest.sides[player as usize] =
            if name == Side::YOU { Side::You } else { Side::Agent(name) };
        self.since = Instant::now();
        self.paused = false;
    }

    /// All who can play for a player: the person, the agents of the game, and agents that play
    /// although the game does not list them.
    pub fn agents(&self) -> Vec<AgentInfo> {
        let other = |name: &str, summary: &str| AgentInfo {
            name: name.to_string(),
            summary: summary.to_string(),
            mistakes: None,
        };
        let mut agents = vec![other(Side::YOU, "the person at the keyboard")];
        agents.extend(self.contest.session.agents());
        for side in &self.contest.sides {
            if agents.iter().all(|agent| agent.name != side.name()) {
                agents.push(other(side.name(), ""));
            }
        }
        agents
    }

    /// The places that moves can consist of: those of the same shapes as the places of legal moves.
    pub fn pointable(&self) -> impl Iterator<Item = &PlaceAnswer> {
        let Answer { moves, scene, .. } = self.contest.now();
        let used = |place: &&PlaceAnswer| {
            moves.iter().flat_map(|mv| &mv.places).any(|name| *name == place.name)
        };
        let mut shapes: Vec<_> = scene.places.iter().filter(used).map(|it| it.shape).collect();
        shapes.dedup();
        scene.places.iter().filter(move |place| shapes.contains(&place.shape))
    }

    /// The place of the cursor.
    pub fn cursor_place(&self) -> Option<&PlaceAnswer> {
        let name = self.cursor.as_ref()?;
        self.contest.now().scene.places.iter().find(|place| place.name == *name)
    }

    /// Moves the cursor to the right and down.
    pub fn go(&mut self, right: isize, down: isize) {
        let next = self.cursor_place().and_then(|at| towards(self.pointable(), at, (right, down)));
        let next = next.map(|place| place.name.clone());
        self.cursor = next.or(self.cursor.take());
    }

    /// Moves the cursor to the nearest place where a move can begin; at first, of the centre.
    fn place_cursor(&mut self) {
        let Answer { moves, scene, .. } = self.contest.now();
        let begins = |place: &&PlaceAnswer| {
            moves.iter().any(|mv| mv.places.first().is_some_and(|first| *first == place.name))
        };
        let from = self.cursor_place().map(middle);
        let (x, y) = from.unwrap_or((scene.cols as isize, scene.rows as isize));
        let apart = |place: &&PlaceAnswer| {
            let (to_x, to_y) = middle(place);
            (to_x - x).abs() + (to_y - y).abs()
        };
        let nearest = scene.places.iter().filter(begins).min_by_key(apart);
        let nearest = nearest.map(|place| place.name.clone());
        self.cursor = nearest.or(self.cursor.take());
    }

    /// Plays the typed move, points at the place of the cursor, passes, or lets an agent go on.
    pub fn enter(&mut self) {
        let now = self.contest.now();
        match self.entry.take().filter(|typed| !typed.is_empty()) {
            Some(typed) => self.play(&typed),
            None if self.waits_for_go() => self.paused = false,
            None if now.is_over => self.message = "The game is over.".to_string(),
            None => match (self.forced_pass().cloned(), self.cursor.clone()) {
                (Some(pass), _) => self.play(&pass),
                (None, Some(place)) => self.point(place),
                (None, None) => {}
            },
        }
    }

    /// The move that Enter plays because no legal move has a place.
    pub fn forced_pass(&self) -> Option<&String> {
        let moves = &self.contest.now().moves;
        let pass = moves.first().filter(|_| moves.iter().all(|mv| mv.places.is_empty()));
        pass.map(|mv| &mv.name)
    }

    /// Continues a move at a place, or begins another one there. At the same place again, plays the
    /// move that ends there although others go on.
    fn point(&mut self, place: String) {
        let moves = &self.contest.now().moves;
        let begins = |places: &[String]| moves.iter().any(|mv| mv.places.starts_with(places));
        let chosen = [self.picked.as_slice(), std::slice::from_ref(&place)].concat();
        let is_again = self.picked.last() == Some(&place) && !begins(&chosen);
        let whole = if is_again { &self.picked } else { &chosen };
        let names = moves.iter().filter(|mv| mv.places == *whole).map(|mv| mv.name.clone());
        let names: Vec<String> = names.collect();
        let goes_on =
            moves.iter().any(|mv| mv.places.len() > chosen.len() && mv.places.starts_with(&chosen));
        match names.as_slice() {
            _ if goes_on => self.picked = chosen,
            [only] => self.play(only),
            [] if is_again => self.picked.clear(),
            [] if begins(std::slice::from_ref(&place)) => self.picked = vec![place],
            // Reports why the move is illegal.
            [] => self.play(&chosen.concat()),
            several => {
                self.message = format!("Several moves go there: {}. Type one.", several.join(", "));
            }
        }
    }

    /// Types the move of the list that is so many after the one that is typed.
    pub fn list(&mut self, by: isize) {
        let names: Vec<&str> = self.shown_moves().iter().map(|mv| mv.name.as_str()).collect();
        let at = names.iter().position(|name| self.entry.as_deref() == Some(name));
        let next = at.map_or(0, |at| at.saturating_add_signed(by)).min(names.len().max(1) - 1);
        let next = names.get(next).map(|name| name.to_string());
        self.entry = next;
    }

    /// Plays a move of a person.
    pub fn play(&mut self, text: &str) {
        if let Some(agent) = self.contest.agent().filter(|_| !self.paused) {
            self.message = format!("{agent} is to move; p changes who plays.");
            return;
        }
        let at = self.contest.session.at();
        match self.contest.play(text) {
            Ok(()) => {
                self.changed();
                self.paused = false;
                self.pending = Some(at);
                self.update_warning();
            }
            Err(error) => self.message = format!("{error}."),
        }
    }

    fn let_agent_move(&mut self) {
        let Some(Ok(Found::Move(choice))) = self.agent_move() else { return };
        let (Choice { mv, is_sure }, name) =
            (choice.clone(), self.contest.agent().unwrap_or_default());
        let so_far = if is_sure { "" } else { SO_FAR };
        let said = format!("{name} plays {mv}{so_far}.");
        if self.contest.play(&mv).is_ok() {
            let (warning, pending) = (std::mem::take(&mut self.warning), self.pending);
            self.changed();
            (self.warning, self.pending, self.message) = (warning, pending, said);
            self.paused = self.contest.repeats();
        }
    }

    /// The move of the agent to move, or why it has none, if it is known.
    pub fn agent_move(&self) -> Option<&Result<Found, bsq_api::Error>> {
        let question = Question::Agent(self.contest.agent()?.to_string(), self.contest.seed);
        self.values.get(&self.contest.now().position, question)
    }

    /// Returns to the last decision of a person, or by one move if no person plays.
    pub fn undo(&mut self) {
        let to = self.contest.last_decision();
        self.look_at(to.unwrap_or(self.contest.session.at().saturating_sub(1)));
    }

    /// Goes to the position after this number of moves, or to the last one.
    pub fn look_at(&mut self, at: usize) {
        self.contest.session.go_to(at);
        self.changed();
        self.paused = true;
    }

    fn changed(&mut self) {
        self.since = Instant::now();
        self.hint = false;
        self.pending = None;
        self.entry = None;
        self.picked.clear();
        self.message.clear();
        self.warning.clear();
        self.place_cursor();
    }

    /// Whether an agent is to move and waits.
    pub fn waits_for_go(&self) -> bool {
        self.paused && self.contest.agent().is_some()
    }

    /// The moves of the position after `at` moves with their values, if they are known.
    pub fn moves_at(&self, at: usize) -> Option<&Answer> {
        self.values.moves(&self.contest.line().get(at)?.position)
    }

    /// The current position with what may be shown of its values.
    pub fn known(&self) -> Option<&Answer> {
        let position = &self.contest.now().position;
        let value = || match self.values.get(position, Question::Value) {
            Some(Ok(Found::Answer(answer))) => Some(answer.as_ref()),
            _ => None,
        };
        self.values.moves(position).or_else(value).filter(|_| self.show_values)
    }

    /// The legal moves, best first if values are shown, or a hint.
    pub fn shown_moves(&self) -> Vec<&MoveAnswer> {
        let now = self.contest.now();
        let valued = self.values.moves(&now.position).filter(|_| self.show_values || self.hint);
        valued.unwrap_or(now).moves.iter().collect()
    }

    /// The player who played the last move.
    pub fn last_mover(&self) -> Option<Player> {
        Some(self.contest.line()[self.contest.session.at().checked_sub(1)?].to_move)
    }

    /// Reports the cost of the last move of a person, once it is known.
    fn update_warning(&mut self) {
        let Some(at) = self.pending.filter(|_| self.warn) else { return };
        let Some(played) = self.contest.line().get(at + 1).and_then(|next| next.played.last())
        else {
            self.pending = None;
            return;
        };
        let Some(before) = self.moves_at(at) else { return };
        let warning = words::warning(before, played);
        self.warning = warning.map_or(String::new(), |text| format!("{text}. u takes it back."));
        self.pending = None;
    }

    /// The first question that is open: the move of the agent to move, the values of the current
    /// position, those before a move that may deserve a warning, best play, and the values of other
    /// positions of the game that take little time.
    fn wanted(&self) -> Option<(usize, Question)> {
        let (at, now) = (self.contest.session.at(), self.contest.now());
        let agent = self.contest.agent().filter(|_| !self.paused);
        let agent = agent.map(|agent| (at, Question::Agent(agent.to_string(), self.contest.seed)));
        let takes_long = |answer: &Answer| answer.cost == Cost::Search && answer.moves.len() > SOON;
        let shown = self.show_values || self.hint;
        // On large boards the values of the moves take longer than the value alone.
        let value = (shown && takes_long(now)).then_some((at, Question::Value));
        let moves = shown.then_some((at, Question::Moves));
        let pending = self.pending.filter(|_| self.warn).map(|at| (at, Question::Moves));
        let line = self.show_line.then_some((at, Question::Line));
        let answers = self.contest.line().iter().enumerate().rev();
        let others = answers.filter(|(_, answer)| self.show_values && !takes_long(answer));
        let others = others.map(|(at, _)| (at, Question::Moves));
        let mut all = [agent, value, moves, pending, line].into_iter().flatten().chain(others);
        all.find(|(at, question)| {
            let position = &self.contest.line()[*at].position;
            self.values.get(position, question.clone()).is_none()
        })
    }

    /// Advances the parts of the state that change without actions.
    pub fn tick(&mut self, now: Instant) {
        self.values.take();
        match self.wanted() {
            Some((at, question)) => {
                let position = self.contest.line()[at].position.clone();
                self.values.ask(&self.contest, at, &position, question);
            }
            None => self.values.stop(),
        }
        self.update_warning();
        let plays = self.contest.agent().is_some() && !self.paused && self.popup.is_none();
        if plays && now.saturating_duration_since(self.since) >= PAUSE {
            self.let_agent_move();
        }
    }

    /// Waits until nothing changes without an action.
    #[cfg(test)]
    pub fn settle(&mut self) {
        loop {
            let at = self.contest.session.at();
            self.tick(Instant::now());
            self.values.wait();
            self.tick(Instant::now() + PAUSE);
            self.values.wait();
            if self.contest.session.at() == at && self.wanted().is_none() {
                return;
            }
        }
    }
}

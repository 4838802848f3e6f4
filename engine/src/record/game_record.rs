//! A game so far: the rules, where it began, the moves, and which of its positions is looked at.
//!
//! As text it is lines of `name: value`, the rules first, then `start` and `moves`. What is usual may be
//! left out; a line that begins with a blank goes on with the one before it; `#` begins a comment.

use super::entries::{RecordError, RecordFormat, read};
use super::moves::words;
use super::track::Track;
use crate::game::Notation;
use std::fmt;

/// A game of which lines of play are written down.
pub trait Recorded: Notation + Clone {
    /// What is wrong with a move that was typed.
    type MoveError: std::error::Error + From<Self::Error>;
    /// How lines of play are written down.
    const FORMAT: RecordFormat;

    /// The position after a move, if it is legal.
    fn try_play(
        &self,
        position: &Self::Position,
        mv: Self::Move,
    ) -> Result<Self::Position, Self::MoveError>;

    /// What a text says of the rules: names and values, in their order.
    fn entries(&self) -> Vec<(&'static str, String)>;

    /// Takes up what a text says of the rules, or says why it cannot be.
    fn set_rule(&mut self, name: &str, value: &str) -> Result<(), String>;

    /// The position in which a text says that the line begins.
    fn parse_start(&mut self, value: &str) -> Result<Self::Position, String> {
        self.parse_position(value).map_err(|error| error.to_string())
    }

    /// A move as texts have it.
    fn record_move(&self, mv: Self::Move) -> String {
        self.format_move(mv)
    }

    /// The words of moves that are written one after another.
    fn words(moves: &str) -> Vec<String> {
        words(moves)
    }
}

/// A line of play, whole or cut short, with one of its positions looked at.
///
/// ```
/// use bsq_engine::nim::{Nim, Take};
/// use bsq_engine::record::GameRecord;
///
/// let rules = Nim([3, 4, 5]);
/// let mut line = GameRecord::new(rules.clone());
/// line.play(Take(0, 2)).unwrap();
/// line.play_all("b4 c4").unwrap();
/// assert_eq!(line.to_string(), "game: Nim\nmoves: a2 b4 c4\n");
/// line.go_to(1);
/// assert_eq!((line.position().heaps, line.moves().len()), ([1, 4, 5], 3));
/// assert_eq!(GameRecord::parse(&line.to_string(), &rules).unwrap().moves(), line.moves());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord<G: Recorded> {
    rules: G,
    track: Track<G::Position, G::Move>,
}

impl<G: Recorded> GameRecord<G> {
    /// The start of a game.
    pub fn new(rules: G) -> GameRecord<G> {
        let start = rules.start();
        GameRecord::from(rules, start)
    }

    /// A game that begins with a position.
    pub fn from(rules: G, start: G::Position) -> GameRecord<G> {
        GameRecord { rules, track: Track::new(start) }
    }

    /// The rules.
    pub fn rules(&self) -> &G {
        &self.rules
    }

    /// The position that is looked at.
    pub fn position(&self) -> &G::Position {
        self.track.position()
    }

    /// Every position of the line, the first one included.
    pub fn positions(&self) -> &[G::Position] {
        self.track.positions()
    }

    /// Every move of the line, those after the position that is looked at included.
    pub fn moves(&self) -> &[G::Move] {
        self.track.moves()
    }

    /// How many moves lead to the position that is looked at.
    pub fn at(&self) -> usize {
        self.track.at()
    }

    /// Looks at the position after that many moves, or the last one.
    pub fn go_to(&mut self, at: usize) {
        self.track.go_to(at);
    }

    /// How often the position that is looked at has come up so far, this time included.
    pub fn times(&self) -> usize {
        let so_far = self.positions()[..=self.at()].iter();
        so_far.filter(|position| *position == self.position()).count()
    }

    /// Plays a move in the position that is looked at. What followed there is forgotten, unless
    /// it was that move. An illegal move changes nothing.
    pub fn play(&mut self, mv: G::Move) -> Result<(), G::MoveError> {
        let next = self.rules.try_play(self.position(), mv)?;
        self.track.play(mv, next);
        Ok(())
    }

    /// Plays moves that are written one after another, with blanks or commas between them, all or
    /// none of them.
    pub fn play_all(&mut self, moves: &str) -> Result<(), G::MoveError> {
        let mut played: Vec<(G::Move, G::Position)> = Vec::new();
        for word in G::words(moves) {
            let mv = self.rules.parse_move(&word)?;
            let position = played.last().map_or(self.position(), |(_, next)| next);
            let next = self.rules.try_play(position, mv)?;
            played.push((mv, next));
        }
        played.into_iter().for_each(|(mv, next)| self.track.play(mv, next));
        Ok(())
    }

    /// Reads a line of play and looks at its last position. The rules are those of the text as far
    /// as it says them, and else those given.
    pub fn parse(text: &str, rules: &G) -> Result<GameRecord<G>, RecordError> {
        let mut line = GameRecord::new(rules.clone());
        read(text, &G::FORMAT, |name, value| line.follow(name, value))?;
        Ok(line)
    }

    /// Takes up an entry of a text. What comes later cannot change the rules any more.
    fn follow(&mut self, name: &str, value: &str) -> Result<(), String> {
        let game = G::FORMAT.game;
        let mut rules = self.rules.clone();
        let start = match name {
            "game" if value.eq_ignore_ascii_case(game) => return Ok(()),
            "game" => return Err(format!("'{value}' is not {game}")),
            "moves" => return self.play_all(value).map_err(|error| error.to_string()),
            "start" => rules.parse_start(value)?,
            _ => {
                rules.set_rule(name, value)?;
                rules.start()
            }
        };
        *self = GameRecord::from(rules, start);
        Ok(())
    }
}

impl<G: Recorded> fmt::Display for GameRecord<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rules = &self.rules;
        writeln!(f, "game: {}", G::FORMAT.game)?;
        for (name, value) in rules.entries() {
            writeln!(f, "{name}: {value}")?;
        }
        if self.positions()[0] != rules.start() {
            writeln!(f, "start: {}", rules.format_position(&self.positions()[0]))?;
        }
        let words: Vec<String> = self.moves().iter().map(|&mv| rules.record_move(mv)).collect();
        let lines: Vec<String> =
            words.chunks(G::FORMAT.moves_per_line).map(|line| line.join(" ")).collect();
        writeln!(f, "{}", format!("moves: {}", lines.join("\n  ")).trim_end())
    }
}

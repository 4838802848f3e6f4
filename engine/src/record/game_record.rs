//! A game record: the rules, the first position, the moves, and a current position.
//!
//! As text, a record consists of lines `name: value`: the entries of the rules first, then `start`
//! and `moves`. Default values may be omitted. A line that begins with a space continues the
//! previous one; `#` begins a comment.

use super::moves::words;
use super::parser::{RecordError, RecordFormat, ValueError, read};
use crate::game::{Game, Notation};
use crate::options::{OptionKind, RuleOption};
use std::collections::BTreeMap;
use std::fmt;

/// A game whose records can be written and parsed.
///
/// Methods without a default are those that a game must have. If its rules have options, it must
/// also have [`entries`](Recorded::entries) and [`set_rule`](Recorded::set_rule). The others it may
/// have where its files or its notation differ from those of other games.
pub trait Recorded: Notation + Clone {
    /// The error of a position or move that cannot be parsed, and of an illegal move.
    type MoveError: std::error::Error + From<Self::Error>;

    /// The format of the records, with the options of the rules: the same for all rules.
    fn format(&self) -> &RecordFormat;

    /// The error of an illegal move.
    fn illegal_move(&self, position: &Self::Position, mv: Self::Move) -> Self::MoveError;

    /// Returns the position after a move, if it is legal.
    fn try_play(
        &self,
        position: &Self::Position,
        mv: Self::Move,
    ) -> Result<Self::Position, Self::MoveError> {
        if self.moves(position).contains(&mv) {
            Ok(self.play(position, mv))
        } else {
            Err(self.illegal_move(position, mv))
        }
    }

    /// The pass of a player who has no other move. Records may leave it out.
    fn forced_pass(&self, _: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// The entries of the rules: names and values, in the order of the format. Defaults may be
    /// omitted. [Setting](set_option) them gives the same rules again.
    fn entries(&self) -> Vec<(&str, String)> {
        Vec::new()
    }

    /// Sets a rule from an entry, whose name is that of an option and whose value is one that the
    /// kind of the option [allows](crate::options::RuleOption::check). If the value is invalid,
    /// returns the reason and changes nothing. By default there are no options.
    fn set_rule(&mut self, name: &str, _value: &str) -> Result<(), String> {
        Err(format!("there is no option '{name}'"))
    }

    /// Parses the first position. May change the rules that depend on it; an invalid one changes
    /// nothing.
    fn parse_start(&mut self, value: &str) -> Result<Self::Position, Self::MoveError> {
        Ok(self.parse_position(value)?)
    }

    /// The content of a file in another format that is common for the game, or why it is invalid.
    /// `None` if the text is not such a file.
    fn import(&self, _text: &str) -> Option<Result<Imported<Self>, String>> {
        None
    }

    /// Formats a move as records contain it.
    fn record_move(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.format_move(position, mv)
    }

    /// Splits a text into the words of its moves.
    fn words(&self, moves: &str) -> Vec<String> {
        words(moves)
    }
}

/// The content of a file in another format than that of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported<G: Game> {
    /// The rules.
    pub rules: G,
    /// The position.
    pub start: G::Position,
    /// Whether the file states rules beside the size of the board.
    pub has_rules: bool,
}

/// Sets a rule from an entry. Its value is compared with the kind of its option first; only a choice is
/// left to the game, whose own error may describe the words. Returns the reason if there is no such
/// option, or the value is invalid.
pub fn set_option<G: Recorded>(rules: &mut G, name: &str, value: &str) -> Result<(), String> {
    let option = rules.format().options.iter().find(|option| option.name == name);
    let option = option.ok_or_else(|| format!("there is no option '{name}'"))?;
    if !matches!(option.kind, OptionKind::Choice { .. }) {
        option.check(value)?;
    }
    rules.set_rule(name, value)
}

/// Sets the rules of the given options, each a name and a value, in the order of the options,
/// because the validity of some depends on those before. Other names are ignored.
///
/// # Errors
///
/// The name of an option whose value is invalid, and why it is.
pub fn set_options<G: Recorded>(
    mut rules: G,
    given: &[(&str, &str)],
) -> Result<G, (String, String)> {
    let names: Vec<_> = rules.format().options.iter().map(|option| option.name.clone()).collect();
    for name in names {
        for (_, value) in given.iter().filter(|(given, _)| *given == name) {
            set_option(&mut rules, &name, value).map_err(|why| (name.to_string(), why))?;
        }
    }
    Ok(rules)
}

/// All options of rules by the names of their [parameters](RuleOption::parameter), each with its
/// value, or its default; `None` if it is not set.
pub fn values_of<G: Recorded>(rules: &G) -> BTreeMap<String, Option<String>> {
    let given: BTreeMap<&str, String> = rules.entries().into_iter().collect();
    let value = |option: &RuleOption| {
        given.get(&*option.name).cloned().or_else(|| option.default.as_deref().map(str::to_string))
    };
    rules.format().options.iter().map(|option| (option.parameter(), value(option))).collect()
}

/// Whether the first word of a text names a move, or looks like one that is not on the board: a letter
/// and a number, or a number of one or two digits.
pub fn begins_with_a_move<G: Recorded>(rules: &G, text: &str) -> bool {
    let words = rules.words(text);
    let Some(first) = words.first() else { return false };
    let is_place = |word: &str| {
        let number = word.strip_prefix(|letter: char| letter.is_ascii_lowercase());
        number
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()))
    };
    let is_number = first.len() <= 2 && first.bytes().all(|c| c.is_ascii_digit());
    rules.parse_move(&rules.start(), first).is_ok() || is_number || first.split('-').all(is_place)
}

/// Why a sequence of moves is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{error}", number.map_or(String::new(), |number| format!("move {number}: ")))]
pub struct WrongMove<E> {
    /// The number of the first wrong move, from 1. `None` if it is the last one, or if the first
    /// position is wrong.
    pub number: Option<usize>,
    /// What is wrong with it.
    pub error: E,
}

/// Moves with the positions after them.
type Steps<G> = Vec<(<G as Game>::Move, <G as Game>::Position)>;

/// A game record, of which one position is the current one.
///
/// ```
/// use bsq_engine::nim::{Nim, Take};
/// use bsq_engine::record::GameRecord;
///
/// let rules = Nim([3, 4, 5]);
/// let mut record = GameRecord::new(rules.clone());
/// record.play(Take(0, 2)).unwrap();
/// record.play_all("b4 c4").unwrap();
/// assert_eq!(record.to_string(), "game: Nim\nmoves: a2 b4 c4\n");
/// record.go_to(1);
/// assert_eq!((record.position().heaps, record.moves().len()), ([1, 4, 5], 3));
/// assert_eq!(GameRecord::parse(&record.to_string(), &rules).unwrap().moves(), record.moves());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord<G: Recorded> {
    rules: G,
    moves: Vec<G::Move>,
    /// The position before each move, and that after the last.
    positions: Vec<G::Position>,
    /// The index of the current position.
    at: usize,
}

impl<G: Recorded> GameRecord<G> {
    /// Creates a record without moves from the initial position.
    pub fn new(rules: G) -> GameRecord<G> {
        let start = rules.start();
        GameRecord::from(rules, start)
    }

    /// Creates a record without moves from another position.
    pub fn from(rules: G, start: G::Position) -> GameRecord<G> {
        GameRecord { rules, moves: Vec::new(), positions: vec![start], at: 0 }
    }

    /// Creates a record from a text: a position, or else moves from the initial position. `parse`
    /// parses a position, such as [`Recorded::parse_start`], and may change the rules if it is valid.
    ///
    /// # Errors
    ///
    /// If an illegal move is among moves, or if the text is neither moves nor a position.
    ///
    /// ```
    /// use bsq_engine::nim::Nim;
    /// use bsq_engine::record::{GameRecord, Recorded};
    ///
    /// let played = GameRecord::begun(Nim([3, 4, 5]), "a2 b4", Nim::parse_start).unwrap();
    /// assert_eq!(played.position().heaps, [1, 0, 5]);
    /// ```
    pub fn begun(
        mut rules: G,
        text: &str,
        parse: impl FnOnce(&mut G, &str) -> Result<G::Position, G::MoveError>,
    ) -> Result<GameRecord<G>, WrongMove<G::MoveError>> {
        match parse(&mut rules, text) {
            Ok(start) => Ok(GameRecord::from(rules, start)),
            Err(_) if begins_with_a_move(&rules, text) => {
                let mut record = GameRecord::new(rules);
                record.play_all(text)?;
                Ok(record)
            }
            Err(error) => Err(WrongMove { number: None, error }),
        }
    }

    /// The rules.
    pub fn rules(&self) -> &G {
        &self.rules
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        &self.positions[self.at]
    }

    /// All positions, from the first to the one after the last move.
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// All moves, including those after the current position.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// All moves as text, as records contain them.
    pub fn moves_as_text(&self) -> Vec<String> {
        let moves = self.moves.iter().zip(&self.positions);
        moves.map(|(mv, position)| self.rules.record_move(position, mv.clone())).collect()
    }

    /// The number of moves before the current position.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Makes the position after `at` moves the current one, or the last if there are fewer.
    pub fn go_to(&mut self, at: usize) {
        self.at = at.min(self.moves.len());
    }

    /// The number of occurrences of the current position up to here, including this one.
    pub fn times(&self) -> usize {
        let so_far = self.positions()[..=self.at()].iter();
        so_far.filter(|position| *position == self.position()).count()
    }

    /// Plays a move in the current position, after a pass if the player to move has no other move.
    /// Removes the moves after it, unless the next ones are the same. An illegal move changes
    /// nothing.
    pub fn play(&mut self, mv: G::Move) -> Result<(), G::MoveError> {
        let steps = self.steps(self.position(), mv)?;
        steps.into_iter().for_each(|(mv, next)| self.append(mv, next));
        Ok(())
    }

    /// A move with the position after it, and the forced pass before it if that was left out.
    fn steps(&self, position: &G::Position, mv: G::Move) -> Result<Steps<G>, G::MoveError> {
        match self.rules.forced_pass(position) {
            Some(pass) if pass != mv => {
                let passed = self.rules.try_play(position, pass.clone())?;
                let next = self.rules.try_play(&passed, mv.clone())?;
                Ok(vec![(pass, passed), (mv, next)])
            }
            _ => Ok(vec![(mv.clone(), self.rules.try_play(position, mv)?)]),
        }
    }

    fn append(&mut self, mv: G::Move, next: G::Position) {
        if self.moves.get(self.at) != Some(&mv) {
            self.moves.truncate(self.at);
            self.positions.truncate(self.at + 1);
            self.moves.push(mv);
            self.positions.push(next);
        }
        self.at += 1;
    }

    /// Plays moves separated by spaces or commas: all of them, or none if one is invalid. Forced passes
    /// may be left out.
    ///
    /// # Errors
    ///
    /// If a word is not a move, or a move is illegal. The error contains the number of a wrong move
    /// that is not the last one.
    pub fn play_all(&mut self, moves: &str) -> Result<(), WrongMove<G::MoveError>> {
        let mut played = Steps::<G>::new();
        let words = self.rules.words(moves);
        for (number, word) in (1..).zip(&words) {
            let position = played.last().map_or(self.position(), |(_, next)| next);
            let mv = self.rules.parse_move(position, word).map_err(G::MoveError::from);
            let steps = mv.and_then(|mv| self.steps(position, mv));
            // Without a number, it is the last move.
            let number = (number < words.len()).then_some(number);
            played.append(&mut steps.map_err(|error| WrongMove { number, error })?);
        }
        played.into_iter().for_each(|(mv, next)| self.append(mv, next));
        Ok(())
    }

    /// Parses a record; its last position becomes the current one. `rules` are the defaults for
    /// rules that the text omits.
    pub fn parse(text: &str, rules: &G) -> Result<GameRecord<G>, RecordError<G::MoveError>> {
        let mut record = GameRecord::new(rules.clone());
        read(text, rules.format(), |name, value| record.follow(name, value))?;
        Ok(record)
    }

    /// Applies an entry of a text. Entries of the rules come before the moves.
    fn follow(&mut self, name: &str, value: &str) -> Result<(), ValueError<G::MoveError>> {
        let mut rules = self.rules.clone();
        let game = &self.rules.format().game;
        let start = match name {
            "game" if value.eq_ignore_ascii_case(game) => return Ok(()),
            "game" => return Err(ValueError::Rule(format!("'{value}' is not {game}"))),
            "moves" => {
                return self.play_all(value).map_err(|wrong| ValueError::Play(wrong.error));
            }
            "start" => rules.parse_start(value).map_err(ValueError::Play)?,
            _ => {
                set_option(&mut rules, name, value).map_err(ValueError::Rule)?;
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
        let format = rules.format();
        writeln!(f, "game: {}", format.game)?;
        for (name, value) in rules.entries() {
            writeln!(f, "{name}: {value}")?;
        }
        if self.positions()[0] != rules.start() {
            writeln!(f, "start: {}", rules.format_position(&self.positions()[0]))?;
        }
        let words: Vec<String> = self.moves_as_text();
        let lines: Vec<String> =
            words.chunks(format.moves_per_line).map(|line| line.join(" ")).collect();
        writeln!(f, "{}", format!("moves: {}", lines.join("\n  ")).trim_end())
    }
}

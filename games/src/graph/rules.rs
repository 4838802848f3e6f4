//! What makes a graph a game, and its rules and notation.

use super::{Content, Entry, Graph, NAME, Shared, reachable, view};
use bsq_engine::definition::{Explorable, Info};
use bsq_engine::game::{Game, Measure, Notation, Outcome, Player, Value};
use bsq_engine::record::{RecordFormat, Recorded};
use std::borrow::Cow;
use std::collections::HashSet;

/// A position, by its number in the [content](super::Content).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node(pub u32);

/// A move, by its number in the [content](super::Content).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step(pub u32);

/// Why a graph is not a game. Positions are named by their texts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// There are no positions.
    #[error("there are no positions; the first one is the start")]
    Empty,
    /// Too many positions or moves.
    #[error("there are more than {} positions or moves", u32::MAX)]
    TooLarge,
    /// A text is not a single line without blanks at its ends.
    #[error("{0:?} is not the text of a position: a line without blanks at its ends")]
    Text(Box<str>),
    /// Two positions have the same text.
    #[error("two positions have the text '{0}'")]
    SamePosition(Box<str>),
    /// A name is not a word.
    #[error("{name:?}, a move of '{position}', is not a word without blanks, commas and '#'")]
    Name {
        /// The position.
        position: Box<str>,
        /// The name.
        name: Box<str>,
    },
    /// Two moves of a position have the same name.
    #[error("two moves of '{position}' have the name '{name}'")]
    SameMove {
        /// The position.
        position: Box<str>,
        /// The name.
        name: Box<str>,
    },
    /// A number names no position, move or name.
    #[error("the numbers of positions, moves and names do not fit together")]
    Numbers,
    /// A result is none of those that ends of play have.
    #[error("the result of '{0}' is not a win in 0 plies, a tie, or an integer of points")]
    Result(Box<str>),
    /// A position has moves and a result.
    #[error("'{0}' has moves, so it has no result yet")]
    NotOver(Box<str>),
    /// A position has neither.
    #[error("'{0}' has neither moves nor a result")]
    NoResult(Box<str>),
    /// Some results have points, and others have none.
    #[error(
        "'{points}' ends with points and '{other}' with a winner or a tie; all results are of one kind"
    )]
    Mixed {
        /// A position with points.
        points: Box<str>,
        /// A position without.
        other: Box<str>,
    },
}

bsq_engine::usage_errors!(GraphError);

/// A text that is not a position or move of the graph, or a move of another position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// No position has the text.
    #[error("'{text}' is not a position of this graph; the start is '{start}'")]
    Position {
        /// The text.
        text: Box<str>,
        /// The text of the start.
        start: Box<str>,
    },
    /// No move of the position has the name.
    #[error("'{name}' is not a move here; {}", listed(moves))]
    Move {
        /// The name.
        name: Box<str>,
        /// The names of the moves.
        moves: Vec<Box<str>>,
    },
}

/// The most moves that an error lists.
const LISTED: usize = 20;

fn listed(moves: &[Box<str>]) -> String {
    match moves.len() {
        0 => "the game is over".to_string(),
        count if count > LISTED => {
            format!("there are {count}, such as {}", moves[..LISTED].join(", "))
        }
        _ => format!("there are {}", moves.join(", ")),
    }
}

/// A graph with what follows from its content.
pub(super) fn checked(file: &str, content: Content) -> Result<Shared, GraphError> {
    let positions = &content.positions;
    let (Ok(_), Ok(_)) = (u32::try_from(positions.len() + 1), u32::try_from(content.moves.len()))
    else {
        return Err(GraphError::TooLarge);
    };
    if positions.is_empty() {
        return Err(GraphError::Empty);
    }
    let mut first_moves = vec![0_u32];
    for entry in positions {
        let next = first_moves[first_moves.len() - 1].checked_add(entry.moves);
        first_moves.push(next.ok_or(GraphError::Numbers)?);
    }
    let is_known = |&(name, next): &(u32, u32)| {
        (name as usize) < content.names.len() && (next as usize) < positions.len()
    };
    if first_moves.last() != Some(&(content.moves.len() as u32))
        || !content.moves.iter().all(is_known)
    {
        return Err(GraphError::Numbers);
    }
    for (at, entry) in positions.iter().enumerate() {
        let moves = &content.moves[first_moves[at] as usize..first_moves[at + 1] as usize];
        check_entry(entry, moves, &content.names)?;
    }
    let mut by_text: Vec<u32> = (0..positions.len() as u32).collect();
    by_text.sort_unstable_by_key(|&at| &positions[at as usize].text);
    let text = |&at: &u32| &positions[at as usize].text;
    if let Some(same) = by_text.windows(2).find(|pair| text(&pair[0]) == text(&pair[1])) {
        return Err(GraphError::SamePosition(text(&same[0]).clone()));
    }
    let info = Info {
        name: Cow::Borrowed(NAME),
        title: Cow::Borrowed("A graph"),
        summary: Cow::Borrowed("Any game, by its positions and the moves between them"),
        rules: Cow::Borrowed(
            "A file states the positions, the player to move in each, the moves between them, and the \
             results at the ends of play.",
        ),
        file: Some(Cow::Owned(file.to_string())),
    };
    Ok(Shared {
        info,
        measure: measure(positions)?,
        board: view::board(positions),
        reachable: reachable(&content, &first_moves),
        by_text,
        first_moves,
        content,
    })
}

fn check_entry(
    Entry { text, result, .. }: &Entry,
    moves: &[(u32, u32)],
    names: &[Box<str>],
) -> Result<(), GraphError> {
    if text.is_empty() || text.trim().len() < text.len() || text.contains(char::is_control) {
        return Err(GraphError::Text(text.clone()));
    }
    match (moves.is_empty(), result.is_some()) {
        (false, true) => return Err(GraphError::NotOver(text.clone())),
        (true, false) => return Err(GraphError::NoResult(text.clone())),
        _ => {}
    }
    let is_end = |result: &Value| match (result.outcome, result.score) {
        (_, Some(_)) => {
            result.points().is_some_and(|points| *result == Value::of_score(points.into()))
        }
        (Outcome::Win(winner), None) => *result == Value::win(winner, 0),
        _ => *result == Value::TIE,
    };
    if !result.iter().all(is_end) {
        return Err(GraphError::Result(text.clone()));
    }
    let mut known = HashSet::new();
    for &(name, _) in moves {
        let name = &*names[name as usize];
        let separates = |c: char| c.is_whitespace() || c.is_control() || c == ',' || c == '#';
        if name.is_empty() || name.contains(separates) {
            return Err(GraphError::Name { position: text.clone(), name: name.into() });
        }
        if !known.insert(name) {
            return Err(GraphError::SameMove { position: text.clone(), name: name.into() });
        }
    }
    Ok(())
}

fn measure(positions: &[Entry]) -> Result<Measure, GraphError> {
    let with = |has_points: bool| {
        let has = |result: Value| result.score.is_some() == has_points;
        positions.iter().find(|entry| entry.result.is_some_and(has)).map(|entry| &entry.text)
    };
    match (with(true), with(false)) {
        (Some(points), Some(other)) => {
            Err(GraphError::Mixed { points: points.clone(), other: other.clone() })
        }
        (Some(_), None) => Ok(Measure::Points),
        (None, _) => Ok(Measure::Plies),
    }
}

impl Game for Graph {
    type Position = Node;
    type Move = Step;

    fn start(&self) -> Node {
        Node(0)
    }

    fn to_move(&self, &position: &Node) -> Player {
        self.entry(position).to_move
    }

    fn moves(&self, &position: &Node) -> Vec<Step> {
        self.moves_of(position).map(Step).collect()
    }

    fn play(&self, _: &Node, Step(number): Step) -> Node {
        Node(self.0.content.moves[number as usize].1)
    }

    fn score(&self, position: &Node) -> i32 {
        let Some(result) = self.result(position) else { return 0 };
        result.points().unwrap_or_else(|| result.winner().map_or(0, Player::sign))
    }

    fn result(&self, &position: &Node) -> Option<Value> {
        self.entry(position).result
    }

    fn measure(&self) -> Measure {
        self.0.measure
    }
}

impl Notation for Graph {
    type Error = Invalid;

    fn format_position(&self, &position: &Node) -> String {
        self.entry(position).text.to_string()
    }

    fn parse_position(&self, text: &str) -> Result<Node, Invalid> {
        let text_of = |&at: &u32| &*self.0.content.positions[at as usize].text;
        let at = self.0.by_text.binary_search_by_key(&text, text_of);
        let start = || self.entry(Node(0)).text.clone();
        at.map(|at| Node(self.0.by_text[at]))
            .map_err(|_| Invalid::Position { text: text.into(), start: start() })
    }

    fn is_reachable(&self, &Node(position): &Node) -> bool {
        self.0.reachable[position as usize]
    }

    fn format_move(&self, _: &Node, mv: Step) -> String {
        self.name(mv).to_string()
    }

    fn parse_move(&self, &position: &Node, text: &str) -> Result<Step, Invalid> {
        let mut moves = self.moves_of(position).map(Step);
        let found = moves.clone().find(|&mv| self.name(mv) == text);
        found.ok_or_else(|| Invalid::Move {
            name: text.into(),
            moves: moves.by_ref().map(|mv| self.name(mv).into()).collect(),
        })
    }
}

impl Recorded for Graph {
    type MoveError = Invalid;

    fn format(&self) -> &RecordFormat {
        static FORMAT: RecordFormat = RecordFormat::without_options("Graph", "moves: take1");
        &FORMAT
    }

    fn illegal_move(&self, &position: &Node, mv: Step) -> Invalid {
        let moves = self.moves_of(position).map(|mv| self.name(Step(mv)).into()).collect();
        Invalid::Move { name: self.name(mv).into(), moves }
    }
}

impl Explorable for Graph {
    fn info(&self) -> &Info {
        &self.0.info
    }
}

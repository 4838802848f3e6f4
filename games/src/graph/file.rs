//! Graphs as files of CSV: a row for each move and for each end of play.

use super::{Content, Entry, Graph, GraphError};
use bsq_engine::game::{Outcome, Player, Value};
use bsq_engine::score::Score;
use csv::{ReaderBuilder, StringRecord, Trim, WriterBuilder};
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::io::{self, Read, Write};

/// The columns.
const HEADER: [&str; 4] = ["position", "player", "move", "next"];
/// The result of a game without a winner.
const TIE: &str = "tie";

/// Why a file is not a graph. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read, or is not CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// The first line is not the header.
    #[error(
        "the first line is '{0}' and not 'position,player,move,next', the names of the columns"
    )]
    Header(String),
    /// A row is neither a move nor an end of play.
    #[error(
        "line {line}: '{row}' is neither 'position,player,move,next' nor 'position,player,result'"
    )]
    Row {
        /// The line.
        line: u64,
        /// The row.
        row: String,
    },
    /// A player is neither `first` nor `second`.
    #[error("line {line}: the player to move is 'first' or 'second', not '{player}'")]
    Player {
        /// The line.
        line: u64,
        /// The text that is there instead.
        player: String,
    },
    /// A result is unknown.
    #[error(
        "line {line}: '{result}' is not a result; write 'first' or 'second' for the winner, 'tie', or \
         the first player's points minus the second player's"
    )]
    Result {
        /// The line.
        line: u64,
        /// The text that is there instead.
        result: String,
    },
    /// The rows of a position contradict each other.
    #[error("line {line}: '{position}' has another player to move than in line {first}")]
    OtherPlayer {
        /// The line.
        line: u64,
        /// The position.
        position: String,
        /// The first line of the position.
        first: u64,
    },
    /// A position has two results.
    #[error("line {line}: '{position}' has a result already")]
    SecondResult {
        /// The line.
        line: u64,
        /// The position.
        position: String,
    },
    /// A move leads to a position that has no row.
    #[error("line {line}: the next position '{next}' has no row of its own")]
    NoRow {
        /// The line.
        line: u64,
        /// The position after the move.
        next: String,
    },
    /// The graph is not a game.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

bsq_engine::usage_errors!(FileError);

/// The result of a text: `first`, `second`, `tie`, or an integer of points.
pub fn parse_result(text: &str) -> Option<Value> {
    if let Some(winner) = Player::named(text) {
        return Some(Value::win(winner, 0));
    }
    match text {
        TIE => Some(Value::TIE),
        points => points.parse::<i32>().ok().map(|points| Value::of_score(Score::from(points))),
    }
}

/// The text of a result.
fn result_text(result: Value) -> String {
    match (result.points(), result.outcome) {
        (Some(points), _) => points.to_string(),
        (None, Outcome::Win(winner)) => winner.name().to_string(),
        (None, Outcome::Tie | Outcome::Draw) => TIE.to_string(),
    }
}

/// A position while its rows are read.
struct Begun {
    to_move: Player,
    /// The line of the first row.
    line: u64,
    result: Option<Value>,
    /// The name, the next position, and the line of each move.
    moves: Vec<(u32, u32, u64)>,
}

/// The numbers of texts, in the order in which they occur first.
#[derive(Default)]
struct Numbers(HashMap<Box<str>, u32, FixedState>);

impl Numbers {
    fn of(&mut self, text: &str) -> Result<u32, GraphError> {
        if let Some(&number) = self.0.get(text) {
            return Ok(number);
        }
        let number = u32::try_from(self.0.len()).map_err(|_| GraphError::TooLarge)?;
        self.0.insert(text.into(), number);
        Ok(number)
    }

    fn texts(self) -> Vec<Box<str>> {
        let mut texts: Vec<(u32, Box<str>)> =
            self.0.into_iter().map(|(text, number)| (number, text)).collect();
        texts.sort_unstable_by_key(|&(number, _)| number);
        texts.into_iter().map(|(_, text)| text).collect()
    }
}

impl Graph {
    /// Reads a graph from CSV with the columns `position,player,move,next`: a row for each move. A
    /// row with three fields, `position,player,result`, is an end of play; a fourth field may be
    /// there and empty. The first row is about the start of the game; the order of the others does
    /// not matter. The player to move is `first` or `second`. A result is the winner, `tie`, or the
    /// first player's points minus the second player's, an integer. `file` is the name of the file in
    /// commands.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a graph. The error names the line or the position.
    pub fn read(file: &str, content: impl Read) -> Result<Graph, FileError> {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(Trim::All)
            .comment(Some(b'#'))
            .from_reader(content);
        let mut rows = reader.records();
        let header = rows.next().transpose()?.unwrap_or_default();
        if header.iter().ne(HEADER) {
            return Err(FileError::Header(header.iter().collect::<Vec<_>>().join(",")));
        }
        let (mut positions, mut names) = (Numbers::default(), Numbers::default());
        let mut begun: Vec<Option<Begun>> = Vec::new();
        for row in rows {
            let row = row?;
            read_row(&row, &mut positions, &mut names, &mut begun)?;
        }
        let texts = positions.texts();
        let mut content = Content { names: names.texts(), ..Content::default() };
        for (at, text) in texts.iter().enumerate() {
            let Some(Some(position)) = begun.get(at) else {
                return Err(without_row(at as u32, text, &begun));
            };
            content.moves.extend(position.moves.iter().map(|&(name, next, _)| (name, next)));
            let moves = position.moves.len() as u32;
            let (to_move, result) = (position.to_move, position.result);
            content.positions.push(Entry { text: text.clone(), to_move, moves, result });
        }
        Ok(Graph::new(file, content)?)
    }

    /// Writes the graph as a file that [`read`](Graph::read) reads.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, file: impl Write) -> io::Result<()> {
        let content = self.content();
        let mut writer = WriterBuilder::new().flexible(true).comment(Some(b'#')).from_writer(file);
        writer.write_record(HEADER)?;
        let mut moves = content.moves.iter();
        for entry in &content.positions {
            let player = entry.to_move.name();
            if let Some(result) = entry.result {
                writer.write_record([&*entry.text, player, &result_text(result)])?;
            }
            for &(name, next) in moves.by_ref().take(entry.moves as usize) {
                let next = &content.positions[next as usize].text;
                writer.write_record([&*entry.text, player, &content.names[name as usize], next])?;
            }
        }
        writer.flush()
    }
}

fn read_row(
    row: &StringRecord,
    positions: &mut Numbers,
    names: &mut Numbers,
    begun: &mut Vec<Option<Begun>>,
) -> Result<(), FileError> {
    let line = row.position().map_or(0, |position| position.line());
    let fields: Vec<&str> = row.iter().collect();
    let (text, to_move, third, next) = match fields[..] {
        [text, to_move, third] | [text, to_move, third, ""] => (text, to_move, third, None),
        [text, to_move, third, next] => (text, to_move, third, Some(next)),
        _ => return Err(FileError::Row { line, row: fields.join(",") }),
    };
    let to_move = Player::named(to_move)
        .ok_or_else(|| FileError::Player { line, player: to_move.to_string() })?;
    let at = positions.of(text)? as usize;
    if begun.len() <= at {
        begun.resize_with(at + 1, || None);
    }
    let entry = begun[at].get_or_insert(Begun { to_move, line, result: None, moves: Vec::new() });
    let position = || text.to_string();
    if entry.to_move != to_move {
        return Err(FileError::OtherPlayer { line, position: position(), first: entry.line });
    }
    match next {
        Some(next) => entry.moves.push((names.of(third)?, positions.of(next)?, line)),
        None if entry.result.is_some() => {
            return Err(FileError::SecondResult { line, position: position() });
        }
        None => {
            let found = parse_result(third);
            let found = found.ok_or_else(|| FileError::Result { line, result: third.to_string() });
            entry.result = Some(found?);
        }
    }
    Ok(())
}

/// The error about a position without a row, to which a move leads.
fn without_row(position: u32, text: &str, begun: &[Option<Begun>]) -> FileError {
    let moves = begun.iter().flatten().flat_map(|entry| &entry.moves);
    let line = moves.filter(|&&(_, next, _)| next == position).map(|&(_, _, line)| line).min();
    FileError::NoRow { line: line.unwrap_or(0), next: text.to_string() }
}

//! Files of David Wilson's analyser: a position with a penalty and limits for the analyser.
//!
//! The first line has the penalty, the RAM in megabytes, the disk space in gigabytes and the player
//! to move, `A` or `B`; all but the penalty are optional. The drawing of the board follows, with
//! `A` or `B` in the middle of a taken box. The owner of a closed box without a letter is unknown.
//!
//! ```
//! use bsq_games::dots::{BoardFile, Penalty};
//!
//! let text = "-0.5 2000 B\n+-+ +\n|A|  \n+-+ +\n";
//! let file = BoardFile::parse(text).unwrap();
//! assert_eq!((file.penalty, file.ram_mb), (Penalty::new(-1, 2).unwrap(), Some(2000)));
//! assert_eq!(file.position.lead(&file.board), Some(1));
//! assert_eq!(file.to_string(), text);
//!
//! let error = BoardFile::parse("0\n+-+\n|A|\n+ +\n").unwrap_err();
//! assert_eq!((error.line, error.column), (3, 2));
//! ```

use super::board::{Board, BoardError};
use super::grid::{Characters, Reading, element, grid, letter, player};
use super::penalty::{Penalty, PenaltyError};
use super::rules::Position;
use crate::rectangle::Rectangle;
use bsq_engine::game::Player;
use bsq_engine::text::unmarked;
use std::fmt;

/// The content of a file of Wilson's analyser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardFile {
    /// Points for the player who draws the last line.
    pub penalty: Penalty,
    /// The memory limit of the analyser, in megabytes.
    pub ram_mb: Option<u32>,
    /// The disk limit of the analyser, in gigabytes. Written only if there is a memory limit, which
    /// comes before it.
    pub disk_gb: Option<u32>,
    /// The position.
    pub position: Position,
    /// The board.
    pub board: Board,
}

/// Why a file is invalid, and where. Lines and columns of characters count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct FileError {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The problem there.
    pub problem: FileProblem,
}

/// Why a file is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    /// The penalty is missing.
    #[error(
        "a penalty belongs here, such as 0 or -1; RAM in MB, disk in GB and A or B, who moves, may follow it, as in '0 7000 25 A'"
    )]
    NoPenalty,
    /// The penalty is invalid.
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    /// A number is too large.
    #[error("{0} is too large; the {1} is a whole number up to 4294967295")]
    TooLarge(String, &'static str),
    /// A word is neither a number nor a player, or there are too many.
    #[error(
        "'{0}' cannot stand here; after the penalty come at most RAM in MB, disk in GB and A or B, who moves"
    )]
    Word(String),
    /// The file contains a tab.
    #[error("this is a tab; write blanks, which have the same width everywhere")]
    Tab,
    /// The drawing ends without a row of dots.
    #[error("the drawing ends here; a row of dots must follow, such as '+ +-+'")]
    Cut,
    /// The board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A row is longer or shorter than the first.
    #[error("this row is {found} wide; all are as wide as the first row of dots, {expected}")]
    Ragged {
        /// Its number of characters.
        found: usize,
        /// The number of characters of the first row of dots.
        expected: usize,
    },
    /// A character is invalid there.
    #[error("'{found}' is not {expected}")]
    BadMark {
        /// The character.
        found: char,
        /// The valid characters.
        expected: &'static str,
    },
    /// A box is marked as taken, and a side of it is open.
    #[error(
        "'{0}' stands in a box that is not closed; draw all four lines around it, or leave it blank"
    )]
    OpenBox(char),
}

/// The valid characters for dots, horizontal lines and boxes.
const DOT: &str = "a dot; the corners of boxes are '+'";
const HORIZONTAL: &str = "a horizontal line; write '-' (drawn) or a blank (open)";
const BOX: &str = "a box; write A or B (taken) or a blank";

const CHARACTERS: Characters = Characters {
    dot: Some('+'),
    open: ' ',
    unknown: ' ',
    expected: [DOT, HORIZONTAL, "a vertical line; write '|' (drawn) or a blank (open)", BOX],
};

impl FileProblem {
    /// The error at a line and a column, from 1.
    fn at(self, line: usize, column: usize) -> FileError {
        FileError { line, column, problem: self }
    }
}

impl BoardFile {
    /// Parses a file. Trailing blanks of a line are optional, lines may end with CR LF, and empty
    /// lines may follow. Strokes may be of any width, as in `+---+`, with open lines blank or dotted, and
    /// dots may be `o`, `*`, `•` or `·`.
    pub fn parse(text: &str) -> Result<BoardFile, FileError> {
        let lines = lines_of(text)?;
        let (header, rows) = lines.split_first().expect("split gives at least one part");
        let (penalty, [ram_mb, disk_gb], to_move) = read_header(header)?;
        let (board, position) = read_drawing(rows, 2, to_move)?;
        Ok(BoardFile { penalty, ram_mb, disk_gb, position, board })
    }
}

/// Whether a text begins with a number, as the files do.
pub(super) fn has_header(text: &str) -> bool {
    let text = unmarked(text).trim_start();
    let number = match text.strip_prefix('-') {
        Some(rest) => rest.strip_prefix('.').unwrap_or(rest),
        None => text,
    };
    number.starts_with(|mark: char| mark.is_ascii_digit())
}

/// Other marks for dots, of drawings by other programs.
const OTHER_DOTS: [char; 4] = ['o', '*', '\u{2022}', '\u{b7}'];

/// Whether a text begins with a dot, as drawings without a first line do.
pub(super) fn is_drawing(text: &str) -> bool {
    unmarked(text).starts_with(|mark| mark == '+' || OTHER_DOTS.contains(&mark))
}

/// Parses a drawing in which the first player is to move.
pub(super) fn parse_drawing(text: &str) -> Result<(Board, Position), FileError> {
    read_drawing(&lines_of(text)?, 1, Player::First)
}

/// The lines of a text, without empty ones at the end.
fn lines_of(text: &str) -> Result<Vec<&str>, FileError> {
    let lines = unmarked(text).split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    let mut lines: Vec<&str> = lines.collect();
    for (line, text) in (1..).zip(&lines) {
        if let Some(before) = text.chars().position(|mark| mark == '\t') {
            return Err(FileProblem::Tab.at(line, before + 1));
        }
    }
    while lines.len() > 1 && lines.last().is_some_and(|line| line.chars().all(|mark| mark == ' ')) {
        lines.pop();
    }
    Ok(lines)
}

/// Reads the penalty, RAM and disk, and the player to move.
fn read_header(line: &str) -> Result<(Penalty, [Option<u32>; 2], Player), FileError> {
    const NUMBERS: [&str; 2] = ["RAM in MB", "disk in GB"];
    let column = |word: &str| {
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        line[..start].chars().count() + 1
    };
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    let first = words.next().ok_or(FileProblem::NoPenalty.at(1, 1))?;
    let penalty = Penalty::parse(first);
    let penalty = penalty.map_err(|error| FileProblem::from(error).at(1, column(first)))?;
    let mut numbers = Vec::new();
    let mut to_move = None;
    for word in words {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let mut letters = word.chars();
        let named = letters.next().and_then(player).filter(|_| letters.next().is_none());
        let problem = match (to_move, named, NUMBERS.get(numbers.len())) {
            (None, Some(player), _) => {
                to_move = Some(player);
                continue;
            }
            (None, None, Some(what)) if is_number => match word.parse() {
                Ok(number) => {
                    numbers.push(number);
                    continue;
                }
                Err(_) => FileProblem::TooLarge(word.to_string(), what),
            },
            _ => FileProblem::Word(word.to_string()),
        };
        return Err(problem.at(1, column(word)));
    }
    let number = |at: usize| numbers.get(at).copied();
    Ok((penalty, [number(0), number(1)], to_move.unwrap_or(Player::First)))
}

/// The place of a drawing in its file.
#[derive(Clone, Copy)]
struct Frame {
    /// The line of the first row, from 1.
    line: usize,
    /// The distance of two dots, in characters.
    pitch: usize,
}

impl Frame {
    /// The error at a row and a column of the grid, from 0.
    fn error(self, problem: FileProblem, row: usize, col: usize) -> FileError {
        problem.at(self.line + row, col / 2 * self.pitch + col % 2 + 1)
    }

    /// A row of the drawing with strokes of one character.
    fn narrowed(self, row: usize, text: &str) -> Result<String, FileError> {
        let marks: Vec<char> = text.chars().collect();
        let mut narrow = String::new();
        for (cell, marks) in marks.chunks(self.pitch).enumerate() {
            let (&corner, stroke) = marks.split_first().expect("a chunk is not empty");
            let is_line = row.is_multiple_of(2);
            let is_blank = |mark: char| mark == ' ' || mark == '.';
            let drawn: Vec<usize> = (0..stroke.len()).filter(|&at| !is_blank(stroke[at])).collect();
            narrow.push(if !is_line && corner == '.' { ' ' } else { corner });
            if !stroke.is_empty() {
                narrow.push(drawn.first().map_or(' ', |&at| stroke[at]));
            }
            // A line is drawn in its full length, and a box has one owner.
            let wrong = if is_line && !drawn.is_empty() {
                (0..self.pitch - 1).find(|&at| stroke.get(at) != Some(&stroke[0]))
            } else {
                drawn.get(1).copied()
            };
            if let Some(at) = wrong {
                let expected = if is_line { HORIZONTAL } else { BOX };
                let found = stroke.get(at).copied().unwrap_or(' ');
                let problem = FileProblem::BadMark { found, expected };
                return Err(problem.at(self.line + row, cell * self.pitch + at + 2));
            }
        }
        Ok(narrow)
    }
}

/// Reads the board and the position; the rows begin on a line of the file.
fn read_drawing(
    rows: &[&str],
    line: usize,
    to_move: Player,
) -> Result<(Board, Position), FileError> {
    let first = rows.first().ok_or(FileProblem::Cut.at(line, 1))?;
    let other = first.chars().next().filter(|mark| OTHER_DOTS.contains(mark));
    let rows: Vec<String> =
        rows.iter().map(|row| other.map_or(row.to_string(), |dot| row.replace(dot, "+"))).collect();
    let first = &rows[0];
    let pitch = first.chars().skip(1).position(|mark| mark == '+').map_or(2, |at| (at + 1).max(2));
    let frame = Frame { line, pitch };
    let narrow =
        (0..).zip(&rows).map(|(row, text)| frame.narrowed(row, text.trim_end_matches(' ')));
    let rows: Vec<String> = narrow.collect::<Result<_, _>>()?;
    let width = rows[0].chars().count();
    // The first row is checked before its width is taken for that of the board.
    for (at, found) in rows[0].chars().enumerate() {
        let expected = match (at % 2, found) {
            (0, '+') | (1, '-' | ' ') => continue,
            (0, _) => DOT,
            _ => HORIZONTAL,
        };
        return Err(frame.error(FileProblem::BadMark { found, expected }, 0, at));
    }
    if width.is_multiple_of(2) {
        return Err(frame.error(FileProblem::BadMark { found: ' ', expected: DOT }, 0, width));
    }
    if rows.len().is_multiple_of(2) {
        return Err(FileProblem::Cut.at(line + rows.len(), 1));
    }
    let of_board = |error| FileProblem::from(error).at(line, 1);
    let size = Board::size(rows.len() / 2, width / 2).map_err(of_board)?;
    let mut reading = Reading::new(size);
    for (row, text) in rows.iter().enumerate() {
        read_row(size, row, text, frame, &mut reading)?;
    }
    let sketch = reading.finish().map_err(|(row, col)| {
        let found = rows[row].chars().nth(col).unwrap_or_default();
        frame.error(FileProblem::OpenBox(found), row, col)
    })?;
    let board = Board::of(&sketch).map_err(of_board)?;
    let position = board.position(&sketch, to_move).expect("it is the board of the sketch");
    Ok((board, position))
}

/// Reads a row of the drawing with strokes of one character, counted from 0.
fn read_row(
    size: Rectangle,
    row: usize,
    text: &str,
    frame: Frame,
    reading: &mut Reading,
) -> Result<(), FileError> {
    let (_, width) = grid(size);
    let found = text.trim_end_matches(' ').chars().count();
    // Trailing blanks may be missing, but a row of dots has none.
    if found > width || row.is_multiple_of(2) && found < width {
        let full = |grid: usize| grid / 2 * frame.pitch + grid % 2;
        let ragged = FileProblem::Ragged { found: full(found), expected: full(width) };
        return Err(frame.error(ragged, row, found.min(width)));
    }
    for (col, found) in text.chars().take(found).enumerate() {
        let read = reading.read(&CHARACTERS, element(row, col), found, (row, col));
        read.map_err(|expected| frame.error(FileProblem::BadMark { found, expected }, row, col))?;
    }
    Ok(())
}

/// Formats the file as Wilson's analyser reads it, with every row of the drawing in its full width.
impl fmt::Display for BoardFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BoardFile { penalty, ram_mb, disk_gb, position, board } = self;
        write!(f, "{penalty}")?;
        for number in ram_mb.iter().chain(disk_gb.iter().filter(|_| ram_mb.is_some())) {
            write!(f, " {number}")?;
        }
        writeln!(f, " {}", letter(position.to_move))?;
        CHARACTERS.rows(board, position).iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

#[cfg(test)]
mod tests;

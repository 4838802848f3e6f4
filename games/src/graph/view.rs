//! A plain board: the characters of a position's text, if it consists of rows of equal length that are
//! separated by `/`, as in `XX./..O/... X`. A word that follows, such as the player to move, is left
//! out. If the positions of a graph have no such board, the characters of their texts stand in cells.

use super::{Entry, Graph, Node, Step};
use bsq_engine::view::{Label, Scene, State, View, coordinate};

/// The most characters that are drawn of a text without rows, and the most in a row of the drawing.
const LONGEST_ROW: usize = 12;
const LONGEST: usize = 12 * LONGEST_ROW;

/// What positions look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Board {
    /// All texts are rows: their number and length.
    Rows(usize, usize),
    /// Texts of at most so many characters.
    Text(usize),
}

/// The rows of a position and the number of their characters, if the text consists of rows.
fn rows(text: &str) -> Option<(Vec<&str>, usize)> {
    let board = text.split_whitespace().next()?;
    let rows: Vec<&str> = board.split('/').collect();
    let length = rows[0].chars().count();
    let is_board = rows.len() > 1 && length > 0;
    (is_board && rows.iter().all(|row| row.chars().count() == length)).then_some((rows, length))
}

/// The board that all positions have.
pub(super) fn board(positions: &[Entry]) -> Board {
    let mut sizes =
        positions.iter().map(|entry| rows(&entry.text).map(|(rows, length)| (rows.len(), length)));
    match sizes.next().flatten() {
        Some(first @ (rows, cols)) if sizes.all(|size| size == Some(first)) => {
            Board::Rows(rows, cols)
        }
        _ => {
            let lengths = positions.iter().map(|entry| entry.text.chars().count());
            Board::Text(lengths.max().unwrap_or(1).min(LONGEST))
        }
    }
}

/// The cells that the name of a move consists of, with or without hyphens between them, as in `a3a2`
/// or `b1-c1`. Empty if it is no such name.
fn cells(name: &str, (rows, cols): (usize, usize)) -> Vec<String> {
    let mut cells = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let letters = rest.chars().take_while(char::is_ascii_lowercase).count();
        let digits = rest[letters..].chars().take_while(char::is_ascii_digit).count();
        let (cell, more) = rest.split_at(letters + digits);
        let is_cell = |&at: &usize| coordinate(at / cols, at % cols) == cell;
        if !(0..rows * cols).any(|at| is_cell(&at)) {
            return Vec::new();
        }
        cells.push(cell.to_string());
        rest = more.strip_prefix('-').filter(|more| !more.is_empty()).unwrap_or(more);
    }
    cells
}

impl View for Graph {
    fn scene(&self, &position: &Node) -> Scene {
        let text = self.entry(position).text.chars();
        let (rows, cols, symbols): (_, _, Vec<char>) = match self.0.board {
            Board::Rows(rows, cols) => (rows, cols, text.filter(|&c| c != '/').collect()),
            Board::Text(length) => {
                let cols = length.min(LONGEST_ROW);
                (length.div_ceil(cols), cols, text.collect())
            }
        };
        Scene::of_cells(rows, cols, |cell| match symbols.get(cell) {
            None | Some('.' | '-' | '_' | ' ') => (State::Empty, None, None),
            Some(symbol) => (State::Taken, None, Some(symbol.to_string())),
        })
    }

    fn places(&self, _: &Node, mv: Step) -> Vec<String> {
        match self.0.board {
            Board::Rows(rows, cols) => cells(self.name(mv), (rows, cols)),
            Board::Text(_) => Vec::new(),
        }
    }

    fn drawing(&self, position: &Node, label: &dyn Fn(&str) -> Option<Label>) -> String {
        match self.0.board {
            Board::Rows(..) => self.scene(position).drawing(label),
            Board::Text(_) => format!("{}\n", self.entry(*position).text),
        }
    }
}

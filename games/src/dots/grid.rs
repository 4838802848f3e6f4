//! A board as a grid of characters.
//!
//! A board with `r` rows and `c` columns of boxes has a grid with `2 * r + 1` rows and `2 * c + 1`
//! columns of dots, lines and boxes. All text forms of positions are based on it.

use super::board::{Board, Boxes, Lines};
use super::rules::Position;
use bsq_engine::game::Player;

/// An element of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Dot,
    Horizontal(usize),
    Vertical(usize),
    Box(usize),
}

/// The owner of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The box is not closed.
    Unclosed,
    /// The box is closed, and its owner is unknown.
    Unknown,
    Known(Player),
}

/// The letter of a player: `A` for the first, `B` for the second.
///
/// ```
/// use bsq_engine::game::Player;
/// use bsq_games::dots;
/// assert_eq!(Player::BOTH.map(dots::letter), ['A', 'B']);
/// ```
pub fn letter(player: Player) -> char {
    match player {
        Player::First => 'A',
        Player::Second => 'B',
    }
}

/// The player with a letter.
pub(super) fn player(letter: char) -> Option<Player> {
    Player::BOTH.into_iter().find(|&player| self::letter(player) == letter)
}

impl Board {
    /// The element in a row and a column of the grid, from 0.
    pub(super) fn element(&self, row: usize, col: usize) -> Element {
        match (row % 2, col % 2) {
            (0, 0) => Element::Dot,
            (0, _) => Element::Horizontal(self.horizontal(row / 2, col / 2)),
            (_, 0) => Element::Vertical(self.vertical(row / 2, col / 2)),
            _ => Element::Box(row / 2 * self.cols() + col / 2),
        }
    }

    /// The numbers of rows and columns of the grid.
    pub(super) fn grid(&self) -> (usize, usize) {
        (2 * self.rows() + 1, 2 * self.cols() + 1)
    }

    /// The owner of a box.
    pub(super) fn owner(&self, position: &Position, cell: usize) -> Owner {
        let mut owners = Player::BOTH.into_iter();
        match owners.find(|player| position.taken[player.index()] >> cell & 1 == 1) {
            Some(player) => Owner::Known(player),
            None if self.sides(cell) & !position.lines == 0 => Owner::Unknown,
            None => Owner::Unclosed,
        }
    }
}

/// The characters of a text format. Drawn lines are `-` and `|` in all of them.
pub(super) struct Characters {
    /// Dots; `None` if they are left out.
    pub dot: Option<char>,
    /// Open lines, and boxes that are not closed.
    pub open: char,
    /// Closed boxes whose owner is unknown.
    pub unknown: char,
    /// Descriptions of valid characters for a dot, a horizontal line, a vertical line and a box.
    pub expected: [&'static str; 4],
}

impl Characters {
    /// The rows of a position.
    pub fn rows(&self, board: &Board, position: &Position) -> Vec<String> {
        let line = |line: usize, drawn: char| {
            if position.lines >> line & 1 == 1 { drawn } else { self.open }
        };
        let mark = |element: Element| match element {
            Element::Dot => self.dot,
            Element::Horizontal(at) => Some(line(at, '-')),
            Element::Vertical(at) => Some(line(at, '|')),
            Element::Box(cell) => Some(match board.owner(position, cell) {
                Owner::Unclosed => self.open,
                Owner::Unknown => self.unknown,
                Owner::Known(player) => letter(player),
            }),
        };
        let (rows, cols) = board.grid();
        let row = |row: usize| (0..cols).filter_map(|col| mark(board.element(row, col))).collect();
        (0..rows).map(row).collect()
    }
}

/// A partly read position.
///
/// The owner of a box comes before the line below it, so whether the box is closed is known only at
/// the end.
#[derive(Default)]
pub(super) struct Sketch {
    lines: Lines,
    taken: [Boxes; 2],
    /// Boxes that were marked as closed, each with its row and column in the text.
    marks: Vec<(usize, (usize, usize))>,
}

impl Sketch {
    /// Reads the character of an element. If it is invalid, returns the description of the valid
    /// ones.
    pub fn read(
        &mut self,
        characters: &Characters,
        element: Element,
        mark: char,
        at: (usize, usize),
    ) -> Result<(), &'static str> {
        let [dot, horizontal, vertical, closed] = characters.expected;
        match element {
            Element::Dot if characters.dot == Some(mark) => {}
            Element::Dot => return Err(dot),
            _ if mark == characters.open => {}
            Element::Horizontal(line) if mark == '-' => self.lines |= 1 << line,
            Element::Horizontal(_) => return Err(horizontal),
            Element::Vertical(line) if mark == '|' => self.lines |= 1 << line,
            Element::Vertical(_) => return Err(vertical),
            Element::Box(cell) => {
                match player(mark) {
                    Some(owner) => self.taken[owner.index()] |= 1 << cell,
                    None if mark == characters.unknown => {}
                    None => return Err(closed),
                }
                self.marks.push((cell, at));
            }
        }
        Ok(())
    }

    /// Returns the position, or the row and column of the first mark in a box that is not closed.
    pub fn finish(self, board: &Board, to_move: Player) -> Result<Position, (usize, usize)> {
        let closed = board.closed(self.lines);
        match self.marks.into_iter().find(|(cell, _)| closed >> cell & 1 == 0) {
            Some((_, at)) => Err(at),
            None => Ok(Position { lines: self.lines, taken: self.taken, to_move }),
        }
    }
}

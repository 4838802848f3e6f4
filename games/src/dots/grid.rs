//! A board as a grid of characters.
//!
//! A board with `r` rows and `c` columns of boxes has a grid with `2 * r + 1` rows and `2 * c + 1`
//! columns of dots, lines and boxes. All text forms of positions are based on it.

use super::board::{Board, lines_of, set_of};
use super::rules::Position;
use crate::rectangle::Rectangle;
use bsq_engine::game::Player;

/// An element of the grid. A line is given by the dot at its left or upper end, a box by that at its
/// upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Dot,
    Line { vertical: bool, row: usize, col: usize },
    Box { row: usize, col: usize },
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

/// The element in a row and a column of the grid, from 0.
pub(super) fn element(row: usize, col: usize) -> Element {
    let (row, col, is_line) = (row / 2, col / 2, [row % 2, col % 2]);
    match is_line {
        [0, 0] => Element::Dot,
        [0, _] => Element::Line { vertical: false, row, col },
        [_, 0] => Element::Line { vertical: true, row, col },
        _ => Element::Box { row, col },
    }
}

/// The numbers of rows and columns of the grid.
pub(super) fn grid(size: Rectangle) -> (usize, usize) {
    (2 * size.rows() + 1, 2 * size.cols() + 1)
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
        let sketch = board.sketch(position);
        let mark = |element: Element| match element {
            Element::Dot => self.dot,
            Element::Line { vertical, row, col } => Some(match sketch.has(vertical, row, col) {
                true if vertical => '|',
                true => '-',
                false => self.open,
            }),
            Element::Box { row, col } => Some(match sketch.owner(row, col) {
                Owner::Unclosed => self.open,
                Owner::Unknown => self.unknown,
                Owner::Known(player) => letter(player),
            }),
        };
        let (rows, cols) = grid(sketch.size);
        let row = |row: usize| (0..cols).filter_map(|col| mark(element(row, col))).collect();
        (0..rows).map(row).collect()
    }
}

/// The drawn lines and the owners of boxes of a rectangle, whatever is in play. Each line and box is
/// at the bit of its dot, of which there is one column more than of boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sketch {
    pub size: Rectangle,
    /// The drawn lines, horizontal and vertical.
    pub drawn: [u128; 2],
    /// The boxes of each player.
    pub taken: [u128; 2],
}

impl Sketch {
    /// Without lines.
    pub fn new(size: Rectangle) -> Sketch {
        Sketch { size, drawn: [0; 2], taken: [0; 2] }
    }

    fn bit(&self, row: usize, col: usize) -> u128 {
        1 << (row * (self.size.cols() + 1) + col)
    }

    /// Draws a line.
    pub fn draw(&mut self, vertical: bool, row: usize, col: usize) {
        self.drawn[usize::from(vertical)] |= self.bit(row, col);
    }

    /// Whether a line is drawn.
    pub fn has(&self, vertical: bool, row: usize, col: usize) -> bool {
        self.drawn[usize::from(vertical)] & self.bit(row, col) != 0
    }

    /// The closed boxes.
    pub fn closed(&self) -> u128 {
        let [horizontal, vertical] = self.drawn;
        horizontal & horizontal >> (self.size.cols() + 1) & vertical & vertical >> 1
    }

    /// The owner of a box.
    pub fn owner(&self, row: usize, col: usize) -> Owner {
        let bit = self.bit(row, col);
        let mut owners = Player::BOTH.into_iter();
        match owners.find(|player| self.taken[player.index()] & bit != 0) {
            Some(player) => Owner::Known(player),
            None if self.closed() & bit != 0 => Owner::Unknown,
            None => Owner::Unclosed,
        }
    }
}

impl Board {
    /// A position with what is not in play.
    pub(super) fn sketch(&self, position: &Position) -> Sketch {
        let mut sketch = self.before();
        for line in lines_of(position.lines) {
            let (vertical, row, col) = self.locate(line);
            sketch.draw(vertical, row, col);
        }
        for player in Player::BOTH {
            for cell in lines_of(position.taken[player.index()]) {
                let (row, col) = self.box_place(cell);
                sketch.taken[player.index()] |= sketch.bit(row, col);
            }
        }
        sketch
    }

    /// The position of a sketch, if that has the size of the board, and differs from what is not in
    /// play nowhere.
    pub(super) fn position(&self, sketch: &Sketch, to_move: Player) -> Option<Position> {
        if sketch.size != self.rectangle() {
            return None;
        }
        let is_drawn = |&line: &usize| {
            let (vertical, row, col) = self.locate(line);
            sketch.has(vertical, row, col)
        };
        let lines = set_of((0..self.lines()).filter(is_drawn));
        let taken = Player::BOTH.map(|player| {
            let has = |&cell: &usize| {
                let (row, col) = self.box_place(cell);
                sketch.owner(row, col) == Owner::Known(player)
            };
            set_of((0..self.boxes()).filter(has))
        });
        let position = Position { lines, taken, to_move };
        (self.sketch(&position) == *sketch).then_some(position)
    }
}

/// A partly read position.
///
/// The owner of a box comes before the line below it, so whether the box is closed is known only at
/// the end.
pub(super) struct Reading {
    sketch: Sketch,
    /// Boxes that were marked as closed, each with its row and column in the text.
    marks: Vec<(u128, (usize, usize))>,
}

impl Reading {
    /// Begins to read a position of that size.
    pub fn new(size: Rectangle) -> Reading {
        Reading { sketch: Sketch::new(size), marks: Vec::new() }
    }

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
            Element::Line { vertical, row, col } if mark == if vertical { '|' } else { '-' } => {
                self.sketch.draw(vertical, row, col);
            }
            Element::Line { vertical: false, .. } => return Err(horizontal),
            Element::Line { .. } => return Err(vertical),
            Element::Box { row, col } => {
                let bit = self.sketch.bit(row, col);
                match player(mark) {
                    Some(owner) => self.sketch.taken[owner.index()] |= bit,
                    None if mark == characters.unknown => {}
                    None => return Err(closed),
                }
                self.marks.push((bit, at));
            }
        }
        Ok(())
    }

    /// Returns the sketch, or the row and column of the first mark in a box that is not closed.
    pub fn finish(self) -> Result<Sketch, (usize, usize)> {
        let closed = self.sketch.closed();
        match self.marks.into_iter().find(|(bit, _)| closed & bit == 0) {
            Some((_, at)) => Err(at),
            None => Ok(self.sketch),
        }
    }
}

//! The drawing of a board as a grid of characters: 2 rows + 1 by 2 columns + 1 of dots, lines and
//! boxes. All texts of positions are made from it.

use super::board::{Board, Boxes, Lines};
use super::rules::Position;
use bsq_engine::game::Player;

/// What stands at a place of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Dot,
    Horizontal(usize),
    Vertical(usize),
    Box(usize),
}

/// Whose a box is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A side is missing.
    Unclosed,
    /// Closed, but nobody knows by whom.
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

/// The player of a letter.
pub(super) fn player(letter: char) -> Option<Player> {
    Player::BOTH.into_iter().find(|&player| self::letter(player) == letter)
}

impl Board {
    /// What stands in that row and column of the grid, from 0.
    pub(super) fn element(&self, row: usize, col: usize) -> Element {
        match (row % 2, col % 2) {
            (0, 0) => Element::Dot,
            (0, _) => Element::Horizontal(self.horizontal(row / 2, col / 2)),
            (_, 0) => Element::Vertical(self.vertical(row / 2, col / 2)),
            _ => Element::Box(row / 2 * self.cols() + col / 2),
        }
    }

    /// Rows and columns of the grid.
    pub(super) fn grid(&self) -> (usize, usize) {
        (2 * self.rows() + 1, 2 * self.cols() + 1)
    }

    pub(super) fn owner(&self, position: &Position, cell: usize) -> Owner {
        let mut owners = Player::BOTH.into_iter();
        match owners.find(|player| position.taken[player.index()] >> cell & 1 == 1) {
            Some(player) => Owner::Known(player),
            None if self.sides(cell) & !position.lines == 0 => Owner::Unknown,
            None => Owner::Unclosed,
        }
    }
}

/// A position of which not everything has been read yet. Owners of boxes come before the lines
/// below them, so that whether these boxes are closed is only known at the end.
#[derive(Default)]
pub(super) struct Sketch {
    pub lines: Lines,
    taken: [Boxes; 2],
    marks: Vec<Mark>,
}

/// A box that was said to be closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    cell: usize,
    pub mark: char,
    /// Row and column of the grid, from 0.
    pub at: (usize, usize),
}

impl Sketch {
    /// A box is marked as closed, by that player or by nobody knows whom.
    pub fn mark(&mut self, cell: usize, owner: Option<Player>, mark: char, at: (usize, usize)) {
        if let Some(owner) = owner {
            self.taken[owner.index()] |= 1 << cell;
        }
        self.marks.push(Mark { cell, mark, at });
    }

    /// The position, or the first mark in a box that is not closed.
    pub fn finish(self, board: &Board, to_move: Player) -> Result<Position, Mark> {
        let closed = board.closed(self.lines);
        match self.marks.into_iter().find(|mark| closed >> mark.cell & 1 == 0) {
            Some(mark) => Err(mark),
            None => Ok(Position { lines: self.lines, taken: self.taken, to_move }),
        }
    }
}

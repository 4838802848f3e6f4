//! The rules.

use super::symmetry::Symmetries;
use crate::rectangle::{Rectangle, bits_of};
use bsq_engine::game::{Game, Player, Value};

/// The largest number of cells of a board.
pub const MAX_CELLS: usize = 25;

/// A set of cells, a bit each, numbered by rows from the top left.
pub type Cells = u32;

/// A board, and the number of pieces in a row that wins.
#[derive(Clone, Debug)]
pub struct Rules {
    board: Rectangle,
    k: usize,
    /// Every row of k cells.
    lines: Vec<Cells>,
    pub(super) symmetries: Symmetries,
}

/// Why there is no such game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The board has no cells, or too many.
    #[error("a board of {rows}x{cols} cells; boards have 1 to {MAX_CELLS} cells")]
    Board {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
    },
    /// No row of k cells fits on the board.
    #[error("{k} in a row on a {rows}x{cols} board; at least 1 and at most {most} fit")]
    Row {
        /// The pieces in a row.
        k: usize,
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
        /// The longer side.
        most: usize,
    },
}

/// The pieces on the board. The players alternate, so their numbers determine who is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The cells of the first and of the second player.
    pub pieces: [Cells; 2],
}

impl Rules {
    /// The game with `k` in a row on a board of `rows` times `cols` cells.
    ///
    /// # Errors
    ///
    /// Fails if the board has no cells or more than [`MAX_CELLS`], or if no row of `k` cells fits.
    pub fn new(rows: usize, cols: usize, k: usize) -> Result<Rules, RulesError> {
        if rows.checked_mul(cols).is_none_or(|cells| !(1..=MAX_CELLS).contains(&cells)) {
            return Err(RulesError::Board { rows, cols });
        }
        let most = rows.max(cols);
        if !(1..=most).contains(&k) {
            return Err(RulesError::Row { k, rows, cols, most });
        }
        let board = Rectangle::new(rows, cols);
        Ok(Rules { board, k, lines: lines(board, k), symmetries: Symmetries::new(board) })
    }

    /// Tic-tac-toe: three in a row on a 3x3 board.
    pub fn tic_tac_toe() -> Rules {
        Rules::new(3, 3, 3).expect("a valid game")
    }

    /// The size of the board.
    pub fn board(&self) -> Rectangle {
        self.board
    }

    /// The number of pieces in a row that wins.
    pub fn k(&self) -> usize {
        self.k
    }

    /// The rows of k cells that are full of these pieces.
    pub fn full_lines(&self, pieces: Cells) -> impl Iterator<Item = Cells> + '_ {
        self.lines.iter().copied().filter(move |line| pieces & line == *line)
    }

    /// The cells without a piece.
    pub fn empty(&self, position: &Position) -> Cells {
        let [first, second] = position.pieces;
        !(first | second) & ((1 << self.board.cells()) - 1)
    }

    /// The player who has k pieces in a row.
    pub fn winner(&self, position: &Position) -> Option<Player> {
        let has_line = |player: &Player| self.has_line(position.pieces[player.index()]);
        Player::BOTH.into_iter().find(has_line)
    }

    /// Whether k of these pieces are in a row.
    #[inline]
    pub(super) fn has_line(&self, pieces: Cells) -> bool {
        self.full_lines(pieces).next().is_some()
    }
}

/// Every row of k cells of a board, once.
fn lines(board: Rectangle, k: usize) -> Vec<Cells> {
    let (rows, cols) = (board.rows() as isize, board.cols() as isize);
    let cell = |(row, col): (isize, isize)| {
        let is_on = (0..rows).contains(&row) && (0..cols).contains(&col);
        is_on.then(|| 1 << (row * cols + col))
    };
    let mut lines = Vec::new();
    for at in 0..rows * cols {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let step = |i| cell((at / cols + i * down, at % cols + i * right));
            lines.extend((0..k as isize).map(step).sum::<Option<Cells>>());
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

impl Position {
    /// The player to move.
    #[inline]
    pub fn to_move(&self) -> Player {
        let [first, second] = self.pieces.map(Cells::count_ones);
        if first == second { Player::First } else { Player::Second }
    }

    /// The position after a piece of the player to move on an empty cell.
    #[inline]
    pub(super) fn with(&self, cell: usize) -> Position {
        let mut pieces = self.pieces;
        pieces[self.to_move().index()] |= 1 << cell;
        Position { pieces }
    }
}

/// A move is the number of a cell.
impl Game for Rules {
    type Position = Position;
    type Move = usize;

    fn start(&self) -> Position {
        Position::default()
    }

    fn to_move(&self, position: &Position) -> Player {
        position.to_move()
    }

    fn moves(&self, position: &Position) -> Vec<usize> {
        match self.winner(position) {
            Some(_) => Vec::new(),
            None => bits_of(self.empty(position).into()).collect(),
        }
    }

    fn play(&self, position: &Position, cell: usize) -> Position {
        position.with(cell)
    }

    /// 1 if the first player has won, -1 if the second player has, otherwise 0.
    fn score(&self, position: &Position) -> i32 {
        self.winner(position).map_or(0, Player::sign)
    }

    fn result(&self, position: &Position) -> Option<Value> {
        match self.winner(position) {
            Some(winner) => Some(Value::win(winner, 0)),
            None => (self.empty(position) == 0).then_some(Value::DRAW),
        }
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        self.symmetries.images_of(position).collect()
    }

    fn canonical(&self, position: &Position) -> Position {
        self.symmetries.images_of(position).min().expect("the position itself")
    }
}

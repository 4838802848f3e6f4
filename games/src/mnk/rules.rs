//! The rules.

use crate::rectangle::{Rectangle, bits_of};
use bsq_engine::game::{Game, Player, Value};

/// The largest number of cells of a board.
pub const MAX_CELLS: usize = 25;

/// A set of cells, a bit each, numbered by rows from the top left.
pub type Cells = u32;

/// A board, and the number of pieces in a row that wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    board: Rectangle,
    k: usize,
    /// Every row of k cells.
    lines: Vec<Cells>,
}

/// The pieces on the board. The players alternate, so their numbers determine who is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The cells of the first and of the second player.
    pub pieces: [Cells; 2],
}

/// Why there is no such game, position or move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A board of that many rows and columns has no cells, or too many.
    #[error("a board of {0}x{1} cells; boards have 1 to {MAX_CELLS} cells")]
    Board(usize, usize),
    /// No row of that many cells fits on the board.
    #[error("{0} in a row; at least 1 and at most the longer side of the board, {1}, are possible")]
    Row(usize, usize),
    /// The text does not have the form of a position on the board.
    #[error("'{0}' is not a position on a {1} board; write rows of X, O and ., separated by /")]
    Position(String, Rectangle),
    /// Play does not reach the position, with that many in a row.
    #[error("'{0}' has no value: both players have {1} in a row")]
    TwoWinners(String, usize),
    /// The text is not a cell of the board, whose last cell is given.
    #[error("'{0}' is not a move; write a letter and a number, from a1 to {1}")]
    Move(String, String),
    /// There is a piece on the cell.
    #[error("{0} is not empty")]
    Occupied(String),
    /// The game is over.
    #[error("the game is over")]
    Over,
}

impl Rules {
    /// The game with `k` in a row on a board of `rows` times `cols` cells. Fails if the board has
    /// no cells or more than [`MAX_CELLS`], or if no row of `k` cells fits.
    pub fn new(rows: usize, cols: usize, k: usize) -> Result<Rules, Error> {
        if rows.checked_mul(cols).is_none_or(|cells| !(1..=MAX_CELLS).contains(&cells)) {
            return Err(Error::Board(rows, cols));
        }
        if !(1..=rows.max(cols)).contains(&k) {
            return Err(Error::Row(k, rows.max(cols)));
        }
        let board = Rectangle::new(rows, cols);
        Ok(Rules { board, k, lines: lines(board, k) })
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

    /// The cells without a piece.
    pub fn empty(&self, position: &Position) -> Cells {
        let [first, second] = position.pieces;
        !(first | second) & ((1 << self.board.cells()) - 1)
    }

    /// The player with k pieces in a row, if there is one.
    pub fn winner(&self, position: &Position) -> Option<Player> {
        let has_line = |player: &Player| self.has_line(position.pieces[player.index()]);
        Player::BOTH.into_iter().find(has_line)
    }

    /// Whether k of these pieces are in a row.
    pub(super) fn has_line(&self, pieces: Cells) -> bool {
        self.lines.iter().any(|line| pieces & line == *line)
    }

    /// The images of a position under each symmetry, that under the identity first.
    pub(super) fn each_image(&self, position: &Position) -> impl Iterator<Item = Position> {
        let [first, second] = position.pieces;
        let images = self.board.images_of([first.into(), second.into()]);
        images.map(|[first, second]| Position { pieces: [first as Cells, second as Cells] })
    }
}

/// Every row of k cells of a board. A row of one cell occurs several times.
fn lines(board: Rectangle, k: usize) -> Vec<Cells> {
    let (rows, cols) = (board.rows(), board.cols());
    let lines_from = |cell: usize| {
        let (right, down) = (cell % cols + k <= cols, cell / cols + k <= rows);
        let left = cell % cols + 1 >= k;
        let steps = [(right, 1), (down, cols), (down && right, cols + 1), (down && left, cols - 1)];
        let line = move |step| (0..k).map(|i| (1 as Cells) << (cell + i * step)).sum();
        steps.into_iter().filter(|(fits, _)| *fits).map(move |(_, step)| line(step))
    };
    (0..board.cells()).flat_map(lines_from).collect()
}

/// A move is the number of a cell.
impl Game for Rules {
    type Position = Position;
    type Move = usize;

    fn start(&self) -> Position {
        Position::default()
    }

    fn to_move(&self, position: &Position) -> Player {
        let [first, second] = position.pieces;
        Player::on_turn((first | second).count_ones() + 1)
    }

    fn moves(&self, position: &Position) -> Vec<usize> {
        match self.winner(position) {
            Some(_) => Vec::new(),
            None => bits_of(self.empty(position).into()).collect(),
        }
    }

    fn play(&self, position: &Position, cell: usize) -> Position {
        let mut after = *position;
        after.pieces[self.to_move(position).index()] |= 1 << cell;
        after
    }

    fn result(&self, position: &Position) -> Option<Value> {
        match self.winner(position) {
            Some(winner) => Some(Value::win(winner, 0)),
            None => (self.empty(position) == 0).then_some(Value::DRAW),
        }
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        self.each_image(position).collect()
    }

    fn canonical(&self, position: &Position) -> Position {
        self.each_image(position).min().expect("the identity")
    }
}

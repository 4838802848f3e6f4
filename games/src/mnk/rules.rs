//! The rules.

use crate::cells::BoardError;
use crate::rectangle::{Rectangle, bits_of};
use arrayvec::ArrayVec;
use bsq_engine::game::{Game, Player, Remaining, Value};

/// The largest number of cells of a board.
pub const MAX_CELLS: usize = 64;
/// The largest number of rows of k cells: four begin at each cell.
const MAX_LINES: usize = 4 * MAX_CELLS;

/// A set of cells, a bit each, numbered by rows from the top left.
pub type Cells = u64;

/// A board, and the number of pieces in a row that wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    board: Rectangle,
    k: usize,
    /// Whether the player with k pieces in a row loses.
    misere: bool,
    /// Every row of k cells.
    lines: Vec<Cells>,
    /// The rows through each cell.
    lines_through: Vec<Vec<Cells>>,
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
    /// The text is not a board.
    #[error(transparent)]
    Position(#[from] BoardError),
    /// The text names the wrong player to move.
    #[error(
        "the {to_move} player is to move: the number of pieces is {}; leave the player out, or write {}",
        if *to_move == Player::First { "even" } else { "odd" },
        if *to_move == Player::First { "X" } else { "O" }
    )]
    Mover {
        /// The player to move.
        to_move: Player,
    },
    /// Play does not reach the position, with that many in a row.
    #[error("'{0}' has no value: both players have {1} in a row")]
    TwoWinners(String, usize),
    /// The text is not a cell of the board.
    #[error(
        "'{text}' is not a move; write a letter and a number from a1 to {last}, or a number from 1 to {cells}"
    )]
    Move {
        /// The text.
        text: String,
        /// The number of cells.
        cells: usize,
        /// The coordinate of the last cell.
        last: String,
    },
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
        let lines = lines(board, k);
        let through =
            |cell: usize| lines.iter().copied().filter(|line| line >> cell & 1 == 1).collect();
        let lines_through = (0..board.cells()).map(through).collect();
        Ok(Rules { board, k, misere: false, lines, lines_through })
    }

    /// Tic-tac-toe: three in a row on a 3x3 board.
    pub fn tic_tac_toe() -> Rules {
        Rules::new(3, 3, 3).expect("a valid game")
    }

    /// The same game, in which the player with k pieces in a row loses, if `misere` is set.
    pub fn with_misere(self, misere: bool) -> Rules {
        Rules { misere, ..self }
    }

    /// Whether the player with k pieces in a row loses.
    pub fn is_misere(&self) -> bool {
        self.misere
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
        !(first | second) & (Cells::MAX >> (Cells::BITS as usize - self.board.cells()))
    }

    /// The winner, if a player has k pieces in a row.
    pub fn winner(&self, position: &Position) -> Option<Player> {
        let has_line = |player: &Player| self.has_line(position.pieces[player.index()]);
        let player = Player::BOTH.into_iter().find(has_line)?;
        Some(if self.misere { player.other() } else { player })
    }

    /// Whether k of these pieces are in a row.
    pub(super) fn has_line(&self, pieces: Cells) -> bool {
        self.lines.iter().any(|line| pieces & line == *line)
    }

    /// The pieces of the player to move, and those of the opponent.
    pub(super) fn sides(&self, position: &Position) -> [Cells; 2] {
        let player = self.to_move(position);
        [player, player.other()].map(|player| position.pieces[player.index()])
    }

    /// The cells on which a player completes a row.
    fn completing(&self, own: Cells, empty: Cells) -> Cells {
        self.lines.iter().fold(0, |cells, line| {
            let missing = line & !own;
            let is_one = missing & missing.wrapping_sub(1) == 0;
            if is_one { cells | missing & empty } else { cells }
        })
    }

    /// Reserves two empty cells of each row that is open to a player for the opponent, who takes one
    /// of them when the player takes the other, and so gets a cell of every row (Hales and Jewett,
    /// *Regularity and positional games*, 1963). The reservation is greedy: it may fail although
    /// another one is possible.
    ///
    /// # Errors
    ///
    /// The first row without two such cells.
    fn pair(&self, maker: Cells, breaker: Cells) -> Result<(), Cells> {
        let mut open = ArrayVec::<Cells, MAX_LINES>::new();
        let empty_in = |line: Cells| (line & !maker).count_ones();
        let mut most = 0;
        for &line in self.lines.iter().filter(|&line| line & breaker == 0) {
            if empty_in(line) < 2 {
                return Err(line);
            }
            most = most.max(empty_in(line));
            open.push(line);
        }
        let mut reserved = 0;
        let mut pairs = ArrayVec::<Cells, { MAX_CELLS / 2 }>::new();
        // The rows with the fewest empty cells first.
        for empty in 2..=most {
            for &line in open.iter().filter(|&&line| empty_in(line) == empty) {
                if pairs.iter().any(|pair| line & pair == *pair) {
                    continue;
                }
                let free = line & !maker & !reserved;
                let ends = (free.count_ones() as usize).saturating_sub(2) / 2;
                // Two neighbours in the middle are in the most other rows.
                let mut middle = bits_of(free).skip(ends);
                let (Some(one), Some(other)) = (middle.next(), middle.next()) else {
                    return Err(line);
                };
                let pair = 1 << one | 1 << other;
                reserved |= pair;
                pairs.push(pair);
            }
        }
        Ok(())
    }

    /// Whether the player to move can reserve [pairs](Rules::pair) against the opponent, possibly
    /// after a move into the first row that has none.
    fn can_pair(&self, maker: Cells, breaker: Cells) -> bool {
        match self.pair(maker, breaker) {
            Ok(()) => true,
            Err(line) => {
                bits_of(line & !maker).any(|cell| self.pair(maker, breaker | 1 << cell).is_ok())
            }
        }
    }

    /// The images of a position under each symmetry, that under the identity first.
    pub(super) fn each_image(&self, position: &Position) -> impl Iterator<Item = Position> {
        let [first, second] = position.pieces;
        self.board.images_of([first, second]).map(|pieces| Position { pieces })
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
            None => bits_of(self.empty(position)).collect(),
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
            None => (self.empty(position) == 0).then_some(Value::TIE),
        }
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        self.each_image(position).collect()
    }

    fn canonical(&self, position: &Position) -> Position {
        self.each_image(position).min().expect("the identity")
    }

    /// A player cannot complete a row if the opponent has left none open, or can pair the cells of all
    /// that are open, possibly after a move. The player to move on the empty board never loses, because an extra piece never
    /// hurts (strategy stealing).
    fn remaining(&self, position: &Position) -> Option<Remaining> {
        let [own, other] = self.sides(position);
        let is_open = |breaker: Cells| self.lines.iter().any(|line| line & breaker == 0);
        let [may_win, may_lose] = if self.misere {
            [is_open(own), is_open(other)]
        } else {
            [self.pair(own, other).is_err(), !self.can_pair(other, own)]
        };
        let is_first_move = own | other == 0 && !self.misere;
        Some(Remaining {
            plies: self.empty(position).count_ones(),
            lower: if may_lose && !is_first_move { -1 } else { 0 },
            upper: i32::from(may_win),
        })
    }

    /// A move that wins at once, or else one that keeps the opponent from winning with the next one,
    /// is as good as any other.
    fn candidates(&self, position: &Position) -> Vec<usize> {
        let [own, other] = self.sides(position);
        let moves = self.moves(position);
        if self.misere || moves.is_empty() {
            return moves;
        }
        let empty = self.empty(position);
        let wins = self.completing(own, empty);
        let forced = if wins == 0 { self.completing(other, empty) } else { wins };
        match bits_of(forced).next() {
            Some(cell) => vec![cell],
            None => moves,
        }
    }

    /// The rows through the cell that are open to one player, each the more the more pieces are in it.
    fn preference(&self, position: &Position, &cell: &usize) -> i32 {
        let [own, other] = self.sides(position);
        let rows = self.lines_through[cell].iter().map(|line| {
            let [own, other] = [own, other].map(|pieces| (line & pieces).count_ones());
            match (own, other) {
                (own, 0) => 1 << (2 * own).min(20),
                (0, other) => 1 << (2 * other).min(20),
                _ => 0,
            }
        });
        let rows: i32 = rows.sum();
        if self.misere { -rows } else { rows }
    }
}

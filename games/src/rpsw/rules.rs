//! The rules: pieces, legal moves and their inverses, terminal positions, variants.

use super::board::{Board, Square};
use bsq_engine::game::{Game, Player, Reversible, Value};

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece {
    /// Captures scissors.
    Rock,
    /// Captures rock and well.
    Paper,
    /// Captures paper.
    Scissors,
    /// Captures rock and scissors.
    Well,
}

impl Piece {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Piece; 4] = [Piece::Rock, Piece::Paper, Piece::Scissors, Piece::Well];

    /// The number of the kind, from 0.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The square of each of a player's pieces, by kind, as that player counts squares; `None` if the
/// piece was captured.
pub type Placement = [Option<Square>; 4];

/// The rules of a game, variants included.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub(super) board: Board,
    /// For each kind, a bit for each kind that it captures.
    takes: [u8; 4],
    /// The limit on the pieces of a player.
    pieces: u8,
    /// The limit on the pieces of both players.
    total: u8,
}

/// Invalid rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The board is too small or too large.
    #[error(
        "a board of {rows} rows and {cols} columns is out of range; it has 3 to 6 rows and 1 to 4 columns"
    )]
    Board {
        /// The columns.
        cols: usize,
        /// The rows.
        rows: usize,
    },
    /// There are no pieces, or more than there are kinds.
    #[error("{0} pieces a player are out of range; give 1 to 4")]
    Pieces(usize),
    /// A player would have no pieces, or the limit is too large.
    #[error("a limit of {0} on all pieces is out of range; give 2 to 8")]
    Total(usize),
}

impl Rules {
    /// The standard game: 4 columns, 6 rows, four pieces for each player.
    pub fn standard() -> Rules {
        Rules {
            board: Board::STANDARD,
            takes: [0b0100, 0b1001, 0b0010, 0b0101],
            pieces: 4,
            total: 8,
        }
    }

    /// The same rules on a board of 1 to 4 columns and 3 to 6 rows.
    pub fn on_board(self, cols: usize, rows: usize) -> Result<Rules, RulesError> {
        let board = Board::new(cols, rows).ok_or(RulesError::Board { cols, rows })?;
        Ok(Rules { board, ..self })
    }

    /// The same rules with at most the given number of pieces for each player, of any kinds, and
    /// twice as many in all.
    pub fn with_pieces(self, pieces: usize) -> Result<Rules, RulesError> {
        match pieces {
            1..=4 => Ok(Rules { pieces: pieces as u8, total: 2 * pieces as u8, ..self }),
            _ => Err(RulesError::Pieces(pieces)),
        }
    }

    /// The same rules with at most the given number of pieces in all: an endgame, which play from
    /// the start reaches only by captures.
    pub fn with_total(self, total: usize) -> Result<Rules, RulesError> {
        match total {
            2..=8 => Ok(Rules { total: self.total.min(total as u8), ..self }),
            _ => Err(RulesError::Total(total)),
        }
    }

    /// The same rules where each kind captures the kinds of its bits: bit 0 rock, 1 paper, 2
    /// scissors, 3 well.
    pub fn with_takes(self, takes: [u8; 4]) -> Rules {
        Rules { takes: takes.map(|kinds| kinds & 0b1111), ..self }
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The limit on the pieces of a player.
    pub fn pieces(&self) -> usize {
        self.pieces as usize
    }

    /// The limit on the pieces of both players.
    pub fn total(&self) -> usize {
        usize::from(self.total)
    }

    /// For each kind, a bit for each kind that it captures.
    pub fn capture_table(&self) -> [u8; 4] {
        self.takes
    }

    /// Whether a kind captures another one.
    pub fn takes(&self, piece: Piece, other: Piece) -> bool {
        self.takes[piece.index()] >> other.index() & 1 == 1
    }

    /// The winner, if the game has been won.
    pub fn winner(&self, position: &Position) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| {
            let [own, opponent] = position.seen_by(player);
            let through = |square: &Square| usize::from(*square) >= self.board.open_squares();
            own.iter().flatten().any(through) || opponent.iter().all(Option::is_none)
        })
    }

    /// Whether the player to move has a move that wins. The game must not be over.
    pub fn wins_at_once(&self, position: &Position) -> bool {
        let [own, opponent] = position.seen_by(position.to_move);
        let mut theirs = opponent.iter().enumerate().filter_map(|(kind, &at)| Some((kind, at?)));
        let (Some((last, at)), None) = (theirs.next(), theirs.next()) else {
            return self.steps_through(&own, &opponent);
        };
        let at = self.board.flipped(at);
        let takes_last = Piece::ALL.into_iter().any(|kind| {
            let near = own[kind.index()].is_some_and(|from| self.board.is_beside(from, at));
            near && self.takes[kind.index()] >> last & 1 == 1
        });
        takes_last || self.steps_through(&own, &opponent)
    }

    /// Whether a piece can step onto the opponent's home row.
    fn steps_through(&self, own: &Placement, opponent: &Placement) -> bool {
        let (open, cols) = (self.board.open_squares() as Square, self.board.cols() as Square);
        Piece::ALL.into_iter().any(|kind| {
            let Some(from) = own[kind.index()].filter(|&from| from + cols >= open) else {
                return false;
            };
            (open..open + cols).filter(|&to| self.board.is_beside(from, to)).any(|to| {
                let there = kind_on(opponent, self.board.flipped(to));
                there.is_none_or(|there| self.takes(kind, there))
            })
        })
    }

    /// The moves in a position that is not won.
    fn moves_from(&self, position: &Position) -> Vec<Move> {
        let player = position.to_move;
        let [own, opponent] = position.seen_by(player);
        let mut moves = Vec::new();
        for kind in Piece::ALL {
            let Some(from) = own[kind.index()] else { continue };
            for to in self.board.around(from) {
                let there = kind_on(&opponent, self.board.flipped(to));
                let free = there.is_none_or(|there| self.takes(kind, there));
                if free && kind_on(&own, to).is_none() {
                    let [from, to] = [from, to].map(|square| self.board.counted_by(player, square));
                    moves.push(Move { from, to });
                }
            }
        }
        moves
    }
}

/// The piece of a placement on a square.
pub fn kind_on(placement: &Placement, square: Square) -> Option<Piece> {
    Piece::ALL.into_iter().find(|kind| placement[kind.index()] == Some(square))
}

/// The squares of all pieces, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The first player's pieces, then the second's, each as their player counts squares.
    pub pieces: [Placement; 2],
    /// The player to move.
    pub to_move: Player,
}

impl Position {
    /// The pieces of a player, then those of the opponent.
    pub fn seen_by(&self, player: Player) -> [Placement; 2] {
        [self.pieces[player.index()], self.pieces[player.other().index()]]
    }

    /// The same position with the first player to move: players are exchanged if necessary.
    pub fn seen_as_first(&self) -> Position {
        let pieces = self.seen_by(self.to_move);
        Position { pieces, to_move: Player::First }
    }
}

/// A move of a piece to another square. Both squares are numbered as the first player counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that it enters.
    pub to: Square,
}

impl Game for Rules {
    type Position = Position;
    type Move = Move;

    /// Both players have rock, paper, scissors and well, from the left.
    fn start(&self) -> Position {
        let kinds = self.pieces().min(self.board.cols()).min(self.total() / 2);
        let base = std::array::from_fn(|kind| (kind < kinds).then_some(kind as Square));
        Position { pieces: [base, base], to_move: Player::First }
    }

    fn to_move(&self, position: &Position) -> Player {
        position.to_move
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        match self.winner(position) {
            Some(_) => Vec::new(),
            None => self.moves_from(position),
        }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        let player = position.to_move;
        let mut next = Position { to_move: player.other(), ..*position };
        let [own, opponent] = [player.index(), player.other().index()];
        let [from, to] = [mv.from, mv.to].map(|square| self.board.counted_by(player, square));
        for square in next.pieces[own].iter_mut().filter(|square| **square == Some(from)) {
            *square = Some(to);
        }
        let taken = self.board.flipped(to);
        for square in next.pieces[opponent].iter_mut().filter(|square| **square == Some(taken)) {
            *square = None;
        }
        next
    }

    /// A player without a legal move ends the game in a draw.
    fn result(&self, position: &Position) -> Option<Value> {
        match self.winner(position) {
            Some(winner) => Some(Value::win(winner, 0)),
            None => self.moves_from(position).is_empty().then_some(Value::DRAW),
        }
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        Rules::images(self, position)
    }

    fn canonical(&self, position: &Position) -> Position {
        Rules::canonical(self, position)
    }
}

impl Reversible for Rules {
    fn unmoves(&self, position: &Position) -> Vec<Position> {
        let player = position.to_move.other();
        let [own, opponent] = position.seen_by(player);
        let mut before = Vec::new();
        for kind in Piece::ALL {
            let Some(to) = own[kind.index()] else { continue };
            let back = |from: Square| {
                let mut earlier = Position { to_move: player, ..*position };
                earlier.pieces[player.index()][kind.index()] = Some(from);
                earlier
            };
            let is_empty = |square: Square| {
                kind_on(&own, square).is_none()
                    && kind_on(&opponent, self.board.flipped(square)).is_none()
            };
            for from in self.board.around(to).filter(|&from| is_empty(from)) {
                before.push(back(from));
                let [theirs, ours] = [&opponent, &own].map(|side| side.iter().flatten().count());
                if theirs == self.pieces() || theirs + ours == self.total() {
                    continue;
                }
                let there = self.board.flipped(to);
                // A captured piece stood on an open square.
                if usize::from(there) >= self.board.open_squares() {
                    continue;
                }
                for taken in Piece::ALL {
                    if opponent[taken.index()].is_none() && self.takes(kind, taken) {
                        let mut earlier = back(from);
                        earlier.pieces[player.other().index()][taken.index()] = Some(there);
                        before.push(earlier);
                    }
                }
            }
        }
        before.retain(|earlier| self.winner(earlier).is_none());
        before
    }
}

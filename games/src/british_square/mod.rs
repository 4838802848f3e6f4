//! British Square (1978): two players claim territory on a small board.
//!
//! * [`board`]: cells, neighbours, symmetries;
//! * [`rules`]: what is legal, variants, which positions play can reach;
//! * [`notation`]: positions and moves as text;
//! * [`GameRecord`]: a game so far, as text too;
//! * [`images`]: all eight images of a position at once, the heart of the fast solvers;
//! * [`pairs`]: the same for the words of the counting pass;
//! * [`capacity`]: how many states a game can have at most, from its rules;
//! * [`orders`]: how many playouts there are, from the sets of pieces they can end in;
//! * `remaining`: how many there are, from the cells that each player may still use.
//!
//! Rules and published figures: Chris Wellons, *I Solved British Square*,
//! nullprogram.com/blog/2020/10/19/.

pub mod board;
pub mod count;
pub mod heuristic;
pub mod notation;
mod record;
pub mod rules;
mod strong;
pub mod symmetry;
pub mod territory;

pub use board::{Board, BoardError, Cells, cells_of};
pub use count::levels::{LevelGame, LevelGame64, LevelGame128, MAX_COUNTED_CELLS};
pub use count::pairs::PairKey;
pub use notation::{ParseError, format_tiles, symbol, words};
pub use record::GameRecord;
pub use rules::{MAX_BIAS, Move, Position, Rules, RulesError, Unreachable};
pub use strong::{BritishSquare, Node, TooLarge};
pub use symmetry::SET_BITS as MAX_SOLVED_CELLS;
pub use territory::TerritoryBoard;

use bsq_engine::game::{Game, Notation, Player, Symmetric, Value};

/// The name under which this game is registered.
pub const NAME: &str = "british-square";

impl Game for Rules {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Rules::start(self)
    }

    fn to_move(&self, position: &Position) -> Player {
        position.to_move
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        Rules::moves(self, position)
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        Rules::play(self, position, mv)
    }

    fn score(&self, position: &Position) -> i32 {
        Rules::score(self, position)
    }

    fn result(&self, position: &Position) -> Option<Value> {
        self.is_terminal(position).then(|| Value::of_score(self.score(position).into()))
    }
}

impl Symmetric for Rules {
    fn images(&self, position: &Position) -> Vec<Position> {
        let turned = |permutation: &Vec<usize>| Position {
            pieces: position.pieces.map(|set| permute(set, permutation)),
            ..*position
        };
        self.board.symmetries().iter().map(turned).collect()
    }

    fn canonical(&self, position: &Position) -> Position {
        let order = |p: &Position| (p.pieces[1], p.pieces[0]);
        self.images(position).into_iter().min_by_key(order).unwrap_or(*position)
    }
}

impl Notation for Rules {
    type Error = ParseError;

    fn format_position(&self, position: &Position) -> String {
        Rules::format_position(self, position)
    }

    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        Rules::parse_position(self, text)
    }

    fn format_move(&self, mv: Move) -> String {
        Rules::format_move(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        Rules::parse_move(self, text)
    }
}

/// The set of cells where a permutation takes those of another set.
pub fn permute(set: Cells, permutation: &[usize]) -> Cells {
    cells_of(set).fold(0, |image, cell| image | 1 << permutation[cell])
}

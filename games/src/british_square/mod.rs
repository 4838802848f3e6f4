//! British Square (1978): two players claim territory on a small board.
//!
//! * [`board`](Board): cells, neighbours, symmetries;
//! * [`rules`](Rules): rules and variants, legal moves, reachable positions;
//! * [`notation`](ParseError): positions and moves as text;
//! * [`evaluator`](Evaluator): the value of a position and of its moves;
//! * [`record`](GameRecord): game records;
//! * `view`: drawings; [`definition`](Definition): the game for front ends;
//! * [`symmetry`](Kernel): canonical positions, updated incrementally with vector instructions;
//! * [`limits`](TooLarge): the largest boards of the algorithms that enumerate states;
//! * [`strong`](BritishSquare): the game for the strong solution by depth-first search;
//! * [`retrograde`]: every state with the values of its moves, by retrograde analysis;
//! * `orbits`: sets of cells up to symmetry, for [`count::sets`] and [`retrograde`];
//! * [`territory`]: the value of a position, by alpha-beta search over the cells still usable;
//! * [`count`]: numbers of states and playouts;
//! * [`heuristic`]: decision lists, their worst-case values, and the search for good ones.
//!
//! Rules and published figures: Chris Wellons, *I Solved British Square*, 2020,
//! nullprogram.com/blog/2020/10/19/.

mod board;
mod columns;
pub mod count;
mod definition;
mod evaluator;
pub mod heuristic;
mod limits;
mod notation;
mod orbits;
mod record;
pub mod retrograde;
mod rules;
mod strong;
mod symmetry;
pub mod territory;
mod view;

pub use board::{Board, BoardError, Cells, cells_of};
pub use definition::Definition;
pub use evaluator::{Evaluation, Evaluator, EvaluatorError};
pub use limits::{MAX_SOLVED_CELLS, TooLarge};
pub use notation::{ParseError, format_tiles, symbol, words};
pub use record::GameRecord;
pub use rules::{MAX_BIAS, Move, Position, Rules, RulesError, Unreachable};
pub use strong::{BritishSquare, Node};
pub use symmetry::Kernel;
pub use territory::TerritoryBoard;

use bsq_engine::game::{Game, Measure, Notation, Player, Remaining, Value};

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

    fn measure(&self) -> Measure {
        Measure::Points
    }

    /// Each piece is a point, and between two placements there is at most one pass.
    fn remaining(&self, position: &Position) -> Option<Remaining> {
        let [first, second] = position.pieces;
        let empty = (self.board.all() & !(first | second)).count_ones();
        let most = empty as i32;
        Some(Remaining { plies: 2 * empty + 1, lower: -most, upper: most })
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        self.each_image(position).collect()
    }

    fn canonical(&self, position: &Position) -> Position {
        let order = |p: &Position| (p.pieces[1], p.pieces[0]);
        self.each_image(position).min_by_key(order).unwrap_or(*position)
    }
}

impl Rules {
    /// Returns the images of a position. The first is the image under the identity.
    fn each_image(&self, position: &Position) -> impl Iterator<Item = Position> {
        let position = *position;
        self.board.images_of(position.pieces).map(move |pieces| Position { pieces, ..position })
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

    fn format_move(&self, _: &Position, mv: Move) -> String {
        Rules::format_move(self, mv)
    }

    fn parse_move(&self, _: &Position, text: &str) -> Result<Move, ParseError> {
        Rules::parse_move(self, text)
    }
}

/// The image of a set of cells under a permutation.
pub fn permute(set: Cells, permutation: &[usize]) -> Cells {
    cells_of(set).fold(0, |image, cell| image | 1 << permutation[cell])
}

//! The game as an input of the strong solution and of the breadth-first count.

use super::rules::{Cells, Position, Rules};
use crate::rectangle::bits_of;
use bsq_engine::game::{Game, Player};
use bsq_engine::levels::{Options, PlacementGame, StateKey};
use bsq_engine::strong::{AcyclicGame, DecodeKey, Edges};

/// Bits of a player's cells in a key.
const SET_BITS: u32 = 25;

impl Rules {
    /// The number of ways in which alternating players can fill any number of cells: an upper bound
    /// on the number of positions.
    fn placements(&self) -> u64 {
        let cells = self.board().cells() as u64;
        // At most 25! / (8! 8! 9!) for a number of pieces, which 64 bits hold.
        let mut ways = 1;
        let mut sum = 1;
        for pieces in 1..=cells {
            // Of the pieces of a player each order is the same.
            ways = ways * (cells + 1 - pieces) / pieces.div_ceil(2);
            sum += ways;
        }
        sum
    }
}

/// The score is 1, 0 or -1.
impl AcyclicGame for Rules {
    type Node = Position;

    fn key(&self, node: &Position) -> u64 {
        let key =
            |Position { pieces: [first, second] }| u64::from(second) << SET_BITS | u64::from(first);
        self.each_image(node).map(key).min().expect("the identity") + 1
    }

    fn to_move(&self, node: &Position) -> Player {
        Game::to_move(self, node)
    }

    fn expand(&self, node: &Position, edges: &mut Edges) {
        let empty = self.empty(node);
        if self.result(node).is_some() {
            return edges.add_terminal(self.score(node));
        }
        let (keys, origins, tag) = edges.add(empty.into());
        for (i, cell) in bits_of(empty.into()).enumerate() {
            (keys[i], origins[i]) = (self.key(&self.play(node, cell)), tag | cell as u16);
        }
    }

    fn child(&self, node: &Position, mv: Option<u8>) -> Position {
        self.play(node, mv.expect("no player passes").into())
    }

    fn max_moves(&self) -> usize {
        self.board().cells()
    }

    fn max_positions(&self) -> u64 {
        self.placements()
    }
}

impl DecodeKey for Rules {
    fn decode(&self, key: u64) -> Position {
        let sets = key - 1;
        Position { pieces: [sets as Cells & ((1 << SET_BITS) - 1), (sets >> SET_BITS) as Cells] }
    }
}

/// The opponent's pieces, common to the states of a row.
pub struct Row {
    opponent: Cells,
    /// Whether the opponent has won.
    is_over: bool,
}

impl PlacementGame for Rules {
    type Key = u64;
    type Row = Row;

    fn row(&self, opponent: u64) -> Row {
        let opponent = opponent as Cells;
        Row { opponent, is_over: self.has_line(opponent) }
    }

    fn options(&self, row: &Row, own: u64, turn: u32) -> Options {
        let empty = self.empty(&Position { pieces: [row.opponent, own as Cells] });
        match empty {
            _ if row.is_over => Options::Terminal(-Player::on_turn(turn).sign()),
            0 => Options::Terminal(0),
            cells => Options::Place(cells.into()),
        }
    }

    fn canonical_successors(&self, row: &Row, own: &[u64], keys: &mut [u64]) {
        let key = |Position { pieces: [opponent, own] }| StateKey::of(opponent.into(), own.into());
        for (own, out) in own.iter().zip(keys) {
            // After the move, the mover is the opponent.
            let next = Position { pieces: [*own as Cells, row.opponent] };
            *out = self.each_image(&next).map(key).min().expect("the identity");
        }
    }

    fn symmetric(&self, row: &Row) -> bool {
        let opponent = Position { pieces: [row.opponent, 0] };
        self.each_image(&opponent).skip(1).any(|image| image == opponent)
    }

    fn max_moves(&self) -> u32 {
        self.board().cells() as u32
    }

    fn max_states(&self) -> u64 {
        self.placements()
    }

    fn rules(&self) -> String {
        format!("{} {}, {} in a row", super::NAME, self.board(), self.k())
    }
}

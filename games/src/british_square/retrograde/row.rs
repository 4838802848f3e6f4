//! The states with one set of the second player's pieces.

use super::subsets::{Ranks, subsets};
use crate::british_square::board::{Cells, cells_of};
use crate::british_square::limits::MAX_SOLVED_CELLS;
use crate::british_square::orbits::{Orbit, Orbits, binomial};
use crate::british_square::rules::{Position, Rules};
use arrayvec::ArrayVec;
use bsq_engine::game::Player;
use bsq_engine::strong::Visitor;

/// The states with one set of the second player's pieces in which nobody has passed.
pub struct Row {
    /// The second player's pieces, the least set of its orbit.
    set: Cells,
    stabilizer: u8,
    /// The cells that the first player's pieces can be on.
    beyond: Cells,
    /// The index of the first value in the level.
    start: usize,
}

impl Row {
    /// The numbers of states with the first and with the second player to move. States that differ
    /// by a symmetry of the row are counted separately.
    fn sizes(&self) -> [u64; 2] {
        let (cells, size) = (self.beyond.count_ones(), self.set.count_ones());
        [binomial(cells, size), binomial(cells, size + 1)]
    }

    fn states(&self) -> u64 {
        self.sizes().iter().sum()
    }
}

/// The rows of the sets of one size.
#[derive(Default)]
pub struct Level {
    /// In increasing order of the sets.
    rows: Vec<Row>,
    /// The values of the states with the first player to move, in the order of the rows, and in
    /// each row in the order of the first player's pieces.
    values: Vec<i8>,
    /// The number of values of the rows.
    len: usize,
}

impl Level {
    /// The memory of a row, in bytes.
    pub const BYTES_OF_A_ROW: usize = size_of::<Row>();

    /// The memory of the rows, in bytes.
    pub fn bytes_of_rows(&self) -> u64 {
        (self.rows.capacity() * Level::BYTES_OF_A_ROW) as u64
    }

    /// The memory that the values take while the level is analysed, in bytes.
    pub fn bytes_of_values(&self) -> u64 {
        self.len as u64
    }

    /// Adds the row of a set that is greater than the sets of the rows before.
    ///
    /// `beyond` is the set of cells out of its reach.
    pub fn add_row(&mut self, Orbit { set, stabilizer }: Orbit, beyond: Cells) {
        let row = Row { set, stabilizer, beyond, start: self.len };
        self.len += row.sizes()[0] as usize;
        self.rows.push(row);
    }

    /// Divides the level into tasks of some rows each, with room for their values.
    pub fn tasks(&mut self, rows: usize) -> Vec<Task<'_>> {
        self.values = vec![0; self.len];
        let mut room = &mut self.values[..];
        let mut tasks = Vec::new();
        for rows in self.rows.chunks(rows) {
            let len = rows.iter().map(|row| row.sizes()[0] as usize).sum();
            let values = room.split_off_mut(..len).expect("there is room for all values");
            tasks.push(Task { rows, values });
        }
        tasks
    }

    /// The number of states of all rows.
    pub fn states(&self) -> u64 {
        self.rows.iter().map(Row::states).sum()
    }

    /// The value of the start, in the level of the empty set.
    pub fn value_of_start(&self) -> i32 {
        self.values[0].into()
    }

    /// The row of a set that is the least of its orbit.
    fn row(&self, set: Cells) -> &Row {
        let index = self
            .rows
            .binary_search_by_key(&set, |row| row.set)
            .expect("every set with states has a row");
        &self.rows[index]
    }
}

/// Some rows of a level, and the room for their values.
pub struct Task<'a> {
    rows: &'a [Row],
    values: &'a mut [i8],
}

/// A reply of the second player in a row.
#[derive(Clone, Copy)]
struct Reply {
    /// The index of the first value of the row after the reply.
    start: usize,
    /// For each cell of the row, in increasing order, the bit of its image in that row.
    bits: [u32; MAX_SOLVED_CELLS],
}

/// The values of the moves of a state.
type Values = [i8; MAX_SOLVED_CELLS];

/// The analysis of rows of one level by one thread.
pub struct Worker<'a, V> {
    rules: &'a Rules,
    orbits: &'a Orbits,
    ranks: &'a Ranks,
    /// The level of the sets with one more piece.
    after: &'a Level,
    visitor: V,
    /// The replies on each cell; only those that can be legal are up to date.
    replies: Vec<Reply>,
    /// The values of the row's states with the second player to move.
    after_placement: Vec<i8>,
}

impl<'a, V: Visitor<Position>> Worker<'a, V> {
    /// Creates a worker. `after` is the complete level of the sets with one more piece.
    pub fn new(
        rules: &'a Rules,
        orbits: &'a Orbits,
        ranks: &'a Ranks,
        after: &'a Level,
        visitor: V,
    ) -> Worker<'a, V> {
        let nowhere = Reply { start: 0, bits: [0; MAX_SOLVED_CELLS] };
        let replies = vec![nowhere; MAX_SOLVED_CELLS];
        Worker { rules, orbits, ranks, after, visitor, replies, after_placement: Vec::new() }
    }

    /// Returns the visitor, after all tasks.
    pub fn finish(self) -> V {
        self.visitor
    }

    /// Visits the states of a task in which the player to move has a move.
    ///
    /// Stores the values of the states with the first player to move. Returns the number of states
    /// of the rows, for progress.
    pub fn visit_rows(&mut self, task: Task) -> u64 {
        let mut values = task.values.iter_mut();
        for row in task.rows {
            let cells: RowCells = cells_of(row.beyond).collect();
            let size = row.set.count_ones();
            self.find_replies(row, &cells);
            self.after_placement.clear();
            for bits in subsets(cells.len() as u32, size + 1) {
                let value = self.visit_second(row, &cells, bits);
                self.after_placement.push(value);
            }
            for (bits, value) in subsets(cells.len() as u32, size).zip(&mut values) {
                *value = self.visit_first(row, &cells, bits);
            }
        }
        task.rows.iter().map(Row::states).sum()
    }

    /// Updates the replies that can be legal in a row.
    fn find_replies(&mut self, row: &Row, cells: &RowCells) {
        let board = &self.rules.board;
        for reply in cells_of(board.all() & !row.set) {
            let open = row.beyond & !board.reach(reply);
            if open.count_ones() <= row.set.count_ones() {
                continue; // not legal: the first player has one piece more than the second
            }
            let (least, lane) = self.orbits.least(row.set | 1 << reply);
            let Row { start, beyond, .. } = *self.after.row(least);
            let mut bits = [0; MAX_SOLVED_CELLS];
            for (bit, &cell) in bits.iter_mut().zip(cells) {
                if open >> cell & 1 == 1 {
                    let image = self.orbits.image_of_cell(cell, lane);
                    *bit = 1 << (beyond & ((1 << image) - 1)).count_ones();
                }
            }
            self.replies[reply] = Reply { start, bits };
        }
    }

    /// Visits the state in which the first player has the pieces `bits` of the row's cells and the
    /// second player is to move. Returns its value.
    fn visit_second(&mut self, row: &Row, cells: &RowCells, bits: u32) -> i8 {
        let first = spread(bits, cells);
        let moves = self.rules.usable(row.set, first);
        if moves == 0 {
            // The first player takes all cells of the row.
            return (cells.len() as i32 - row.set.count_ones() as i32) as i8;
        }
        let mut values = Values::default();
        let mut best = i8::MAX;
        for (value_after, reply) in values.iter_mut().zip(cells_of(moves)) {
            let Reply { start, bits: images } = &self.replies[reply];
            let there = cells_of(bits).fold(0, |set, bit| set | images[bit]);
            let value = self.after.values[start + self.ranks.rank(there)];
            best = best.min(value);
            *value_after = value;
        }
        let turn = 2 * row.set.count_ones() + 2;
        let position = Position { pieces: [first, row.set], to_move: Player::Second, turn };
        self.visit(row, &position, moves, &values[..moves.count_ones() as usize]);
        best
    }

    /// Visits the state with the same pieces and the first player to move. Returns its value.
    fn visit_first(&mut self, row: &Row, cells: &RowCells, bits: u32) -> i8 {
        let first = spread(bits, cells);
        let mut moves = row.beyond & !first;
        if row.set == 0 {
            moves &= !self.rules.forbidden_opening();
        }
        if moves == 0 {
            // The second player takes all cells that are left.
            return -(self.rules.usable(row.set, first).count_ones() as i8);
        }
        let mut values = Values::default();
        let mut best = i8::MIN;
        let bits_of_moves = (0..).zip(cells).filter(|(_, cell)| moves >> **cell & 1 == 1);
        for (value_after, (bit, _)) in values.iter_mut().zip(bits_of_moves) {
            let value = self.after_placement[self.ranks.rank(bits | 1 << bit)];
            best = best.max(value);
            *value_after = value;
        }
        let turn = 2 * row.set.count_ones() + 1;
        let position = Position { pieces: [first, row.set], to_move: Player::First, turn };
        self.visit(row, &position, moves, &values[..moves.count_ones() as usize]);
        best
    }

    /// Calls the visitor with a state if play reaches it and it is the representative of its
    /// images.
    #[inline]
    fn visit(&mut self, row: &Row, position: &Position, moves: Cells, values: &[i8]) {
        let first = position.pieces[0];
        let is_reached = first.count_ones() != 1 || first != self.rules.forbidden_opening();
        if is_reached && self.orbits.is_least(first, row.stabilizer) {
            self.visitor.visit(position, moves, values);
        }
    }
}

/// The cells of a row, in increasing order.
type RowCells = ArrayVec<usize, MAX_SOLVED_CELLS>;

/// Returns the cells of a row whose indices are the bits that are set.
#[inline]
fn spread(bits: u32, cells: &RowCells) -> Cells {
    cells_of(bits).fold(0, |set, bit| set | 1 << cells[bit])
}

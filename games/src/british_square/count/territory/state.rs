//! The states of the territory count: contested cells, and the numbers of free cells.

use crate::british_square::board::cells_of;
use crate::british_square::rules::{Position, Rules};
use crate::british_square::territory::{Territory, TerritoryBoard};
use num_bigint::BigUint;

/// The rest of a game, seen by the player to move. Contested cells are in their canonical image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed)] // Millions are stored.
pub struct State {
    contested: Territory,
    /// The numbers of free cells of the mover and of the opponent.
    free: [u8; 2],
}

impl State {
    /// The sum of the numbers of cells that each player may use. Every move reduces it, by at most
    /// [`MAX_STEP`].
    #[inline]
    pub fn size(&self) -> usize {
        let State { contested: Territory { own, other }, free } = *self;
        let contested = (own.count_ones() + other.count_ones()) as usize;
        contested + usize::from(free[0]) + usize::from(free[1])
    }

    /// A hash of the state, uniform in its high bits.
    #[inline]
    pub fn hash(&self) -> u64 {
        let Territory { own, other } = self.contested;
        let free = u64::from(u16::from_le_bytes(self.free));
        let mixed = own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ free.rotate_right(16);
        (mixed ^ mixed >> 32 ^ other.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    /// The only final score and the number of playouts of a state without contested cells. `None`
    /// for other states.
    #[inline]
    pub fn end(&self) -> Option<(i32, BigUint)> {
        let State { contested, free: [own, theirs] } = *self;
        // If one player has no contested cell, the other has none either.
        if contested != Territory::CLOSED {
            return None;
        }
        let factorial = |n: u8| (1..=n).map(BigUint::from).product::<BigUint>();
        Some((i32::from(own) - i32::from(theirs), factorial(own) * factorial(theirs)))
    }
}

/// The largest reduction of the size of a state by a move: its own cell for both players, and the
/// four adjacent cells for the opponent.
pub const MAX_STEP: usize = 6;

/// The moves between states, for some rules.
pub struct Game<'a> {
    rules: &'a Rules,
    board: TerritoryBoard,
}

impl Game<'_> {
    /// The moves under rules without a limit on pieces.
    pub fn new(rules: &Rules) -> Game<'_> {
        Game { rules, board: TerritoryBoard::new(rules.board) }
    }

    /// The states after each placement of a position, in the order of the cells.
    pub fn after_each(&self, position: &Position) -> Vec<State> {
        let territory = self.board.territory(self.rules, position);
        let contested = territory.contested(&self.board);
        let free = [territory.own ^ contested.own, territory.other ^ contested.other]
            .map(|set| set.count_ones() as u8);
        let cells = cells_of(self.rules.legal(position, position.to_move));
        let after = cells.map(|cell| {
            if contested.own >> cell & 1 == 1 {
                self.after(contested, cell, free)
            } else {
                self.after_free(contested, free)
            }
        });
        after.collect()
    }

    /// An upper bound on the size of a state after a move.
    pub fn max_size(&self) -> usize {
        2 * self.rules.board.cells() - 2
    }

    /// Pushes the successors of a state with contested cells, each with the number of moves that
    /// lead to it. There is at least one, and at most as many moves as the size of the state.
    #[inline]
    pub fn moves(&self, state: &State, moves: &mut Vec<(State, u32)>) {
        let State { contested, free: [own, theirs] } = *state;
        for cell in cells_of(contested.own) {
            moves.push((self.after(contested, cell, [own, theirs]), 1));
        }
        if own > 0 {
            moves.push((self.after_free(contested, [own, theirs]), own.into()));
        }
    }

    /// The state after a move on a free cell, seen by the opponent.
    #[inline]
    fn after_free(&self, contested: Territory, [own, theirs]: [u8; 2]) -> State {
        let contested = self.board.canonical(contested.swapped());
        State { contested, free: [theirs, own - 1] }
    }

    /// The state after a move on a contested cell, seen by the opponent.
    #[inline]
    fn after(&self, contested: Territory, cell: usize, [own, theirs]: [u8; 2]) -> State {
        let left = contested.take(&self.board, cell);
        let contested = left.contested(&self.board);
        let freed = [left.own ^ contested.own, left.other ^ contested.other]
            .map(|set| set.count_ones() as u8);
        let contested = self.board.canonical(contested);
        State { contested, free: [theirs + freed[0], own + freed[1]] }
    }
}

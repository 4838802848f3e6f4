//! British Square as a game of the breadth-first count.

use super::pairs::{PairKey, PairTable};
use super::state_bounds::states_at_most;
use crate::british_square::board::Cells;
use crate::british_square::limits::{MAX_COUNTED_CELLS, TooLarge};
use crate::british_square::rules::Rules;

use crate::british_square::symmetry::{Images, Kernel};
use bsq_engine::game::Player;
use bsq_engine::levels::{Options, PlacementGame};
use std::marker::PhantomData;

/// The breadth-first game on boards of at most 32 cells.
pub type LevelGame64 = LevelGame<u64>;
/// The breadth-first game on boards of up to [`MAX_COUNTED_CELLS`] cells. Slower.
pub type LevelGame128 = LevelGame<u128>;

/// Rules with the tables for the breadth-first count, in keys of type `W`. Two sets of cells must
/// fit a key.
#[derive(Clone, Debug)]
pub struct LevelGame<W> {
    rules: Rules,
    images: PairTable,
    symmetries: usize,
    word: PhantomData<fn() -> W>,
}

impl<W: PairKey> LevelGame<W> {
    /// Builds the tables for the given rules.
    pub fn new(rules: Rules) -> Result<LevelGame<W>, TooLarge> {
        LevelGame::with_kernel(rules, Kernel::best())
    }

    /// Like [`new`](LevelGame::new), with a given instruction set. 128-bit keys ignore it.
    pub fn with_kernel(rules: Rules, kernel: Kernel) -> Result<LevelGame<W>, TooLarge> {
        rules.check()?;
        let most = W::SET_BITS.min(MAX_COUNTED_CELLS);
        if rules.board.cells() > most {
            return Err(TooLarge::Levels { board: rules.board, most });
        }
        let images = PairTable::new(&rules.board, kernel);
        let symmetries = rules.board.symmetries().len();
        Ok(LevelGame { rules, images, symmetries, word: PhantomData })
    }

    #[inline(always)]
    fn usable(&self, own: Cells, opponent: Cells) -> Cells {
        self.rules.usable(own, opponent)
    }
}

/// The pieces of the opponent, common to all states of a row.
pub struct Row {
    opponent: Cells,
    images: Images,
    symmetric: bool,
}

impl<W: PairKey> PlacementGame for LevelGame<W> {
    type Key = W;
    type Row = Row;

    fn row(&self, opponent: Cells) -> Row {
        let images = self.images.set(opponent);
        // Boards with fewer than eight symmetries repeat theirs in the other words.
        let symmetric = images.0[1..self.symmetries].contains(&images.word());
        Row { opponent, images, symmetric }
    }

    #[inline]
    fn options(&self, row: &Row, own: Cells, turn: u32) -> Options {
        let mut cells = self.usable(own, row.opponent);
        if turn == 1 {
            cells &= !self.rules.forbidden_opening();
        }
        if cells != 0 {
            Options::Place(cells)
        } else if self.usable(row.opponent, own) != 0 {
            Options::Pass
        } else {
            let ahead = own.count_ones() as i32 - row.opponent.count_ones() as i32;
            Options::Terminal(Player::on_turn(turn).sign() * ahead)
        }
    }

    fn canonical_successors(&self, row: &Row, own: &[Cells], words: &mut [W]) {
        W::pair_each(&self.images, &row.images, own, words);
    }

    fn symmetric(&self, row: &Row) -> bool {
        row.symmetric
    }

    fn max_moves(&self) -> u32 {
        self.rules.board.cells() as u32
    }

    fn max_states(&self) -> u64 {
        states_at_most(&self.rules.board)
    }

    fn cells(&self) -> Cells {
        self.rules.board.all()
    }

    /// Without the bias, which does not affect the counts.
    fn rules(&self) -> String {
        let mut text = format!("{} {}", crate::british_square::NAME, self.rules.board);
        if self.rules.board.centre().is_some() && self.rules.center_allowed {
            text += ", centre allowed";
        }
        if let Some(pieces) = self.rules.pieces {
            text += &format!(", {pieces} pieces each");
        }
        text
    }
}

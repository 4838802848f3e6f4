//! British Square as the counting pass sees it.

use super::capacity::states_at_most;
use super::images::{Images, Kernel};
use super::pairs::{PAIR_BITS, PairTable};
use super::rules::Rules;
use super::solving::TooLarge;
use crate::game::Player;
use crate::solve::levels::{Layered, Placed};

/// The rules together with the tables that make counting fast. For boards of at most 32 cells.
#[derive(Clone, Debug)]
pub struct Counted {
    rules: Rules,
    images: PairTable,
    symmetries: usize,
}

impl Counted {
    /// The game of these rules.
    pub fn new(rules: Rules) -> Result<Counted, TooLarge> {
        Counted::with_kernel(rules, Kernel::best())
    }

    /// The same with instructions of the caller's choice.
    pub fn with_kernel(rules: Rules, kernel: Kernel) -> Result<Counted, TooLarge> {
        rules.check()?;
        if rules.board.cells() > PAIR_BITS {
            return Err(TooLarge::Levels(rules.board));
        }
        let images = PairTable::new(&rules.board, kernel);
        let symmetries = rules.board.symmetries().len();
        Ok(Counted { rules, images, symmetries })
    }

    #[inline(always)]
    fn usable(&self, own: u32, opponent: u32) -> u32 {
        self.rules.usable(own.into(), opponent.into()) as u32
    }
}

/// The states of a row: the same pieces of the opponent, who waits.
pub struct Row {
    opponent: u32,
    images: Images,
    symmetric: bool,
}

impl Layered for Counted {
    type Row = Row;

    fn row(&self, opponent: u32) -> Row {
        let images = self.images.set(opponent);
        // Boards with fewer than eight symmetries repeat theirs in the other lanes.
        let symmetric = images.0[1..self.symmetries].contains(&images.word());
        Row { opponent, images, symmetric }
    }

    #[inline]
    fn place(&self, row: &Row, own: u32, turn: u32) -> Placed {
        let mut cells = self.usable(own, row.opponent);
        if turn == 1 {
            cells &= !(self.rules.forbidden_opening() as u32);
        }
        if cells != 0 {
            Placed::On(cells)
        } else if self.usable(row.opponent, own) != 0 {
            Placed::Pass
        } else {
            let ahead = own.count_ones() as i32 - row.opponent.count_ones() as i32;
            Placed::Over(Player::on_turn(turn).sign() * ahead)
        }
    }

    fn turn_over(&self, row: &Row, own: &[u32], words: &mut [u64]) {
        self.images.pair_each(&row.images, own, words);
    }

    fn symmetric(&self, row: &Row) -> bool {
        row.symmetric
    }

    fn moves_at_most(&self) -> u32 {
        self.rules.board.cells() as u32
    }

    fn states_at_most(&self) -> u64 {
        states_at_most(&self.rules.board)
    }

    /// The bias is left out: no count depends on it.
    fn rules(&self) -> String {
        let mut text = format!("{} {}", super::NAME, self.rules.board);
        if self.rules.board.centre().is_some() && self.rules.center_allowed {
            text += ", centre allowed";
        }
        if let Some(pieces) = self.rules.pieces {
            text += &format!(", {pieces} pieces each");
        }
        text
    }
}

//! Rules of thumb for choosing a move, and how to measure one against perfect play.
//!
//! A [`Heuristic`] looks at a [`Decision`] and names the moves that it likes best; the
//! [`tester`] counts, over every decision of a game, how often they are not perfect and what
//! that costs. To add one: implement the trait in a file here and add a line to [`ALL`].

use crate::game::Player;
use crate::game::british_square::{Board, Cells, cells_of};

mod claims;
mod places;
pub mod tester;

pub use claims::{Greedy, MostSafe};
pub use places::{Mirror, NearestCentre, Random};

/// A position in which the mover has at least one legal move, seen by the mover.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// The board.
    pub board: &'a Board,
    /// For each cell, the cell itself and those that share a side with it: where a piece on it
    /// keeps the opponent from playing.
    pub reach: &'a [Cells],
    /// The mover's pieces.
    pub own: Cells,
    /// The opponent's pieces.
    pub opponent: Cells,
    /// The moves that are legal now.
    pub legal: Cells,
    /// Cells that the mover could use if only the adjacency of pieces and the number of pieces
    /// mattered: the legal moves and, on the first turn, a forbidden centre.
    pub own_usable: Cells,
    /// Cells that the opponent could still use, if it were the opponent's turn.
    pub opponent_usable: Cells,
    /// Who is to move.
    pub player: Player,
    /// The turn, from 1.
    pub turn: u32,
}

/// A rule of thumb.
pub trait Heuristic: Send + Sync {
    /// The word by which the command knows it.
    fn name(&self) -> &'static str;
    /// What it likes, in a sentence.
    fn summary(&self) -> &'static str;
    /// The moves that it likes best: at least one, all legal. Must not depend on how the
    /// board is turned, except that the moves turn with it.
    fn liked(&self, decision: &Decision) -> Cells;
}

/// Every built-in heuristic.
pub const ALL: &[&dyn Heuristic] = &[&Greedy, &MostSafe, &NearestCentre, &Mirror, &Random];

/// The heuristic of that name.
///
/// ```
/// assert_eq!(bsq_engine::heuristic::by_name("greedy").unwrap().name(), "greedy");
/// assert!(bsq_engine::heuristic::by_name("lucky").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static dyn Heuristic> {
    ALL.iter().copied().find(|heuristic| heuristic.name() == name)
}

/// The cells of a set whose measure is highest.
fn most(cells: Cells, measure: impl Fn(usize) -> i32) -> Cells {
    let mut best = i32::MIN;
    let mut liked = 0;
    for cell in cells_of(cells) {
        let value = measure(cell);
        if value > best {
            best = value;
            liked = 0;
        }
        liked |= Cells::from(value == best) << cell;
    }
    liked
}

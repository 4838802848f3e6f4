//! Bit-set retrograde analysis: every position won or lost, with its depth in plies, computed
//! backward from the ends of the game, many positions in each machine instruction.
//!
//! Two bit sets hold the positions lost and won for the player to move. Odd iterations extend the
//! set of won positions: some move leads to a lost one. Even iterations extend the set of lost
//! positions: every move leads to a won one. The iteration that finds nothing is the last;
//! positions in neither set are drawn. An iteration reads only words that the one before has
//! changed.
//!
//! Each player counts squares from that player's home row, so a position is two placements, the
//! mover's and the opponent's, and boards are never rotated. A placement gives each piece a
//! **place**: an open square, or the number after the last one if it was captured. A **row** has
//! the positions with the same pieces of one player: of the mover in the set of lost positions, of
//! the opponent in the set of won ones. So a move of that player leads to whole other rows, and a
//! move of the other player stays in the row. In a row, a *section* is a place of the other
//! player's rock, a *part* of it a place of the paper, a word of it a place of the scissors, a bit
//! of it a place of the well. Of two rows that are mirror images, only one is kept.
//!
//! * [`Layout`]: the rows, and the moves between them; `ranking`: bits of positions and back;
//! * `bit_set`: the two sets, and the words that an iteration changed;
//! * [`Retrograde`], [`solve`]: the iterations;
//! * `wins`, `losses`: one iteration of either kind on a row;
//! * `occupancy`, `part`: operations on the parts of a row;
//! * [`ByMaterial`]: counts by material;
//! * [`LostPositions`]: the depths of lost positions, compressed.
//!
//! Reference: Ken Thompson, *Retrograde analysis of certain endgames* (ICCA Journal, 1986).

mod bit_set;
mod driver;
mod layout;
mod losses;
mod lost_positions;
mod material;
mod occupancy;
mod part;
mod ranking;
mod wins;

pub use bit_set::{BitSet, Found};
pub use driver::{Iteration, OnDecided, Retrograde, Solved, set_bytes, solve, solving_bytes};
pub use layout::Layout;
pub use lost_positions::LostPositions;
pub use material::{ByMaterial, MATERIALS};

//! Rock-paper-scissors-well: numbers of won, lost and drawn positions by depth, and their
//! arrangements.
//!
//! * [`distances`]: tables of a census, from a solution or a tablebase;
//! * [`mod@line`]: the longest win, and a position with its moves;
//! * [`arrangements`] and [`draws`]: tables of positions of a tablebase.

pub mod arrangements;
pub mod distances;
pub mod draws;
pub mod line;

pub use distances::{distances_table, iterations_table, material_table};
pub use line::{longest_note, longest_table, probe_table};

use bsq_games::rpsw::{Piece, Rules};

/// The letters of a set of pieces, such as `RPW`.
fn material(bits: usize) -> String {
    let letters = Piece::ALL.into_iter().zip(['R', 'P', 'S', 'W']);
    letters.filter(|(kind, _)| bits >> kind.index() & 1 == 1).map(|(_, letter)| letter).collect()
}

/// Whether the game begins with four pieces each on four columns.
fn begins_with_four(rules: &Rules) -> bool {
    rules.board().cols() == 4 && rules.pieces() == 4 && rules.total() == 8
}

//! Rock-paper-scissors-well: numbers of won, lost and drawn positions by depth, and their
//! arrangements.
//!
//! * [`distances`]: tables of the census of a tablebase;
//! * [`arrangements`] and [`draws`]: tables of positions of a tablebase.

pub mod arrangements;
pub mod distances;
pub mod draws;

use bsq_games::rpsw::Rules;

/// Whether the game begins with four pieces each on four columns.
fn begins_with_four(rules: &Rules) -> bool {
    rules.board().cols() == 4 && rules.pieces() == 4 && rules.total() == 8
}

//! Rock-paper-scissors-well: how many positions are won and lost, how soon, and which.
//!
//! * [`distances`]: tables of a census, which a solver makes and a database keeps;
//! * `line`: the longest win, and a position with its moves;
//! * [`arrangements`] and [`draws`]: questions to a database.

pub mod arrangements;
pub mod distances;
pub mod draws;
pub mod line;

pub use distances::{distances_table, iterations_table, material_table};
pub use line::{longest_note, longest_table, probe_table, verdict_words};

use crate::Table;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_games::rpsw::tablebase::{Tablebase, TablebaseError};
use bsq_games::rpsw::{Piece, Rules, VerdictError};

/// A question to a database.
pub struct Pass {
    /// How the command calls it.
    pub name: &'static str,
    /// What it answers, in a line.
    pub about: &'static str,
    /// Makes its tables.
    pub run: fn(&Tablebase, &Monitor) -> Result<Vec<Table>, PassError>,
}

/// Every question.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "arrangements",
        about: "who wins from every arrangement of the pieces at the start, and how soon",
        run: arrangements::run,
    },
    Pass {
        name: "distances",
        about: "in how many plies positions are decided, by material",
        run: distances::run,
    },
    Pass {
        name: "draws",
        about: "how many positions nobody wins, by material, and what they look like",
        run: draws::run,
    },
];

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PassError {
    /// The database cannot be read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// It contradicts itself.
    #[error(transparent)]
    Verdict(#[from] VerdictError<TablebaseError>),
    /// The caller wanted an end.
    #[error(transparent)]
    Stopped(#[from] SolveError),
    /// The game does not begin like that.
    #[error(
        "arrangements are those of four pieces on a base row of four squares, and the game of this database begins otherwise"
    )]
    NoArrangements,
}

/// The letters of the pieces, such as `RPW`.
fn material(bits: usize) -> String {
    let letters = Piece::ALL.into_iter().zip(['R', 'P', 'S', 'W']);
    letters.filter(|(kind, _)| bits >> kind.index() & 1 == 1).map(|(_, letter)| letter).collect()
}

/// Whether the rules begin with all four pieces on four columns.
fn begins_with_four(rules: &Rules) -> bool {
    rules.cols() == 4 && rules.pieces() == 4 && rules.total() == 8
}

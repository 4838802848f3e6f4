//! The value of one position: alpha-beta with null windows over positions without captures.
//!
//! * [`Solver`]: an MTD(f)-style driver, with one search per thread on a shared transposition
//!   table;
//! * `alpha_beta`: the null-window search, with move ordering and simplified ABDADA;
//! * `node`: positions of the search, and move generation with its reductions;
//! * `captures`: boxes that can be taken immediately;
//! * `endgame_table`: values of positions that consist of independent chains and loops;
//! * `move_history`: killer and history heuristics;
//! * `encoding`: a score and a loony mark as one number;
//! * `penalty_solver`: values under any penalty, including fractional ones;
//! * `variation`, `move_kind`: principal variations, and the kinds of moves;
//! * [`Every`]: values of all positions of a small board, without reductions.
//!
//! `docs/dots.md` explains why the reductions are correct.
//!
//! References: Elwyn Berlekamp, *The Dots-and-Boxes Game* (2000); Joseph Barker and Richard Korf,
//! *Solving Dots-and-Boxes* (AAAI 2012); Aske Plaat et al., *Best-first fixed-depth minimax
//! algorithms* (1996), for MTD(f); Jean-Christophe Weill, *The ABDADA distributed minimax search
//! algorithm* (1996).

mod alpha_beta;
mod captures;
mod encoding;
pub(super) mod endgame_table;
mod every;
pub(super) mod move_history;
mod move_kind;
pub(super) mod node;
mod penalty_solver;
mod solver;
mod variation;

pub use captures::Captures;
pub(super) use encoding::Encoding;
pub use endgame_table::Component;
pub use every::{Every, EveryError};
pub use move_kind::MoveKind;
pub use node::Reductions;
pub(super) use penalty_solver::PenaltySolver;
pub use solver::{AnySolver, Loony, Marked, Solver};
pub use variation::Step;

//! Counting states and playouts.
//!
//! * [`levels`]: the game as the breadth-first count of `bsq_engine::levels` sees it;
//! * [`pairs`]: canonical pairs of sets of cells, for that count;
//! * [`state_bounds`]: how many states a game has at most, from its rules;
//! * [`closed_form`]: playouts from the sets of pieces in which they can end;
//! * [`territory`]: playouts from the cells that each player may still use, by [`backward`].

pub mod backward;
pub mod closed_form;
pub mod levels;
pub mod pairs;
pub mod state_bounds;
pub mod territory;

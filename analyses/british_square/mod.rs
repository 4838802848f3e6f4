//! British Square: states, playouts, perfect play, rule variants and heuristics.

pub mod blunders;
pub mod boards;
pub mod capacity;
pub mod heuristics;
pub mod mirror;
pub mod openings;
pub mod playouts;
pub mod scores;
pub mod states;
pub mod terminals;
pub mod variants;

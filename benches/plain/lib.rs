//! Plain programs that solve and count games without the ideas of this project: the baselines of
//! benchmarks, and oracles of tests.

pub mod british_square;
pub mod dots;
pub mod mnk;
pub mod rpsw;
pub mod territory;

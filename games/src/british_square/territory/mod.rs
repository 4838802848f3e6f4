//! The value of a position, by alpha-beta search over the cells that the players may still use.
//!
//! A placed piece is a point and closes the cells within its reach (its own cell and the adjacent
//! ones) to the opponent. The rest of a game therefore depends only on the two sets of usable
//! cells, a [`Territory`], and not on the pieces. The search rests on these facts, each proved in
//! `docs/territory.md`:
//!
//! * Moving is never worse than passing. A cell that the opponent can no longer close is worth
//!   one point and is removed ([`Territory::settle`]).
//! * A move that closes a subset of what another move closes is dominated.
//! * The remaining cells split into regions that do not affect each other, a disjunctive sum (J.
//!   Milnor, *Sums of positional games*, 1953). Small regions have thermographs: opposite regions
//!   cancel. The value of a sum is at least the sum of the mean values and exceeds it by at most
//!   the highest temperature (O. Hanner, *Mean play of sums of positional games*, 1959).
//!
//! Modules:
//!
//! * `board`: territories, boards, free cells, regions, dominated moves;
//! * `thermograph`: walls, mean value and temperature of a game;
//! * `regions`: the table of the values of small regions;
//! * `static_bounds`: bounds and an estimate without search;
//! * `search`: alpha-beta with null windows, shared by all threads;
//! * `solver`: solvers on the driver of all searches, with tables that grow;
//! * `strong`: the value of every territory below a root, by plain depth-first search.

mod board;
mod regions;
mod search;
mod solver;
mod static_bounds;
mod strong;
mod thermograph;

pub use board::{Territory, TerritoryBoard};
pub use solver::{SearchRequest, Solver, Solvers};
pub use strong::StrongSolution;

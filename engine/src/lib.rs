//! Algorithms and data structures for the exact analysis of two-player games of perfect
//! information. The only game defined here is the toy game [`nim`].
//!
//! A **score** is the first player's points minus the second player's: positive when the first
//! player wins.
//!
//! * [`game`]: the traits that a game implements, players, outcomes and values;
//! * [`score`]: exact scores;
//! * [`proved`]: bounds on values;
//! * [`evaluate`]: the trait of evaluators, which find the value of a position and of its moves;
//! * [`explore`](mod@explore): for any game, its reachable positions, playouts, and the value of
//!   every position by retrograde analysis;
//! * [`search`]: for any game whose play ends, the value of one position;
//! * [`expression`]: expressions about positions;
//! * [`record`]: game records, as values and as text;
//! * [`options`]: options of rules, as data;
//! * [`view`]: scenes for drawing, and facts;
//! * [`error`](mod@error): the kinds of errors, and the error that front ends present;
//! * [`definition`]: the definition of a game, with its evaluator, for front ends;
//! * [`strong`]: the strong solution of acyclic games, by parallel depth-first search with a shared
//!   transposition table;
//! * [`table`]: transposition tables, shared between threads;
//! * [`storage`]: file formats with checksums, checkpoints of searches, atomic files and locks;
//! * [`results`]: tables with typed columns;
//! * [`heap`]: the return of freed memory to the system;
//! * [`conformance`]: checks of implementations of the traits;
//! * [`random`]: pseudo-random numbers;
//! * [`monitor`]: progress and cancellation of long jobs, and their errors;
//! * [`parallel`]: parallel loops;
//! * [`text`]: text in messages;
//! * [`nim`]: the toy game of the examples and tests.
//!
//! # Features
//!
//! `storage`, enabled by default, adds the part of [`storage`] that accesses files. Without it, the
//! crate compiles for `wasm32-unknown-unknown`, which has no files and no threads, and whose clock is
//! that of the browser.

pub mod conformance;
mod cpu;
pub mod dataset;
pub mod definition;
pub mod error;
pub mod evaluate;
pub mod explore;
pub mod expression;
pub mod game;
pub mod heap;
pub mod monitor;
pub mod nim;
pub mod options;
pub mod parallel;
pub mod proved;
pub mod random;
pub mod record;
pub mod results;
pub mod score;
pub mod search;
pub mod storage;
pub mod strong;
mod sync;
pub mod table;
pub mod text;
pub mod view;

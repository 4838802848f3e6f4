//! `bsq serve` as a client sees it.
#![cfg(feature = "full")]

mod answers;
mod description;
mod dots;
mod limits;
mod load;
mod refusals;
mod rpsw;
mod server;

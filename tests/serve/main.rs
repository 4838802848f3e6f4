//! Tests `bsq serve` from the point of view of a client.
#![cfg(feature = "full")]

mod answers;
mod description;
mod dots;
mod limits;
mod load;
mod refusals;
mod rpsw;
mod server;

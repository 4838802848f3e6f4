//! Tests `bsq serve` from the point of view of a client.
#![cfg(feature = "full")]

mod analyses;
mod answers;
mod clients;
mod description;
mod fairness;
mod limits;
mod load;
mod local;
mod protocol;
mod refusals;
mod server;
mod slow_readers;
mod soak;
mod tablebases;

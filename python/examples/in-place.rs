//! The library of the Python package as an example, which `cargo test` builds with the features of the tests. So
//! `python/in-place` takes it, and nothing is compiled twice.

#[path = "../src/lib.rs"]
mod library;

//! Files.

pub mod checkpoint;

//! Tables as text and in files: [`csv`], [`json`], and the [`manifest`] of files, the same in every
//! front end.

pub mod csv;
pub mod json;
pub mod manifest;

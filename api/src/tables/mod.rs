//! Tables as text: [`csv`] and [`json`], the same in every front end.

pub mod csv;
pub mod json;

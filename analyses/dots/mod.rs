//! Dots-and-Boxes: values of boards, rules of thumb, and numbers of positions.

pub mod boards;
pub mod positions;
pub mod rules;

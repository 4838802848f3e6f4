//! Replaces `checkpoint.rs` in builds without the feature `storage`.

use super::census::Census;
use super::game::PlacementGame;
use super::level::{Level, NewLevel};
use super::scratch::ScratchFolder;
use crate::monitor::{Monitor, SolveError};

pub fn restore(
    scratch: &ScratchFolder,
    _game: &impl PlacementGame,
    _monitor: &Monitor,
) -> Result<Option<(Census, Level)>, SolveError> {
    match *scratch {}
}

pub fn save(
    scratch: &ScratchFolder,
    _rules: &str,
    _census: &Census,
    _new: NewLevel,
) -> Result<Level, SolveError> {
    match *scratch {}
}

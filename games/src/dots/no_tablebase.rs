//! Tablebases without the feature `storage`: none, since they are read from files.

use super::Lines;
use bsq_engine::error::{HasKind, Kind};

/// A tablebase. There is none without the feature `storage`.
pub enum Tablebase {}

/// Why a tablebase cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablebaseError {}

impl HasKind for TablebaseError {
    fn kind(&self) -> Kind {
        match *self {}
    }
}

impl Tablebase {
    pub(super) fn has(&self, _lines: Lines) -> bool {
        match *self {}
    }

    pub(super) fn value(&self, _lines: Lines) -> Result<Option<i8>, TablebaseError> {
        match *self {}
    }
}

//! Replaces `scratch.rs` in builds without the feature `storage`: there are no scratch folders, so
//! nothing that requires one is ever called.

/// A scratch folder. There is none without the feature `storage`.
pub enum ScratchFolder {}

impl ScratchFolder {
    pub(crate) fn sweep(&self) {
        match *self {}
    }
}

//! The external memory of a count without the feature `storage`: none.
//!
//! A scratch folder cannot be created, so nothing that requires one is ever called.

pub mod scratch {
    /// A scratch folder. There is none without the feature `storage`.
    pub enum ScratchFolder {}

    impl ScratchFolder {
        pub(crate) fn sweep(&self) {
            match *self {}
        }
    }
}

pub mod checkpoint {
    use super::scratch::ScratchFolder;
    use crate::levels::census::Census;
    use crate::monitor::{Monitor, SolveError};

    pub fn restore<Restored>(
        scratch: &ScratchFolder,
        _rules: &str,
        _monitor: &Monitor,
    ) -> Result<Option<Restored>, SolveError> {
        match *scratch {}
    }

    pub fn save<NewLevel, Level>(
        scratch: &ScratchFolder,
        _rules: &str,
        _census: &Census,
        _new: NewLevel,
    ) -> Result<Level, SolveError> {
        match *scratch {}
    }
}

pub mod runs {
    use super::scratch::ScratchFolder;
    use crate::monitor::{Monitor, SolveError};
    use crate::storage::{FileRecord, StorageError};

    /// A run on disk.
    pub enum Run {}

    impl Run {
        pub fn words(&self) -> usize {
            match *self {}
        }
    }

    pub fn read(run: &Run, _take: impl FnMut(&[u64]) -> Option<()>) -> Result<(), StorageError> {
        match *run {}
    }

    /// Writes runs.
    pub struct RunWriter<'a>(&'a ScratchFolder);

    impl<'a> RunWriter<'a> {
        pub fn new(scratch: &'a ScratchFolder, _turn: u32) -> RunWriter<'a> {
            RunWriter(scratch)
        }

        pub fn write(
            &mut self,
            _part: usize,
            _blocks: &[Vec<u64>],
            _runs: &mut Vec<(usize, Run)>,
            _monitor: &Monitor,
        ) -> Result<(), SolveError> {
            match *self.0 {}
        }

        pub fn finish(self) -> Result<Vec<FileRecord>, StorageError> {
            match *self.0 {}
        }
    }
}

//! The operations of the operating system that [`storage`](super) performs: those of the standard
//! library, or with the feature `faults` those of [`faults`](super::faults).

#[cfg(feature = "faults")]
pub use super::faults::{
    File, create_dir_all, open, read_dir, remove_dir, remove_file, rename, symlink_metadata,
};
#[cfg(not(feature = "faults"))]
pub use std::fs::{
    File, create_dir_all, read_dir, remove_dir, remove_file, rename, symlink_metadata,
};

/// Opens a file with those options.
#[cfg(not(feature = "faults"))]
pub fn open(options: &std::fs::OpenOptions, path: &std::path::Path) -> std::io::Result<File> {
    options.open(path)
}

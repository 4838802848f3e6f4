//! Files: every file operation of the engine and of the games passes through this module.
//!
//! * [`header`]: the header that all files share; [`container`]: containers of checksummed blocks;
//! * [`identity`]: what a block belongs to, as part of its checksum;
//! * [`checkpoint`]: transposition tables of long searches, as containers.
//!
//! With the feature `storage`:
//!
//! * [`disk`]: free space;
//! * [`files`]: atomic files, directories, positioned reads and writes;
//! * [`lock`]: exclusive locks between processes.
//!
//! With the feature `faults`, which is for tests, operations fail on request.

pub mod checkpoint;
pub mod container;
#[cfg(feature = "storage")]
pub mod disk;
mod error;
#[cfg(feature = "faults")]
pub mod faults;
#[cfg(feature = "storage")]
pub mod files;
pub mod header;
pub mod identity;
#[cfg(feature = "storage")]
pub mod lock;
#[cfg(feature = "storage")]
mod system;

pub use error::StorageError;
pub use header::{Digest, FileRecord, Format};
pub use identity::Identity;

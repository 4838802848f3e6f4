//! Files: every file operation of the engine and of the games passes through this module.
//!
//! * [`container`]: the header that all files share, and containers of checksummed blocks;
//! * [`checkpoint`]: transposition tables of long searches, as containers;
//! * [`files`]: atomic files, directories, positioned reads and writes;
//! * [`lock`]: exclusive locks between processes;
//! * [`runs`]: external-memory runs.

pub mod checkpoint;
pub mod container;
mod error;
pub mod files;
pub mod lock;
pub mod runs;

pub use container::{Digest, FileRecord, Format};
pub use error::StorageError;

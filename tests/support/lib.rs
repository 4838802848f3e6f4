//! Kind that tests of several crates share.
//!
//! * [`containers`]: files of blocks, taken apart;
//! * [`oracle`]: brute force for British Square, which shares no code with the program;
//! * [`processes`] and [`signals`]: commands that are run, interrupted and killed.

pub mod containers;
pub mod oracle;
pub mod processes;
pub mod signals;

//! Tables of positions and their values that threads share.

mod memory;
pub mod sharded;

pub use sharded::{Claim, ShardFull, ShardedTable};

//! Tables of positions and their values that threads share.

mod memory;
mod sharded;

pub use sharded::{Claim, ShardFull, ShardedTable};

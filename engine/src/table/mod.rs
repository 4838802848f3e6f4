//! Tables of positions and their values that threads share.

#[cfg(not(loom))]
pub mod bounds;
mod memory;
pub mod sharded;

#[cfg(not(loom))]
pub use bounds::{Bounds, BoundsTable};
pub use sharded::{Claim, ShardFull, ShardedTable};

//! The heap of the process.

/// The size of blocks in bytes that are returned to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;

/// Makes the allocator return large blocks to the system as soon as they are freed. For processes
/// that evict tables to stay within a memory budget.
///
/// By default, glibc keeps blocks of up to 32 MiB for later allocations once such a block has been
/// freed, in up to eight heaps for each core. Without effect on other systems.
pub fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: mallopt sets a parameter of the allocator under its own lock. If it fails, blocks are
    // kept as before.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

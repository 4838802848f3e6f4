//! The heap of the process.
//!
//! These functions set parameters of the allocator. The manual requires that there are no other
//! threads when they are called.

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
    set(libc::M_MMAP_THRESHOLD, LARGE);
}

/// Makes all threads allocate from one heap. For processes with a small address space.
///
/// By default, glibc reserves 64 MiB of addresses for a thread that allocates. Without effect on
/// other systems.
pub fn share_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    set(libc::M_ARENA_MAX, 1);
}

/// Sets a parameter. If that fails, it is as before.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn set(parameter: libc::c_int, value: libc::c_int) {
    // SAFETY: mallopt has no requirement on memory. Callers have no other threads.
    unsafe { libc::mallopt(parameter, value) };
}

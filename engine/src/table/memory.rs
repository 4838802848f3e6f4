//! Zeroed arrays of cache lines, on huge pages where the system supports them, and prefetching.

use crate::sync::{AtomicU64, AtomicU128};
use std::ops::Deref;

/// The number of 64-bit words in a cache line.
pub const LINE: usize = 8;

/// A cache line of 64-bit atomics.
pub type Line = [AtomicU64; LINE];

/// A cache line of 128-bit atomics.
pub type WideLine = [AtomicU128; LINE / 2];

/// A type of the size of a cache line that may be zeroed.
///
/// # Safety
///
/// The all-zero bit pattern must be a valid value of the type, its size must be that of a cache
/// line, and its alignment no stricter.
#[cfg(not(loom))]
pub unsafe trait Zeroable: Sync + Send {}

// SAFETY: eight atomics of 64 bits; an atomic of value 0 is all zeros.
#[cfg(not(loom))]
unsafe impl Zeroable for Line {}
// SAFETY: four atomics of 128 bits, aligned to 16; likewise.
#[cfg(not(loom))]
unsafe impl Zeroable for WideLine {}

// SAFETY: sixteen integers of 32 bits; all zeros is 0.
#[cfg(not(loom))]
unsafe impl Zeroable for [u32; 16] {}

/// An array of cache lines, initially zero. The system provides its memory page by page, on first
/// use.
pub struct Lines<L = Line> {
    #[cfg(loom)]
    lines: Vec<L>,
    #[cfg(not(loom))]
    lines: std::ptr::NonNull<L>,
    #[cfg(not(loom))]
    len: usize,
    /// The offset of the first line in the allocation, in bytes.
    #[cfg(not(loom))]
    offset: usize,
}

#[cfg(loom)]
impl<W: Default, const N: usize> Lines<[W; N]> {
    /// Creates `len` lines, all zero.
    pub fn zeroed(len: usize) -> Option<Lines<[W; N]>> {
        let line = |_| std::array::from_fn(|_| W::default());
        Some(Lines { lines: (0..len).map(line).collect() })
    }
}

#[cfg(loom)]
impl<L> Deref for Lines<L> {
    type Target = [L];

    fn deref(&self) -> &[L] {
        &self.lines
    }
}

#[cfg(not(loom))]
mod zeroed {
    use super::*;
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    /// The size of a huge page on most systems.
    const HUGE: usize = 1 << 21;
    /// The strictest alignment for which allocators return zeroed memory without writing it.
    const ALIGN: usize = 16;

    impl<L: Zeroable> Lines<L> {
        /// Allocates `len` lines, at least one. `None` if the memory is not available.
        pub fn zeroed(len: usize) -> Option<Lines<L>> {
            let layout = Self::layout(len)?;
            assert!(len > 0, "a table has at least one line");
            // SAFETY: the layout's size is not zero, since `len` is not.
            let block = unsafe { alloc_zeroed(layout) };
            if block.is_null() {
                return None;
            }
            let offset = block.align_offset(Self::start_align(len));
            assert!(offset <= Self::start_align(len), "bytes can be aligned");
            // SAFETY: the layout has room for the lines from any offset up to the alignment.
            let start = unsafe { block.add(offset) };
            prefer_huge_pages(start, len * size_of::<L>());
            let lines = NonNull::new(start.cast::<L>())?;
            Some(Lines { lines, len, offset })
        }
    }

    impl<L> Lines<L> {
        /// The alignment of the first line: a huge page, or a cache line in small arrays.
        fn start_align(len: usize) -> usize {
            if len * size_of::<L>() >= HUGE { HUGE } else { size_of::<L>() }
        }

        /// The layout of the allocation, with space for aligning the lines. A stricter alignment of
        /// the allocation itself would make the allocator write zeros to every page before
        /// `madvise`.
        fn layout(len: usize) -> Option<Layout> {
            let bytes = len.checked_mul(size_of::<L>())?;
            Layout::from_size_align(bytes.checked_add(Self::start_align(len))?, ALIGN).ok()
        }
    }

    impl<L> Drop for Lines<L> {
        fn drop(&mut self) {
            let layout = Self::layout(self.len).expect("it was allocated with one");
            // SAFETY: `lines` is `offset` bytes behind the block that `zeroed` allocated with
            // the same layout, and that was not freed since.
            unsafe { dealloc(self.lines.as_ptr().byte_sub(self.offset).cast(), layout) }
        }
    }

    impl<L: Zeroable> Deref for Lines<L> {
        type Target = [L];

        fn deref(&self) -> &[L] {
            // SAFETY: `len` lines were allocated, aligned, and zeroed, which is a valid array of
            // them by the contract of `Zeroable`; they live as long as `self`, and are only
            // accessed through `&self`.
            unsafe { std::slice::from_raw_parts(self.lines.as_ptr(), self.len) }
        }
    }

    impl<L: Zeroable> std::ops::DerefMut for Lines<L> {
        fn deref_mut(&mut self) -> &mut [L] {
            // SAFETY: as for `deref`; and `&mut self` guarantees exclusive access.
            unsafe { std::slice::from_raw_parts_mut(self.lines.as_ptr(), self.len) }
        }
    }

    // SAFETY: the lines are owned by this value alone, and shared references give access only to
    // `Sync` data.
    unsafe impl<L: Zeroable> Send for Lines<L> {}
    // SAFETY: likewise; atomics may be shared.
    unsafe impl<L: Zeroable> Sync for Lines<L> {}

    #[cfg(all(target_os = "linux", not(miri)))]
    fn prefer_huge_pages(start: *mut u8, bytes: usize) {
        if bytes >= HUGE {
            // SAFETY: the range was just allocated. The call is a hint: it affects the pages behind
            // the memory, not the contents, and may fail without harm.
            unsafe { libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE) };
        }
    }

    #[cfg(not(all(target_os = "linux", not(miri))))]
    fn prefer_huge_pages(_start: *mut u8, _bytes: usize) {}
}

/// Prefetches a cache line for writing. Has no other effect.
///
/// Most lines of a search are written soon after they are read. If cores do not share a cache, a
/// line fetched for reading must be requested again before a compare-and-swap, which took a quarter
/// of the time of two threads.
#[inline(always)]
pub fn prefetch<L>(line: &L) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let address: *const L = line;
        // SAFETY: a hint about an address taken from a reference: it changes no register, no
        // flag and no memory. 64-bit processors without it execute a no-op.
        unsafe {
            std::arch::asm!(
                "prefetchw byte ptr [{address}]",
                address = in(reg) address,
                options(nostack, preserves_flags, readonly)
            );
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = line;
}

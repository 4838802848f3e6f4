//! A zeroed array of atomic words, on huge pages where the system has them.

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU64, Ordering};

use std::ops::Deref;

/// Words in a cache line.
pub const LINE: usize = 8;

/// An array of zeroed words. Its memory is taken from the system page by page, on first use.
pub struct Words {
    #[cfg(loom)]
    words: Vec<AtomicU64>,
    #[cfg(not(loom))]
    words: std::ptr::NonNull<AtomicU64>,
    #[cfg(not(loom))]
    len: usize,
    /// Bytes of the block before the first word.
    #[cfg(not(loom))]
    offset: usize,
}

#[cfg(loom)]
impl Words {
    /// That many words, all zero.
    pub fn zeroed(len: usize) -> Option<Words> {
        Some(Words { words: (0..len).map(|_| AtomicU64::new(0)).collect() })
    }
}

#[cfg(loom)]
impl Deref for Words {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        &self.words
    }
}

#[cfg(not(loom))]
mod zeroed {
    use super::*;
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    /// As large as a huge page on most systems.
    const HUGE: usize = 1 << 21;
    /// What a system allocator hands out zeroed without touching it.
    const ALIGN: usize = 16;

    impl Words {
        /// That many words, at least one, all zero; none if there is no memory for them.
        pub fn zeroed(len: usize) -> Option<Words> {
            let layout = Words::layout(len)?;
            assert!(len > 0, "a table has at least one word");
            // SAFETY: the layout's size is not zero, since `len` is not.
            let block = unsafe { alloc_zeroed(layout) };
            if block.is_null() {
                return None;
            }
            let offset = block.align_offset(Words::start_align(len));
            assert!(offset <= Words::start_align(len), "bytes can be aligned");
            // SAFETY: the layout has room for the words from any offset up to the alignment.
            let start = unsafe { block.add(offset) };
            prefer_huge_pages(start, len * size_of::<AtomicU64>());
            let words = NonNull::new(start.cast::<AtomicU64>())?;
            Some(Words { words, len, offset })
        }

        /// Where the words begin: on a huge page, or if they are few on a cache line.
        fn start_align(len: usize) -> usize {
            if len * size_of::<AtomicU64>() >= HUGE { HUGE } else { LINE * size_of::<AtomicU64>() }
        }

        /// Room for the words and for aligning them. A stricter alignment of the block itself
        /// would make the allocator zero it by hand, page by page, before the advice.
        fn layout(len: usize) -> Option<Layout> {
            let bytes = len.checked_mul(size_of::<AtomicU64>())?;
            Layout::from_size_align(bytes.checked_add(Words::start_align(len))?, ALIGN).ok()
        }
    }

    impl Drop for Words {
        fn drop(&mut self) {
            let layout = Words::layout(self.len).expect("it was allocated with one");
            // SAFETY: `words` is `offset` bytes behind the block that `zeroed` allocated with
            // the same layout, and that was not freed since.
            unsafe { dealloc(self.words.as_ptr().byte_sub(self.offset).cast(), layout) }
        }
    }

    impl Deref for Words {
        type Target = [AtomicU64];

        fn deref(&self) -> &[AtomicU64] {
            // SAFETY: `len` words were allocated, aligned, and zeroed, which is a valid
            // `AtomicU64`; they live as long as `self`, and are only reached through `&self`.
            unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.len) }
        }
    }

    // SAFETY: the words are owned by this value alone and are atomic.
    unsafe impl Send for Words {}
    // SAFETY: likewise; sharing a slice of atomics is what they are for.
    unsafe impl Sync for Words {}

    #[cfg(target_os = "linux")]
    fn prefer_huge_pages(start: *mut u8, bytes: usize) {
        if bytes >= HUGE {
            // SAFETY: the range was just allocated. The call is advice: it changes how the
            // memory is backed, not what it holds, and may fail without harm.
            unsafe { libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE) };
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn prefer_huge_pages(_start: *mut u8, _bytes: usize) {}
}

/// Asks for a word to be brought into the nearest cache. Has no other effect.
#[inline(always)]
pub fn prefetch(word: &AtomicU64) {
    #[cfg(all(target_arch = "x86_64", not(loom)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address: *const AtomicU64 = word;
        // SAFETY: a hint about an address taken from a reference; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(loom))))]
    let _ = word;
}

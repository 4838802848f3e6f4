//! Memory, as reported by the system.

use bsq_engine::heap;
use std::fs::read_to_string;

/// The memory for a command if the system does not report what is free, in bytes.
const UNKNOWN: u64 = 1 << 30;

/// A share of the free memory.
#[derive(Clone, Copy, Debug)]
pub enum Share {
    /// A half.
    Half,
    /// Three quarters.
    ThreeQuarters,
    /// All of it.
    All,
}

impl Share {
    /// The share in words.
    pub fn name(self) -> &'static str {
        match self {
            Share::Half => "half",
            Share::ThreeQuarters => "three quarters",
            Share::All => "all",
        }
    }

    /// So many bytes of the free ones.
    fn of(self, free: u64) -> u64 {
        match self {
            Share::Half => free / 2,
            Share::ThreeQuarters => free / 4 * 3,
            Share::All => free,
        }
    }
}

/// The memory that a command may take, in bytes: the given limit, or a share of what is free. A limit
/// beyond what is free counts as what is free, on every command.
pub fn limit(given: Option<u64>, default: Share) -> u64 {
    match (given, available()) {
        (Some(given), free) => given.min(free.unwrap_or(u64::MAX)),
        (None, free) => default.of(free.unwrap_or(UNKNOWN)),
    }
}

/// The peak resident memory of this process, in KiB.
pub fn peak_kib() -> Option<u64> {
    kib(&read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// The bytes that this process can still use without swapping, within the memory limit of the
/// container and the limit on the address space of the process.
fn available() -> Option<u64> {
    let system = kib(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")? * 1024;
    let container = read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    // Code, stacks and what is not limited need addresses as well.
    let addresses = address_space().map(|bytes| bytes / 4 * 3);
    Some(system.min(container.unwrap_or(u64::MAX)).min(addresses.unwrap_or(u64::MAX)))
}

/// Prepares the heap of the process. Call this before there are threads.
pub fn prepare_heap() {
    if address_space().is_some() {
        heap::share_one_heap();
    }
}

/// The bytes that are left of the address space of the process, if that is limited.
fn address_space() -> Option<u64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = limit.split_whitespace().next()?.parse().ok()?;
    let used = kib(&read_to_string("/proc/self/status").ok()?, "VmSize:")? * 1024;
    Some(limit.saturating_sub(used))
}

fn kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

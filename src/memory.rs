//! Memory, as reported by the system.

use std::fs::read_to_string;

/// The peak resident memory of this process, in KiB.
pub fn peak_kib() -> Option<u64> {
    kib(&read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// The bytes that a new process can use without swapping, within the memory limit of the container.
pub fn available() -> Option<u64> {
    let system = kib(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")? * 1024;
    let container = read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    Some(system.min(container.unwrap_or(u64::MAX)))
}

/// The memory that an analysis may take if none is given, in bytes.
pub fn for_analyses() -> Option<u64> {
    available().map(|bytes| bytes / 4 * 3)
}

fn kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

//! What the system says about memory, where it does.

use std::fs::read_to_string;

/// The most memory that this process held at any time, in KiB.
pub fn peak_kib() -> Option<u64> {
    kib(&read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Bytes that a new process can have without pushing others out of memory, within the limit of
/// the container.
pub fn available() -> Option<u64> {
    let system = kib(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")? * 1024;
    let container = read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    Some(system.min(container.unwrap_or(u64::MAX)))
}

fn kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

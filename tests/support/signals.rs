//! Signals of running processes.

/// Whether a process handles SIGINT and SIGTERM.
pub fn listens(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    [2, 15].iter().all(|signal| caught & 1 << (signal - 1) != 0)
}

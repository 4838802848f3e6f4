//! Progress of an enumeration whose end is not known.

use crate::monitor::Monitor;
use crate::text::time_span;
use bytesize::ByteSize;
use std::time::Duration;
use web_time::Instant;

/// Reports how far an enumeration is, and how long the memory suffices.
pub struct Extent<'a> {
    monitor: &'a Monitor<'a>,
    /// The most bytes that it may take.
    limit: Option<u64>,
    began: Instant,
}

impl<'a> Extent<'a> {
    /// Reports that an enumeration begins.
    pub fn new(limit: Option<u64>, monitor: &'a Monitor<'a>) -> Extent<'a> {
        monitor.begin("positions", 0);
        Extent { monitor, limit, began: Instant::now() }
    }

    /// Reports that so many more positions of a ply are done, and the bytes in use.
    pub fn advance(&self, ply: usize, positions: usize, bytes: u64) {
        self.monitor.status(&format!("ply {ply}, {}", self.filled(bytes, self.began.elapsed())));
        self.monitor.advance(positions as u64);
    }

    /// The bytes in use and, after a second, when those allowed are used up at this pace.
    fn filled(&self, bytes: u64, elapsed: Duration) -> String {
        let readable = |bytes| ByteSize::b(bytes).display().iec();
        match self.limit {
            Some(limit) if bytes > 0 && elapsed >= Duration::from_secs(1) => {
                let left = limit.saturating_sub(bytes) as f64 / bytes as f64;
                let left = Duration::try_from_secs_f64(left * elapsed.as_secs_f64());
                let left = time_span(left.unwrap_or(Duration::MAX));
                format!("{} of {} used, full in about {left}", readable(bytes), readable(limit))
            }
            Some(limit) => format!("{} of {} used", readable(bytes), readable(limit)),
            None => format!("{} used", readable(bytes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_until_the_memory_is_full_follows_from_the_pace() {
        let monitor = Monitor::default();
        let filled = |limit, bytes, seconds| {
            Extent::new(limit, &monitor).filled(bytes, Duration::from_secs(seconds))
        };
        assert_eq!(filled(None, 3 << 20, 5), "3.0 MiB used");
        assert_eq!(filled(Some(1 << 30), 3 << 20, 0), "3.0 MiB of 1.0 GiB used");
        assert_eq!(
            filled(Some(1 << 30), 1 << 28, 10),
            "256.0 MiB of 1.0 GiB used, full in about 30 seconds"
        );
        assert_eq!(
            filled(Some(1 << 30), 1 << 31, 10),
            "2.0 GiB of 1.0 GiB used, full in about 0 seconds"
        );
        assert!(filled(Some(u64::MAX), 1, u64::MAX / 4).ends_with(" days"));
    }
}

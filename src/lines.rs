//! Lines of text of limited length.

use std::io::{self, BufRead, Read};

/// The maximum length of a line, in bytes.
pub const LONGEST_LINE: u64 = 1 << 10;

/// A line, or the error of one that is too long.
pub type Line = Result<String, String>;

/// Reads the next line, of at most `longest` bytes with its end. Invalid UTF-8 is replaced, so that
/// the line is rejected when it is parsed.
pub fn next_line(lines: &mut impl BufRead, longest: u64) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    if lines.by_ref().take(longest).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let may_go_on = bytes.last() != Some(&b'\n') && bytes.len() as u64 == longest;
    if may_go_on && lines.skip_until(b'\n')? > 0 {
        return Ok(Some(Err(format!("the line has more than {longest} bytes"))));
    }
    Ok(Some(Ok(String::from_utf8_lossy(&bytes).into_owned())))
}

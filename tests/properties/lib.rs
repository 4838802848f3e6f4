//! The properties of everything that this project reads from outside, each once: the fuzz targets
//! check them on inputs that libFuzzer finds, the test `parsers` on the seeds of all targets and on
//! random texts. See `README.md`.

pub mod files;
pub mod games;
pub mod program;
#[cfg(feature = "full")]
pub mod requests;

/// A fuzz target: its name, and the check of an input, which panics if the property does not hold.
pub type Target = (&'static str, fn(&[u8]));

/// All fuzz targets, in the order of their names.
pub const TARGETS: &[Target] = &[
    ("block", files::block),
    ("board", games::board),
    ("choices", program::choices),
    ("condition", program::condition),
    ("dots_file", games::dots_file),
    ("dots_tablebase", files::dots_tablebase),
    ("graph", games::graph),
    ("heuristic_checkpoint", files::heuristic_checkpoint),
    ("lines", program::lines),
    ("moves", games::moves),
    ("options", games::options),
    ("part", files::counted_part),
    ("penalty", games::penalty),
    #[cfg(feature = "full")]
    ("picture", program::picture),
    ("position", games::position),
    #[cfg(feature = "full")]
    ("query", requests::query),
    #[cfg(feature = "full")]
    ("questions", requests::questions),
    ("record", games::record),
    ("rpsw_checkpoint", files::rpsw_checkpoint),
    ("rpsw_tablebase", files::rpsw_tablebase),
    ("rules", games::rules),
    ("search_checkpoint", files::search_checkpoint),
    ("size", program::size),
];

/// Checks an input of the target of a name.
pub fn check(name: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    let (_, check) = target.unwrap_or_else(|| panic!("there is no target {name}"));
    check(input);
}

/// The text of an input; the empty one if it is not UTF-8, which no parser of text gets to see.
fn text(input: &[u8]) -> &str {
    std::str::from_utf8(input).unwrap_or_default()
}

/// The first byte of an input, which selects a variant, and the rest.
fn choice(input: &[u8]) -> (u8, &[u8]) {
    input.split_first().map_or((0, input), |(choice, rest)| (*choice, rest))
}

/// The first line of an input without its end, and the rest.
fn line(input: &[u8]) -> (&[u8], &[u8]) {
    let end = input.iter().position(|&byte| byte == b'\n');
    end.map_or((input, &[]), |end| (&input[..end], &input[end + 1..]))
}

/// Checks that an error says something.
fn is_told(error: impl std::fmt::Display) {
    assert!(!error.to_string().is_empty());
}

//! What the program alone reads: lines of positions, sizes of memory, tables to be drawn.

#[cfg(feature = "full")]
use super::line;
use super::{is_told, text};
use bsq::parsers;
use bsq_api::{Engine, Registry, Request, Resources};
#[cfg(feature = "full")]
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Lines of `solve -`: each line of the input is found once, within the limit of its length, and a
/// position on it can be asked about again.
pub fn lines(input: &[u8]) {
    let mut rest = input;
    for whole in input.split_inclusive(|&byte| byte == b'\n') {
        let read = parsers::next_line(&mut rest, parsers::LONGEST_LINE).expect("memory is read");
        let read = read.expect("a line for each");
        let is_short = whole.len() as u64 <= parsers::LONGEST_LINE;
        assert_eq!(read.is_ok(), is_short, "{} bytes", whole.len());
        let Ok(read) = read else { continue };
        assert_eq!(read, String::from_utf8_lossy(whole));
        for engine in engines() {
            match engine.clone().session(Some(read.trim())) {
                Ok(session) => {
                    let answer = session.answer(Request::default(), &Default::default());
                    let position = answer.expect("no value is searched").position;
                    let again = engine.clone().session(Some(&position)).expect("a position");
                    let again = again.answer(Request::default(), &Default::default());
                    assert_eq!(again.expect("as before").position, position, "{read}");
                }
                Err(error) => is_told(error),
            }
        }
    }
    assert_eq!(parsers::next_line(&mut rest, parsers::LONGEST_LINE).expect("its end"), None);
}

/// Every game with its usual rules.
fn engines() -> &'static [Arc<dyn Engine>] {
    static ENGINES: OnceLock<Vec<Arc<dyn Engine>>> = OnceLock::new();
    ENGINES.get_or_init(|| {
        let registry = Registry::standard();
        let engine = |game: &dyn bsq_api::Game| game.engine(&[], &Resources::new(16 << 20));
        registry.games().map(|game| engine(game).expect("an engine")).collect()
    })
}

/// A size of memory that parses is written as a number of bytes that parses to the same.
pub fn size(input: &[u8]) {
    match parsers::size(text(input)) {
        Ok(bytes) => assert_eq!(parsers::size(&format!("{bytes}B")), Ok(bytes)),
        Err(error) => is_told(error),
    }
}

/// The table of `bsq plot`, and the manifest beside it: a table is drawn, or rejected with a
/// message. The first line is the name of the file, the second one the manifest.
#[cfg(feature = "full")]
pub fn picture(input: &[u8]) {
    let (name, rest) = line(input);
    let (manifest, csv) = line(rest);
    match parsers::picture(Path::new(text(name)), csv, text(manifest)) {
        Ok(Some(svg)) => {
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
            for infinite in ["=\"NaN\"", "=\"inf\"", "=\"-inf\""] {
                assert!(!svg.contains(infinite), "{svg}");
            }
        }
        Ok(None) => {}
        Err(error) => is_told(error),
    }
}

//! What the program alone reads: lines of positions, sizes of memory, tables to be drawn.

use super::{choice, is_told, line, text};
use bsq::parsers;
use bsq_analyses::Cell;
use bsq_analyses::choices::{ChoiceRows, Outside};
use bsq_api::{AnalysisError, Engine, Registry, Request, Resources};
use num_bigint::BigInt;
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

/// A condition of `bsq query`, and in a second line its keys: a condition and its negation hold in all
/// positions of a small game together, and so do the groups of its keys; or there is an error.
pub fn condition(input: &[u8]) {
    let (game, rest) = choice(input);
    let (condition, keys) = line(rest);
    let (condition, keys) = (text(condition), text(keys));
    let (name, rules) = SMALL[usize::from(game) % SMALL.len()];
    let found = positions(name, rules, condition, "");
    let (Ok(found), Ok(all)) = (&found, positions(name, rules, "true", "")) else {
        return found.map_or_else(is_told, |_| panic!("all positions are counted"));
    };
    // The negation is longer, and may be too long.
    if let Ok(others) = positions(name, rules, &format!("not ({condition})"), "") {
        assert_eq!(found + others, all, "{condition}");
    }
    match positions(name, rules, condition, keys) {
        Ok(in_groups) => assert_eq!(in_groups, *found, "{condition} by {keys}"),
        Err(error) => is_told(error),
    }
}

/// Small games: the names and the options of their rules.
const SMALL: [(&str, &[(&str, &str)]); 4] = [
    ("british-square", &[("board", "2x3")]),
    ("dots", &[("board", "1x2")]),
    ("rpsw", &[("board", "3x3"), ("pieces", "1")]),
    ("mnk", &[("board", "2x3"), ("k", "2")]),
];

/// A game by its name.
fn game_of(name: &str) -> &'static dyn bsq_api::Game {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(Registry::standard).get(name).expect("a game")
}

/// The number of positions that meet a condition, added over all groups.
fn positions(
    game: &str,
    rules: &[(&str, &str)],
    condition: &str,
    keys: &str,
) -> Result<BigInt, AnalysisError> {
    let game = game_of(game);
    let given = [("condition", condition), ("by", keys), ("count", "yes")];
    let job = game
        .query()
        .expect("the build has queries")
        .prepare(&[&given[..], rules].concat(), Some(16 << 20))?;
    let table = job.run(&Default::default())?.remove(0);
    let at = table.columns.iter().position(|column| column.name == "positions");
    let at = at.expect("a column of counts");
    let counts = table.rows.iter().map(|row| match &row[at] {
        Cell::Integer(count) => count.clone(),
        other => panic!("{other:?} is not a count"),
    });
    Ok(counts.sum())
}

/// The choices of `bsq test-heuristic --choices` or `--program`: a position and moves on each line, apart by
/// a tab. They are read in a game, and tested, or there is an error.
pub fn choices(input: &[u8]) {
    let (game, rest) = choice(input);
    let (name, rules) = SMALL[usize::from(game) % SMALL.len()];
    let mut rows = ChoiceRows::new("choices", "row");
    for row in text(rest).lines() {
        let (position, moves) = row.split_once('\t').unwrap_or((row, ""));
        rows.push(position, moves);
    }
    let test = game_of(name)
        .outside_test("mine", &Outside::Choices(Arc::new(rows)))
        .expect("the build has tests of choices");
    let tables = test.prepare(rules, Some(16 << 20)).and_then(|job| job.run(&Default::default()));
    match tables {
        Ok(tables) => assert!(tables[0].note.is_some()),
        Err(error) => is_told(error),
    }
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

//! Files of the engine and the games. Checksums are those of the mutated content, so that the
//! parsers behind them are reached.
//!
//! The input of a file with a [header](bsq_engine::storage::header) is its second line, followed by
//! what other files or blocks contain.

use super::{choice, is_told, line, text};
use bsq_analyses::parts;
use bsq_engine::monitor::Monitor;
use bsq_engine::storage::container::ContainerWriter;
use bsq_engine::storage::{Digest, FileRecord, Format, Identity, checkpoint};
use bsq_games::british_square::heuristic::corpus::{Corpus, Selection};
use bsq_games::british_square::heuristic::features::{self, Feature};
use bsq_games::british_square::heuristic::search::{self, Method, Plan, Search, State};
use bsq_games::british_square::territory::Solver;
use bsq_games::british_square::{Board, BritishSquare, Rules, TerritoryBoard};
use bsq_games::dots::tablebase as dots;
use bsq_games::rpsw;
use bsq_games::rpsw::retrograde::{Layout, LostPositions, Retrograde};
use bsq_games::rpsw::tablebase::block::Shape;
use bsq_games::rpsw::tablebase::checkpoint::Checkpoint;
use bsq_games::rpsw::tablebase::{LEAST_PLIES, Tablebase, file};
use serde_json::{Value, json};
use std::io::Cursor;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

/// A new folder, removed with its content at the end.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

/// Writes a file that consists of a header with this second line.
fn write_header(path: &Path, kind: &'static str, version: u32, json: &str) {
    let format = Format { kind, noun: kind, version };
    std::fs::write(path, format.seal(json)).expect("a temporary file");
}

/// The entries of the files that a second line lists.
fn records(header: &mut Value) -> impl Iterator<Item = &mut Value> {
    header.pointer_mut("/metadata/files").and_then(Value::as_array_mut).into_iter().flatten()
}

/// The second line with the true record of a file, if it lists a file of that name; unchanged if it
/// is not JSON.
fn listed(header: &str, record: &FileRecord) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(header) else { return header.to_string() };
    let record = serde_json::to_value(record).expect("a record is JSON");
    for own in records(&mut value).filter(|own| own["name"] == record["name"]) {
        own.clone_from(&record);
    }
    value.to_string()
}

/// A part of an input: a number of two bytes, and as many bytes times `unit`, or what is left.
fn part<'a>(input: &mut &'a [u8], unit: usize) -> Option<(usize, &'a [u8])> {
    let (length, rest) = input.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_le_bytes(*length));
    let (part, rest) = rest.split_at((length * unit).min(rest.len()));
    *input = rest;
    Some((length, part))
}

/// A part of a count: it is merged with itself alone, or rejected with a message.
pub fn counted_part(input: &[u8]) {
    let folder = folder();
    let path = folder.path().join("part");
    for bytes in [input, parts::FORMAT.seal(text(input)).as_bytes()] {
        std::fs::write(&path, bytes).expect("a temporary file");
        match parts::merge(std::slice::from_ref(&path)) {
            Ok(merged) => assert!(!merged.tables().is_empty()),
            Err(error) => is_told(error),
        }
    }
}

/// A block of a tablebase of rock-paper-scissors-well: decoding and probing agree, or it is
/// rejected. The first byte selects the number of places.
pub fn block(input: &[u8]) {
    let (choice, bytes) = choice(input);
    let shape = Shape::new(2 + usize::from(choice) % 20);
    if let Ok(entries) = shape.decode(bytes) {
        for (code, symbol) in entries {
            assert_eq!(shape.find(bytes, code), Ok(Some(symbol)));
        }
    }
}

/// A small game of rock-paper-scissors-well.
fn rpsw_layout() -> Layout {
    let rules = rpsw::Rules::standard().on_board(3, 4).and_then(|rules| rules.with_pieces(1));
    Layout::new(rules.expect("rules"))
}

/// The checkpoint of solving rock-paper-scissors-well, and the positions lost in 4 plies, 6, and so
/// on: the analysis is resumed, or they are rejected with a message.
pub fn rpsw_checkpoint(input: &[u8]) {
    let (folder, (header, mut lost)) = (folder(), line(input));
    let mut header = text(header).to_string();
    let mut plies = (4..).step_by(2);
    while let (Some(plies), Some((_, bytes))) = (plies.next(), part(&mut lost, 1)) {
        let name = format!("lost-in-{plies}");
        std::fs::write(folder.path().join(&name), bytes).expect("a temporary file");
        let record = FileRecord { name, bytes: bytes.len() as u64, sha256: Digest::of(bytes) };
        header = listed(&header, &record);
    }
    write_header(&folder.path().join("checkpoint"), "rpsw checkpoint", 2, &header);
    let layout = rpsw_layout();
    let mut lost = LostPositions::new(layout.rows(), layout.places(), LEAST_PLIES);
    let opened = Checkpoint::open(folder.path(), layout.rules());
    match opened.and_then(|checkpoint| checkpoint.restore(&mut lost)) {
        Ok(rounds) if !rounds.is_empty() => {
            let codes = |plies, row| lost.codes(plies, row);
            let resumed = Retrograde::resume(&layout, rounds, codes, &Monitor::default());
            let _ = resumed.map(|_| ()).map_err(is_told);
        }
        Ok(_) => {}
        Err(error) => is_told(error),
    }
}

/// A tablebase of rock-paper-scissors-well with the given blocks: it is opened, compared with its
/// census and probed, or rejected with a message.
pub fn rpsw_tablebase(input: &[u8]) {
    let _ = Tablebase::from_bytes("input", input.to_vec()).map(|_| ()).map_err(is_told);
    let (header, mut blocks) = line(input);
    let Ok(header) = serde_json::from_slice::<Value>(header) else { return };
    let mut bytes = Vec::new();
    let mut out = ContainerWriter::begin(&mut bytes, &file::FORMAT, "0.1.0", &header["metadata"])
        .expect("memory");
    while let Some((_, block)) = part(&mut blocks, 1) {
        out.block(block).expect("memory");
    }
    out.end_part();
    out.finish().expect("memory");
    match Tablebase::from_bytes("sealed", bytes) {
        Ok(tablebase) => {
            let _ = tablebase.check_blocks(&Monitor::default()).map_err(is_told);
            for row in 0..tablebase.rows().min(1 << 8) {
                match tablebase.drawn(row) {
                    Ok(drawn) => {
                        for position in drawn {
                            let _ = tablebase.probe(&position).map_err(is_told);
                        }
                    }
                    Err(error) => is_told(error),
                }
            }
            let start = bsq_engine::game::Game::start(tablebase.rules());
            let _ = tablebase.depth_to_win(&start).map_err(is_told);
        }
        Err(error) => is_told(error),
    }
}

/// The longest file of a tablebase of Dots-and-Boxes that is written here.
const LONGEST_LAYER: u64 = 1 << 16;

/// The plan of a manifest, which the checksums of its files cover.
fn dots_plan(manifest: &Value) -> Option<dots::Plan> {
    let board = bsq_games::dots::Board::parse(manifest["board"].as_str()?).ok()?;
    let row = usize::try_from(manifest["row"].as_u64()?).ok()?;
    let chains = manifest["chains"].as_array().is_some_and(|chains| !chains.is_empty());
    let limits = dots::Limits { row, chains, ..dots::Limits::default() };
    let penalty = i32::try_from(manifest["penalty"].as_i64()?).ok()?;
    let book = u32::try_from(manifest["book"].as_u64()?).ok()?;
    dots::Plan::new(&board, manifest["from"].as_u64()?, penalty, Some(book), &limits).ok()
}

/// The manifest of a tablebase of Dots-and-Boxes, and the rows of its files, one after the other:
/// it is opened, verified and probed, or rejected with a message.
pub fn dots_tablebase(input: &[u8]) {
    let (folder, (header, mut rows)) = (folder(), line(input));
    let mut sealed = text(header).to_string();
    if let Ok(mut value) = serde_json::from_str::<Value>(&sealed) {
        let plan = dots_plan(&value["metadata"]);
        for file in records(&mut value) {
            let places = file["places"].as_u64().filter(|&places| places > 0);
            let bytes = file["record"]["bytes"].as_u64().filter(|&bytes| bytes <= LONGEST_LAYER);
            let name = file["record"]["name"].as_str().filter(|name| !name.contains(['/', '\0']));
            let (Some(places), Some(bytes), Some(name)) = (places, bytes, name) else { continue };
            if name.is_empty() || name.starts_with('.') || name.len() > 100 {
                continue;
            }
            let count = bytes / places.saturating_add(4);
            let length = (count * places).min(rows.len() as u64) as usize;
            let (own, rest) = rows.split_at(length);
            rows = rest;
            let identity = plan.as_ref().map_or(Identity::of(&[]), |plan| plan.identity(name));
            let rows = (0..).zip(own.chunks(places as usize));
            let checksums = rows.map(|(row, bytes)| identity.crc32(row, bytes));
            let checksums: Vec<u8> = checksums.flat_map(u32::to_le_bytes).collect();
            std::fs::write(folder.path().join(name), [own, &checksums].concat())
                .expect("a temporary file");
            file["record"]["sha256"] = json!(String::from(Digest::of(&checksums)));
        }
        sealed = value.to_string();
    }
    write_header(&folder.path().join("manifest"), "dots layers", 3, &sealed);
    match dots::Tablebase::open(folder.path()) {
        Ok(tablebase) => {
            let _ = tablebase.verify(&Monitor::default()).map_err(is_told);
            let _ = tablebase.check_sample(16, 1, &Monitor::default()).map_err(is_told);
            let plan = tablebase.plan();
            for lines in [plan.from(), plan.board().all(), 0] {
                let _ = tablebase.value(lines).map_err(is_told);
            }
        }
        Err(error) => is_told(error),
    }
}

/// A small search for decision lists, and what it sees.
struct Searched {
    rules: Rules,
    all: Vec<&'static Feature>,
    corpus: Corpus,
    plan: Plan,
}

impl Searched {
    fn selection(&self) -> Selection<'_> {
        Selection { moves: &self.all, replies: &[], conditions: &self.all, limits: true }
    }
}

fn searched() -> &'static Searched {
    static SEARCHED: OnceLock<Searched> = OnceLock::new();
    SEARCHED.get_or_init(|| {
        let rules = Rules::standard(2, 3).expect("rules");
        let game = BritishSquare::new(rules.clone()).expect("a game");
        let all: Vec<&Feature> = features::all().collect();
        let seen = Selection { moves: &all, replies: &[], conditions: &all, limits: true };
        let corpus = Corpus::new(&game, seen, &Monitor::default()).expect("a corpus");
        let method = Method::Local { rounds: 3, steps: 10 };
        let plan = Plan { method, rules: 4, difficulty: 100, start: Vec::new(), seed: 1 };
        Searched { rules, all, corpus, plan }
    })
}

/// The checkpoint of a search for decision lists: the search is restored, and written and read to
/// the same, or the checkpoint is rejected with a message. It is said to be of the right search.
pub fn heuristic_checkpoint(input: &[u8]) {
    let searched = searched();
    let (rules, seen, plan) = (&searched.rules, searched.selection(), &searched.plan);
    let mut written = text(input).to_string();
    if let Ok(Value::Object(mut metadata)) = serde_json::from_str(&written) {
        let own = State::default().write(rules, &seen, plan);
        let own = own.lines().nth(1).expect("two lines");
        let mut fields: Value = serde_json::from_str(own).expect("JSON");
        metadata.insert("search".to_string(), fields["metadata"]["search"].take());
        fields["metadata"] = Value::Object(metadata);
        written = fields.to_string();
    }
    let search = Search::new(&searched.corpus, plan);
    let resumed = |text: &str| {
        let saved = State::read(text.as_bytes(), rules, &seen, plan);
        saved.and_then(|saved| search.resume(saved))
    };
    let _ = resumed(text(input)).map(|_| ()).map_err(is_told);
    match resumed(&search::FORMAT.seal(&written)) {
        Ok(state) => {
            let again = state.write(rules, &seen, plan);
            assert_eq!(resumed(&again).expect("what was written"), state, "{again}");
        }
        Err(error) => is_told(error),
    }
}

/// A search checkpoint is loaded completely, saved and loaded again, or rejected with a message.
/// The input is that of a whole file, and the number of nodes with the entries of another one.
pub fn search_checkpoint(input: &[u8]) {
    static SOLVER: OnceLock<Mutex<Solver>> = OnceLock::new();
    let solver = SOLVER.get_or_init(|| Mutex::new(search_solver()));
    let solver = &*solver.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let load = |bytes: &[u8]| checkpoint::load(&[solver], "4x5", &mut Cursor::new(bytes));
    let _ = load(input).map_err(is_told);
    // With a header, so that the rest is read too.
    let header = checkpoint::FORMAT.encode("0.1.0", &"4x5").expect("a string");
    let _ = load(&[header.as_bytes(), input].concat()).map_err(is_told);
    let Some((nodes, entries)) = input.split_first_chunk::<8>() else { return };
    let mut bytes = Vec::new();
    let begun = ContainerWriter::begin(&mut bytes, &checkpoint::FORMAT, "0.1.0", &"4x5");
    let mut out = begun.expect("memory");
    out.block(nodes).expect("memory");
    let entries = entries.as_chunks::<19>().0;
    for entries in entries.chunks(4096).chain([&[][..]]) {
        out.block(&(entries.len() as u32).to_le_bytes()).expect("memory");
        out.block(entries.as_flattened()).expect("memory");
    }
    out.end_part();
    out.finish().expect("memory");
    match load(&bytes) {
        Ok(()) => {
            let mut saved = Vec::new();
            checkpoint::save(&[solver], "4x5", &mut saved).expect("memory");
            load(&saved).expect("what was saved");
        }
        Err(error) => is_told(error),
    }
}

/// A solver of 4x5 with a small empty table.
pub fn search_solver() -> Solver {
    let board = Board::new(4, 5).expect("a board");
    Solver::new(TerritoryBoard::new(board), 1 << 12).expect("a table")
}

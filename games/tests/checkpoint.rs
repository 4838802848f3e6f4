//! Tests search checkpoints of `bsq_engine::storage::checkpoint` with the solvers of two games, and
//! checkpoints of searches for heuristics.

use bsq_engine::evaluate::Learned;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::storage::checkpoint::{load, save};
use bsq_engine::table::Bounds;
use bsq_engine::table::transposition::Entry;
use bsq_games::british_square::heuristic::corpus::{Corpus, Selection};
use bsq_games::british_square::heuristic::features::{self, Feature};
use bsq_games::british_square::heuristic::search::{Method, Plan, Search, State};
use bsq_games::british_square::territory::{SearchRequest, Solver, Territory};
use bsq_games::british_square::{Board, BritishSquare, Rules, TerritoryBoard};
use bsq_games::dots;
use bsq_test_support::containers::Container;
use std::io::{self, Cursor, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

fn solver() -> Solver {
    Solver::new(TerritoryBoard::new(Board::new(5, 6).unwrap()), 1 << 20).unwrap()
}

fn request() -> SearchRequest {
    let all = Board::new(5, 6).unwrap().all();
    SearchRequest::new(Territory { own: all, other: all })
}

fn saved() -> Vec<u8> {
    let solver = solver();
    solver.value(&request(), &Monitor::default()).unwrap();
    let mut bytes = Vec::new();
    save(&[&solver], "5x6", &mut bytes).unwrap();
    bytes
}

#[test]
fn a_search_goes_on_where_it_stopped() {
    let bytes = saved();
    let fresh = solver();
    load(&[&fresh], "5x6", &mut Cursor::new(&bytes)).unwrap();
    let before = fresh.nodes();
    assert!(before > 0);
    let value = fresh.value(&request(), &Monitor::default()).unwrap();
    assert_eq!(value, 2);
    assert!(fresh.nodes() - before < before / 4, "{} of {before}", fresh.nodes() - before);
}

/// Stores two solvers in one file, and resumes both.
#[test]
fn several_searches_go_on_where_they_stopped() {
    let board = dots::Board::new(2, 5).unwrap();
    let solvers =
        || [0, -1].map(|penalty| dots::search::Solver::new(board, penalty, 1 << 20).unwrap());
    let (first, fresh) = (solvers(), solvers());
    let values = first.each_ref().map(|s| s.value(0, &Monitor::default()).unwrap());
    let mut bytes = Vec::new();
    save(&first.each_ref().map(|s| s as &dyn Learned), "2x5", &mut bytes).unwrap();
    load(&fresh.each_ref().map(|s| s as &dyn Learned), "2x5", &mut Cursor::new(&bytes)).unwrap();
    for ((first, fresh), value) in first.iter().zip(&fresh).zip(values) {
        let before = fresh.nodes();
        assert_eq!(before, first.nodes());
        assert_eq!(fresh.value(0, &Monitor::default()), Ok(value));
        assert!(fresh.nodes() - before < before / 4, "{} of {before}", fresh.nodes() - before);
    }
    assert!(load(&[&fresh[0]], "2x5", &mut Cursor::new(&bytes)).is_err(), "one too few");
}

/// An entry with any changed bit is refused, or is one of another position.
#[test]
fn entries_that_are_no_positions_are_refused() {
    let board = dots::Board::new(2, 5).unwrap();
    let solver = || dots::search::Solver::new(board, 0, 1 << 20).unwrap();
    let solved = solver();
    solved.value(0, &Monitor::default()).unwrap();
    let (mut refused, mut accepted) = (0, 0);
    for entry in solved.entries().step_by(50) {
        assert!(solved.admits(&entry));
        for bit in 0..128 {
            let flipped = entry.key() ^ 1 << bit;
            let other = Entry { pair: (flipped as u64, (flipped >> 64) as u64), ..entry };
            if solved.admits(&other) {
                let fresh = solver();
                fresh.add_entry(&other);
                assert_eq!(fresh.entries().collect::<Vec<_>>(), [other]);
                accepted += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(refused > accepted && accepted > 0, "{refused} {accepted}");
}

#[test]
fn every_flipped_byte_is_found() {
    let bytes = saved();
    assert!(bytes.len() > 1000);
    for at in (0..bytes.len()).step_by(7).chain(bytes.len() - 4..bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(load(&[&solver()], "5x6", &mut Cursor::new(&damaged)).is_err(), "byte {at}");
    }
    let longer = [&bytes[..], b"x"].concat();
    assert!(load(&[&solver()], "5x6", &mut Cursor::new(&longer)).is_err());
    for length in [0, 10, 60, bytes.len() / 2, bytes.len() - 1] {
        assert!(
            load(&[&solver()], "5x6", &mut Cursor::new(&bytes[..length])).is_err(),
            "{length} bytes"
        );
    }
}

/// A table of 100,000 entries that counts how many have been read.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Learned for Counting {
    fn entries(&self) -> Box<dyn Iterator<Item = Entry> + '_> {
        Box::new((0..100_000).map(|number| {
            self.0.fetch_add(1, Ordering::Relaxed);
            Entry { pair: (number, 0), bounds: Bounds { lower: 0, upper: 0 }, effort: 10 }
        }))
    }

    fn add_entry(&self, _: &Entry) {}

    fn fill(&self) -> f64 {
        1.0
    }

    fn table_bytes(&self) -> u64 {
        0
    }

    fn nodes(&self) -> u64 {
        0
    }

    fn add_nodes(&self, _: u64) {}

    fn admits(&self, _: &Entry) -> bool {
        true
    }
}

/// A file that holds at least all entries read so far, except those of one block.
struct Following<'a>(&'a Counting, Vec<u8>);

impl Write for Following<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let read = self.0.0.load(Ordering::Relaxed);
        assert!(read <= self.1.len() / 19 + 4096, "{read} entries, {} bytes", self.1.len());
        self.1.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// So a table that takes most of the memory can be saved.
#[test]
fn entries_are_written_while_others_are_read() {
    let table = Counting::default();
    let mut file = Following(&table, Vec::new());
    save(&[&table], "counting", &mut file).unwrap();
    let bytes = file.1;
    assert!(bytes.len() > 1_900_000);
    load(&[&table], "counting", &mut Cursor::new(bytes)).unwrap();
}

#[test]
fn another_question_is_refused() {
    let error = load(&[&solver()], "6x6", &mut Cursor::new(saved())).unwrap_err();
    assert_eq!(error.to_string(), "it was made for '5x6', and this is '6x6'");
}

/// Every block is put in the place of every other one, with its checksum, and every part too.
#[test]
fn moved_blocks_are_refused() {
    let board = dots::Board::new(1, 4).unwrap();
    let solvers =
        || [0, -1].map(|penalty| dots::search::Solver::new(board, penalty, 1 << 16).unwrap());
    let searched = solvers();
    for solver in &searched {
        solver.value(0, &Monitor::default()).unwrap();
    }
    let questions = ["one", "two"];
    let all = questions.map(|question| {
        let mut bytes = Vec::new();
        save(&searched.each_ref().map(|s| s as &dyn Learned), question, &mut bytes).unwrap();
        Container::of(&bytes)
    });
    let is_loaded = |container: &Container, question: &str| {
        let fresh = solvers();
        let fresh = fresh.each_ref().map(|solver| solver as &dyn Learned);
        load(&fresh, question, &mut Cursor::new(container.bytes())).is_ok()
    };
    let places =
        || (0..2).flat_map(|part| (0..all[0].parts[part].blocks.len()).map(move |at| (part, at)));
    for (to, question) in questions.into_iter().enumerate() {
        let place = &all[to];
        assert!(is_loaded(place, question));
        for (from, other) in all.iter().enumerate() {
            for (part, at) in places() {
                for (other_part, source) in places() {
                    let mut moved = place.clone();
                    moved.parts[part].blocks[at] = other.parts[other_part].blocks[source].clone();
                    let is_own = (to, part, at) == (from, other_part, source);
                    assert_eq!(is_loaded(&moved, question), is_own);
                }
                let mut moved = place.clone();
                moved.parts[part] = other.parts[1 - part].clone();
                assert!(!is_loaded(&moved, question));
            }
            let mut moved = other.clone();
            moved.header.clone_from(&place.header);
            assert_eq!(is_loaded(&moved, question), to == from);
            moved.parts.swap(0, 1);
            assert!(!is_loaded(&moved, question));
        }
    }
}

/// Every bit of a checkpoint of a search for heuristics is flipped.
#[test]
fn a_damaged_search_for_heuristics_is_refused() {
    let rules = Rules::standard(2, 3).unwrap();
    let features: Vec<&Feature> =
        features::all().filter(|feature| feature.is_territorial()).collect();
    let seen = Selection { moves: &features, replies: &[], conditions: &[], limits: false };
    let game = BritishSquare::new(rules.clone()).unwrap();
    let corpus = Corpus::new(&game, seen, &Monitor::default()).unwrap();
    let plan = |width| {
        let method = Method::Beam { width };
        Plan { method, rules: 2, difficulty: 20, start: Vec::new(), seed: 1 }
    };
    let plans = [3, 4].map(plan);
    let mut written = Vec::new();
    let searched =
        Search::new(&corpus, &plans[0]).run(State::default(), &Monitor::default(), |state| {
            written.push(state.write(&rules, &seen, &plans[0]).into_bytes());
            Ok::<_, SolveError>(())
        });
    let whole = written.pop().unwrap();
    let read = |bytes: &[u8], plan: &Plan| State::read(bytes, &rules, &seen, plan);
    let resumed = Search::new(&corpus, &plans[0]).resume(read(&whole, &plans[0]).unwrap());
    assert_eq!(resumed.unwrap(), searched.unwrap());
    read(&whole, &plans[1]).expect_err("it is of another search");
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[at] ^= 1 << bit;
            read(&changed, &plans[0]).expect_err("a bit was changed");
        }
        read(&whole[..at], &plans[0]).expect_err("the end is missing");
    }
    read(&[&whole[..], b"\n"].concat(), &plans[0]).expect_err("something follows");
}

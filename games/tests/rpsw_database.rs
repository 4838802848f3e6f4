//! Tests the tablebase of rock-paper-scissors-well: values against those after the moves, and the
//! format.

use bsq_engine::game::Game;
use bsq_engine::monitor::{Monitor, Progress, SolveError};
use bsq_engine::storage::StorageError;
use bsq_engine::storage::container::{ContainerWriter, directory};
use bsq_games::rpsw::retrograde::{Layout, LostPositions};
use bsq_games::rpsw::tablebase::checkpoint::{Checkpoint, CheckpointError};
use bsq_games::rpsw::tablebase::resume::InterruptedError;
use bsq_games::rpsw::tablebase::solution::Solution;
use bsq_games::rpsw::tablebase::verify::VerifyError;
use bsq_games::rpsw::tablebase::{LEAST_PLIES, Problem, Tablebase, file};
use bsq_games::rpsw::{Dtw, Position, Rules};
use bsq_test_support::containers::Container;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

const SEED: u64 = 1;

fn rules(cols: usize, rows: usize, pieces: usize) -> Rules {
    Rules::standard().on_board(cols, rows).unwrap().with_pieces(pieces).unwrap()
}

/// Writes the tablebase of a game into a folder.
fn write(rules: &Rules, folder: &Path) -> PathBuf {
    let monitor = Monitor::default();
    let solution = Solution::solve(Layout::new(rules.clone()), LEAST_PLIES, &monitor).unwrap();
    let path = folder.join("rpsw.db");
    let mut bytes = Vec::new();
    let rows = solution.into_rows(&monitor).unwrap();
    let length = rows.write(&mut bytes, &monitor).unwrap();
    assert_eq!(length, bytes.len() as u64);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// All positions that are not over, with the first player to move; of two mirror images one.
fn positions(rules: &Rules) -> Vec<Position> {
    let layout = Layout::new(rules.clone());
    let codes = 0..layout.places().pow(4) as u32;
    let all = (0..layout.rows()).flat_map(|row| {
        codes.clone().filter_map(|code| layout.position(row, code)).collect::<Vec<_>>()
    });
    let canonical: HashSet<Position> = all.map(|position| rules.canonical(&position)).collect();
    canonical.into_iter().collect()
}

fn depth_to_win(database: &Tablebase, position: &Position) -> Dtw {
    database.depth_to_win(position).unwrap().expect("no contradiction")
}

/// The best result of all moves, by the plain rules.
fn from_moves(database: &Tablebase, position: &Position) -> Dtw {
    let rules = database.rules();
    let moves = rules.moves(position).into_iter();
    let after = moves.map(|mv| depth_to_win(database, &rules.play(position, mv)).before());
    after.max_by_key(|found| found.rank()).unwrap_or(Dtw::Drawn)
}

/// Values are right if each follows from those after the moves, with decreasing depths.
#[test]
fn every_verdict_follows_from_those_after_it() {
    for rules in [
        rules(4, 6, 1),
        rules(3, 4, 2),
        rules(2, 4, 3),
        rules(3, 3, 2),
        rules(1, 4, 2),
        rules(2, 4, 3).with_total(4).unwrap(),
        rules(2, 4, 2).with_takes_of("R:RPSW,P:R,S:,W:PS").unwrap(),
        // Many draws on a board of odd width, where a placement can be its own mirror image.
        rules(3, 4, 2).with_takes_of("R:R,P:P,S:S,W:W").unwrap(),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let database = Tablebase::open(&write(&rules, folder.path())).unwrap();
        assert_eq!(database.rules(), &rules);
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        let (mut drawn, mut all) = (0, 0);
        for position in positions(&rules) {
            let found = depth_to_win(&database, &position);
            assert_eq!(found, from_moves(&database, &position), "{rules:?} {position:?}");
            for image in rules.images(&position) {
                assert_eq!(depth_to_win(&database, &image), found, "{rules:?} {image:?}");
            }
            all += 1;
            match found.plies() {
                Some(plies) => *counts.entry(plies).or_default() += 1,
                None => drawn += 1,
            }
        }
        let census = database.census();
        let counted: BTreeMap<u32, u64> =
            census.by_plies().map(|(plies, found)| (plies, found.total())).collect();
        assert_eq!((counts, drawn, all), (counted, census.drawn(), census.positions.total()));
    }
}

#[test]
fn what_is_listed_as_drawn_is() {
    let folder = tempfile::tempdir().unwrap();
    let rules = rules(3, 4, 2);
    let database = Tablebase::open(&write(&rules, folder.path())).unwrap();
    let drawn: Vec<Position> =
        (0..database.rows()).flat_map(|row| database.drawn(row).unwrap()).collect();
    assert!(drawn.len() > 10);
    assert_eq!(drawn.len() as u64, database.census().drawn());
    let classes: HashSet<Position> =
        drawn.iter().map(|position| rules.canonical(position)).collect();
    assert_eq!(classes.len(), drawn.len());
    for position in &drawn {
        assert_eq!(depth_to_win(&database, position), Dtw::Drawn);
    }
}

/// The problem of a file, if it has one.
fn problem(path: &Path) -> Option<Problem> {
    let checked = Tablebase::open(path).map(|database| database.check_blocks(&Monitor::default()));
    match checked {
        Ok(Ok(_)) => None,
        Ok(Err(VerifyError::Tablebase(error))) | Err(error) => Some(error.problem),
        Ok(Err(VerifyError::Stopped(_))) => unreachable!("nobody stops it"),
    }
}

#[test]
fn any_changed_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(&rules(2, 3, 2), folder.path());
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(problem(&path), None);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        std::fs::write(&path, &changed).unwrap();
        assert_ne!(problem(&path), None, "byte {at} of {}", bytes.len());
    }
    for length in 0..bytes.len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        assert_ne!(problem(&path), None, "cut to {length} bytes of {}", bytes.len());
    }
    let longer = [bytes, b"more".to_vec()].concat();
    std::fs::write(&path, longer).unwrap();
    assert_eq!(problem(&path), Some(Problem::Truncated));
}

#[test]
fn what_is_no_database_is_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, "plies,result\n1,won\n").unwrap();
    assert_eq!(problem(&path), Some(Problem::Foreign));
    std::fs::write(&path, "").unwrap();
    assert_eq!(problem(&path), Some(Problem::Foreign));
    std::fs::write(&path, "bsq rpsw database, version 7, crc32 00000000\n{}\n").unwrap();
    let found = "7".to_string();
    assert_eq!(problem(&path), Some(Problem::Version { found, known: 3 }));
    let error = Tablebase::open(&path).map(|_| ()).unwrap_err().to_string();
    assert!(
        error.ends_with("reads version 3; remove it, and run the command that made it again"),
        "{error}"
    );
    assert_eq!(problem(folder.path()), Some(Problem::Foreign));
    assert!(matches!(problem(&folder.path().join("none")), Some(Problem::Unreadable(_))));
}

/// Replaces a text in the metadata of a tablebase, and updates all checksums.
fn change_metadata(path: &Path, from: &str, to: &str) {
    let bytes = std::fs::read(path).unwrap();
    let header = file::FORMAT.decode::<serde_json::Value>(&bytes).unwrap();
    let rows = directory(&bytes, header.bytes).unwrap().remove(0);
    let metadata = header.metadata.to_string();
    assert!(metadata.contains(from), "{metadata}");
    let metadata: serde_json::Value =
        serde_json::from_str(&metadata.replacen(from, to, 1)).unwrap();
    let mut changed = Vec::new();
    let mut out =
        ContainerWriter::begin(&mut changed, &file::FORMAT, &header.program, &metadata).unwrap();
    (0..rows.blocks()).for_each(|row| out.block(rows.block(&bytes, row)).unwrap());
    out.end_part();
    out.finish().unwrap();
    std::fs::write(path, changed).unwrap();
}

/// Changes the header of a checkpoint, and updates the checksum.
fn rewrite_header(path: &Path, change: impl Fn(&str) -> String) {
    let bytes = std::fs::read(path).unwrap();
    let mut lines = bytes.splitn(3, |&byte| byte == b'\n');
    let (_, header, rest) = (lines.next(), lines.next().unwrap(), lines.next().unwrap());
    let header = change(std::str::from_utf8(header).unwrap());
    let crc = crc32fast::hash(header.as_bytes());
    let stamp = format!("bsq rpsw checkpoint, version 2, crc32 {crc:08x}\n");
    let changed = [stamp.as_bytes(), header.as_bytes(), b"\n", rest].concat();
    std::fs::write(path, changed).unwrap();
}

#[test]
fn a_census_that_the_blocks_do_not_have_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(&rules(3, 4, 2), folder.path());
    let header = std::fs::read(&path).unwrap();
    let header = String::from_utf8_lossy(&header).into_owned();
    let first = header.split("\"positions\":[[1,1,").nth(1).unwrap();
    let count: u64 = first[..first.find(']').unwrap()].parse().unwrap();
    let place = |count| format!("\"positions\":[[1,1,{count}]");
    change_metadata(&path, &place(count), &place(count + 1));
    let Some(Problem::Wrong(wrong)) = problem(&path) else { panic!("{:?}", problem(&path)) };
    assert!(wrong.contains("drawn, and its census says"), "{wrong}");
    change_metadata(&path, &place(count + 1), &place(count - count / 2));
    assert_eq!(problem(&path), Some(Problem::Damaged("its header")));
}

/// A file with right checksums and wrong values, which only a comparison with the rules detects.
#[test]
fn a_file_of_other_rules_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let monitor = Monitor::default();
    let (right, wrong) = (rules(3, 4, 2), rules(3, 4, 2).with_takes([0b0100, 0b1001, 0, 0b0101]));
    let path = write(&wrong, folder.path());
    change_metadata(&path, "[4,9,0,5]", "[4,9,2,5]");
    let database = Tablebase::open(&path).unwrap();
    assert_eq!(database.rules(), &right);
    assert!(database.check_blocks(&monitor).is_ok());
    let sampled = database.check_sample(10_000, SEED, &monitor).unwrap_err();
    assert!(sampled.to_string().contains("contradicts the rules"), "{sampled}");
    let rows = Solution::solve(Layout::new(right), LEAST_PLIES, &monitor).unwrap();
    let rows = rows.into_rows(&monitor).unwrap();
    let compared = database.check_against(&rows, &monitor).unwrap_err();
    assert!(compared.to_string().contains("contradicts the rules: byte "), "{compared}");
}

#[test]
fn a_right_file_passes_every_check() {
    let folder = tempfile::tempdir().unwrap();
    let monitor = Monitor::default();
    let rules = rules(3, 4, 2);
    let database = Tablebase::open(&write(&rules, folder.path())).unwrap();
    assert!(database.check_blocks(&monitor).unwrap() > 1000);
    let sample = database.check_sample(2000, SEED, &monitor).unwrap();
    assert_eq!(sample.positions(), 2000);
    assert!(sample.won > 0 && sample.lost > 0);
    assert_eq!(sample, database.check_sample(2000, SEED, &monitor).unwrap());
    assert_ne!(sample, database.check_sample(2000, SEED + 1, &monitor).unwrap());
    let rows = Solution::solve(Layout::new(rules), 2, &monitor).unwrap();
    let rows = rows.into_rows(&monitor).unwrap();
    database.check_against(&rows, &monitor).unwrap();
}

/// Cancels the solver at the beginning of an iteration.
struct StopAt(String, AtomicBool);

impl Progress for StopAt {
    fn begin(&self, what: &str, _: u64) {
        if what.split(',').next() == Some(&self.0) {
            self.1.store(true, Ordering::Relaxed);
        }
    }

    fn advance(&self, _: u64) {}
}

fn bytes_of(solution: Solution) -> Vec<u8> {
    let mut bytes = Vec::new();
    let rows = solution.into_rows(&Monitor::default()).unwrap();
    rows.write(&mut bytes, &Monitor::default()).unwrap();
    bytes
}

#[test]
fn an_analysis_goes_on_after_any_round() {
    let rules = rules(3, 4, 2);
    let layout = || Layout::new(rules.clone());
    let whole = Solution::solve(layout(), LEAST_PLIES, &Monitor::default()).unwrap();
    let rounds = whole.census().iterations.len() as u32;
    let wanted = bytes_of(whole);
    assert!(rounds > 8, "{rounds}");
    for last in 1..=rounds + 1 {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("scratch");
        let stop = StopAt(format!("ply {last}"), AtomicBool::new(false));
        let monitor = Monitor { progress: Some(&stop), stop: Some(&stop.1), ..Monitor::default() };
        let mut checkpoint = Checkpoint::open(&folder, &rules).unwrap();
        let stopped = Solution::solve_with(layout(), &mut checkpoint, &monitor).err();
        let kept = (last - 1) / 2 * 2;
        let wanted_error = match kept {
            0 => InterruptedError::Solve(SolveError::Stopped),
            rounds => InterruptedError::StoppedAfter { rounds },
        };
        assert_eq!(stopped, Some(wanted_error));
        drop(checkpoint);
        if kept > 0 {
            let other = rules.clone().with_total(3).unwrap();
            let other = Checkpoint::open(&folder, &other).unwrap_err();
            assert!(matches!(other, CheckpointError::OtherRules(_)), "{other}");
        }
        let mut checkpoint = Checkpoint::open(&folder, &rules).unwrap();
        assert_eq!(checkpoint.iterations() as u32, kept);
        let locked = Checkpoint::open(&folder, &rules).unwrap_err();
        let in_use = StorageError::InUse { path: folder.display().to_string() };
        assert_eq!(locked, CheckpointError::Storage(in_use));
        let solution =
            Solution::solve_with(layout(), &mut checkpoint, &Monitor::default()).unwrap();
        assert_eq!(bytes_of(solution), wanted, "resumed after {kept} rounds");
        checkpoint.remove();
        assert!(!folder.exists());
    }
}

/// Whether the error is about a damaged file.
fn is_damage(error: &CheckpointError) -> bool {
    matches!(error, CheckpointError::Storage(StorageError::Damaged { .. }))
}

/// Every count of a checkpoint is compared with the positions, whatever the checksum is.
#[test]
fn a_checkpoint_with_wrong_counts_is_refused() {
    let rules = rules(3, 3, 2);
    let layout = || Layout::new(rules.clone());
    let folder = tempfile::tempdir().unwrap();
    let mut checkpoint = Checkpoint::open(folder.path(), &rules).unwrap();
    let solve = |checkpoint: &mut Checkpoint| {
        Solution::solve_with(layout(), checkpoint, &Monitor::default()).map(|_| ())
    };
    solve(&mut checkpoint).unwrap();
    drop(checkpoint);
    let path = folder.path().join("checkpoint");
    let intact = std::fs::read(&path).unwrap();
    let header = String::from_utf8_lossy(&intact).into_owned();
    let header = header.lines().nth(1).unwrap();
    let metadata: serde_json::Value = serde_json::from_str(header).unwrap();
    let rounds = |metadata: &serde_json::Value| metadata["rounds"].as_array().unwrap().clone();
    for (round, counts) in rounds(&metadata["metadata"]).iter().enumerate() {
        let last = counts.as_array().unwrap().len() - 1;
        for (entry, count) in [(0, 1 << 63), (last, 1), (last, 0)] {
            std::fs::write(&path, &intact).unwrap();
            rewrite_header(&path, |header| {
                let mut changed: serde_json::Value = serde_json::from_str(header).unwrap();
                let number = &mut changed["metadata"]["rounds"][round][entry][2];
                let before = number.as_u64().unwrap();
                *number = if count == 0 { before - 1 } else { before + count }.into();
                changed.to_string()
            });
            let result = Checkpoint::open(folder.path(), &rules).map_err(InterruptedError::from);
            let result = result.and_then(|mut checkpoint| solve(&mut checkpoint));
            match result {
                Err(InterruptedError::Checkpoint(error)) if is_damage(&error) => {}
                other => panic!("round {round}, entry {entry}, {count}: {other:?}"),
            }
        }
    }
    std::fs::write(&path, &intact).unwrap();
    solve(&mut Checkpoint::open(folder.path(), &rules).unwrap()).unwrap();
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let rules = rules(3, 3, 2);
    let layout = || Layout::new(rules.clone());
    let folder = tempfile::tempdir().unwrap();
    let mut checkpoint = Checkpoint::open(folder.path(), &rules).unwrap();
    Solution::solve_with(layout(), &mut checkpoint, &Monitor::default()).unwrap();
    drop(checkpoint);
    for name in ["checkpoint", "lost-in-4"] {
        let path = folder.path().join(name);
        let bytes = std::fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(5) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            std::fs::write(&path, changed).unwrap();
            let opened = Checkpoint::open(folder.path(), &rules);
            let error = match opened {
                Err(error) => error,
                Ok(mut open) => {
                    match Solution::solve_with(layout(), &mut open, &Monitor::default()) {
                        Err(InterruptedError::Checkpoint(error)) => error,
                        other => panic!("{name}, byte {at}: {:?}", other.err()),
                    }
                }
            };
            // The first line may be that of another format.
            let is_first_line = name == "checkpoint" && !bytes[..at].contains(&b'\n');
            assert!(is_first_line || is_damage(&error), "{name}, byte {at}: {error}");
            assert!(error.to_string().contains(name), "{name}, byte {at}: {error}");
        }
        std::fs::write(&path, bytes).unwrap();
    }
    let mut again = Checkpoint::open(folder.path(), &rules).unwrap();
    Solution::solve_with(layout(), &mut again, &Monitor::default()).unwrap();
}

/// The tablebases of small games. The last two have headers of the same length.
fn small_games() -> Vec<Container> {
    let folder = tempfile::tempdir().unwrap();
    let (small, one_each) = (rules(1, 4, 2), rules(2, 3, 1));
    let swapped = one_each.clone().with_takes([0b0100, 0b0101, 0b1000, 0b0011]);
    let bytes = |rules| std::fs::read(write(&rules, folder.path())).unwrap();
    [small, one_each, swapped].map(|rules| Container::of(&bytes(rules))).to_vec()
}

/// Every block of a tablebase is put in the place of every other one, with its checksum.
#[test]
fn a_moved_block_is_found_when_it_is_read() {
    let all = small_games();
    for (to, place) in all.iter().enumerate() {
        for (from, other) in all.iter().enumerate() {
            for row in 0..place.parts[0].blocks.len() {
                for (source, block) in other.parts[0].blocks.iter().enumerate() {
                    let mut moved = place.clone();
                    moved.parts[0].blocks[row] = block.clone();
                    let opened = Tablebase::from_bytes("moved", moved.bytes()).unwrap();
                    let read = opened.drawn(row).map_err(|error| error.problem);
                    if (to, row) == (from, source) {
                        assert!(read.is_ok());
                    } else {
                        assert_eq!(read, Err(Problem::Block { row }), "{from} {source} {to}");
                    }
                }
            }
        }
    }
}

/// Blocks and directory of one game, behind the header of another.
#[test]
fn a_moved_header_is_found_when_the_file_is_opened() {
    let all = small_games();
    assert_eq!(all[1].header.len(), all[2].header.len());
    for (to, place) in all.iter().enumerate() {
        for (from, other) in all.iter().enumerate().filter(|(from, _)| *from != to) {
            let parts = other.bytes().split_off(other.header.len());
            let opened = Tablebase::from_bytes("moved", [&place.header[..], &parts].concat());
            let problem = opened.map(|_| ()).map_err(|error| error.problem);
            assert_eq!(problem, Err(Problem::Damaged("its directory")), "{from} {to}");
        }
    }
}

/// Every file of a checkpoint is put in the place of every other one, of the same game and of
/// another.
#[test]
fn a_moved_file_of_a_checkpoint_is_refused() {
    let games = [rules(3, 3, 2), rules(3, 3, 2).with_takes([0b0100, 0b1001, 0, 0b0101])];
    let scratch = games.each_ref().map(|rules| {
        let folder = tempfile::tempdir().unwrap();
        let mut checkpoint = Checkpoint::open(folder.path(), rules).unwrap();
        let layout = Layout::new(rules.clone());
        Solution::solve_with(layout, &mut checkpoint, &Monitor::default()).unwrap();
        folder
    });
    let names = |folder: &Path| {
        let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        names.filter(|path| path.extension().is_none()).collect::<Vec<_>>()
    };
    let (mut moved, mut refused) = (0, 0);
    for (rules, folder) in games.iter().zip(&scratch) {
        let resume = || {
            let checkpoint = Checkpoint::open(folder.path(), rules)?;
            checkpoint.restore(&mut LostPositions::new(
                Layout::new(rules.clone()).rows(),
                Layout::new(rules.clone()).places(),
                LEAST_PLIES,
            ))
        };
        resume().unwrap();
        for place in names(folder.path()) {
            let own = std::fs::read(&place).unwrap();
            for other in scratch.iter().flat_map(|folder| names(folder.path())) {
                let bytes = std::fs::read(other).unwrap();
                if bytes != own {
                    std::fs::write(&place, &bytes).unwrap();
                    moved += 1;
                    refused += usize::from(resume().is_err());
                }
            }
            std::fs::write(&place, own).unwrap();
        }
    }
    assert!(moved > 20);
    assert_eq!(refused, moved);
}

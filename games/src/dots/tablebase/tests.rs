//! Compares layers with plain recursion and with published values, and interrupts builds.

use super::*;
use crate::dots::board::{Board, Lines, lines_of};
use crate::dots::rules::Variant;
use bsq_engine::definition::Verification;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A temporary folder, removed when dropped.
pub(super) struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("bsq-layers-{}-{number}", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let entries = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        let file = |entry: std::fs::DirEntry| {
            (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
        };
        let mut files: Vec<_> = entries.map(file).collect();
        files.sort();
        files
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The value of a position by plain recursion over the rules.
fn plain(board: &Board, penalty: i32, lines: Lines, known: &mut HashMap<Lines, i32>) -> i32 {
    if lines == board.all() {
        return penalty;
    }
    if let Some(&value) = known.get(&lines) {
        return value;
    }
    let moves = lines_of(board.all() & !lines).map(|line| {
        let closed = board.closed(lines | 1 << line) & !board.closed(lines);
        let after = plain(board, penalty, lines | 1 << line, known);
        if closed == 0 { -after } else { closed.count_ones() as i32 + after }
    });
    let value = moves.max().unwrap();
    known.insert(lines, value);
    value
}

pub(super) fn limits(row: usize) -> Limits {
    Limits { row, ..Limits::default() }
}

fn value_of(rows: usize, cols: usize) -> i32 {
    let board = Board::new(rows, cols).unwrap();
    let plan = Plan::new(&board, 0, 0, Some(0), &Limits::default()).unwrap();
    let folder = Scratch::new();
    build(&plan, &folder.0, &Monitor::default()).unwrap().value
}

/// Every value of a tablebase is that of plain recursion.
fn compare(board: &Board, from: Lines, penalty: i32, kept_lines: Option<u32>, row: usize) {
    let plan = Plan::new(board, from, penalty, kept_lines, &limits(row)).unwrap();
    let folder = Scratch::new();
    let summary = build(&plan, &folder.0, &Monitor::default()).unwrap();
    let mut known = HashMap::new();
    assert_eq!(summary.value, plain(board, penalty, from, &mut known));
    known.insert(board.all(), penalty);
    let tablebase = Tablebase::open(&folder.0).unwrap();
    assert_eq!(i32::from(tablebase.start_value()), summary.value);
    for (&lines, &value) in &known {
        let found = tablebase.value(lines).unwrap().map(i32::from);
        let kept = match counted(&plan, lines) {
            Some(count) => count <= plan.kept_lines(),
            None => found.is_some() || plan.kept_lines() == plan.most_lines(),
        };
        assert_eq!(found, kept.then_some(value), "{board} {from:x} {lines:x} {penalty} {row}");
    }
    for line in lines_of(from) {
        assert_eq!(tablebase.value(board.all() & !(1 << line)).unwrap(), None);
    }
    let verified = tablebase.verify(&Monitor::default()).unwrap();
    assert_eq!(verified.positions, summary.stored.iter().sum::<u64>());
    assert_eq!(verified.positions, summary.layers.iter().map(|layer| layer.kept).sum::<u64>());
    assert_eq!(verified.bytes, summary.bytes);
    let sample = tablebase.check_sample(20, 1, &Monitor::default()).unwrap();
    if plan.chains().is_empty() || plan.kept_lines() == plan.most_lines() {
        assert_eq!(
            sample > 0,
            plan.kept_lines() == plan.most_lines() || plan.kept_lines() > from.count_ones()
        );
    }
}

/// The number of lines of a position, where a chain counts as one; `None` if a chain is filled in
/// part.
pub(super) fn counted(plan: &Plan, lines: Lines) -> Option<u32> {
    plan.chains().into_iter().try_fold(lines.count_ones(), |count, chain| match chain & lines {
        0 => Some(count),
        drawn => (drawn == chain).then_some(count + 1 - chain.count_ones()),
    })
}

#[test]
fn every_value_is_that_of_plain_recursion() {
    for (rows, cols) in [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3)] {
        let board = Board::new(rows, cols).unwrap();
        for penalty in [0, -1, -3, 2] {
            for variant in Variant::ALL {
                compare(&board, variant.lines(&board), penalty, None, 3000);
            }
        }
        for row in [1, 81, 700] {
            compare(&board, 0, 0, Some(5), row);
        }
    }
    let board = Board::new(2, 3).unwrap();
    let mut random = 1u64;
    for _ in 0..12 {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let from = random >> 20 & random >> 37 & board.all();
        let (penalty, row) = (-i32::from(random >> 63 == 1), 8 << (random >> 60 & 7));
        compare(&board, from, penalty, Some(11), row);
    }
    compare(&board, board.all(), -2, None, 1000);
    compare(&Board::new(1, 5).unwrap(), 0, 0, None, 100);
    compare(&Board::new(2, 2).unwrap(), 0, 0, None, 1 << 20);
}

#[test]
fn published_values() {
    assert_eq!([value_of(1, 2), value_of(2, 2), value_of(2, 3), value_of(3, 3)], [0, 2, -2, -3]);
}

/// Cancels a build after this number of rows.
pub(super) struct StopAfter {
    rows: u64,
    done: AtomicU64,
    pub stop: AtomicBool,
}

impl StopAfter {
    pub fn new(rows: u64) -> StopAfter {
        StopAfter { rows, done: AtomicU64::new(0), stop: AtomicBool::new(false) }
    }
}

impl bsq_engine::monitor::Progress for StopAfter {
    fn begin(&self, _: &str, _: u64) {
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, rows: u64) {
        if self.done.fetch_add(rows, Ordering::Relaxed) + rows >= self.rows {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_run_that_is_stopped_goes_on() {
    let board = Board::new(2, 3).unwrap();
    for kept_lines in [None, Some(7)] {
        let plan = Plan::new(&board, 0, -1, kept_lines, &limits(200)).unwrap();
        let whole = Scratch::new();
        let summary = build(&plan, &whole.0, &Monitor::default()).unwrap();
        let folder = Scratch::new();
        let (mut stops, mut most_kept) = (0, 0);
        for rows in 1.. {
            let progress = StopAfter::new(rows);
            let monitor = Monitor {
                progress: Some(&progress),
                stop: Some(&progress.stop),
                ..Monitor::default()
            };
            match build(&plan, &folder.0, &monitor) {
                Err(error @ TablebaseError::Stopped { kept, layers }) => {
                    assert!(kept >= most_kept && kept <= layers);
                    assert_eq!(error.to_string().contains("nothing was kept"), kept == 0);
                    assert_eq!(folder.0.exists(), kept > 0);
                    if kept > 0 {
                        assert!(matches!(
                            Tablebase::open(&folder.0),
                            Err(TablebaseError::Unfinished(_))
                        ));
                        std::fs::write(folder.0.join("layer-03.new"), "half").unwrap();
                    }
                    (stops, most_kept) = (stops + 1, kept);
                }
                found => {
                    assert_eq!(found, Ok(summary.clone()));
                    break;
                }
            }
        }
        assert!(stops > plan.layers());
        assert_eq!(folder.files(), whole.files());
        // Once more, after the build is finished.
        let again = build(&plan, &folder.0, &Monitor::default());
        assert_eq!(again, Ok(summary));
    }
}

#[test]
fn folders_of_others_are_refused() {
    let board = Board::new(2, 2).unwrap();
    let plan = Plan::new(&board, 0, 0, None, &limits(100)).unwrap();
    let folder = Scratch::new();
    let run = |plan: &Plan| build(plan, &folder.0, &Monitor::default());
    run(&plan).unwrap();
    let before = folder.files();
    let other = [
        Plan::new(&board, 0, -1, None, &limits(100)),
        Plan::new(&board, 1, 0, None, &limits(100)),
        Plan::new(&board, 0, 0, Some(3), &limits(100)),
        Plan::new(&board, 0, 0, None, &limits(10)),
        Plan::new(&Board::new(1, 3).unwrap(), 0, 0, None, &limits(100)),
    ];
    for other in other {
        assert!(matches!(run(&other.unwrap()), Err(TablebaseError::Other { .. })));
    }
    assert_eq!(folder.files(), before);
}

#[test]
fn a_changed_byte_is_found() {
    let board = Board::new(2, 2).unwrap();
    let plan = Plan::new(&board, 0, 0, Some(8), &limits(100)).unwrap();
    let folder = Scratch::new();
    build(&plan, &folder.0, &Monitor::default()).unwrap();
    let mut known = HashMap::new();
    plain(&board, 0, 0, &mut known);
    let files = folder.files();
    assert!(files.len() > 4);
    for (name, bytes) in files.iter().filter(|(name, _)| name != "manifest.lock") {
        let path = folder.0.join(name);
        let step = (bytes.len() / 50).max(1);
        for at in (0..bytes.len()).step_by(step) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            std::fs::write(&path, &changed).unwrap();
            let Ok(tablebase) = Tablebase::open(&folder.0) else { continue };
            assert!(tablebase.verify(&Monitor::default()).is_err(), "{name} {at}");
            for (&lines, &value) in known.iter().step_by(7) {
                if let Ok(Some(found)) = tablebase.value(lines) {
                    assert_eq!(i32::from(found), value);
                }
            }
        }
        for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(Tablebase::open(&folder.0).is_err(), "{name} {length}");
        }
        std::fs::write(&path, bytes).unwrap();
    }
    assert!(Tablebase::open(&folder.0).unwrap().verify(&Monitor::default()).is_ok());
}

/// Small tablebases, each with its folder: of two penalties, of a variant, with a book, and of another
/// board with rows of the same length.
fn small_tablebases() -> Vec<(Plan, Scratch)> {
    let (square, wide) = (Board::new(2, 2).unwrap(), Board::new(1, 4).unwrap());
    let swedish = Variant::Swedish.lines(&square);
    [(square, 0, 0, None), (square, 0, -1, None), (square, 0, 0, Some(5)), (wide, 0, 0, None)]
        .into_iter()
        .chain([(square, swedish, 0, None)])
        .map(|(board, from, penalty, kept_lines)| {
            let plan = Plan::new(&board, from, penalty, kept_lines, &limits(20)).unwrap();
            let folder = Scratch::new();
            build(&plan, &folder.0, &Monitor::default()).unwrap();
            (plan, folder)
        })
        .collect()
}

/// The finished files of rows in a folder, with the number of rows.
fn row_files(folder: &Path, plan: &Plan) -> Vec<(RowsFile, usize, PathBuf)> {
    let manifest = folder::read_manifest(folder).unwrap().unwrap();
    let files = manifest.files.iter().map(|file| {
        let rows = plan.rows[file.layer] as usize;
        let open = RowsFile::open(folder, plan, file).unwrap();
        (open, rows, folder.join(&file.record.name))
    });
    files.collect()
}

/// Every row is put in the place of every other one of the same length, with its checksum.
#[test]
fn a_moved_row_is_found_when_it_is_read() {
    let tablebases = small_tablebases();
    let mut all = Vec::new();
    for (plan, folder) in &tablebases {
        for (file, rows, path) in row_files(&folder.0, plan) {
            let bytes = std::fs::read(&path).unwrap();
            let (content, checksums) = bytes.split_at(rows * file.places);
            let content = content.chunks(file.places).zip(checksums.chunks(4));
            let content = content.map(|(row, checksum)| (row.to_vec(), checksum.to_vec()));
            all.push((content.collect::<Vec<_>>(), file, path));
        }
    }
    let rows = || all.iter().flat_map(|(rows, ..)| rows);
    let mut moved = 0;
    for (own, file, path) in &all {
        let open = File::options().write(true).open(path).unwrap();
        let put = |place: usize, (bytes, checksum): &(Vec<u8>, Vec<u8>)| {
            let checksums = own.len() * file.places;
            for (at, bytes) in [(place * file.places, bytes), (checksums + 4 * place, checksum)] {
                (&open).seek(SeekFrom::Start(at as u64)).unwrap();
                (&open).write_all(bytes).unwrap();
            }
        };
        let mut row = vec![0; file.places];
        for (place, own) in own.iter().enumerate() {
            for other in rows().filter(|(bytes, _)| bytes.len() == file.places) {
                put(place, other);
                let found = file.read_checked(place, &mut row);
                if other == own {
                    assert_eq!(found, Ok(()));
                } else {
                    let error = found.unwrap_err().to_string();
                    assert!(error.contains("has another checksum"), "{error}");
                    moved += 1;
                }
            }
            put(place, own);
        }
    }
    assert!(moved > 1000, "{moved}");
}

/// Every file of a layer is put in the place of every other one of the same length.
#[test]
fn a_moved_file_is_found_when_it_is_read() {
    let tablebases = small_tablebases();
    let mut all = Vec::new();
    for (plan, folder) in &tablebases {
        all.extend(row_files(&folder.0, plan).into_iter().map(|(.., path)| path));
    }
    let mut moved = 0;
    for (plan, folder) in &tablebases {
        let mut known = HashMap::new();
        plain(&plan.board, plan.penalty(), plan.from, &mut known);
        for (.., path) in row_files(&folder.0, plan) {
            let own = std::fs::read(&path).unwrap();
            for other in all.iter().filter(|other| **other != path) {
                let bytes = std::fs::read(other).unwrap();
                if bytes.len() != own.len() {
                    continue;
                }
                std::fs::write(&path, &bytes).unwrap();
                let tablebase = Tablebase::open(&folder.0).unwrap();
                let found = known.iter().map(|(&lines, &value)| (tablebase.value(lines), value));
                let (right, wrong): (Vec<_>, Vec<_>) = found.partition(|(found, _)| found.is_ok());
                for (found, value) in right {
                    assert!(found.unwrap().is_none_or(|found| i32::from(found) == value));
                }
                assert!(!wrong.is_empty(), "{} to {}", other.display(), path.display());
                assert!(tablebase.verify(&Monitor::default()).is_err());
                moved += 1;
            }
            std::fs::write(&path, own).unwrap();
        }
    }
    assert!(moved > 20, "{moved}");
}

/// Every manifest is put in the place of every other one.
#[test]
fn a_moved_manifest_is_found_when_a_value_is_read() {
    let tablebases = small_tablebases();
    let manifest =
        |(_, folder): &(Plan, Scratch)| std::fs::read(folder.0.join("manifest")).unwrap();
    let manifests: Vec<Vec<u8>> = tablebases.iter().map(manifest).collect();
    for (to, (_, folder)) in tablebases.iter().enumerate() {
        for (from, manifest) in manifests.iter().enumerate() {
            std::fs::write(folder.0.join("manifest"), manifest).unwrap();
            let opened = Tablebase::open(&folder.0);
            let value = opened.and_then(|tablebase| tablebase.value(tablebase.plan().from()));
            assert_eq!(value.is_ok(), from == to, "{from} {to}");
        }
        std::fs::write(folder.0.join("manifest"), &manifests[to]).unwrap();
    }
}

/// The last layer of an interrupted build is that of another tablebase.
#[test]
fn a_moved_layer_does_not_continue_a_build() {
    let board = Board::new(2, 2).unwrap();
    let [plan, other] =
        [0, -1].map(|penalty| Plan::new(&board, 0, penalty, None, &limits(20)).unwrap());
    let finished = Scratch::new();
    build(&other, &finished.0, &Monitor::default()).unwrap();
    let mut moved = 0;
    for rows in 1..plan.rows() {
        let folder = Scratch::new();
        let progress = StopAfter::new(rows);
        let monitor =
            Monitor { progress: Some(&progress), stop: Some(&progress.stop), ..Monitor::default() };
        // A build may finish before it notices that it is stopped.
        let _ = build(&plan, &folder.0, &monitor);
        let left = folder::read_manifest(&folder.0).unwrap().map_or(0, |manifest| manifest.left);
        if left == 0 {
            continue;
        }
        let name = layer_name(left);
        std::fs::copy(finished.0.join(&name), folder.0.join(&name)).unwrap();
        let error = build(&plan, &folder.0, &Monitor::default()).unwrap_err().to_string();
        assert!(error.contains(&name), "{error}");
        moved += 1;
    }
    assert!(moved > 4, "{moved}");
}

#[test]
fn a_wrong_value_with_right_checksums_is_found() {
    let board = Board::new(2, 2).unwrap();
    let plan = Plan::new(&board, 0, 0, None, &limits(1 << 20)).unwrap();
    let scratch = Scratch::new();
    build(&plan, &scratch.0, &Monitor::default()).unwrap();
    let sample = || Tablebase::open(&scratch.0).unwrap().check_sample(2000, 1, &Monitor::default());
    assert_eq!(sample(), Ok(2000));
    let mut folder = Folder::open(&scratch.0, &plan).unwrap();
    let mut manifest = folder.manifest.clone();
    assert_eq!(plan.rows(), 1);
    let path = scratch.0.join(&manifest.files[0].record.name);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[plan.low.size - 4] ^= 2; // one of the last positions
    let name = &manifest.files[0].record.name;
    let crc = plan.identity(name).crc32(0, &bytes[..plan.low.size]);
    bytes[plan.low.size..].copy_from_slice(&crc.to_le_bytes());
    std::fs::write(&path, &bytes).unwrap();
    manifest.files[0].record.sha256 = bsq_engine::storage::Digest::of(&bytes[plan.low.size..]);
    folder.save(manifest).unwrap();
    assert!(Tablebase::open(&scratch.0).unwrap().verify(&Monitor::default()).is_ok());
    assert!(matches!(sample(), Err(TablebaseError::Wrong { .. })));
    // Without a sample, only a new build finds it.
    let verify = |full| {
        let request = Verification { sample: 0, seed: 1, full, memory: 1 << 30 };
        (jobs::tablebases().verify)(&scratch.0, &request, &Monitor::default())
    };
    assert!(verify(false).unwrap().note.unwrap().contains("No values were compared"));
    assert!(verify(true).unwrap_err().to_string().contains("has other values"));
    let mut again = scratch.0.clone().into_os_string();
    again.push(".again");
    assert!(!Path::new(&again).exists());
}

#[test]
fn what_takes_too_much_is_refused() {
    let too_small = |rows, cols, limits: &Limits| {
        let board = Board::new(rows, cols).unwrap();
        match Plan::new(&board, 0, 0, None, limits) {
            Err(TablebaseError::LimitTooSmall { what, .. }) => what,
            Err(TablebaseError::TooLarge { .. }) => "all",
            found => panic!("{found:?}"),
        }
    };
    assert_eq!(too_small(3, 4, &Limits { disk: Some(100 << 20), ..Limits::default() }), "disk");
    assert_eq!(too_small(3, 4, &Limits { memory: Some(1 << 20), ..Limits::default() }), "memory");
    for (rows, cols) in [(5, 5), (1, 21), (21, 1), (4, 6)] {
        assert_eq!(too_small(rows, cols, &Limits::default()), "all");
        assert_eq!(
            too_small(rows, cols, &Limits { disk: Some(1 << 40), ..Limits::default() }),
            "disk"
        );
    }
    let board = Board::new(2, 2).unwrap();
    for (from, penalty) in [(1 << 12, 0), (0, 124), (0, -124), (0, i32::MIN), (0, i32::MAX)] {
        assert!(Plan::new(&board, from, penalty, None, &Limits::default()).is_err());
    }
    compare(&board, 0, -123, None, 100);
}

#[test]
fn disk_is_estimated_before() {
    let board = Board::new(2, 3).unwrap();
    for kept_lines in [0, 6, 17] {
        let plan = Plan::new(&board, 0, 0, Some(kept_lines), &limits(200)).unwrap();
        let folder = Scratch::new();
        let summary = build(&plan, &folder.0, &Monitor::default()).unwrap();
        assert!(summary.bytes <= plan.disk_bytes());
        assert!(plan.disk_bytes() <= summary.bytes + 2 * summary.positions);
    }
}

#[test]
fn bytes_are_the_same_for_any_number_of_threads() {
    let board = Board::new(2, 3).unwrap();
    let plan = Plan::new(&board, 0, 0, Some(9), &limits(100)).unwrap();
    files_by_threads(&plan);
}

/// The files of a tablebase do not depend on the number of threads.
pub fn files_by_threads(plan: &Plan) -> Vec<(String, Vec<u8>)> {
    let [one, three] = [1, 3].map(|threads| {
        let folder = Scratch::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| build(plan, &folder.0, &Monitor::default())).unwrap();
        folder.files()
    });
    assert_eq!(one, three);
    one
}

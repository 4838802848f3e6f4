//! Breadth-first counts with little memory, with a scratch folder, and after interruptions: the
//! census is that of an undisturbed count, or an error names the cause.

#[path = "levels/shared.rs"]
mod shared;

use bsq_engine::levels;
use bsq_engine::levels::{
    Census, LevelsError, MemoryBudget, Options, PlacementGame, ScratchFolder,
};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::storage::StorageError;
use bsq_engine::tally::Width;
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::{Board, LevelGame64, LevelGame128, Rules, TooLarge};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// A memory limit that the larger levels of the boards below exceed.
const LITTLE_MEMORY: u64 = 200_000;

fn rules(board: &str) -> Rules {
    let board = Board::parse(board).unwrap();
    Rules { board, center_allowed: false, bias: 0, pieces: None }
}

fn game(board: &str) -> LevelGame64 {
    LevelGame64::new(rules(board)).unwrap()
}

fn undisturbed<G: PlacementGame>(game: &G) -> Census {
    levels::count(game, &Monitor::default()).unwrap()
}

/// Runs a count in a pool of this number of threads.
fn with_threads<T: Send>(threads: usize, count: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(count)
}

fn begin(folder: &Path) -> MemoryBudget {
    resume(folder).unwrap()
}

fn resume(folder: &Path) -> Result<MemoryBudget, LevelsError> {
    Ok(MemoryBudget::without_reserve(LITTLE_MEMORY, Some(ScratchFolder::open(folder)?)))
}

/// Counts on one thread, because the limit does not suffice for more.
fn count<G: PlacementGame + Sync>(game: &G, room: &MemoryBudget) -> Result<Census, SolveError> {
    with_threads(1, || levels::count_within(game, room, &Monitor::default()))
}

/// The names of the files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A copy of a folder.
fn copy(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for name in files(folder) {
        fs::copy(folder.join(&name), copy.path().join(&name)).unwrap();
    }
    copy
}

/// A game that runs a function when a turn is first expanded.
struct Watched<'a> {
    game: LevelGame64,
    turn: u32,
    act: Mutex<Option<Box<dyn FnOnce() + Send + 'a>>>,
}

impl<'a> Watched<'a> {
    fn new(board: &str, turn: u32, act: impl FnOnce() + Send + 'a) -> Watched<'a> {
        Watched { game: game(board), turn, act: Mutex::new(Some(Box::new(act))) }
    }
}

impl PlacementGame for Watched<'_> {
    type Key = u64;
    type Row = <LevelGame64 as PlacementGame>::Row;

    fn row(&self, opponent: u64) -> Self::Row {
        self.game.row(opponent)
    }

    fn options(&self, row: &Self::Row, own: u64, turn: u32) -> Options {
        if turn == self.turn
            && let Some(act) = self.act.lock().unwrap().take()
        {
            act();
        }
        self.game.options(row, own, turn)
    }

    fn canonical_successors(&self, row: &Self::Row, own: &[u64], words: &mut [u64]) {
        self.game.canonical_successors(row, own, words);
    }

    fn symmetric(&self, row: &Self::Row) -> bool {
        self.game.symmetric(row)
    }

    fn max_moves(&self) -> u32 {
        self.game.max_moves()
    }

    fn max_states(&self) -> u64 {
        self.game.max_states()
    }

    fn rules(&self) -> String {
        self.game.rules()
    }
}

/// The folder of a count that was cancelled in a turn.
fn stopped(board: &str, turn: u32) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let game = Watched::new(board, turn, || stop.store(true, Ordering::Relaxed));
    let monitor = Monitor { stop: Some(&stop), ..Monitor::default() };
    let room = begin(folder.path());
    let census = with_threads(1, || levels::count_within(&game, &room, &monitor));
    assert_eq!(census, Err(SolveError::StoppedAt { turn }), "{board}");
    folder
}

#[test]
fn boards_that_do_not_fit_memory_are_counted_on_disk() {
    for (board, threads) in [("4x5", 1), ("4x5", 2), ("4x5", 3), ("3x6", 2), ("2x9", 1)] {
        let game = game(board);
        let census = undisturbed(&game);
        let memory = LITTLE_MEMORY * threads as u64;
        let count = |scratch| {
            let room = MemoryBudget::without_reserve(memory, scratch);
            let census =
                with_threads(threads, || levels::count_within(&game, &room, &Monitor::default()));
            (room, census)
        };
        let (_, without) = count(None);
        let too_large = |error: &SolveError| {
            matches!(error, SolveError::Levels(LevelsError::LevelTooLarge { needed, limit, .. })
                if needed > limit && limit.as_u64() == memory)
        };
        assert!(without.as_ref().is_err_and(too_large), "{board}: {without:?}");
        let folder = tempfile::tempdir().unwrap();
        let (room, with) = count(Some(ScratchFolder::open(folder.path()).unwrap()));
        assert_eq!(with, Ok(census), "{board} with {threads} threads");
        room.scratch.unwrap().remove().unwrap();
        assert_eq!(files(folder.path()), [""; 0], "{board}");
    }
}

#[test]
fn tallies_of_every_width_come_back_from_disk() {
    for board in ["4x4", "4x5"] {
        let game = game(board);
        let census = undisturbed(&game);
        for width in [Width::Bits64, Width::Bits128, Width::Unbounded] {
            let folder = tempfile::tempdir().unwrap();
            // A state takes up to three times the memory.
            let scratch = ScratchFolder::open(folder.path()).unwrap();
            let room = MemoryBudget::without_reserve(3 * LITTLE_MEMORY, Some(scratch));
            let count = || levels::count_at_least(&game, width, &room, &Monitor::default());
            assert_eq!(with_threads(1, count).as_ref(), Ok(&census), "{board} {width:?}");
        }
    }
}

/// Bounds exceed 64 bits during the count, so that a level is read with tallies of another width.
#[test]
fn tallies_that_grow_wider_on_the_way_come_back_from_disk() {
    /// A game that overstates the number of moves, and so the bound on sums.
    struct Boastful(LevelGame64);
    impl PlacementGame for Boastful {
        type Key = u64;
        type Row = <LevelGame64 as PlacementGame>::Row;
        fn row(&self, opponent: u64) -> Self::Row {
            self.0.row(opponent)
        }
        fn options(&self, row: &Self::Row, own: u64, turn: u32) -> Options {
            self.0.options(row, own, turn)
        }
        fn canonical_successors(&self, row: &Self::Row, own: &[u64], words: &mut [u64]) {
            self.0.canonical_successors(row, own, words);
        }
        fn symmetric(&self, row: &Self::Row) -> bool {
            self.0.symmetric(row)
        }
        fn max_moves(&self) -> u32 {
            u32::MAX
        }
        fn max_states(&self) -> u64 {
            self.0.max_states()
        }
        fn rules(&self) -> String {
            self.0.rules()
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let room = MemoryBudget::without_reserve(
        2 * LITTLE_MEMORY,
        Some(ScratchFolder::open(folder.path()).unwrap()),
    );
    assert_eq!(count(&Boastful(game("4x5")), &room), Ok(undisturbed(&game("4x5"))));
}

#[test]
fn a_count_stopped_in_any_turn_goes_on() {
    for board in ["3x4", "4x4", "4x5"] {
        let game = game(board);
        let census = undisturbed(&game);
        for turn in 1..=census.levels.len() as u32 {
            let folder = stopped(board, turn);
            let room = resume(folder.path()).unwrap();
            assert_eq!(count(&game, &room).as_ref(), Ok(&census), "{board} turn {turn}");
            room.scratch.unwrap().remove().unwrap();
            assert_eq!(files(folder.path()), [""; 0], "{board} turn {turn}");
        }
    }
}

/// Resumes from the files, some unfinished, of a process that was killed in the middle of a turn.
#[test]
fn a_count_killed_in_any_turn_goes_on() {
    let board = "4x5";
    let census = undisturbed(&game(board));
    for turn in 1..=census.levels.len() as u32 {
        let (folder, mut killed) = (tempfile::tempdir().unwrap(), None);
        let game = Watched::new(board, turn, || killed = Some(copy(folder.path())));
        let room = begin(folder.path());
        assert_eq!(count(&game, &room).as_ref(), Ok(&census));
        drop(game);
        let killed = killed.unwrap();
        fs::write(killed.path().join("states-77-00000"), "of a turn that was not finished")
            .unwrap();
        fs::write(killed.path().join("checkpoint.new"), "bsq levels checkp").unwrap();
        let room = resume(killed.path()).unwrap();
        let again = self::game(board);
        assert_eq!(count(&again, &room).as_ref(), Ok(&census), "turn {turn}");
        room.scratch.unwrap().remove().unwrap();
        assert_eq!(files(killed.path()), [""; 0], "turn {turn}");
    }
}

#[test]
fn a_count_goes_on_in_other_room_and_with_other_threads() {
    let census = undisturbed(&game("4x5"));
    for (threads, memory) in [(3, None), (2, Some(10_000_000)), (1, Some(1_000_000))] {
        let folder = stopped("4x5", 8);
        let scratch = ScratchFolder::open(folder.path()).unwrap();
        let room = match memory {
            Some(memory) => MemoryBudget::without_reserve(memory, Some(scratch)),
            None => MemoryBudget::new(None, Some(scratch)),
        };
        let game = game("4x5");
        let count = || levels::count_within(&game, &room, &Monitor::default());
        assert_eq!(with_threads(threads, count).as_ref(), Ok(&census));
    }
}

#[test]
fn a_finished_count_is_not_counted_again() {
    let (folder, game) = (tempfile::tempdir().unwrap(), game("3x4"));
    let census = count(&game, &begin(folder.path())).unwrap();
    let watched = Watched::new("3x4", 1, || panic!("nothing is left to count"));
    assert_eq!(count(&watched, &resume(folder.path()).unwrap()), Ok(census));
    // The folder is removed once the result is no longer needed.
    ScratchFolder::open(folder.path()).unwrap().remove().unwrap();
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn other_files_in_the_folder_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mine = ["states", "states-", "states-1", "states-1-x", "mine", "checkpoint.txt"];
    for name in mine {
        fs::write(folder.path().join(name), "mine").unwrap();
    }
    let room = begin(folder.path());
    count(&game("4x5"), &room).unwrap();
    room.scratch.unwrap().remove().unwrap();
    let mut mine: Vec<String> = mine.map(String::from).to_vec();
    mine.sort();
    assert_eq!(files(folder.path()), mine);
    for name in mine {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "mine");
    }
}

#[test]
fn a_folder_says_where_its_count_continues() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(ScratchFolder::open(folder.path()).unwrap().turn(), None);
    let folder = stopped("4x4", 5);
    assert_eq!(ScratchFolder::open(folder.path()).unwrap().turn(), Some(5));
    count(&game("4x4"), &resume(folder.path()).unwrap()).unwrap();
}

#[test]
fn a_folder_serves_one_count_at_a_time() {
    let folder = stopped("3x4", 3);
    let _held = resume(folder.path()).unwrap();
    let error = resume(folder.path()).err();
    assert!(matches!(error, Some(LevelsError::Storage(StorageError::InUse { .. }))), "{error:?}");
}

#[test]
fn a_checkpoint_of_other_rules_is_refused() {
    let folder = stopped("5x3", 4);
    let before = copy(folder.path());
    let asked = [
        rules("3x5"),
        rules("4x4"),
        Rules { center_allowed: true, ..rules("5x3") },
        Rules { pieces: Some(3), ..rules("5x3") },
    ];
    for rules in asked {
        let game = LevelGame64::new(rules).unwrap();
        let error = count(&game, &resume(folder.path()).unwrap()).unwrap_err();
        let SolveError::Levels(LevelsError::OtherRules { kept, asked, .. }) = &error else {
            panic!("{error}");
        };
        assert_eq!((kept.as_str(), asked), ("british-square 5x3", &game.rules()));
    }
    for name in files(before.path()) {
        let read = |folder: &Path| fs::read(folder.join(&name)).unwrap();
        assert_eq!(read(folder.path()), read(before.path()), "{name}");
    }
    // The bias does not affect counts.
    let game = LevelGame64::new(Rules { bias: 3, ..rules("5x3") }).unwrap();
    assert_eq!(count(&game, &resume(folder.path()).unwrap()), Ok(undisturbed(&game)));
}

#[test]
fn a_checkpoint_of_another_version_is_refused() {
    let folder = stopped("3x4", 3);
    let path = folder.path().join("checkpoint");
    let text = fs::read_to_string(&path).unwrap();
    for version in ["0", "1", "17"] {
        fs::write(&path, text.replacen("version 2,", &format!("version {version},"), 1)).unwrap();
        let error = resume(folder.path()).err().unwrap();
        assert!(
            matches!(&error, LevelsError::Storage(StorageError::OtherVersion { found, known: 2, .. }) if found == version),
            "{error}"
        );
    }
}

/// The error of a checkpoint, if it has one.
fn fault(folder: &Path, game: &LevelGame64) -> Option<String> {
    let error = match resume(folder) {
        Err(error) => error,
        Ok(room) => match count(game, &room).err()? {
            SolveError::Levels(error) => error,
            error => panic!("{error}"),
        },
    };
    assert!(matches!(&error, LevelsError::Storage(StorageError::Damaged { .. })), "{error}");
    Some(error.to_string())
}

fn states_files(folder: &Path) -> Vec<PathBuf> {
    let names = files(folder).into_iter().filter(|name| name.starts_with("states-"));
    names.map(|name| folder.join(name)).collect()
}

#[test]
fn every_flipped_byte_of_a_checkpoint_is_found() {
    let (folder, game) = (stopped("3x4", 5), game("3x4"));
    assert_eq!(fault(copy(folder.path()).path(), &game), None);
    for name in files(folder.path()).iter().filter(|name| !name.ends_with(".lock")) {
        let path = folder.path().join(name);
        let bytes = fs::read(&path).unwrap();
        let version = name.as_str() == "checkpoint";
        let first = if version { "bsq levels checkpoint, version 2, ".len() } else { 0 };
        assert!(bytes.len() > 100, "{name}");
        for place in first..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            fs::write(&path, damaged).unwrap();
            let fault = fault(folder.path(), &game);
            let fault = fault.unwrap_or_else(|| panic!("{name}: byte {place} goes unnoticed"));
            assert!(fault.contains(&path.display().to_string()), "{fault}");
        }
        fs::write(&path, bytes).unwrap();
    }
    assert_eq!(fault(folder.path(), &game), None);
}

/// Whatever the checksum is, the counts of a checkpoint are those of its states, and agree.
#[test]
fn wrong_counts_in_a_checkpoint_are_found() {
    let (folder, game) = (stopped("3x4", 9), game("3x4"));
    let path = folder.path().join("checkpoint");
    let intact = fs::read_to_string(&path).unwrap();
    let metadata: serde_json::Value = serde_json::from_str(intact.lines().nth(1).unwrap()).unwrap();
    let faults = [
        ("/metadata/states", 1.into()),
        ("/metadata/paths", "1".into()),
        ("/metadata/part_bits", 21.into()),
        ("/metadata/turn", 8.into()),
        ("/metadata/census/levels/0/terminals", 1.into()),
        ("/metadata/census/levels/0/by_moves/0", u64::MAX.into()),
        ("/metadata/census/outcomes/0/1", "0".into()),
        ("/metadata/census/outcomes/0/2", (1u64 << 63).into()),
    ];
    for (place, value) in faults {
        let mut changed = metadata.clone();
        *changed.pointer_mut(place).unwrap_or_else(|| panic!("{place}: {metadata}")) = value;
        let changed = changed.to_string();
        let crc = crc32fast::hash(changed.as_bytes());
        let text = format!("bsq levels checkpoint, version 2, crc32 {crc:08x}\n{changed}\n");
        fs::write(&path, text).unwrap();
        assert!(fault(folder.path(), &game).is_some(), "{place} goes unnoticed");
    }
    fs::write(&path, intact).unwrap();
    assert_eq!(fault(folder.path(), &game), None);
}

#[test]
fn files_cut_short_or_missing_are_found() {
    let (folder, game) = (stopped("4x4", 6), game("4x4"));
    let mut paths = states_files(folder.path());
    paths.push(folder.path().join("checkpoint"));
    for path in &paths {
        let bytes = fs::read(path).unwrap();
        for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            fs::write(path, &bytes[..length]).unwrap();
            assert!(fault(folder.path(), &game).is_some(), "{} {length}", path.display());
        }
        fs::write(path, [&bytes[..], b"x"].concat()).unwrap();
        assert!(fault(folder.path(), &game).is_some(), "{} longer", path.display());
        fs::write(path, bytes).unwrap();
    }
    let bytes = fs::read(&paths[0]).unwrap();
    fs::remove_file(&paths[0]).unwrap();
    let missing = fault(folder.path(), &game).unwrap();
    assert!(missing.contains("it is missing"), "{missing}");
    fs::write(&paths[0], bytes).unwrap();
    assert_eq!(fault(folder.path(), &game), None);
}

/// The byte ranges of the runs of a file of states.
fn runs(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (mut runs, mut start) = (Vec::new(), 0);
    while start < bytes.len() {
        let words = u32::from_le_bytes(bytes[start + 4..start + 8].try_into().unwrap());
        let end = start + 8 + 8 * words as usize + 4;
        runs.push(start..end);
        start = end;
    }
    runs
}

/// Intact runs at other positions than those written are rejected.
#[test]
fn runs_in_another_place_are_found() {
    let (folder, game) = (stopped("4x4", 6), game("4x4"));
    let path = &states_files(folder.path())[0];
    let bytes = fs::read(path).unwrap();
    let runs = runs(&bytes);
    let pairs = runs.iter().flat_map(|a| runs.iter().map(move |b| (a.clone(), b.clone())));
    let (a, b) = pairs.into_iter().find(|(a, b)| a.end <= b.start && a.len() == b.len()).unwrap();
    let mut swapped = bytes.clone();
    swapped[a.clone()].copy_from_slice(&bytes[b.clone()]);
    swapped[b].copy_from_slice(&bytes[a]);
    fs::write(path, swapped).unwrap();
    assert!(fault(folder.path(), &game).is_some());
}

/// Intact files of states of another turn are rejected.
#[test]
fn files_of_another_turn_are_found() {
    let (folder, other, game) = (stopped("4x4", 6), stopped("4x4", 7), game("4x4"));
    let (path, other) = (&states_files(folder.path())[0], &states_files(other.path())[0]);
    fs::copy(other, path).unwrap();
    assert!(fault(folder.path(), &game).is_some());
}

/// States that are damaged during the count, before they are read, are detected.
#[test]
fn damage_on_the_way_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let game = Watched::new("4x5", 10, || {
        for path in states_files(folder.path()) {
            let mut bytes = fs::read(&path).unwrap();
            for run in runs(&bytes) {
                bytes[run.start + 16] ^= 1; // the tally of a state, which has no redundancy
            }
            fs::write(path, bytes).unwrap();
        }
    });
    let error = count(&game, &begin(folder.path())).unwrap_err();
    assert!(
        matches!(error, SolveError::Levels(LevelsError::Storage(StorageError::Damaged { .. }))),
        "{error}"
    );
}

#[test]
fn folders_that_cannot_be_made_or_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    for path in [file.clone(), file.join("inside")] {
        let error = ScratchFolder::open(&path).unwrap_err();
        assert!(matches!(error, LevelsError::Storage(StorageError::System { .. })), "{error}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

/// If the files of a turn cannot be created, the checkpoint of the previous turns remains.
#[test]
fn a_disk_that_refuses_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let game = Watched::new("4x5", 9, || {
        for number in 0..2000 {
            // A folder of the same name prevents the creation of the file.
            let _ = fs::create_dir(folder.path().join(format!("states-10-{number:05}")));
        }
        let aside = folder.path().with_extension("aside");
        fs::rename(folder.path(), &aside).unwrap();
        fs::write(folder.path(), "in the way").unwrap();
    });
    let error = count(&game, &begin(folder.path())).unwrap_err();
    let SolveError::FailedAt { turn: 9, error: LevelsError::Storage(StorageError::System { .. }) } =
        &error
    else {
        panic!("{error}");
    };
    assert!(error.to_string().contains("the turns before turn 9 are kept"), "{error}");
    let aside = folder.path().with_extension("aside");
    fs::remove_file(folder.path()).unwrap();
    fs::rename(aside, folder.path()).unwrap();
    let again = self::game("4x5");
    assert_eq!(count(&again, &resume(folder.path()).unwrap()), Ok(undisturbed(&again)));
}

#[test]
fn too_little_memory_to_begin() {
    let game = game("3x4");
    let error =
        levels::count_within(&game, &MemoryBudget::new(Some(1 << 20), None), &Monitor::default());
    let Err(SolveError::Levels(LevelsError::LimitTooSmall { least, threads, .. })) = error else {
        panic!("{error:?}");
    };
    assert_eq!(threads, rayon::current_num_threads());
    let enough = MemoryBudget::new(Some(least.as_u64()), None);
    let census = levels::count_within(&game, &enough, &Monitor::default());
    assert_eq!(census, Ok(undisturbed(&game)));
}

#[test]
fn boards_of_up_to_36_cells() {
    assert!(matches!(LevelGame64::new(rules("3x11")), Err(TooLarge::Levels { most: 32, .. })));
    assert!(matches!(LevelGame128::new(rules("1x37")), Err(TooLarge::Levels { most: 36, .. })));
    // Few pieces, so that the count is short; the order of placements never matters.
    let one = |board: &str| Rules { pieces: Some(1), ..rules(board) };
    let boards = ["4x8", "8x4", "2x16", "32x1", "1x31", "5x6", "3x9"];
    for board in boards.into_iter().chain(["6x6", "4x9", "9x4", "18x2", "1x36", "5x7", "11x3"]) {
        let census = undisturbed(&LevelGame128::new(one(board)).unwrap());
        if boards.contains(&board) {
            assert_eq!(census, undisturbed(&LevelGame64::new(one(board)).unwrap()), "{board}");
        }
        let board = Board::parse(board).unwrap();
        let forbidden = board.centre();
        let first = (0..board.cells()).filter(|&cell| Some(cell) != forbidden);
        let replies = first.map(|cell| (board.all() & !board.reach(cell)).count_ones() as u64);
        assert_eq!(census.playouts(), replies.sum::<u64>().into(), "{board}");
    }
}

/// Compares counts on a board that requires 128-bit keys with a method that does not enumerate
/// states.
#[test]
fn large_words_count_6x6_as_far_as_it_is_short() {
    for pieces in [2, 3] {
        let rules = Rules { pieces: Some(pieces), ..rules("6x6") };
        let census = undisturbed(&LevelGame128::new(rules.clone()).unwrap());
        let playouts = closed_form::playouts_by_score(&rules, &Monitor::default()).unwrap();
        let counted = census.scores.into_iter().map(|(score, outcome)| (score, outcome.playouts));
        assert_eq!(counted.collect::<BTreeMap<_, _>>(), playouts, "{pieces} pieces");
    }
}

#[test]
fn large_words_find_what_small_ones_do() {
    for board in ["1x1", "2x3", "3x3", "3x4", "4x4", "1x12"] {
        for variant in
            [rules(board), Rules { pieces: Some(3), center_allowed: true, ..rules(board) }]
        {
            let small = LevelGame64::new(variant.clone()).unwrap();
            let large = LevelGame128::new(variant).unwrap();
            let census = undisturbed(&small);
            assert_eq!(undisturbed(&large), census, "{board}");
            // On disk, and with tallies of every width.
            for width in [Width::Bits64, Width::Bits128, Width::Unbounded] {
                let folder = tempfile::tempdir().unwrap();
                let scratch = ScratchFolder::open(folder.path()).unwrap();
                let room = MemoryBudget::without_reserve(2 * LITTLE_MEMORY, Some(scratch));
                let count = || levels::count_at_least(&large, width, &room, &Monitor::default());
                let counted = with_threads(1, count);
                assert_eq!(counted, Ok(census.clone()), "{board} {width:?}");
            }
        }
    }
}

//! Distributed counts whose workers exchange states within one thread: the census is that of a
//! single worker for any number of workers and after any interruption.

use super::{files, game, rules, undisturbed};
use bsq_engine::levels::distributed::{
    Batch, Before, Folder, Inventory, LevelSummary, Report, RestartPoint, ShardId, ShardInfo,
    Source, Transport, Worker, WorkerBudget, restart_point,
};
use bsq_engine::levels::{Census, LevelCount, LevelsError, PlacementGame, ScoreCount, StateKey};
use bsq_engine::storage::StorageError;
use bsq_games::british_square::{LevelGame, PairKey};
use std::cell::{Cell, RefCell};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// A memory limit that the larger levels of the boards below exceed.
const LITTLE_MEMORY: u64 = 100_000;

/// A transport that delivers batches immediately.
struct ByHand<'a, W> {
    workers: &'a [RefCell<Worker<W>>],
    turn: u32,
    /// The sender.
    from: usize,
    /// The number of further batches, the last of which is lost.
    lost_after: &'a Cell<u64>,
}

impl<W: StateKey> Transport for ByHand<'_, W> {
    type Error = LevelsError;

    fn send(&mut self, worker: usize, batch: Batch) -> Result<(), LevelsError> {
        let left = self.lost_after.get().wrapping_sub(1);
        self.lost_after.set(left);
        if left == 0 {
            return Ok(());
        }
        self.workers[worker].borrow_mut().receive(self.turn, self.from, &batch)
    }
}

/// The parameters of a count.
#[derive(Clone, Copy)]
struct Count<'a> {
    board: &'a str,
    workers: usize,
    /// The turn in which it is stopped, when its states are generated but not all are on disk.
    stop: u32,
    lost_after: u64,
    /// The least number of the attempt.
    attempt: u32,
    /// The process whose lock it takes.
    process: usize,
}

impl Count<'_> {
    fn of(board: &str, workers: usize) -> Count<'_> {
        let (stop, lost_after) = (u32::MAX, u64::MAX);
        Count { board, workers, stop, lost_after, attempt: 1, process: 0 }
    }

    /// Runs the count. Returns the census, or `None` if it was stopped.
    fn run(&self, path: &Path) -> Result<Option<Census>, LevelsError> {
        self.run_by::<u64>(path)
    }

    /// Runs the count with keys of type `W`.
    fn run_by<W: PairKey>(&self, path: &Path) -> Result<Option<Census>, LevelsError> {
        let game = LevelGame::<W>::new(rules(self.board)).unwrap();
        let folder = Arc::new(Folder::open(path, self.process)?);
        let inventory = Inventory::of(&folder, &game.rules())?;
        let restart = restart_point(std::slice::from_ref(&inventory))?;
        let attempt = self.attempt.max(inventory.attempt + 1);
        let workers = self.workers(&game, &folder, attempt);
        let lost_after = Cell::new(self.lost_after);
        let mut turn = restart.as_ref().map_or(1, |restart| restart.turn);
        let mut source = |thread| match &restart {
            Some(restart) => Source::Checkpoint {
                manifests: restart.manifests_for(&folder, 0, (thread, self.workers)),
                states: restart.states,
            },
            None => Source::Start,
        };
        let mut summary = self.level(&game, &workers, turn, &mut source, &lost_after)?;
        while let Some(LevelSummary { states: 1.., .. }) = summary {
            turn += 1;
            summary = self.level(&game, &workers, turn, &mut |_| Source::Previous, &lost_after)?;
        }
        if summary.is_some() {
            folder.remove(attempt);
        }
        Ok(summary.map(|summary| summary.census))
    }

    fn workers<G: PlacementGame>(
        &self,
        game: &G,
        folder: &Arc<Folder>,
        attempt: u32,
    ) -> Vec<RefCell<Worker<G::Key>>> {
        let budget = WorkerBudget::without_reserve(LITTLE_MEMORY);
        let worker = |worker| {
            let place = (worker, self.workers);
            Worker::new(game, attempt, place, &budget, folder.clone())
        };
        (0..self.workers).map(|number| RefCell::new(worker(number))).collect()
    }

    fn level<G: PlacementGame>(
        &self,
        game: &G,
        workers: &[RefCell<Worker<G::Key>>],
        turn: u32,
        source: &mut dyn FnMut(usize) -> Source,
        lost_after: &Cell<u64>,
    ) -> Result<Option<LevelSummary>, LevelsError> {
        let reports = self.reports(game, workers, turn, source, lost_after)?;
        if turn == self.stop {
            return Ok(None);
        }
        let mut summary = None;
        for worker in workers {
            let mut worker = worker.borrow_mut();
            summary = Some(worker.advance(turn, &reports)?.clone());
        }
        Ok(summary)
    }

    /// Produces a level up to the reports.
    fn reports<G: PlacementGame>(
        &self,
        game: &G,
        workers: &[RefCell<Worker<G::Key>>],
        turn: u32,
        source: &mut dyn FnMut(usize) -> Source,
        lost_after: &Cell<u64>,
    ) -> Result<Vec<Report>, LevelsError> {
        let mut makings = Vec::new();
        for (number, worker) in workers.iter().enumerate() {
            makings.push(worker.borrow_mut().begin(turn, source(number))?);
        }
        for (from, making) in makings.into_iter().enumerate() {
            let mut transport = ByHand { workers, turn, from, lost_after };
            let (totals, before) = making.run(game, &mut transport)?;
            workers[from].borrow_mut().complete(totals, before);
        }
        let on_disk = if turn == self.stop { self.workers / 2 } else { self.workers };
        let finish = |worker: &RefCell<Worker<G::Key>>| worker.borrow_mut().finish(turn);
        workers[..on_disk].iter().map(finish).collect()
    }
}

#[test]
fn any_number_of_workers_finds_the_same() {
    for board in ["1x1", "2x2", "3x4", "4x4"] {
        let alone = undisturbed(&game(board));
        for workers in [1, 2, 5] {
            let folder = tempfile::tempdir().unwrap();
            let count = Count::of(board, workers);
            for count in [count.run(folder.path()), count.run_by::<u128>(folder.path())] {
                assert_eq!(count.unwrap().as_ref(), Some(&alone), "{board}, {workers} workers");
                assert_eq!(files(folder.path()), [""; 0]);
            }
        }
    }
}

#[test]
fn a_stopped_count_goes_on_with_any_number_of_workers() {
    goes_on_with_any_number_of_workers::<u64>();
    goes_on_with_any_number_of_workers::<u128>();
}

fn goes_on_with_any_number_of_workers<W: PairKey>() {
    let alone = undisturbed(&game("4x4"));
    for stop in [1, 3, 4, 7, 15] {
        // With many workers, some own no state.
        for (before, after) in [(3, 2), (2, 3), (2, 17)] {
            let folder = tempfile::tempdir().unwrap();
            let count = Count { stop, ..Count::of("4x4", before) };
            assert_eq!(count.run_by::<W>(folder.path()).unwrap(), None);
            // The count is stopped again in the next turn.
            let count = Count { stop: stop + 1, ..Count::of("4x4", after) };
            assert_eq!(count.run_by::<W>(folder.path()).unwrap(), None);
            let census = Count::of("4x4", after).run_by::<W>(folder.path()).unwrap().unwrap();
            assert_eq!(census, alone, "stopped at {stop}, {before} workers, then {after}");
            assert_eq!(files(folder.path()), [""; 0]);
        }
    }
}

#[test]
fn states_that_get_lost_are_noticed() {
    for lost_after in [1, 2, 40, 200] {
        let folder = tempfile::tempdir().unwrap();
        let count = Count { lost_after, ..Count::of("4x4", 3) };
        let error = count.run(folder.path()).unwrap_err();
        assert!(matches!(error, LevelsError::Mismatch { .. }), "{error}");
        // The incomplete turn is not resumed from.
        let census = Count::of("4x4", 2).run(folder.path()).unwrap();
        assert_eq!(census, Some(undisturbed(&game("4x4"))), "lost after {lost_after}");
    }
}

#[test]
fn a_worker_that_did_not_make_its_part_of_a_level_finishes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let shared = Arc::new(Folder::open(folder.path(), 0).unwrap());
    let workers = Count::of("3x4", 2).workers(&game("3x4"), &shared, 1);
    let mut worker = workers[0].borrow_mut();
    drop(worker.begin(1, Source::Start).unwrap());
    assert_eq!(worker.finish(1).unwrap_err(), LevelsError::Mismatch { turn: 1 });
    assert_eq!(files(folder.path()), ["shared-process-0.lock"]);
}

/// Each state is accepted by the worker that owns it, and by no other.
#[test]
fn a_worker_takes_only_its_own_states() {
    let folder = tempfile::tempdir().unwrap();
    let shared = Arc::new(Folder::open(folder.path(), 0).unwrap());
    let workers = Count::of("3x4", 2).workers(&game("3x4"), &shared, 1);
    let receive = |worker: usize, tally_bits, words: &[u64]| {
        let batch = Batch { tally_bits, words: words.to_vec() };
        workers[worker].borrow_mut().receive(3, 1, &batch).map_err(|error| match error {
            LevelsError::Implausible { turn: 3, worker: 1, what } => what,
            error => panic!("{error}"),
        })
    };
    let mut owned = [0, 0];
    for cell in 0..12 {
        let key = 1 << (32 + cell) | 1 << ((cell + 1) % 12);
        let taken = [0, 1].map(|worker| receive(worker, 64, &[key, 1]));
        let refused = taken.iter().position(Result::is_err).unwrap();
        assert_eq!(taken[refused], Err("a state that another worker owns"));
        assert_eq!(taken[1 - refused], Ok(()));
        owned[1 - refused] += 1;
    }
    assert!(owned[0] > 0 && owned[1] > 0, "{owned:?}");
    for words in [[1 << 32 | 1, 1], [1 << 12, 1], [1 << 63, 1], [1, 0]] {
        for worker in [0, 1] {
            let expected = Err("a state that the game does not have");
            assert_eq!(receive(worker, 64, &words), expected, "{words:?}");
        }
    }
    assert_eq!(receive(0, 64, &[0]), Err("a part of a state"));
    assert_eq!(receive(0, 128, &[0, 1, 0]), Err("states with tallies of a wrong width"));
    assert_eq!(receive(0, 65, &[]), Err("states with tallies of a wrong width"));
}

/// Every number of a report that is changed is noticed, or belongs to another possible count.
#[test]
fn reports_that_cannot_be_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let shared = Arc::new(Folder::open(folder.path(), 0).unwrap());
    let (game, count) = (game("3x4"), Count::of("3x4", 2));
    let workers = count.workers(&game, &shared, 1);
    let lost_after = Cell::new(u64::MAX);
    let mut previous: Option<LevelSummary> = None;
    for turn in 1..=5 {
        let source = |_: usize| if turn == 1 { Source::Start } else { Source::Previous };
        let reports = count.reports(&game, &workers, turn, &mut { source }, &lost_after).unwrap();
        let combine = |reports: &[Report]| {
            let before = previous.as_ref().map_or(Before::Start, Before::Level);
            LevelSummary::combine(turn, 2, reports, before)
        };
        let summary = combine(&reports).unwrap();
        type Change = fn(&mut Report);
        let changes: [(Change, Option<&str>); 14] = [
            (|report| report.totals.sent += 1, None),
            (|report| report.totals.kept += 1, None),
            (
                |report| report.totals.sent = u64::MAX,
                Some("a report of more states than there can be"),
            ),
            (
                |report| report.totals.kept = 1 << 49,
                Some("a report of more states than there can be"),
            ),
            (|report| report.totals.paths = 0u8.into(), None),
            (|report| report.totals.paths *= 1000u32, None),
            (
                |report| report.totals.tally_bits = Some(7),
                Some("a report with tallies of no known width"),
            ),
            (|report| report.totals.counted.levels.extend(vec![LevelCount::default(); 2]), None),
            (
                |report| {
                    report.totals.counted.levels =
                        vec![LevelCount { by_moves: vec![u64::MAX; 9], terminals: 0 }]
                },
                Some("a report whose counts contradict each other"),
            ),
            (
                |report| {
                    report.totals.counted.levels =
                        vec![LevelCount { by_moves: vec![0; 9999], terminals: 0 }]
                },
                Some("a report whose counts contradict each other"),
            ),
            (
                |report| {
                    report.totals.counted.scores =
                        [(3, ScoreCount { playouts: 9u8.into(), terminals: 9 })].into()
                },
                Some("a report whose counts contradict each other"),
            ),
            (
                |report| {
                    report.before =
                        Some(Census { levels: vec![LevelCount::default(); 7], ..Census::default() })
                },
                None,
            ),
            (
                |report| {
                    let levels = report.totals.counted.levels.iter_mut();
                    levels.flat_map(|level| level.by_moves.last_mut()).for_each(|count| *count += 1)
                },
                None,
            ),
            (|report| report.worker = 2, Some("a second report")),
        ];
        for (number, (change, expected)) in changes.into_iter().enumerate() {
            for worker in [0, 1] {
                let mut changed = reports.clone();
                change(&mut changed[worker]);
                if changed == reports {
                    continue;
                }
                let error = combine(&changed).expect_err(&format!("change {number}, turn {turn}"));
                if let Some(expected) = expected {
                    let LevelsError::Implausible { what, .. } = error else { panic!("{error}") };
                    assert_eq!(what, expected);
                }
            }
        }
        if reports.iter().all(|report| report.totals.tally_bits.is_some()) {
            let mut changed = reports.clone();
            changed[1].totals.tally_bits = Some(0);
            assert_eq!(combine(&changed).unwrap_err(), LevelsError::Mismatch { turn });
        }
        // One of them twice, or missing.
        let [first, second] = [&reports[0], &reports[1]].map(Report::clone);
        assert!(combine(&[first.clone(), first.clone(), second]).is_err());
        assert_eq!(combine(&[first]).unwrap_err(), LevelsError::Mismatch { turn });
        for worker in &workers {
            worker.borrow_mut().advance(turn, &reports).unwrap();
        }
        previous = Some(summary);
    }
}

#[test]
fn what_is_damaged_or_missing_is_named() {
    let whole = tempfile::tempdir().unwrap();
    Count { stop: 6, ..Count::of("3x4", 3) }.run(whole.path()).unwrap();
    let count = Count::of("3x4", 2);
    for name in files(whole.path()) {
        let changed = super::copy(whole.path());
        let path = changed.path().join(&name);
        let bytes = fs::read(&path).unwrap();
        if name.starts_with("shared-0001-06") || bytes.is_empty() {
            continue; // of the turn that was not finished
        }
        let manifest = name.ends_with(".json");
        for cut in [0, 3, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&path, &bytes[..cut]).unwrap();
            refused(&count, changed.path(), manifest, &name);
        }
        for place in [9, bytes.len() / 2, bytes.len() - 1] {
            let mut bytes = bytes.clone();
            bytes[place] ^= 4;
            fs::write(&path, bytes).unwrap();
            refused(&count, changed.path(), manifest, &name);
        }
        fs::remove_file(&path).unwrap();
        refused(&count, changed.path(), manifest, &name);
    }
    let error = Count::of("4x4", 2).run(whole.path()).unwrap_err();
    assert!(matches!(error, LevelsError::OtherRules { .. }), "{error}");
    let _lock = Folder::open(whole.path(), 0).unwrap();
    assert!(matches!(
        count.run(whole.path()),
        Err(LevelsError::Storage(StorageError::InUse { .. }))
    ));
}

fn refused(count: &Count, folder: &Path, manifest: bool, name: &str) {
    let error = count.run(folder).unwrap_err();
    let right = match error {
        LevelsError::Incomplete { turn, workers: 3, .. } => manifest && matches!(turn, 5 | 6),
        LevelsError::Storage(StorageError::Damaged { .. }) => !manifest,
        LevelsError::Storage(StorageError::OtherVersion { .. }) => manifest,
        _ => false,
    };
    assert!(right, "{name}: {error}");
}

/// A finished count does not remove the files of a later attempt in the same folder.
#[test]
fn what_is_removed_is_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let first = Folder::open(folder.path(), 0).unwrap();
    Count { stop: 6, attempt: 5, process: 1, ..Count::of("3x4", 2) }.run(folder.path()).unwrap();
    let of_the_count = || {
        let names = files(folder.path()).into_iter();
        names.filter(|name| name.starts_with("shared-0005-")).collect::<Vec<_>>()
    };
    let kept = of_the_count();
    assert!(!kept.is_empty());
    first.remove(4);
    assert_eq!(of_the_count(), kept);
    let second = Folder::open(folder.path(), 1).unwrap();
    first.remove(5);
    assert_eq!(files(folder.path()), ["shared-process-1.lock"]);
    drop((first, second));
    assert_eq!(files(folder.path()), [""; 0]);
}

/// Inconsistent inventories of other processes are rejected.
#[test]
fn what_nobody_can_have_is_not_sound() {
    let label = ShardId { attempt: 3, turn: 4, worker: 1 };
    let share = ShardInfo { label, workers: 2, sent: u64::MAX, kept: u64::MAX };
    let inventory = |attempt, share| Inventory { attempt, shards: vec![share], damaged: 0 };
    let twice = inventory(3, share.clone());
    assert!(twice.is_sound());
    let other = inventory(3, ShardInfo { label: ShardId { worker: 0, ..label }, ..share.clone() });
    assert_eq!(restart_point(&[twice, other]).unwrap_err(), LevelsError::Mismatch { turn: 4 });
    assert!(!inventory(2, share.clone()).is_sound());
    // No file could be named after the next attempt.
    assert!(!inventory(u32::MAX - 2, share.clone()).is_sound());
    for turn in [0, 131, u32::MAX] {
        let label = ShardId { turn, ..label };
        assert!(!inventory(3, ShardInfo { label, ..share.clone() }).is_sound(), "{turn}");
    }
    let same = Inventory { shards: vec![share.clone(); 2], ..inventory(3, share.clone()) };
    assert!(!same.is_sound());
    // Two processes contradict each other on one shard.
    let less = inventory(3, ShardInfo { kept: 1, ..share.clone() });
    let error = restart_point(&[inventory(3, share.clone()), less]).unwrap_err();
    assert_eq!(error, LevelsError::Mismatch { turn: 4 });
    assert!(!inventory(u32::MAX, share.clone()).is_sound());
    assert!(!inventory(3, ShardInfo { workers: 1, ..share.clone() }).is_sound());
    assert!(!inventory(3, ShardInfo { workers: 3_000_000_000, ..share }).is_sound());
}

#[test]
fn the_last_whole_level_is_chosen_wherever_it_is() {
    let inventory = |shards: &[(u32, u32, usize, usize)]| Inventory {
        attempt: 1,
        shards: shards
            .iter()
            .map(|&(attempt, turn, worker, workers)| {
                let label = ShardId { attempt, turn, worker };
                ShardInfo { label, workers, sent: [9, 1][worker % 2], kept: 5 }
            })
            .collect(),
        damaged: 0,
    };
    assert_eq!(restart_point(&[inventory(&[]), inventory(&[])]).unwrap(), None);
    // Each process has its own shards.
    let own = [inventory(&[(1, 4, 0, 2), (1, 5, 0, 2)]), inventory(&[(1, 4, 1, 2)])];
    let restart = RestartPoint { turn: 4, attempt: 1, states: 10, readers: vec![0, 1] };
    assert_eq!(restart_point(&own).unwrap(), Some(restart));
    // All processes have all shards and share the work. The later attempt is used.
    let all = [(1, 4, 0, 2), (1, 4, 1, 2), (2, 4, 0, 2), (2, 4, 1, 2), (1, 3, 0, 1)];
    let restart = RestartPoint { turn: 4, attempt: 2, states: 10, readers: vec![0, 1] };
    assert_eq!(restart_point(&[inventory(&all), inventory(&all)]).unwrap(), Some(restart));
    let error =
        restart_point(&[inventory(&[(1, 4, 0, 3)]), inventory(&[])]).unwrap_err().to_string();
    assert!(error.contains("of turn 4, which 3 workers shared"), "{error}");
    assert!(error.contains("the states of workers 1, 2 are in no"), "{error}");
    // All shards exist, but states are missing, so the previous level is used.
    let own = [inventory(&[(1, 4, 0, 2), (1, 5, 0, 1)]), inventory(&[(1, 4, 1, 2)])];
    let restart = RestartPoint { turn: 4, attempt: 1, states: 10, readers: vec![0, 1] };
    assert_eq!(restart_point(&own).unwrap(), Some(restart));
    assert_eq!(
        restart_point(&[inventory(&[(1, 5, 0, 1)])]).unwrap_err(),
        LevelsError::Mismatch { turn: 5 }
    );
}

//! A thread of a count: carries states between the workers on timely's dataflow.
//!
//! ```text
//!            batches, by keeper           taken, by sender; reports, to all
//! making ──────────────────────> keep ──────────────────────────────────────> hear ──> probe
//!    ^       at the turn of          │ when nothing more can arrive of a turn:     │
//!    │       their states            v the share goes to disk                      v
//!    └──────────────────────────── Desk <──────────────────────────────────────────┘
//! ```
//!
//! All is keyed by turn: a worker that is ahead sends states of the next one early. A turn is one
//! epoch, and over for a worker when the probe has passed it: then all reports of it are here, so
//! every share is on disk. How much is under way to a worker is limited by what it has taken.

use super::wire::Event;
use bsq_engine::levels::distributed::{
    Batch, Folder, LevelSummary, Report, RestartPoint, Source, Transport, Worker as LevelWorker,
    WorkerBudget,
};
use bsq_engine::levels::{Census, LevelCount, LevelsError, PlacementGame, StateKey};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::StreamVec;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::{Operator, OutputBuilderSession};
use timely::dataflow::operators::probe::Handle as Probe;
use timely::dataflow::operators::vec::unordered_input::{UnorderedHandle, UnorderedInput};
use timely::dataflow::operators::{ActivateCapability, Probe as _};
use timely::worker::Worker;

/// A thread that waits looks that often whether it is to stop.
const PAUSE: Duration = Duration::from_millis(50);

/// What all threads of a process are given.
pub struct Job<G> {
    pub game: G,
    pub process: usize,
    pub threads: usize,
    pub budget: WorkerBudget,
    pub folder: Arc<Folder>,
    /// The number of this start of the count.
    pub attempt: u32,
    /// What to go on from, if not from the start.
    pub restart: Option<RestartPoint>,
    pub events: Sender<Event>,
    /// Set when the threads are to stop.
    pub halted: AtomicBool,
    /// 64-bit words of states sent for the level that is being made.
    pub sent: AtomicU64,
}

/// How a thread ended: with a census, or why not.
pub type Finished = Result<Census, Stop>;

/// Why a thread does not go on.
#[derive(Debug)]
pub enum Stop {
    /// It was told to.
    Halted,
    /// It panicked.
    Panicked,
    Levels(LevelsError),
}

impl From<LevelsError> for Stop {
    fn from(error: LevelsError) -> Stop {
        Stop::Levels(error)
    }
}

/// States on their way.
#[derive(Clone, Serialize, Deserialize)]
struct Sent {
    from: usize,
    to: usize,
    tally_bits: u32,
    words: Vec<u64>,
}

/// What comes back.
#[derive(Clone, Serialize, Deserialize)]
struct Answer {
    to: usize,
    from: usize,
    what: What,
}

#[derive(Clone, Serialize, Deserialize)]
enum What {
    /// So many words of states were taken in.
    Taken(usize),
    /// A worker's share is on disk.
    Report(Report),
}

/// Where batches go in. (timely's ordinary input keeps what is for others until a batch is full, or
/// the epoch over; whoever waits for room would wait for ever.)
struct Mailbox {
    input: UnorderedHandle<u32, Sent>,
    /// The turn of which batches are sent.
    turn: ActivateCapability<u32>,
}

impl Mailbox {
    /// Sends a batch at once.
    fn send(&mut self, sent: Sent) {
        self.input.activate().session(&self.turn).give(sent);
    }

    /// Says that nothing more will be sent of the turns before that one.
    fn advance(&mut self, turn: u32) {
        self.turn.downgrade(&turn);
    }
}

/// What a thread's operators and its loop share.
struct Desk<W> {
    worker: LevelWorker<W>,
    /// The first turn that is made.
    first: u32,
    /// Words under way to each worker.
    under_way: Vec<usize>,
    reports: BTreeMap<u32, Vec<Report>>,
    /// Why the thread must stop. Nothing is received or finished after that.
    failed: Option<LevelsError>,
}

impl<W: StateKey> Desk<W> {
    fn receive(&mut self, turn: u32, batch: &Batch) {
        if self.failed.is_none() {
            self.failed = self.worker.receive(turn, batch).err();
        }
    }

    /// Puts a turn's share on disk. There is no report of one that could not be made.
    fn finish(&mut self, turn: u32) -> Option<Report> {
        if self.failed.is_some() {
            return None;
        }
        let report = self.worker.finish(turn);
        report.map_err(|error| self.failed = Some(error)).ok()
    }

    /// Notes that a worker has taken in so many words.
    fn taken(&mut self, turn: u32, worker: usize, words: usize) {
        let under_way = self.under_way.get_mut(worker);
        let left = under_way.and_then(|all| all.checked_sub(words).map(|left| *all = left));
        if left.is_none() {
            self.failed.get_or_insert(LevelsError::Mismatch { turn }); // so much was never sent
        }
    }
}

/// Does a thread's part of the count and says how it ended.
pub fn run<G: PlacementGame>(worker: &mut Worker, job: &Job<G>) {
    let guard = Guard(job.events.clone());
    let finished = Thread::begin(worker, job).and_then(Thread::count);
    let _ = job.events.send(Event::Finished(finished));
    std::mem::forget(guard);
}

/// Says that a thread is gone if it is dropped.
struct Guard(Sender<Event>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Finished(Err(Stop::Panicked)));
    }
}

struct Thread<'a, G: PlacementGame> {
    worker: &'a mut Worker,
    job: &'a Job<G>,
    desk: Rc<RefCell<Desk<G::Key>>>,
    /// Let go of at the end of the whole count and never before: whoever has the capability can
    /// still send, so without it others would take what they have of a turn for all of it.
    mailbox: ManuallyDrop<Mailbox>,
    probe: Probe<u32>,
}

impl<'a, G: PlacementGame> Thread<'a, G> {
    fn begin(worker: &'a mut Worker, job: &'a Job<G>) -> Result<Thread<'a, G>, Stop> {
        let place = (worker.index(), worker.peers());
        let level_worker =
            LevelWorker::new(job.game.rules(), job.attempt, place, &job.budget, job.folder.clone());
        let desk = Rc::new(RefCell::new(Desk {
            worker: level_worker,
            first: job.restart.as_ref().map_or(1, |restart| restart.turn),
            under_way: vec![0; worker.peers()],
            reports: BTreeMap::new(),
            failed: None,
        }));
        let (mailbox, probe) = dataflow(worker, &desk);
        Ok(Thread { worker, job, desk, mailbox: ManuallyDrop::new(mailbox), probe })
    }

    fn count(mut self) -> Finished {
        let mut turn = self.desk.borrow().first;
        let mut source = match &self.job.restart {
            Some(restart) => {
                let Job { folder, process, threads, .. } = self.job;
                let thread = self.worker.index() % threads;
                let manifests = restart.manifests_for(folder, *process, (thread, *threads));
                Source::Checkpoint { manifests, states: restart.states }
            }
            None => Source::Start,
        };
        loop {
            let summary = self.level(turn, source)?;
            if self.worker.index().is_multiple_of(self.job.threads) {
                let states = summary.census.levels.last().map_or(0, LevelCount::states);
                let _ = self.job.events.send(Event::Level(turn, states));
            }
            if summary.states == 0 {
                drop(ManuallyDrop::into_inner(self.mailbox));
                return Ok(summary.census);
            }
            (turn, source) = (turn + 1, Source::Previous);
        }
    }

    /// Makes the level of a turn, until all of it is on disk everywhere.
    fn level(&mut self, turn: u32, source: Source) -> Result<LevelSummary, Stop> {
        self.mailbox.advance(turn);
        let making = self.desk.borrow_mut().worker.begin(turn, source)?;
        let (totals, before) = making.run(&self.job.game, self)?;
        self.desk.borrow_mut().worker.complete(totals, before);
        self.mailbox.advance(turn + 1);
        while self.probe.less_than(&(turn + 1)) {
            self.check()?;
            self.worker.step_or_park(Some(PAUSE));
        }
        let mut desk = self.desk.borrow_mut();
        let reports = desk.reports.remove(&turn).unwrap_or_default();
        Ok(desk.worker.advance(turn, &reports)?.clone())
    }

    /// Fails if something went wrong here, or if the process is to end.
    fn check(&self) -> Result<(), Stop> {
        match &self.desk.borrow().failed {
            Some(error) => Err(error.clone().into()),
            None if self.job.halted.load(Ordering::Relaxed) => Err(Stop::Halted),
            None => Ok(()),
        }
    }
}

impl<G: PlacementGame> Transport for Thread<'_, G> {
    type Error = Stop;

    fn send(&mut self, to: usize, batch: Batch) -> Result<(), Stop> {
        let Batch { tally_bits, words } = batch;
        let most = self.job.budget.window_words;
        loop {
            self.check()?;
            let under_way = self.desk.borrow().under_way[to];
            if under_way == 0 || under_way + words.len() <= most {
                break;
            }
            self.worker.step_or_park(Some(PAUSE));
        }
        self.desk.borrow_mut().under_way[to] += words.len();
        self.job.sent.fetch_add(words.len() as u64, Ordering::Relaxed);
        self.mailbox.send(Sent { from: self.worker.index(), to, tally_bits, words });
        self.worker.step();
        Ok(())
    }
}

/// The dataflow of a worker: see the head of this file.
fn dataflow<W: StateKey>(
    worker: &mut Worker,
    desk: &Rc<RefCell<Desk<W>>>,
) -> (Mailbox, Probe<u32>) {
    worker.dataflow::<u32, _, _>(|scope| {
        let ((input, turn), batches) = scope.new_unordered_input::<Sent>();
        let (probe, _) = hear(keep(batches, desk.clone()), desk.clone()).probe();
        (Mailbox { input, turn }, probe)
    })
}

/// Takes batches in, and puts a turn's share on disk when nothing more can arrive of it.
fn keep<W: StateKey>(
    batches: StreamVec<u32, Sent>,
    desk: Rc<RefCell<Desk<W>>>,
) -> StreamVec<u32, Answer> {
    let (index, peers) = (batches.scope().index(), batches.scope().peers());
    let by_keeper = Exchange::new(|sent: &Sent| sent.to as u64);
    batches.unary_frontier(by_keeper, "keep", |capability, _| {
        // Of the first turn that is not yet over.
        let mut open = Some(capability);
        move |(input, frontier), output| {
            let mut desk = desk.borrow_mut();
            input.for_each(|time, batches| {
                let Some(&turn) = time.least() else { return };
                let mut session = output.session(&time);
                for Sent { from, tally_bits, words, .. } in batches.drain(..) {
                    let taken = What::Taken(words.len());
                    desk.receive(turn, &Batch { tally_bits, words });
                    session.give(Answer { to: from, from: index, what: taken });
                }
            });
            let frontier = frontier.frontier();
            if frontier.is_empty() {
                open = None;
            }
            while let Some(capability) = &mut open {
                let turn = *capability.time();
                if frontier.less_equal(&turn) {
                    break;
                }
                if turn >= desk.first {
                    // Without its report the turn is not over, at any worker.
                    let Some(report) = desk.finish(turn) else { break };
                    let answer =
                        |to| Answer { to, from: index, what: What::Report(report.clone()) };
                    output.session(capability).give_iterator((0..peers).map(answer));
                }
                capability.downgrade(&(turn + 1));
            }
        }
    })
}

/// Takes answers in.
fn hear<W: StateKey>(
    answers: StreamVec<u32, Answer>,
    desk: Rc<RefCell<Desk<W>>>,
) -> StreamVec<u32, ()> {
    let by_worker = Exchange::new(|answer: &Answer| answer.to as u64);
    answers.unary(by_worker, "hear", |_, _| {
        move |input, _: &mut OutputBuilderSession<u32, CapacityContainerBuilder<Vec<()>>>| {
            let mut desk = desk.borrow_mut();
            input.for_each(|time, answers| {
                let Some(&turn) = time.least() else { return };
                for Answer { from, what, .. } in answers.drain(..) {
                    match what {
                        What::Taken(words) => desk.taken(turn, from, words),
                        What::Report(report) => {
                            desk.reports.entry(turn).or_default().push(report);
                        }
                    }
                }
            });
        }
    })
}

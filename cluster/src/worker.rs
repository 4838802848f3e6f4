//! A thread of a distributed count: exchanges states between workers on timely's dataflow.
//!
//! ```text
//!          batches, to their owners          acknowledgements; reports, to all
//! task ──────────────────────────> receive ──────────────────────────────────> collect ──> probe
//!   ^      at the turn of             │ when no more states of a turn can arrive    │
//!   │      their states               v the shard is written to disk                v
//!   └────────────────────────────── Shared <─────────────────────────────────────────┘
//! ```
//!
//! All data is timestamped by turn, because a worker that is ahead sends states of the next turn
//! early. A turn is one epoch. It is over for a worker when the probe has passed it: then all
//! reports have arrived, so every shard is on disk. Acknowledgements limit the states in flight to
//! a worker.

use super::event::{Event, Finished, Stop};
use super::message::{Answer, PROGRESS, Sent, What};
use bsq_engine::levels::distributed::{
    Batch, Folder, LevelSummary, Report, RestartPoint, Source, Transport, Worker as LevelWorker,
    WorkerBudget,
};
use bsq_engine::levels::{LevelCount, LevelsError, PlacementGame, StateKey};
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

/// The interval at which a waiting thread checks whether to stop.
const PAUSE: Duration = Duration::from_millis(50);

/// The parameters common to all threads of a process.
pub struct Job<G> {
    pub game: G,
    pub process: usize,
    pub threads: usize,
    pub budget: WorkerBudget,
    pub folder: Arc<Folder>,
    /// The number of this start of the count.
    pub attempt: u32,
    /// The level to continue from, if any.
    pub restart: Option<RestartPoint>,
    pub events: Sender<Event>,
    /// Set when the threads are to stop.
    pub halted: AtomicBool,
    /// The number of 64-bit words sent for the current level.
    pub sent: AtomicU64,
}

/// The input of the dataflow. (timely's ordinary input buffers data until a container is full or
/// the epoch is over, so a sender that waits for acknowledgements would wait forever.)
struct Mailbox {
    input: UnorderedHandle<u32, Sent>,
    /// The turn of the batches being sent.
    turn: ActivateCapability<u32>,
}

impl Mailbox {
    /// Sends a batch without buffering.
    fn send(&mut self, sent: Sent) {
        self.input.activate().session(&self.turn).give(sent);
    }

    /// Closes all turns before that one.
    fn advance(&mut self, turn: u32) {
        self.turn.downgrade(&turn);
    }
}

/// The state shared by the operators and the loop of a thread.
struct Shared<W> {
    worker: LevelWorker<W>,
    /// The first turn that is produced.
    first: u32,
    /// The turn that is being produced.
    turn: u32,
    /// The maximum number of words of a batch.
    window_words: usize,
    /// Words in flight to each worker.
    in_flight: Vec<usize>,
    reports: BTreeMap<u32, Vec<Report>>,
    /// The reason why the thread must stop. Nothing is received or finished afterwards.
    failed: Option<LevelsError>,
}

impl<W: StateKey> Shared<W> {
    /// Stops the thread because of what a worker sent.
    fn reject(&mut self, turn: u32, worker: usize, what: &'static str) {
        self.failed.get_or_insert(LevelsError::Implausible { turn, worker, what });
    }

    fn receive(&mut self, turn: u32, from: usize, batch: &Batch) {
        if batch.words.len() > self.window_words {
            self.reject(turn, from, "more states at once than it may");
        }
        if self.failed.is_none() {
            self.failed = self.worker.receive(turn, from, batch).err();
        }
    }

    /// Writes the shard of a turn to disk. Returns no report if the turn could not be produced.
    fn finish(&mut self, turn: u32) -> Option<Report> {
        if self.failed.is_some() {
            return None;
        }
        let report = self.worker.finish(turn);
        report.map_err(|error| self.failed = Some(error)).ok()
    }

    /// Takes the answer of a worker to what was sent in a turn.
    fn answered(&mut self, turn: u32, from: usize, what: What) {
        if turn != self.turn {
            return self.reject(turn, from, "an answer for another turn");
        }
        match what {
            What::Taken(words) => {
                let in_flight = self.in_flight.get_mut(from);
                let left = in_flight.and_then(|all| all.checked_sub(words).map(|left| *all = left));
                if left.is_none() {
                    self.reject(turn, from, "an acknowledgement of states that it was not sent");
                }
            }
            What::Report(report) => self.reports.entry(turn).or_default().push(report),
        }
    }
}

/// Runs a thread's part of the count. Sends an event with the result.
pub fn run<G: PlacementGame>(worker: &mut Worker, job: &Job<G>) {
    let guard = Guard(job.events.clone());
    let finished = Thread::begin(worker, job).and_then(Thread::count);
    let _ = job.events.send(Event::Finished(finished));
    std::mem::forget(guard);
}

/// Sends an event if it is dropped, because then the thread panicked.
struct Guard(Sender<Event>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Finished(Err(Stop::Panicked)));
    }
}

struct Thread<'a, G: PlacementGame> {
    worker: &'a mut Worker,
    job: &'a Job<G>,
    shared: Rc<RefCell<Shared<G::Key>>>,
    /// Dropped at the end of the count only. Its capability keeps the turn open: without it, other
    /// workers would take a part of the states of a turn for all states.
    mailbox: ManuallyDrop<Mailbox>,
    probe: Probe<u32>,
}

impl<'a, G: PlacementGame> Thread<'a, G> {
    fn begin(worker: &'a mut Worker, job: &'a Job<G>) -> Result<Thread<'a, G>, Stop> {
        let place = (worker.index(), worker.peers());
        let level_worker =
            LevelWorker::new(&job.game, job.attempt, place, &job.budget, job.folder.clone());
        let shared = Rc::new(RefCell::new(Shared {
            worker: level_worker,
            first: job.restart.as_ref().map_or(1, |restart| restart.turn),
            turn: 0,
            window_words: job.budget.window_words,
            in_flight: vec![0; worker.peers()],
            reports: BTreeMap::new(),
            failed: None,
        }));
        let (mailbox, probe) = dataflow(worker, &shared);
        Ok(Thread { worker, job, shared, mailbox: ManuallyDrop::new(mailbox), probe })
    }

    fn count(mut self) -> Finished {
        let mut turn = self.shared.borrow().first;
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

    /// Produces the level of a turn. Returns when it is on disk at all workers.
    fn level(&mut self, turn: u32, source: Source) -> Result<LevelSummary, Stop> {
        self.mailbox.advance(turn);
        self.shared.borrow_mut().turn = turn;
        let task = self.shared.borrow_mut().worker.begin(turn, source)?;
        let (totals, before) = task.run(&self.job.game, self)?;
        self.shared.borrow_mut().worker.complete(totals, before);
        self.mailbox.advance(turn + 1);
        while self.probe.less_than(&(turn + 1)) {
            self.check()?;
            self.worker.step_or_park(Some(PAUSE));
        }
        let mut shared = self.shared.borrow_mut();
        let reports = shared.reports.remove(&turn).unwrap_or_default();
        Ok(shared.worker.advance(turn, &reports)?.clone())
    }

    /// Checks whether the thread may continue: no operator failed, and the process is not ending.
    fn check(&self) -> Result<(), Stop> {
        match &self.shared.borrow().failed {
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
            let in_flight = self.shared.borrow().in_flight[to];
            if in_flight == 0 || in_flight + words.len() <= most {
                break;
            }
            self.worker.step_or_park(Some(PAUSE));
        }
        self.shared.borrow_mut().in_flight[to] += words.len();
        self.job.sent.fetch_add(words.len() as u64, Ordering::Relaxed);
        self.mailbox.send(Sent { from: self.worker.index(), to, tally_bits, words });
        self.worker.step();
        Ok(())
    }
}

/// The dataflow of a worker, as in the diagram above.
fn dataflow<W: StateKey>(
    worker: &mut Worker,
    shared: &Rc<RefCell<Shared<W>>>,
) -> (Mailbox, Probe<u32>) {
    let made = worker.dataflow::<u32, _, _>(|scope| {
        let ((input, turn), batches) = scope.new_unordered_input::<Sent>();
        let (probe, _) = collect(receive_batches(batches, shared.clone()), shared.clone()).probe();
        (Mailbox { input, turn }, probe)
    });
    // The last channel is that of timely's progress.
    debug_assert_eq!(worker.peek_identifier() as u64, PROGRESS + 1);
    made
}

/// Receives batches, and writes the shard of a turn to disk when no more can arrive.
fn receive_batches<W: StateKey>(
    batches: StreamVec<u32, Sent>,
    shared: Rc<RefCell<Shared<W>>>,
) -> StreamVec<u32, Answer> {
    let (index, peers) = (batches.scope().index(), batches.scope().peers());
    let by_owner = Exchange::new(|sent: &Sent| sent.to as u64);
    batches.unary_frontier(by_owner, "receive", |capability, _| {
        // The capability of the first turn that is not yet over.
        let mut open = Some(capability);
        move |(input, frontier), output| {
            let mut shared = shared.borrow_mut();
            // No worker goes on to the next turn before the report of this one.
            let expected = open.as_ref().map(|open| shared.first.max(*open.time()));
            input.for_each(|time, batches| {
                let Some(&turn) = time.least() else { return };
                let mut session = output.session(&time);
                for Sent { from, tally_bits, words, .. } in batches.drain(..) {
                    if expected != Some(turn) {
                        // An answer would be for another turn as well.
                        shared.reject(turn, from, "states of another turn");
                        continue;
                    }
                    let what = What::Taken(words.len());
                    shared.receive(turn, from, &Batch { tally_bits, words });
                    session.give(Answer { to: from, from: index, what });
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
                if turn >= shared.first {
                    // Without the report of this worker, the turn is not over at any worker.
                    let Some(report) = shared.finish(turn) else { break };
                    let answer =
                        |to| Answer { to, from: index, what: What::Report(report.clone()) };
                    output.session(capability).give_iterator((0..peers).map(answer));
                }
                capability.downgrade(&(turn + 1));
            }
        }
    })
}

/// Receives acknowledgements and reports.
fn collect<W: StateKey>(
    answers: StreamVec<u32, Answer>,
    shared: Rc<RefCell<Shared<W>>>,
) -> StreamVec<u32, ()> {
    let by_worker = Exchange::new(|answer: &Answer| answer.to as u64);
    answers.unary(by_worker, "collect", |_, _| {
        move |input, _: &mut OutputBuilderSession<u32, CapacityContainerBuilder<Vec<()>>>| {
            let mut shared = shared.borrow_mut();
            input.for_each(|time, answers| {
                let Some(&turn) = time.least() else { return };
                for Answer { from, what, .. } in answers.drain(..) {
                    shared.answered(turn, from, what);
                }
            });
        }
    })
}

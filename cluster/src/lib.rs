//! Counts of British Square by several processes, perhaps on several machines: `bsq analyze ... --hosts FILE`.
//!
//! ```text
//! hosts, identity ──> meeting ──> wires ──> timely ──> worker threads ──> census
//!                      refuses     │ frames   stream     the engine's distributed count
//!                                  └──> events ──> lib.rs: lost and finished processes
//! ```
//!
//! The engine counts (`levels/distributed/`), timely transports states and detects the end of a
//! turn, and this crate connects the processes and shuts them down in order. See
//! `docs/cluster.md`.
//!
//! # Example
//!
//! The first of two processes, which prints the number of states when both have counted:
//!
//! ```no_run
//! use bsq_cluster::{Cluster, Hosts, Part};
//! use bsq_engine::monitor::Monitor;
//! use bsq_games::british_square::Rules;
//! use std::path::Path;
//! use std::time::Duration;
//!
//! let part = Part {
//!     hosts: Hosts::parse("node1:4100\nnode2:4100", 0)?,
//!     scratch: Path::new("scratch"),
//!     memory: None,
//!     threads: 2,
//!     wait: Duration::from_secs(60),
//!     describe: |error| error.to_string(),
//! };
//! let monitor = Monitor::default();
//! let (cluster, census) = Cluster::count(&Rules::standard(5, 5)?, part, &monitor)?;
//! println!("{}", census.states());
//! cluster.deliver(&monitor);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who may send what
//!
//! Each process connects to those before it in the hosts file. The first message in either direction
//! is a greeting (`identity.rs`); then follow frames (`frame.rs`). Anything else ends the count with
//! an error that names the process, its address and what it sent.
//!
//! | kind | frame | sent by | when | content, at most |
//! | --: | --- | --- | --- | --- |
//! | | greeting | all | once, first; by the process that was connected to, only as an answer | 4 MiB of JSON |
//! | 0 | `Data` | all | before `Complete` | 64 KiB of timely's messages |
//! | 1 | `Alive` | all | before the last frame | none |
//! | 2 | `Complete` | all | once, after timely's last message, when all workers have counted all | none |
//! | 3 | `Delivered` | process 0 | once, after `Complete` | none |
//! | 4 | `Ended` | all | once, as the last frame | 4 KiB of text |
//! | 5 | `Bye` | process 0 | once, as the last frame, after `Delivered` | none |
//! | | | others | once, as the last frame, after `Complete`; to process 0 after its `Delivered` | none |
//!
//! Nothing is read after the last frame. `Data` consists of timely's messages (`message.rs`), each of
//! at most 8 MiB, from one worker of the sender, each once and in order:
//!
//! | message | to | when | checked |
//! | --- | --- | --- | --- |
//! | states | the worker that owns them | in the turn that the receiver produces | size, width, cells, paths, owner |
//! | acknowledgement | the sender of states | in the turn of the states | not more than were sent |
//! | report | each worker | once a turn, when the shard is on disk | sums, bounds, the turn before |
//! | progress | all workers of a process | any time | operators and turns exist |
//! | last message | none | once, last | empty |
//!
//! All waits have the deadline `--wait`: for a greeting (at most five seconds), for the whole of a
//! frame after the one before, until a frame is taken, for the end of this process's part once that
//! of another has ended, for `Delivered` and for `Bye` (at most ten seconds). A process that sends
//! heartbeats may take any time to produce a turn.

mod check;
mod deadline;
mod error;
mod event;
mod frame;
mod hosts;
mod identity;
mod meeting;
mod message;
mod printable;
mod stream;
mod wire;
mod worker;

pub use check::Checked;
pub use error::ClusterError;
pub use frame::{Conversation, Frame};
pub use hosts::Hosts;
pub use identity::Greeting;

use bsq_engine::levels::distributed::{Folder, Inventory, WorkerBudget, restart_point};
use bsq_engine::levels::{Census, LevelsError, PlacementGame, StateKey};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::storage::StorageError;
use bsq_engine::storage::header::program;
use bsq_games::british_square::{LevelGame64, LevelGame128, Rules};
use event::{Event, Stop};
use identity::Hello;
use meeting::Guest;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant, SystemTime};
use stream::WireStream;
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::initialize::Hooks;
use wire::Wire;
use worker::Job;

/// The interval at which a process checks whether to stop and reports progress.
const TICK: Duration = Duration::from_millis(100);
/// After the loss of a connection, the time to wait for a message with the reason.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// The time limit for the reason why this process ends.
const REASON: Duration = Duration::from_secs(1);
/// The time limit for the other processes to report that they are done.
const FAREWELL: Duration = Duration::from_secs(10);

/// How this process takes part in a count.
pub struct Part<'a> {
    /// All processes.
    pub hosts: Hosts,
    /// The folder for the states of this process, and for its part of the checkpoints.
    pub scratch: &'a Path,
    /// The memory of this process in bytes, if it is limited.
    pub memory: Option<u64>,
    /// The number of threads of each process.
    pub threads: usize,
    /// The time limit of waiting for another process.
    pub wait: Duration,
    /// Formats the error with which this process ends early, for the messages of the others.
    pub describe: fn(&ClusterError) -> String,
}

/// A finished count whose result is not yet delivered.
pub struct Cluster {
    hosts: Hosts,
    /// The time limit of waiting for another process.
    wait: Duration,
    /// The number of threads of each process.
    threads: usize,
    describe: fn(&ClusterError) -> String,
    wires: Vec<Arc<Wire>>,
    events: Receiver<Event>,
    folder: Arc<Folder>,
    /// The number of this start of the count.
    attempt: u32,
    /// The turn from which the count can be resumed.
    kept: Option<u32>,
    /// Processes that are done, or lost after the result was delivered.
    done: Vec<usize>,
    delivered: bool,
    /// Events that arrived while waiting for another one.
    later: VecDeque<Event>,
}

impl Cluster {
    /// Counts together with the other processes, and returns when all have counted.
    ///
    /// # Errors
    ///
    /// [`ClusterError`]. The other processes that are connected receive its text.
    pub fn count(
        rules: &Rules,
        part: Part<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<(Cluster, Census), ClusterError> {
        let rules = rules.clone();
        match rules.board.cells() <= u64::SET_BITS {
            true => Cluster::count_game(LevelGame64::new(rules)?, part, monitor),
            false => Cluster::count_game(LevelGame128::new(rules)?, part, monitor),
        }
    }

    fn count_game<G: PlacementGame + Send + 'static>(
        game: G,
        part: Part<'_>,
        monitor: &Monitor<'_>,
    ) -> Result<(Cluster, Census), ClusterError> {
        let Part { hosts, scratch, memory, threads, wait, describe } = part;
        let process = hosts.process;
        let budget = WorkerBudget::new::<G::Key>(memory, threads, hosts.len())?;
        let folder = Arc::new(Folder::open(scratch, process)?);
        let hello = hello(game.rules(), &hosts, threads, &folder)?;
        let guests = meeting::meet(&hosts, &hello, wait, monitor)?;
        let hellos = guests.iter().map(|guest| guest.as_ref().map_or(&hello, |guest| &guest.hello));
        // Greater than in all existing files, and than in earlier counts that left no files.
        let attempt =
            hellos.clone().map(|hello| hello.began.max(hello.inventory.attempt + 1)).max();
        let attempt = attempt.unwrap_or(1);
        let inventories: Vec<Inventory> = hellos.map(|hello| hello.inventory.clone()).collect();
        let restart = restart_point(&inventories)?;
        let damaged = folder.damaged.iter().find(|(label, _)| label.turn > 1);
        match (&restart, damaged) {
            (Some(restart), _) => {
                monitor.note(&format!("continues the count with turn {}", restart.turn))
            }
            (None, Some((_, error))) => return Err(error.clone().into()),
            (None, None) => monitor.note("starts a new count"),
        }
        let kept = restart.as_ref().map(|restart| restart.turn);
        let (sender, events) = channel();
        folder.tidy(attempt, restart.as_ref());
        let job = Arc::new(Job {
            game,
            process,
            threads,
            budget,
            folder: folder.clone(),
            attempt,
            restart,
            events: sender.clone(),
            halted: AtomicBool::new(false),
            sent: AtomicU64::new(0),
        });
        let (wires, streams) = open(guests, &hosts, threads, wait, &sender)?;
        let (done, delivered, later) = (Vec::new(), false, VecDeque::new());
        let mut cluster = Cluster {
            hosts,
            wait,
            threads,
            describe,
            wires,
            events,
            folder,
            attempt,
            kept,
            done,
            delivered,
            later,
        };
        let counted = start(&job, streams).and_then(|()| cluster.supervise(&job, monitor));
        match counted {
            Ok(census) => Ok((cluster, census)),
            Err(error) => {
                job.halted.store(true, Ordering::Relaxed);
                cluster.end(&describe(&error));
                Err(error)
            }
        }
    }

    /// Waits for the threads and handles events.
    fn supervise<G: PlacementGame>(
        &mut self,
        job: &Job<G>,
        monitor: &Monitor<'_>,
    ) -> Result<Census, ClusterError> {
        monitor.begin("states", job.game.max_states());
        let mut turn = self.kept.unwrap_or(1);
        let mut census = None;
        let mut running = job.threads;
        // The first process whose threads have ended, and when those of this one have to.
        let mut ended = None;
        let words = G::Key::WORDS as u64 + 1; // of a state, including its tally
        while running > 0 {
            if monitor.check().is_err() {
                return Err(self.stopped().into());
            }
            if let Some((process, deadline)) = ended
                && Instant::now() >= deadline
            {
                let what = "the end of its part before the end of the count".to_string();
                return Err(self.violation(process, what));
            }
            let event = self.later.pop_front().map(Ok);
            match event.unwrap_or_else(|| self.events.recv_timeout(TICK)) {
                Ok(Event::Level(made, states)) => {
                    tracing::debug!(turn = made - 1, states, "level");
                    monitor.advance(states);
                    (turn, self.kept) = (made + 1, Some(made));
                    job.sent.store(0, Ordering::Relaxed);
                }
                Ok(Event::Finished(Ok(counted))) => {
                    (census, running) = (Some(counted), running - 1);
                }
                Ok(Event::Finished(Err(stop))) => return Err(self.failed(stop)),
                Ok(Event::Complete(process)) => {
                    ended.get_or_insert((process, Instant::now() + self.wait));
                }
                Ok(event) => self.hear(event)?,
                Err(_) => {
                    let states = job.sent.load(Ordering::Relaxed) / words * self.hosts.len() as u64;
                    monitor.status(&format!("turn {turn}: about {states} states made"));
                }
            }
        }
        let census = census.ok_or_else(|| self.failed(Stop::Panicked))?;
        let exchanged: u64 = self.wires.iter().map(|wire| wire.bytes.load(Ordering::Relaxed)).sum();
        let moves = |moves: (usize, &u64)| moves.0 as u64 * moves.1;
        let moves =
            census.levels.iter().flat_map(|level| level.by_moves.iter().enumerate().map(moves));
        let (moves, states) = (moves.sum::<u64>(), census.states());
        tracing::info!(states, moves, sent_bytes = exchanged, "counted together");
        Ok(census)
    }

    /// Handles an event of another process. Returns an error if the count cannot continue.
    fn hear(&mut self, event: Event) -> Result<(), ClusterError> {
        match event {
            Event::Unreachable(process, _) | Event::Lost(process, _)
                if self.done.contains(&process) =>
            {
                Ok(())
            }
            Event::Unreachable(process, ref why) | Event::Lost(process, ref why) => {
                let deadline = Instant::now() + LAST_WORDS;
                let mut silent = usize::from(matches!(event, Event::Lost(..)));
                // That process, or another one, may have reported the reason.
                while self.done.len() + silent < self.wires.len()
                    && let Some(event) = self.next(deadline)
                {
                    match event {
                        Event::Unreachable(..) => {}
                        Event::Lost(..) => silent += 1,
                        event @ (Event::Level(..) | Event::Finished(_) | Event::Complete(_)) => {
                            self.later.push_back(event);
                        }
                        event => self.hear(event)?,
                    }
                    if self.delivered || self.done.contains(&process) {
                        return Ok(());
                    }
                }
                let (name, why) = (self.hosts.name(process), why.clone());
                Err(ClusterError::Lost { name, why, kept: self.kept_in_words() })
            }
            Event::Ended(process, why) => Err(self.ended(process, why)),
            Event::Violation(process, what) => Err(self.violation(process, what)),
            Event::Bye(process) => {
                self.done.push(process);
                Ok(())
            }
            Event::Delivered => {
                self.delivered = true;
                Ok(())
            }
            Event::Level(..) | Event::Finished(_) | Event::Complete(_) => Ok(()),
        }
    }

    fn next(&self, deadline: Instant) -> Option<Event> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.events.recv_timeout(left).ok()
    }

    fn violation(&self, process: usize, what: String) -> ClusterError {
        let (name, kept) = (self.hosts.name(process), self.kept_in_words());
        ClusterError::Violation { name, what, kept }
    }

    fn ended(&self, process: usize, why: String) -> ClusterError {
        // Removes the other process's advice on resuming, because this process adds the same.
        let why = why.split("; the turns before ").next().unwrap_or_default();
        let why = why.trim_end_matches("; nothing was kept").to_string();
        ClusterError::Ended { name: self.hosts.name(process), why, kept: self.kept_in_words() }
    }

    fn failed(&self, stop: Stop) -> ClusterError {
        match (stop, self.kept) {
            (Stop::Levels(LevelsError::Implausible { turn, worker, what }), _) => {
                let what = format!("{what} (worker {worker}, turn {turn})");
                self.violation(worker / self.threads, what)
            }
            // A damaged file has to be restored first.
            (Stop::Levels(error @ LevelsError::Storage(StorageError::Damaged { .. })), _) => {
                error.into()
            }
            (Stop::Levels(error), Some(turn)) if !error.is_usage() => {
                SolveError::FailedAt { error, turn }.into()
            }
            (Stop::Levels(error), _) => error.into(),
            (Stop::Panicked | Stop::Halted, _) => {
                ClusterError::Thread { kept: self.kept_in_words() }
            }
        }
    }

    fn stopped(&mut self) -> SolveError {
        // Finished levels may not have been handled yet.
        let heard = std::mem::take(&mut self.later);
        for event in heard.into_iter().chain(self.events.try_iter()) {
            if let Event::Level(made, _) = event {
                self.kept = Some(made);
            }
        }
        self.kept.map_or(SolveError::Stopped, |turn| SolveError::StoppedAt { turn })
    }

    fn kept_in_words(&self) -> String {
        match self.kept {
            Some(turn) => format!(
                "the turns before turn {turn} are kept; the same command at all processes resumes from there"
            ),
            None => "nothing was kept".to_string(),
        }
    }

    /// Ends the count after the caller has delivered the result: notifies the others and removes
    /// the files.
    pub fn deliver(mut self, monitor: &Monitor<'_>) {
        let deadline = Instant::now() + FAREWELL.min(self.wait);
        self.with_all(|wire| wire.deliver(deadline));
        self.folder.remove(self.attempt);
        while self.done.len() < self.wires.len() && monitor.check().is_ok() {
            let Some(event) = self.next(deadline) else { break };
            // The result is delivered, so lost processes do not matter.
            if let Event::Bye(process)
            | Event::Unreachable(process, _)
            | Event::Lost(process, _)
            | Event::Violation(process, _)
            | Event::Ended(process, _) = event
                && !self.done.contains(&process)
            {
                self.done.push(process);
            }
        }
        let deadline = Instant::now() + REASON.min(self.wait);
        self.with_all(|wire| wire.close(deadline));
    }

    /// Sends to all other processes at once, so that none waits for another.
    fn with_all(&self, send: impl Fn(&Wire) + Sync) {
        let send = &send;
        std::thread::scope(|threads| {
            self.wires.iter().for_each(|wire| drop(threads.spawn(move || send(wire))));
        });
    }

    /// Waits until the first process has delivered the result, and removes the files.
    ///
    /// # Errors
    ///
    /// [`ClusterError`] if it does not deliver in time, or the count is cancelled.
    pub fn wait(mut self, monitor: &Monitor<'_>) -> Result<(), ClusterError> {
        if let Err(error) = self.wait_for_delivery(monitor) {
            self.end(&(self.describe)(&error));
            return Err(error);
        }
        self.folder.remove(self.attempt);
        let deadline = Instant::now() + FAREWELL.min(self.wait);
        self.with_all(|wire| wire.close(deadline));
        Ok(())
    }

    fn wait_for_delivery(&mut self, monitor: &Monitor<'_>) -> Result<(), ClusterError> {
        let deadline = Instant::now() + self.wait;
        while !self.delivered {
            if monitor.check().is_err() {
                return Err(self.stopped().into());
            }
            if Instant::now() >= deadline {
                let (name, kept) = (self.hosts.name(0), self.kept_in_words());
                let (what, seconds) = ("did not deliver the result", self.wait.as_secs());
                return Err(ClusterError::Late { name, what, seconds, kept });
            }
            match self.events.recv_timeout(TICK) {
                Ok(event) => self.hear(event)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.failed(Stop::Panicked)),
            }
        }
        Ok(())
    }

    /// Notifies the others that this process ends early.
    pub fn end(&self, why: &str) {
        let deadline = Instant::now() + REASON.min(self.wait);
        self.with_all(|wire| wire.end(why, deadline));
    }
}

/// The identity of this process. Returns an error if the folder contains another count.
fn hello(
    rules: String,
    hosts: &Hosts,
    threads: usize,
    folder: &Folder,
) -> Result<Hello, LevelsError> {
    let inventory = match Inventory::of(folder, &rules) {
        // Nothing is lost if only the start of the game was stored.
        Err(_) if folder.manifests.iter().all(|manifest| manifest.label.turn <= 1) => {
            Inventory { attempt: folder.attempt, ..Inventory::default() }
        }
        inventory => inventory?,
    };
    Ok(Hello {
        version: program(),
        rules,
        hosts: hosts.addresses.clone(),
        process: hosts.process,
        threads,
        inventory,
        began: now(),
    })
}

/// Seconds since 1970.
fn now() -> u32 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_secs().min(u64::from(u32::MAX) / 2) as u32
}

/// Opens the wires to all others, and the streams that timely uses.
#[allow(clippy::type_complexity)] // taken apart at once
fn open(
    guests: Vec<Option<Guest>>,
    hosts: &Hosts,
    threads: usize,
    limit: Duration,
    events: &Sender<Event>,
) -> std::io::Result<(Vec<Arc<Wire>>, Vec<Option<WireStream>>)> {
    let workers = |process: usize| process * threads..(process + 1) * threads;
    let (mut wires, mut streams) = (Vec::new(), Vec::new());
    for guest in guests {
        let Some(Guest { hello, socket }) = guest else {
            streams.push(None);
            continue;
        };
        let (inbox, frames) = sync_channel(wire::WAITING);
        let (process, own) = (hello.process, hosts.process);
        let check = Checked::new(workers(process), workers(own));
        let wire = Wire::open((process, own), socket, limit, check, inbox, events.clone())?;
        streams.push(Some(WireStream::new(wire.clone(), frames)));
        wires.push(wire);
    }
    Ok((wires, streams))
}

/// Starts timely's threads. They are never joined: each sends an event when it is done, and those
/// that wait for a lost process end with this one.
fn start<G: PlacementGame + Send + 'static>(
    job: &Arc<Job<G>>,
    streams: Vec<Option<WireStream>>,
) -> Result<(), ClusterError> {
    let error = |why: String| ClusterError::Threads { why };
    let hooks = Hooks::default();
    let threads =
        ProcessBuilder::new_typed_vector(job.threads, hooks.refill.clone(), hooks.spill.clone());
    let (builders, guard) =
        initialize_networking_from_sockets(threads, streams, job.process, job.threads, hooks)
            .map_err(|failed| error(failed.to_string()))?;
    std::mem::forget(guard);
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let job = job.clone();
    let workers = timely::execute::execute_from(
        builders,
        Box::new(()),
        WorkerConfig::default(),
        move |worker| worker::run(worker, &job),
    );
    std::mem::forget(workers.map_err(error)?);
    Ok(())
}

//! The parallel depth-first search.

use super::game::{AcyclicGame, Edges, Visitor};
use crate::game::Player;
use crate::monitor::{Monitor, SolveError};
use crate::parallel::PerThread;
use crate::sync::{AtomicBool, Ordering, spin_loop, yield_now};
use crate::table::{Claim, ShardedTable};
use crate::text::thousands;
use dashmap::DashSet;
use foldhash::fast::FixedState;
use rayon::Scope;
use std::sync::OnceLock;

/// The value of every position from a root on: a strong solution.
pub struct Solved {
    pub(super) table: ShardedTable,
    value: i32,
    positions: u64,
    tasks: u64,
    stolen_tasks: u64,
}

impl Solved {
    /// The value of the root.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// The number of canonical positions from the root on.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The number of tasks of the search. On several threads it varies a little between runs: the
    /// size of the task of a position depends on which of its parents comes first.
    pub fn tasks(&self) -> u64 {
        self.tasks
    }

    /// The number of tasks that ran on another thread than the one that spawned them.
    pub fn stolen_tasks(&self) -> u64 {
        self.stolen_tasks
    }

    /// The value of the position with a key. `None` if it is not reachable from the root.
    pub fn get(&self, key: u64) -> Option<i32> {
        self.table.get(key)
    }

    /// Iterates over all keys and values, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, i32)> + '_ {
        self.table.iter()
    }

    /// The number of slots of the table, eight bytes each.
    pub fn slots(&self) -> usize {
        self.table.slots()
    }

    /// The size of the table, in bytes.
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }
}

/// Computes the value of every position from a root on.
///
/// # Errors
///
/// If the table does not fit the memory of the monitor or of the system, if it overflows because
/// [`max_positions`](AcyclicGame::max_positions) is wrong, or if the monitor stops the search.
///
/// ```
/// use bsq_engine::game::Game;
/// use bsq_engine::monitor::Monitor;
/// use bsq_engine::nim::Nim;
/// use bsq_engine::strong::solve;
///
/// let nim = Nim([1, 2, 3]); // the nim sum is 0: the player to move loses
/// assert_eq!(solve(&nim, &nim.start(), &Monitor::default()).unwrap().value(), -1);
/// ```
pub fn solve<G: AcyclicGame>(
    game: &G,
    root: &G::Node,
    monitor: &Monitor,
) -> Result<Solved, SolveError> {
    Ok(solve_visiting(game, root, (), monitor)?.0)
}

/// Computes the value of every position from a root on, and passes each to a visitor.
///
/// # Errors
///
/// As for [`solve`].
pub fn solve_visiting<G: AcyclicGame, V: Visitor<G::Node>>(
    game: &G,
    root: &G::Node,
    visitor: V,
    monitor: &Monitor,
) -> Result<(Solved, V), SolveError> {
    let expected = game.max_positions();
    monitor.allow(ShardedTable::bytes_for(expected))?;
    monitor.begin("positions", expected);
    let table = ShardedTable::with_capacity_for(expected);
    let table = table.ok_or(SolveError::NoRoom { positions: expected })?;
    let failure = Failure::default();
    let shared = Shared { game, table: &table, monitor, failure: &failure };

    let budget = (expected / POSITIONS_PER_TASK).min(MOST_TASKS) as usize;
    let workers = Tasks::new(&shared, &visitor).run_all(root, budget)?;
    let mut last = shared.worker(visitor.fresh());
    workers.into_iter().for_each(|worker| last.absorb(worker));
    last.run(std::slice::from_ref(root))?;
    let Worker { found: positions, tasks, stolen_tasks, visitor: mut seen, .. } = last;
    seen.absorb(visitor);

    let value = table.get(game.key(root)).expect("the root was settled last");
    tracing::info!(positions, slots = table.slots(), value, tasks, stolen_tasks, "solved");
    let [all, visited, stolen] = [tasks, positions, stolen_tasks].map(thousands);
    monitor.detail(&format!("{visited} positions visited in {all} tasks, {stolen} of them stolen"));
    Ok((Solved { table, value, positions, tasks, stolen_tasks }, seen))
}

/// The number of nodes in a batch, at most 256. Larger batches hide more memory latency, smaller
/// ones stay in the cache.
pub(super) const BATCH: usize = 64;
/// The number of looks at a value that another thread computes between two checks whether that
/// thread failed.
const SPINS: u32 = if cfg!(loom) { 1 } else { 64 };
/// The number of siblings that a task searches.
const SIBLINGS: usize = 8;
/// The number of expected positions for each task that divides a subtree.
const POSITIONS_PER_TASK: u64 = 128;
/// An upper bound on the number of tasks that divide a subtree.
const MOST_TASKS: u64 = 1 << 16;

/// The state shared by the threads of a search.
struct Shared<'a, G> {
    game: &'a G,
    table: &'a ShardedTable,
    monitor: &'a Monitor<'a>,
    failure: &'a Failure,
}

/// Whether a thread has failed, which ends the waiting of others.
#[derive(Default)]
pub struct Failure {
    happened: AtomicBool,
    /// The first error. It is set before `happened`, so that a thread which fails because another
    /// one did never sets it first. Although the flag is relaxed: setting a `OnceLock` in vain
    /// acquires what the thread that did set it wrote before, and no thread can have seen a flag
    /// that is written only afterwards.
    pub first: OnceLock<SolveError>,
}

impl Failure {
    /// Does some work and records its error or panic.
    fn watch(&self, work: impl FnOnce() -> Result<(), SolveError>) -> Result<(), SolveError> {
        let mut alarm = Alarm(Some(self));
        let done = work();
        match &done {
            Ok(()) => alarm.0 = None,
            Err(error) => _ = self.first.set(error.clone()),
        }
        done
    }
}

/// Records a failure when dropped, including by a panic, unless disarmed.
struct Alarm<'a>(Option<&'a Failure>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if let Some(failure) = self.0 {
            failure.happened.store(true, Ordering::Relaxed);
        }
    }
}

impl<G: AcyclicGame> Shared<'_, G> {
    fn worker<V>(&self, visitor: V) -> Worker<'_, G, V> {
        Worker {
            shared: self,
            visitor,
            found: 0,
            reported: 0,
            tasks: 0,
            stolen_tasks: 0,
            frames: Vec::new(),
        }
    }

    /// The distinct children of a node with their keys, in a pseudo-random but reproducible order.
    fn children(&self, node: &G::Node) -> Vec<(u64, G::Node)> {
        let mut edges = Edges::for_nodes(1, self.game.max_moves());
        self.game.expand(node, &mut edges);
        let mut children = Vec::new();
        for (i, &key) in edges.keys().iter().enumerate() {
            let (_, mv) = edges.origin(i);
            children.push((key, self.game.child(node, mv)));
        }
        // The factor is odd, so that different keys have different products.
        children.sort_unstable_by_key(|&(key, _)| key.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        children.dedup_by_key(|&mut (key, _)| key);
        children
    }

    fn check(&self) -> Result<(), SolveError> {
        if self.failure.happened.load(Ordering::Relaxed) {
            return Err(SolveError::Stopped);
        }
        self.monitor.check()
    }
}

/// What a task of a search does.
enum Task<N> {
    /// Spawns tasks for the positions below a node: up to about `budget` of this kind.
    Divide { node: N, budget: usize },
    /// Searches siblings.
    Search(Vec<N>),
}

/// The tasks of a search.
struct Tasks<'a, G: AcyclicGame, V: Visitor<G::Node>> {
    shared: &'a Shared<'a, G>,
    /// Creates the visitors of the workers.
    visitor: &'a V,
    /// The workers that no task uses.
    workers: PerThread<Worker<'a, G, V>>,
    /// The keys of the positions for which a task was spawned.
    divided: DashSet<u64, FixedState>,
}

impl<'a, G: AcyclicGame, V: Visitor<G::Node>> Tasks<'a, G, V> {
    fn new(shared: &'a Shared<'a, G>, visitor: &'a V) -> Tasks<'a, G, V> {
        Tasks { shared, visitor, workers: PerThread::default(), divided: DashSet::default() }
    }

    /// Runs the task of the root and all that it leads to. Returns the workers.
    fn run_all(self, root: &G::Node, budget: usize) -> Result<Vec<Worker<'a, G, V>>, SolveError> {
        rayon::scope(|scope| self.spawn(scope, Task::Divide { node: *root, budget }));
        match self.shared.failure.first.get() {
            Some(error) => Err(error.clone()),
            None => Ok(self.workers.into_values().collect()),
        }
    }

    fn spawn<'scope>(&'scope self, scope: &Scope<'scope>, task: Task<G::Node>)
    where
        'a: 'scope,
    {
        let spawned_on = rayon::current_thread_index();
        scope.spawn(move |scope| {
            let is_stolen = rayon::current_thread_index() != spawned_on;
            // The error is recorded, which ends all other tasks.
            _ = self.shared.failure.watch(|| self.run(scope, task, is_stolen));
        });
    }

    fn run<'scope>(
        &'scope self,
        scope: &Scope<'scope>,
        task: Task<G::Node>,
        is_stolen: bool,
    ) -> Result<(), SolveError>
    where
        'a: 'scope,
    {
        self.shared.check()?;
        let new_worker = || self.shared.worker(self.visitor.fresh());
        let mut worker = self.workers.take().unwrap_or_else(new_worker);
        worker.tasks += 1;
        worker.stolen_tasks += u64::from(is_stolen);
        match task {
            Task::Divide { node, budget } => self.divide(scope, &node, budget),
            Task::Search(siblings) => worker.run(&siblings)?,
        }
        // A worker that failed is dropped instead, because its frames are incomplete.
        self.workers.put(worker);
        Ok(())
    }

    /// Spawns a task for each child of a node, or for some siblings together if the budget does
    /// not suffice.
    fn divide<'scope>(&'scope self, scope: &Scope<'scope>, node: &G::Node, budget: usize)
    where
        'a: 'scope,
    {
        let children = self.shared.children(node);
        if budget < children.len() {
            for siblings in children.chunks(SIBLINGS) {
                let siblings = siblings.iter().map(|&(_, child)| child).collect();
                self.spawn(scope, Task::Search(siblings));
            }
            return;
        }
        for &(key, node) in &children {
            if self.divided.insert(key) {
                self.spawn(scope, Task::Divide { node, budget: budget / children.len() });
            }
        }
    }
}

/// One thread's search.
struct Worker<'a, G: AcyclicGame, V> {
    shared: &'a Shared<'a, G>,
    visitor: V,
    /// The number of positions that this thread claimed, and how many of them were reported as
    /// progress.
    found: u64,
    reported: u64,
    /// The number of tasks that this thread ran, and how many of them another one had spawned.
    tasks: u64,
    stolen_tasks: u64,
    /// A frame for each depth.
    frames: Vec<Frame<G::Node>>,
}

/// Claimed nodes and their slots.
struct Claimed<N> {
    nodes: Vec<N>,
    slots: Vec<u32>,
}

/// The buffers of a batch at one depth.
struct Frame<N> {
    edges: Edges,
    /// The home slot of each child.
    homes: Vec<u32>,
    values: Vec<i8>,
    /// Edges whose value the first two slots did not contain.
    unseen: Vec<u32>,
    /// Edges whose value is not known yet, with the slots of their children.
    open: Vec<(u32, u32)>,
    /// Children that this thread claimed.
    claimed: Claimed<N>,
}

impl<N> Frame<N> {
    fn new(most_moves: usize) -> Frame<N> {
        let most = BATCH * most_moves;
        Frame {
            edges: Edges::for_nodes(BATCH, most_moves),
            homes: vec![0; most],
            values: vec![0; most],
            unseen: vec![0; most],
            open: Vec::new(),
            claimed: Claimed { nodes: Vec::new(), slots: Vec::new() },
        }
    }
}

/// Searches some nodes as one thread of a search with this table does. Returns how many positions
/// it claimed. For models, which have no rayon.
#[cfg(loom)]
pub fn search_nodes<G: AcyclicGame>(
    game: &G,
    nodes: &[G::Node],
    table: &ShardedTable,
    failure: &Failure,
    monitor: &Monitor,
) -> Result<u64, SolveError> {
    let shared = Shared { game, table, monitor, failure };
    let mut worker = shared.worker(());
    failure.watch(|| worker.run(nodes))?;
    Ok(worker.found)
}

impl<G: AcyclicGame, V: Visitor<G::Node>> Worker<'_, G, V> {
    /// Searches the nodes that no thread has claimed.
    fn run(&mut self, nodes: &[G::Node]) -> Result<(), SolveError> {
        self.claim_and_search(nodes)?;
        self.report();
        Ok(())
    }

    /// Adds the results of another thread.
    fn absorb(&mut self, other: Self) {
        self.found += other.found;
        self.reported += other.reported;
        self.tasks += other.tasks;
        self.stolen_tasks += other.stolen_tasks;
        self.visitor.absorb(other.visitor);
    }

    fn claim_and_search(&mut self, nodes: &[G::Node]) -> Result<(), SolveError> {
        let table = self.shared.table;
        let mut claimed = Claimed { nodes: Vec::new(), slots: Vec::new() };
        for node in nodes {
            let key = self.shared.game.key(node);
            if let Claim::New(slot) = table.claim(key, table.locate(key))? {
                claimed.nodes.push(*node);
                claimed.slots.push(slot as u32);
            }
        }
        self.found += claimed.nodes.len() as u64;
        self.search(&claimed, 0)
    }

    /// Computes the values of claimed nodes of one turn.
    fn search(&mut self, claimed: &Claimed<G::Node>, depth: usize) -> Result<(), SolveError> {
        if self.frames.len() == depth {
            self.frames.push(Frame::new(self.shared.game.max_moves()));
        }
        // The frame is moved out while it is in use.
        let mut frame = std::mem::replace(&mut self.frames[depth], Frame::new(0));
        let batches = claimed.nodes.chunks(BATCH).zip(claimed.slots.chunks(BATCH));
        for (nodes, slots) in batches {
            self.shared.check()?;
            self.expand(nodes, &mut frame);
            self.glance(&mut frame);
            self.claim(nodes, &mut frame)?;
            self.search(&frame.claimed, depth + 1)?;
            for &slot in slots {
                self.shared.table.fetch(slot as usize);
            }
            self.await_values(&mut frame)?;
            self.settle(nodes, slots, &frame);
        }
        self.frames[depth] = frame;
        Ok(())
    }

    /// Generates the children of a batch and prefetches their slots.
    fn expand(&self, nodes: &[G::Node], frame: &mut Frame<G::Node>) {
        frame.edges.clear();
        for node in nodes {
            self.shared.game.expand(node, &mut frame.edges);
        }
        for (home, &key) in frame.homes.iter_mut().zip(frame.edges.keys()) {
            *home = self.shared.table.locate(key) as u32;
        }
    }

    /// Reads the values that are in the first two slots. The loop has no unpredictable branch.
    fn glance(&self, frame: &mut Frame<G::Node>) {
        let keys = frame.edges.keys();
        frame.unseen.resize(keys.len(), 0);
        let mut unseen = 0;
        for (i, (&key, &home)) in keys.iter().zip(&frame.homes).enumerate() {
            let (seen, value) = self.shared.table.glance(key, home as usize);
            frame.values[i] = value;
            frame.unseen[unseen] = i as u32;
            unseen += !seen as usize;
        }
        frame.unseen.truncate(unseen);
    }

    /// Looks up or claims the other children.
    fn claim(&mut self, nodes: &[G::Node], frame: &mut Frame<G::Node>) -> Result<(), SolveError> {
        let Frame { edges, homes, values, unseen, open, claimed } = frame;
        open.clear();
        claimed.nodes.clear();
        claimed.slots.clear();
        for &edge in unseen.iter() {
            let i = edge as usize;
            match self.shared.table.claim(edges.keys()[i], homes[i] as usize)? {
                Claim::Known(value) => values[i] = value as i8,
                Claim::Open(slot) => open.push((edge, slot as u32)),
                Claim::New(slot) => {
                    let (parent, mv) = edges.origin(i);
                    open.push((edge, slot as u32));
                    claimed.nodes.push(self.shared.game.child(&nodes[parent], mv));
                    claimed.slots.push(slot as u32);
                }
            }
        }
        self.found += claimed.nodes.len() as u64;
        if self.found - self.reported >= 1 << 16 {
            self.report();
        }
        Ok(())
    }

    /// Reads the values computed meanwhile, by this thread or another; waits for the latter.
    fn await_values(&self, frame: &mut Frame<G::Node>) -> Result<(), SolveError> {
        for &(edge, slot) in &frame.open {
            let mut spins = 0u32;
            frame.values[edge as usize] = loop {
                if let Some(value) = self.shared.table.value_in(slot as usize) {
                    break value as i8;
                }
                spins += 1;
                if spins.is_multiple_of(SPINS) {
                    self.shared.check()?;
                    yield_now();
                }
                spin_loop();
            };
        }
        Ok(())
    }

    /// Stores the values of a batch and passes its positions to the visitor.
    fn settle(&mut self, nodes: &[G::Node], slots: &[u32], frame: &Frame<G::Node>) {
        let mut start = 0;
        for (i, (node, &slot)) in nodes.iter().zip(slots).enumerate() {
            let source = frame.edges.sources[i];
            let end = source.end as usize;
            let values = &frame.values[start..end];
            let best = match self.shared.game.to_move(node) {
                Player::First => values.iter().copied().max(),
                Player::Second => values.iter().copied().min(),
            };
            let value = best.map_or(source.score, i32::from);
            self.shared.table.settle(slot as usize, value);
            self.visitor.visit(node, source.moves, values);
            start = end;
        }
    }

    fn report(&mut self) {
        self.shared.monitor.advance(self.found - self.reported);
        self.reported = self.found;
    }
}

//! The value of every position below a root: depth-first search with a shared table.
//!
//! The search goes down in **batches** of positions of the same turn. For a batch it writes
//! the keys of all children, which also fetches their table slots; then looks at the slots,
//! most of which already hold a value; then claims the children that are new and searches
//! those, a batch at a time; and at last settles the batch's own values. So the wait for
//! memory is shared by a hundred look-ups, and every position is claimed, expanded and handed
//! to the visitor exactly once, by one thread.
//!
//! Threads share the positions a few moves below the root, in an order that looks random, so
//! that they rarely meet. Where one needs a value that another has claimed, it does all else
//! first and then waits. Who waits for a child at turn `t + 1` owes nothing from that turn on, and
//! who owes it can only wait for a later turn: so somebody always works. A thread that stops with
//! an error or a panic says so to those that wait. Games and visitors must not use rayon
//! themselves: a thread that owes values must not be lent to other work.

mod states;

pub use states::{DecodeKey, State, States};

use crate::game::Player;
use crate::monitor::{Monitor, SolveError};
use crate::table::{Claim, ShardedTable};
use rayon::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A game whose moves lead from one turn to the next, and whose positions have 56-bit keys.
pub trait AcyclicGame: Sync {
    /// A position, as the search carries it.
    type Node: Copy + Send + Sync;

    /// The node's key: the same for its images and for no other position, not 0, below 2^56.
    fn key(&self, node: &Self::Node) -> u64;
    /// Whose turn it is: who chooses among the children.
    fn to_move(&self, node: &Self::Node) -> Player;
    /// Adds the node's children, of the next turn, or its score if it has none.
    fn expand(&self, node: &Self::Node, edges: &mut Edges);
    /// The child that a move leads to, or a pass.
    fn child(&self, node: &Self::Node, mv: Option<u8>) -> Self::Node;
    /// An upper bound on the number of moves in any position, at least 1.
    fn max_moves(&self) -> usize;
    /// An upper bound on the number of positions of the whole game, images taken as one.
    fn max_positions(&self) -> u64;
}

/// The children of a batch of nodes, one node after the other.
pub struct Edges {
    /// The children's keys, and their origins: the place of the parent in the batch, times 256,
    /// plus the number of the move. Buffers as long as a batch can need; `len` are in use.
    keys: Vec<u64>,
    origins: Vec<u16>,
    len: usize,
    /// The nodes.
    sources: Vec<Source>,
}

/// A node and its children among the edges.
#[derive(Clone, Copy)]
struct Source {
    /// The legal moves, bit by bit; none for a pass and for the end of the game.
    moves: u64,
    /// Where the children end.
    end: u32,
    /// The score where there are none.
    score: i32,
}

/// The number of a pass among the moves.
const PASS: u16 = 0xff;

impl Edges {
    fn for_nodes(nodes: usize, most_moves: usize) -> Edges {
        let most = nodes * most_moves;
        Edges { keys: vec![0; most], origins: vec![0; most], len: 0, sources: Vec::new() }
    }

    /// Adds a node with a child for each of the moves, a set of numbers below 64. Says where the
    /// children's keys go and, in the same order, the numbers of the moves, each added to the tag.
    #[inline]
    pub fn add(&mut self, moves: u64) -> (&mut [u64], &mut [u16], u16) {
        self.add_source(moves, moves.count_ones() as usize, 0)
    }

    /// Adds a node whose mover has to pass, and the key of its only child.
    pub fn add_pass(&mut self, key: u64) {
        let (keys, moves, tag) = self.add_source(0, 1, 0);
        (keys[0], moves[0]) = (key, tag | PASS);
    }

    /// Adds a node without children: the game is over with that score.
    pub fn add_terminal(&mut self, score: i32) {
        self.add_source(0, 0, score);
    }

    #[inline]
    fn add_source(
        &mut self,
        moves: u64,
        children: usize,
        score: i32,
    ) -> (&mut [u64], &mut [u16], u16) {
        let new = self.len..self.len + children;
        self.len = new.end;
        let tag = (self.sources.len() as u16) << 8;
        self.sources.push(Source { moves, end: new.end as u32, score });
        (&mut self.keys[new.clone()], &mut self.origins[new], tag)
    }

    fn clear(&mut self) {
        self.len = 0;
        self.sources.clear();
    }

    fn keys(&self) -> &[u64] {
        &self.keys[..self.len]
    }

    /// The place of an edge's parent in the batch, and the move, or a pass.
    #[inline]
    fn origin(&self, edge: usize) -> (usize, Option<u8>) {
        let origin = self.origins[edge];
        let mv = Some(origin & 0xff).filter(|&mv| mv != PASS);
        ((origin >> 8) as usize, mv.map(|mv| mv as u8))
    }
}

/// Sees every position of a search once, with its moves and their values.
pub trait Visitor<N>: Send + Sync + Sized {
    /// A visitor that has seen nothing yet, for another thread.
    fn fresh(&self) -> Self;
    /// A position, its moves as a set of numbers, and the value of each, lowest move first.
    /// Without a move there is one value where the mover passes, and none where the game is
    /// over. The node may be any image of the position.
    fn visit(&mut self, node: &N, moves: u64, values: &[i8]);
    /// Takes in what another one saw. The order must not matter.
    fn absorb(&mut self, other: Self);
}

impl<N> Visitor<N> for () {
    fn fresh(&self) {}
    fn visit(&mut self, _node: &N, _moves: u64, _values: &[i8]) {}
    fn absorb(&mut self, _other: ()) {}
}

/// Every position below a root, and its value.
pub struct Solved {
    table: ShardedTable,
    value: i32,
    positions: u64,
}

impl Solved {
    /// The score from the root under perfect play.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// How many positions there are from the root on, images taken as one.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The value of a key, if its position lies below the root.
    pub fn get(&self, key: u64) -> Option<i32> {
        self.table.get(key)
    }

    /// Every key with its value, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, i32)> + '_ {
        self.table.iter()
    }

    /// Slots in the table.
    pub fn slots(&self) -> usize {
        self.table.slots()
    }
}

/// Finds the value of every position from the root on.
pub fn solve<G: AcyclicGame>(
    game: &G,
    root: &G::Node,
    monitor: &Monitor,
) -> Result<Solved, SolveError> {
    Ok(solve_visiting(game, root, (), monitor)?.0)
}

/// The same, showing each position to the visitor.
pub fn solve_visiting<G: AcyclicGame, V: Visitor<G::Node>>(
    game: &G,
    root: &G::Node,
    visitor: V,
    monitor: &Monitor,
) -> Result<(Solved, V), SolveError> {
    let expected = game.max_positions();
    monitor.begin("positions", expected);
    let table = ShardedTable::with_capacity_for(expected);
    let table = table.ok_or(SolveError::NoRoom { positions: expected })?;
    let failure = Failure::default();
    let shared = Shared { game, table: &table, monitor, failure: &failure };

    let tasks = split(game, root);
    let worker = || shared.worker(visitor.fresh());
    let below = tasks
        .par_chunks(TASK)
        .try_fold(worker, |worker, nodes| worker.run(nodes))
        .try_reduce(worker, |a, b| Ok(a.absorb(b)))
        .map_err(|error| failure.first.get().cloned().unwrap_or(error))?;
    let Worker { found: positions, visitor: mut seen, .. } =
        below.run(std::slice::from_ref(root))?;
    seen.absorb(visitor);

    let value = table.get(game.key(root)).expect("the root was settled last");
    tracing::info!(positions, slots = table.slots(), value, "solved");
    Ok((Solved { table, value, positions }, seen))
}

/// Nodes that one search step expands together, at most 256. More hide memory better, fewer stay
/// cached.
const BATCH: usize = 64;
/// Nodes that one thread takes at a time.
const TASK: usize = 8;
/// Enough nodes to share out, whatever the number of threads.
const ENOUGH_TASKS: usize = 4096;

/// The positions a few moves below the root, each once, in an order that looks random but is
/// the same every time.
fn split<G: AcyclicGame>(game: &G, root: &G::Node) -> Vec<G::Node> {
    let mut level = vec![(game.key(root), *root)];
    let mut edges = Edges::for_nodes(1, game.max_moves());
    while level.len() < ENOUGH_TASKS {
        let mut next = Vec::new();
        for (_, node) in &level {
            edges.clear();
            game.expand(node, &mut edges);
            let child = |(edge, &key): (usize, &u64)| (key, game.child(node, edges.origin(edge).1));
            next.extend(edges.keys().iter().enumerate().map(child));
        }
        next.sort_unstable_by_key(|&(key, _)| key);
        next.dedup_by_key(|&mut (key, _)| key);
        if next.is_empty() {
            break;
        }
        level = next;
    }
    level.sort_unstable_by_key(|&(key, _)| key.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    level.into_iter().map(|(_, node)| node).collect()
}

/// What the threads of one search share.
struct Shared<'a, G> {
    game: &'a G,
    table: &'a ShardedTable,
    monitor: &'a Monitor<'a>,
    failure: &'a Failure,
}

/// What keeps the others from waiting for a thread that will not come.
#[derive(Default)]
struct Failure {
    happened: AtomicBool,
    /// The first error; those that follow from it say less.
    first: OnceLock<SolveError>,
}

/// Says that a thread failed unless it comes to its end, be it by a panic.
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
        Worker { shared: self, visitor, found: 0, reported: 0, frames: Vec::new() }
    }

    fn check(&self) -> Result<(), SolveError> {
        if self.failure.happened.load(Ordering::Relaxed) {
            return Err(SolveError::Stopped);
        }
        self.monitor.check()
    }
}

/// One thread's search.
struct Worker<'a, G: AcyclicGame, V> {
    shared: &'a Shared<'a, G>,
    visitor: V,
    /// Positions that this thread was the first to reach, and those of them that were reported.
    found: u64,
    reported: u64,
    /// One for each depth.
    frames: Vec<Frame<G::Node>>,
}

/// Claimed nodes and their slots.
struct Claimed<N> {
    nodes: Vec<N>,
    slots: Vec<u32>,
}

/// What a batch needs at one depth.
struct Frame<N> {
    edges: Edges,
    homes: Vec<u32>,
    values: Vec<i8>,
    /// Edges whose value one glance did not tell.
    unseen: Vec<u32>,
    /// Edges whose value is still to come, and its slot.
    open: Vec<(u32, u32)>,
    /// Children to be searched.
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

impl<G: AcyclicGame, V: Visitor<G::Node>> Worker<'_, G, V> {
    /// Searches those of the nodes that nobody has claimed.
    fn run(mut self, nodes: &[G::Node]) -> Result<Self, SolveError> {
        let mut alarm = Alarm(Some(self.shared.failure));
        match self.claim_and_search(nodes) {
            Ok(()) => alarm.0 = None,
            Err(error) => {
                let _ = self.shared.failure.first.set(error.clone());
                return Err(error);
            }
        }
        self.report();
        Ok(self)
    }

    /// Takes in what another thread found.
    fn absorb(mut self, other: Self) -> Self {
        self.found += other.found;
        self.reported += other.reported;
        self.visitor.absorb(other.visitor);
        self
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

    /// Settles the values of claimed nodes of one turn.
    fn search(&mut self, claimed: &Claimed<G::Node>, depth: usize) -> Result<(), SolveError> {
        if self.frames.len() == depth {
            self.frames.push(Frame::new(self.shared.game.max_moves()));
        }
        // The frame is taken out while it is in use.
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

    fn expand(&self, nodes: &[G::Node], frame: &mut Frame<G::Node>) {
        frame.edges.clear();
        for node in nodes {
            self.shared.game.expand(node, &mut frame.edges);
        }
        for (home, &key) in frame.homes.iter_mut().zip(frame.edges.keys()) {
            *home = self.shared.table.locate(key) as u32;
        }
    }

    /// Reads what can be read without searching. The loop has no branch to mispredict.
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

    /// Finds or claims the other children.
    fn claim(&mut self, nodes: &[G::Node], frame: &mut Frame<G::Node>) -> Result<(), SolveError> {
        let Frame { edges, homes, values, unseen, open, claimed } = frame;
        open.clear();
        claimed.nodes.clear();
        claimed.slots.clear();
        for &edge in unseen.iter() {
            let i = edge as usize;
            match self.shared.table.claim(edges.keys[i], homes[i] as usize)? {
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

    /// Reads the values that had to be searched for, by this thread or by another.
    fn await_values(&self, frame: &mut Frame<G::Node>) -> Result<(), SolveError> {
        for &(edge, slot) in &frame.open {
            let mut spins = 0u32;
            frame.values[edge as usize] = loop {
                if let Some(value) = self.shared.table.value_in(slot as usize) {
                    break value as i8;
                }
                spins += 1;
                if spins.is_multiple_of(64) {
                    self.shared.check()?;
                    std::thread::yield_now();
                }
                std::hint::spin_loop();
            };
        }
        Ok(())
    }

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

//! Null-window alpha-beta search: whether the value of a position is at least `beta`.
//!
//! Each thread runs a search of the same root with the same window. They share a transposition
//! table of bounds, and a table of positions in progress: a move that leads to a large position
//! which another thread is searching is deferred (simplified ABDADA; Weill 1996). A move is looked
//! up in the table before the first one is searched (enhanced transposition cutoff), and moves are
//! ordered by static rank and history. Where many nodes are to be expected, the opponent's replies
//! are looked up as well, and moves come first after which the table already refutes most of them.
//!
//! Positions with isomorphic graphs share an entry of the table, which is found by the signature of
//! the graph. Isomorphism is decided only when a bound matters: first for moves that would cause a
//! cutoff; moves that would fail are tried last, and most of them need not be tried.

use super::encoding::Encoding;
use super::move_history::MoveHistory;
use super::node::{Move, MoveGenerator, Node};
use crate::dots::Word;
use bsq_engine::for_each_cpu;
use bsq_engine::monitor::{Halt, SearchState, SolveError};
use bsq_engine::search::driver::{self, Nodes};
use bsq_engine::table::transposition::{Entry, Slot};
use bsq_engine::table::{Bounds, ClassTable};
use parking_lot::MutexGuard;

/// The least number of open lines of a position that is deferred while another thread searches it.
const LARGE: u32 = 12;
/// The least number of open lines of a position whose moves are looked up before the first one is
/// searched. In smaller positions look-ups cost more than they save.
const EARLY: u32 = 16;
/// The least mean number of nodes below a position whose moves are ranked by their replies. Below
/// smaller positions the look-ups cost more than they save.
const MANY_NODES: f32 = 60.0;
/// How much earlier a move is tried if the table refutes all replies to it.
const REFUTED: i32 = 6000;
/// The rank of moves that fail by an entry whose position has not been compared.
const LAST: i32 = i32::MAX;
/// The state that all threads share.
pub struct Shared<W = u64> {
    pub generator: MoveGenerator<W>,
    /// Points for the last line.
    pub penalty: i32,
    pub state: driver::Shared<ClassTable>,
}

impl<W: Word> Shared<W> {
    /// A table for the positions of a move generator, with at most `table_bytes` bytes.
    pub fn new(
        generator: MoveGenerator<W>,
        penalty: i32,
        table_bytes: u64,
    ) -> Result<Shared<W>, SolveError> {
        let buckets = usize::try_from(table_bytes).unwrap_or(usize::MAX) / ClassTable::BUCKET_BYTES;
        if buckets == 0 {
            return Err(SolveError::TableTooSmall { least: ClassTable::BUCKET_BYTES as u64 });
        }
        let table = ClassTable::with_buckets(generator.key_bits(), buckets);
        let table = table.ok_or(SolveError::NoRoom { positions: buckets as u64 * 4 })?;
        Ok(Shared { generator, penalty, state: driver::Shared::new(table) })
    }

    /// The greatest absolute value of a position with the given number of boxes left.
    #[inline(always)]
    pub fn most(&self, boxes: i32) -> i32 {
        self.generator.encoding.value(boxes + self.penalty.abs(), 1)
    }

    /// Bounds on the value of a node that need no table.
    #[inline(always)]
    pub fn bounds(&self, node: &Node<W>) -> Bounds {
        if node.open.is_empty() {
            let value = self.generator.endgames.value(node.endgame);
            return Bounds { lower: value, upper: value };
        }
        let most = self.most(self.generator.boxes(node));
        Bounds { lower: -most, upper: most }
    }

    /// The slot of a node in the table.
    #[inline(always)]
    pub fn slot(&self, node: &Node<W>) -> Slot {
        self.state.table.locate(self.generator.signature(node), self.generator.key(node))
    }

    /// The bounds of a node or an isomorphic one, if the table has them.
    #[inline]
    fn recall(&self, node: &Node<W>, slot: &mut Slot) -> Option<Bounds> {
        self.state.table.get(slot, |key| isomorphic(&self.generator, node, key))
    }

    /// The bounds of a node with those that the table has.
    pub fn known_bounds(&self, node: &Node<W>, slot: &mut Slot) -> Bounds {
        let bounds = self.bounds(node);
        self.recall(node, slot).map_or(bounds, |stored| stored.and(bounds))
    }

    /// The state of a search for whether the value of a node is at least `beta`.
    pub fn state(&self, node: &Node<W>, beta: i32) -> SearchState {
        let (mut refuted, mut moves) = (0, 0);
        self.generator.moves(node, |mv| {
            let known = self.known_bounds(&mv.node, &mut self.slot(&mv.node));
            refuted += usize::from(mv.bounds(self.generator.encoding, known).upper < beta);
            moves += 1;
        });
        SearchState { refuted, moves, fill: self.state.table.fill() }
    }

    /// Adds an entry to the table.
    pub fn add_entry(&self, entry: &Entry) {
        let node = self.generator.node_of_key(entry.key());
        self.state.table.put(&self.slot(&node), entry.bounds, entry.effort);
    }
}

/// The search of one thread.
pub struct Search<'s, W = u64> {
    shared: &'s Shared<W>,
    history: MutexGuard<'s, MoveHistory>,
    /// The moves of all positions on the path from the root.
    replies: Vec<Reply<W>>,
    /// Scratch space for the replies to a move.
    countermoves: Vec<(Move<W>, Slot)>,
    nodes: Nodes<'s>,
}

/// A move with bounds on its value.
#[derive(Clone, Copy)]
struct Reply<W = u64> {
    mv: Move<W>,
    slot: Option<Slot>,
    /// Bounds on the value of the position after it.
    rest: Bounds,
    /// Bounds on the value of the move, for the player who makes it.
    worth: Bounds,
}

impl<'s, W: Word> Search<'s, W> {
    /// A search with the history of earlier searches, until `halt` ends it.
    pub fn new(
        shared: &'s Shared<W>,
        history: MutexGuard<'s, MoveHistory>,
        halt: &'s Halt<'s>,
    ) -> Search<'s, W> {
        let nodes = Nodes::new(&shared.state, halt);
        Search { shared, history, replies: Vec::new(), countermoves: Vec::new(), nodes }
    }

    /// Searches a root with the window (`beta` - 1, `beta`). Returns a lower bound on its value
    /// that is at least `beta`, or an upper bound that is less.
    pub fn run(mut self, node: &Node<W>, beta: i32) -> Result<i32, SolveError> {
        let mut slot = self.shared.slot(node);
        match self.shared.known_bounds(node, &mut slot) {
            Bounds { lower, .. } if lower >= beta => Ok(lower),
            Bounds { upper, .. } if upper < beta => Ok(upper),
            known => self.search(node, &slot, known, beta),
        }
    }

    fn search(
        &mut self,
        node: &Node<W>,
        slot: &Slot,
        known: Bounds,
        beta: i32,
    ) -> Result<i32, SolveError> {
        let shared = self.shared;
        let before = self.nodes.count();
        self.nodes.add()?;
        let beta = shared.generator.encoding.next(beta, shared.generator.odd(node));
        let first = self.replies.len();
        let mut found = push_replies(shared, node, beta, &mut self.replies);
        found.lower = found.lower.max(known.lower);
        if found.lower < beta && !self.recall_all(first, beta, &mut found) {
            for reply in &mut self.replies[first..] {
                if reply.mv.rank != LAST {
                    reply.mv.rank -= self.history.credit(node, &reply.mv);
                }
            }
            if self.history.mean_nodes(node) >= MANY_NODES {
                let replies = &mut self.replies[first..];
                rank_by_countermoves(shared, beta, replies, &mut self.countermoves);
            }
            self.replies[first..].sort_unstable_by_key(|reply| reply.mv.rank);
            self.search_replies(node, first, beta, &mut found)?;
        }
        self.replies.truncate(first);
        let reached = found.lower >= beta;
        let bounds = Bounds {
            lower: found.lower.max(known.lower),
            upper: if reached { known.upper } else { found.upper.min(known.upper) },
        };
        self.history.learn_nodes(node, self.nodes.count() - before);
        shared.state.table.put(slot, bounds, self.nodes.effort_since(before));
        Ok(if reached { found.lower } else { found.upper })
    }

    /// Looks up the moves. Returns whether one reaches `beta`. A move that probably does not gets
    /// the last rank.
    fn recall_all(&mut self, first: usize, beta: i32, found: &mut Bounds) -> bool {
        let encoding = self.shared.generator.encoding;
        let slots = self.replies[first..].iter().filter_map(|reply| reply.slot.as_ref());
        slots.for_each(|slot| self.shared.state.table.prefetch(slot));
        for reply in &mut self.replies[first..] {
            let Some(slot) = &mut reply.slot else { continue };
            let Some(known) = self.shared.state.table.glance(slot) else { continue };
            let worth = reply.mv.bounds(encoding, reply.rest.and(known));
            if worth.lower >= beta {
                let Some(known) = self.shared.recall(&reply.mv.node, slot) else { continue };
                reply.learn(encoding, known);
                found.lower = found.lower.max(reply.worth.lower);
                if found.lower >= beta {
                    return true;
                }
            } else if worth.upper < beta {
                reply.mv.rank = LAST;
            }
        }
        false
    }

    /// Searches the moves until one reaches `beta`, deferring those that other threads are
    /// searching.
    fn search_replies(
        &mut self,
        node: &Node<W>,
        first: usize,
        beta: i32,
        found: &mut Bounds,
    ) -> Result<(), SolveError> {
        let end = self.replies.len();
        let mut deferred = 0_u128;
        for i in first..end {
            let hash = self.replies[i].hash();
            if hash != 0 && self.shared.state.in_progress.has(hash) {
                deferred |= 1 << (i - first);
            } else if self.search_reply(node, i, beta, found)? {
                return Ok(());
            }
        }
        for i in (first..end).filter(|i| deferred >> (i - first) & 1 == 1) {
            if self.search_reply(node, i, beta, found)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Searches the position after a move until it is decided whether the move reaches `beta`.
    /// Returns whether it does.
    fn search_reply(
        &mut self,
        node: &Node<W>,
        i: usize,
        beta: i32,
        found: &mut Bounds,
    ) -> Result<bool, SolveError> {
        let encoding = self.shared.generator.encoding;
        let mut reply = self.replies[i];
        if reply.rest.lower < reply.rest.upper {
            let mut slot = reply.slot.unwrap_or_else(|| slot(self.shared, &reply.mv.node));
            if let Some(known) = self.shared.recall(&reply.mv.node, &mut slot) {
                reply.learn(encoding, known);
            }
            while reply.worth.lower < beta && reply.worth.upper >= beta {
                let child_beta = reply.mv.child_beta(encoding, reply.rest, beta);
                let hash = reply.hash();
                if hash != 0 {
                    self.shared.state.in_progress.begin(hash);
                }
                let answer = self.search(&reply.mv.node, &slot, reply.rest, child_beta);
                if hash != 0 {
                    self.shared.state.in_progress.end(hash);
                }
                let answer = answer?;
                if answer >= child_beta {
                    reply.rest.lower = reply.rest.lower.max(answer);
                } else {
                    reply.rest.upper = reply.rest.upper.min(answer);
                }
                reply.worth = reply.mv.bounds(encoding, reply.rest);
            }
        }
        found.upper = found.upper.max(reply.worth.upper);
        found.lower = found.lower.max(reply.worth.lower);
        let decided = found.lower >= beta;
        if reply.mv.rank != LAST {
            self.history.learn(node, &reply.mv, decided);
        }
        Ok(decided)
    }
}

impl<W: Word> Reply<W> {
    /// Tightens the bounds.
    #[inline]
    fn learn(&mut self, encoding: Encoding, known: Bounds) {
        self.rest = self.rest.and(known);
        self.worth = self.mv.bounds(encoding, self.rest);
    }

    /// The hash under which the position after the move is in progress; 0 if it is too small.
    fn hash(&self) -> u64 {
        if self.mv.node.open.count() >= LARGE { self.mv.node.hash() } else { 0 }
    }
}

for_each_cpu! {
    /// Lists the moves of a position that may reach `beta`, with their slots in the table if it is
    /// large. Returns a lower bound on the best move, and an upper bound on those that are left out.
    fn push_replies<W: Word>(
        shared: &Shared<W>,
        node: &Node<W>,
        beta: i32,
        replies: &mut Vec<Reply<W>>,
    ) -> Bounds {
        let early = node.open.count() >= EARLY;
        let mut found = Bounds { lower: i32::MIN, upper: i32::MIN };
        shared.generator.moves(node, |mv| {
            let rest = shared.bounds(&mv.node);
            let worth = mv.bounds(shared.generator.encoding, rest);
            found.lower = found.lower.max(worth.lower);
            if worth.upper < beta {
                found.upper = found.upper.max(worth.upper);
            } else {
                let slot = (early && rest.lower < rest.upper).then(|| shared.slot(&mv.node));
                replies.push(Reply { mv, slot, rest, worth });
            }
        });
        found
    }

    /// Advances moves by the share of the opponent's replies that the table refutes. Moves with a
    /// reply that it proves good get the last rank.
    fn rank_by_countermoves<W: Word>(
        shared: &Shared<W>,
        beta: i32,
        replies: &mut [Reply<W>],
        countermoves: &mut Vec<(Move<W>, Slot)>,
    ) {
        let encoding = shared.generator.encoding;
        for reply in replies.iter_mut().filter(|reply| reply.mv.rank != LAST) {
            let node = &reply.mv.node;
            let child_beta = reply.mv.child_beta(encoding, reply.rest, beta);
            let child_beta = encoding.next(child_beta, shared.generator.odd(node));
            let (mut good, mut bad, mut unknown) = (0, 0, 0);
            countermoves.clear();
            shared.generator.moves(node, |mv| match mv.bounds(encoding, shared.bounds(&mv.node)) {
                Bounds { lower, .. } if lower >= child_beta => good += 1,
                Bounds { upper, .. } if upper < child_beta => bad += 1,
                _ => {
                    let slot = shared.slot(&mv.node);
                    shared.state.table.prefetch(&slot);
                    countermoves.push((mv, slot));
                }
            });
            for (mv, slot) in &*countermoves {
                let known = shared.state.table.glance(slot);
                match known.map(|known| mv.bounds(encoding, known)) {
                    Some(Bounds { lower, .. }) if lower >= child_beta => good += 1,
                    Some(Bounds { upper, .. }) if upper < child_beta => bad += 1,
                    _ => unknown += 1,
                }
            }
            if good > 0 {
                reply.mv.rank = LAST;
            } else {
                reply.mv.rank -= REFUTED * bad / (bad + unknown);
            }
        }
    }

    /// Whether a node is isomorphic to that of a key.
    fn isomorphic<W: Word>(generator: &MoveGenerator<W>, node: &Node<W>, key: u128) -> bool {
        generator.isomorphic(node, key)
    }

    /// The slot of a position in the table.
    fn slot<W: Word>(shared: &Shared<W>, node: &Node<W>) -> Slot {
        shared.slot(node)
    }
}

#[cfg(test)]
mod tests;

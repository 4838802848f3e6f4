//! Null-window alpha-beta search: whether the value of a position is at least `beta`.
//!
//! Each thread runs a search of the same root with the same window. They share a transposition
//! table of bounds, and a table of positions in progress: a move that leads to a large position
//! which another thread is searching is deferred (simplified ABDADA; Weill 1996). A move is looked
//! up in the table before the first one is searched (enhanced transposition cutoff), and moves are
//! ordered by static rank and history.

use super::move_history::MoveHistory;
use super::node::{Move, MoveGenerator, Node};
use bsq_engine::for_each_cpu;
use bsq_engine::monitor::{Halt, SolveError};
use bsq_engine::table::transposition::Slot;
use bsq_engine::table::{Bounds, InProgress, TranspositionTable};
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU64, Ordering};

/// The least number of open lines of a position that is deferred while another thread searches it.
const LARGE: u32 = 12;
/// The least number of open lines of a position whose moves are looked up before the first one is
/// searched. In smaller positions look-ups cost more than they save.
const EARLY: u32 = 16;
/// Nodes between two checks for cancellation.
const NODES_AT_A_TIME: u64 = 1024;

/// The state that all threads share.
pub struct Shared {
    pub generator: MoveGenerator,
    pub table: TranspositionTable,
    /// Points, 0 or less, for the last line.
    pub penalty: i32,
    in_progress: InProgress,
    nodes: AtomicU64,
    /// The number of bits of the lines in a key, and of half a key.
    bits: (u32, u32),
}

impl Shared {
    /// A table for the positions of a move generator, with at most `table_bytes` bytes.
    pub fn new(
        generator: MoveGenerator,
        penalty: i32,
        table_bytes: u64,
    ) -> Result<Shared, SolveError> {
        let lines = generator.bitboard.board().lines() as u32;
        let half = (lines + generator.endgames.len().ilog2() + 1).div_ceil(2);
        let buckets =
            usize::try_from(table_bytes).unwrap_or(usize::MAX) / TranspositionTable::BUCKET_BYTES;
        let least = TranspositionTable::min_buckets(half as usize);
        if buckets < least {
            let least = (least * TranspositionTable::BUCKET_BYTES) as u64;
            return Err(SolveError::TableTooSmall { least });
        }
        let table = TranspositionTable::with_buckets(half as usize, buckets);
        let table = table.ok_or(SolveError::NoRoom { positions: buckets as u64 * 4 })?;
        Ok(Shared {
            generator,
            table,
            penalty,
            in_progress: InProgress::default(),
            nodes: AtomicU64::new(0),
            bits: (lines, half),
        })
    }

    /// The number of nodes searched.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds to the number of nodes.
    pub fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Whether a number fits in half a key.
    pub fn is_half_key(&self, half: u64) -> bool {
        half >> self.bits.1 == 0
    }

    /// The greatest absolute value of a position with the given number of boxes left.
    #[inline(always)]
    pub fn most(&self, boxes: i32) -> i32 {
        self.generator.encoding.value(boxes - self.penalty, 1)
    }

    /// Bounds on the value of a node that need no table.
    #[inline(always)]
    pub fn bounds(&self, node: &Node) -> Bounds {
        if node.open.horizontal | node.open.vertical == 0 {
            let value = self.generator.endgames.value(node.endgame);
            return Bounds { lower: value, upper: value };
        }
        let most = self.most(self.generator.boxes(node));
        Bounds { lower: -most, upper: most }
    }

    /// The slot of a node in the table.
    #[inline(always)]
    fn slot(&self, node: &Node) -> Slot {
        let word = self.generator.bitboard.canonical(node.open);
        let key = u128::from(word) | u128::from(node.endgame) << self.bits.0;
        let half = (1 << self.bits.1) - 1;
        self.table.locate(((key & half) as u64, (key >> self.bits.1) as u64))
    }
}

/// The search of one thread.
pub struct Search<'s> {
    shared: &'s Shared,
    history: MutexGuard<'s, MoveHistory>,
    /// The moves of all positions on the path from the root.
    replies: Vec<Reply>,
    nodes: u64,
    reported: u64,
}

/// A move with bounds on its value.
#[derive(Clone, Copy)]
struct Reply {
    mv: Move,
    slot: Option<Slot>,
    /// Bounds on the value of the position after it.
    rest: Bounds,
    /// Bounds on the value of the move, for the player who makes it.
    worth: Bounds,
}

impl<'s> Search<'s> {
    /// A search with the history of earlier searches.
    pub fn new(shared: &'s Shared, history: MutexGuard<'s, MoveHistory>) -> Search<'s> {
        Search { shared, history, replies: Vec::new(), nodes: 0, reported: 0 }
    }

    /// Searches a root with the window (`beta` - 1, `beta`). Returns a lower bound on its value
    /// that is at least `beta`, or an upper bound that is less.
    pub fn run(&mut self, node: &Node, beta: i32, halt: &Halt) -> Result<i32, SolveError> {
        let slot = self.shared.slot(node);
        let bounds = self.shared.bounds(node);
        let stored = self.shared.table.get(&slot);
        let known = stored.map_or(bounds, |stored| stored.and(bounds));
        let answer = match known {
            Bounds { lower, .. } if lower >= beta => Ok(lower),
            Bounds { upper, .. } if upper < beta => Ok(upper),
            known => self.search(node, &slot, known, beta, halt),
        };
        halt.finish();
        self.report(halt);
        answer
    }

    fn report(&mut self, halt: &Halt) {
        let new = self.nodes - self.reported;
        self.shared.count(new);
        halt.monitor.advance(new);
        self.reported = self.nodes;
    }

    fn search(
        &mut self,
        node: &Node,
        slot: &Slot,
        known: Bounds,
        beta: i32,
        halt: &Halt,
    ) -> Result<i32, SolveError> {
        let shared = self.shared;
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes - self.reported >= NODES_AT_A_TIME {
            self.report(halt);
            halt.check()?;
        }
        let beta = shared.generator.encoding.next(beta, shared.generator.odd(node));
        let first = self.replies.len();
        push_replies(shared, node, &mut self.replies);
        let mut found = self.recall_all(first, beta);
        found.lower = found.lower.max(known.lower);
        if found.lower < beta {
            for reply in &mut self.replies[first..] {
                reply.mv.rank -= self.history.credit(node, &reply.mv);
            }
            self.replies[first..].sort_unstable_by_key(|reply| reply.mv.rank);
            self.search_replies(node, first, beta, &mut found, halt)?;
        }
        self.replies.truncate(first);
        let reached = found.lower >= beta;
        let bounds = Bounds {
            lower: found.lower.max(known.lower),
            upper: if reached { known.upper } else { found.upper.min(known.upper) },
        };
        let effort = self.nodes - before + 1;
        shared.table.put(slot, bounds, u64::BITS - effort.leading_zeros());
        Ok(if reached { found.lower } else { found.upper })
    }

    /// Looks up the moves. Returns a lower bound on the best one and an upper bound on those that
    /// cannot reach `beta`, which are removed.
    fn recall_all(&mut self, first: usize, beta: i32) -> Bounds {
        let mut found = Bounds { lower: i32::MIN, upper: i32::MIN };
        let mut kept = first;
        for i in first..self.replies.len() {
            let mut reply = self.replies[i];
            reply.recall(self.shared);
            found.lower = found.lower.max(reply.worth.lower);
            if reply.worth.upper >= beta {
                self.replies[kept] = reply;
                kept += 1;
            } else {
                found.upper = found.upper.max(reply.worth.upper);
            }
        }
        self.replies.truncate(kept);
        found
    }

    /// Searches the moves until one reaches `beta`, deferring those that other threads are
    /// searching.
    fn search_replies(
        &mut self,
        node: &Node,
        first: usize,
        beta: i32,
        found: &mut Bounds,
        halt: &Halt,
    ) -> Result<(), SolveError> {
        let end = self.replies.len();
        let mut deferred = 0_u128;
        for i in first..end {
            let hash = self.replies[i].hash();
            if hash != 0 && self.shared.in_progress.has(hash) {
                deferred |= 1 << (i - first);
            } else if self.search_reply(node, i, beta, found, halt)? {
                return Ok(());
            }
        }
        for i in (first..end).filter(|i| deferred >> (i - first) & 1 == 1) {
            if self.search_reply(node, i, beta, found, halt)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Searches the position after a move until it is decided whether the move reaches `beta`.
    /// Returns whether it does.
    fn search_reply(
        &mut self,
        node: &Node,
        i: usize,
        beta: i32,
        found: &mut Bounds,
        halt: &Halt,
    ) -> Result<bool, SolveError> {
        let encoding = self.shared.generator.encoding;
        let mut reply = self.replies[i];
        if reply.rest.lower < reply.rest.upper {
            let slot = reply.slot.unwrap_or_else(|| slot(self.shared, &reply.mv.node));
            reply.slot = Some(slot);
            reply.recall(self.shared);
            while reply.worth.lower < beta && reply.worth.upper >= beta {
                let child_beta = reply.mv.child_beta(encoding, reply.rest, beta);
                let hash = reply.hash();
                if hash != 0 {
                    self.shared.in_progress.begin(hash);
                }
                let answer = self.search(&reply.mv.node, &slot, reply.rest, child_beta, halt);
                if hash != 0 {
                    self.shared.in_progress.end(hash);
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
        self.history.learn(node, &reply.mv, decided);
        Ok(decided)
    }
}

impl Reply {
    /// Tightens the bounds by those in the table.
    #[inline]
    fn recall(&mut self, shared: &Shared) {
        if let Some(known) = self.slot.as_ref().and_then(|slot| shared.table.get(slot)) {
            self.rest = self.rest.and(known);
            self.worth = self.mv.bounds(shared.generator.encoding, self.rest);
        }
    }

    /// The hash under which the position after the move is in progress; 0 if it is too small.
    fn hash(&self) -> u64 {
        let Node { open, endgame } = self.mv.node;
        match open.count() >= LARGE {
            true => open.horizontal ^ open.vertical.rotate_left(32) ^ u64::from(endgame) << 20,
            false => 0,
        }
    }
}

for_each_cpu! {
    /// Lists the moves of a position, with their slots in the table if it is large.
    fn push_replies(shared: &Shared, node: &Node, replies: &mut Vec<Reply>) {
        let early = node.open.count() >= EARLY;
        shared.generator.moves(node, |mv| {
            let rest = shared.bounds(&mv.node);
            let slot = (early && rest.lower < rest.upper).then(|| shared.slot(&mv.node));
            replies.push(Reply { mv, slot, rest, worth: mv.bounds(shared.generator.encoding, rest) });
        });
    }

    /// The slot of a position in the table.
    fn slot(shared: &Shared, node: &Node) -> Slot {
        shared.slot(node)
    }
}

//! Alpha-beta with null windows over territories: decides whether a value reaches a goal.
//!
//! At each node all moves are bounded statically and looked up in the transposition table, which
//! decides many nodes. The remaining moves are searched in the order of their estimates. All
//! threads run the same search on shared tables; a move into a large territory that another thread
//! is searching is postponed (simplified ABDADA; J.-C. Weill, *The ABDADA distributed minimax
//! search algorithm*, 1996).

use super::board::{Territory, TerritoryBoard};
use super::regions::RegionTable;
use super::static_bounds::{RegionCache, StaticBounds};
use crate::british_square::board::{Cells, cells_of};
use arrayvec::ArrayVec;
use bsq_engine::monitor::{Halt, SolveError};
use bsq_engine::search::driver::{Nodes, Shared};
use bsq_engine::table::transposition::Slot;
use bsq_engine::table::{Bounds, TranspositionTable};
use parking_lot::MutexGuard;
use std::sync::Arc;

/// The smallest territory, in cells, that is postponed while another thread searches it.
const MIN_POSTPONED: u32 = 14;

/// The board and the tables that all threads share.
pub struct SearchTables {
    /// The board.
    pub board: TerritoryBoard,
    /// Values of small regions, shared by all solvers of a game.
    pub regions: Arc<RegionTable>,
    /// Bounds on the values of territories searched, and the large ones that are being searched.
    pub shared: Shared<TranspositionTable>,
}

impl SearchTables {
    /// The slot of a territory in the transposition table.
    #[inline]
    pub fn slot(&self, territory: Territory) -> Slot {
        let Territory { own, other } = self.board.canonical(territory);
        self.shared.table.locate((own, other))
    }
}

/// The root of a search.
pub struct Root {
    /// Static bounds on its value.
    pub bounds: StaticBounds,
    /// Its slot in the transposition table; `None` if some moves are forbidden.
    pub slot: Option<Slot>,
    /// The cells on which the first move may be.
    pub allowed: Cells,
}

/// A move that may decide a node: the territory after it, seen by the opponent.
#[derive(Clone, Copy)]
struct Reply {
    after: StaticBounds,
    slot: Slot,
}

impl Reply {
    /// Tightens the bounds by those in the transposition table.
    #[inline]
    fn look_up(&mut self, table: &TranspositionTable) {
        if let Some(Bounds { lower, upper }) = table.get(&self.slot) {
            let score = self.after.score;
            let known = Bounds { lower: lower + score, upper: upper + score };
            self.after.bounds = self.after.bounds.and(known);
        }
    }

    fn can_be_postponed(&self) -> bool {
        self.after.territory.cells().count_ones() >= MIN_POSTPONED
    }

    /// The number under which the territory is registered as in progress.
    fn number(&self) -> u64 {
        let Territory { own, other } = self.after.territory;
        own ^ other.rotate_left(32)
    }
}

/// A node: a settled territory, bounds on its value, and a goal. Settled points are not included.
#[derive(Clone, Copy)]
struct SearchNode {
    territory: Territory,
    allowed: Cells,
    known: Bounds,
    slot: Option<Slot>,
    goal: i32,
}

impl SearchNode {
    /// The node of a territory whose goal, like its static bounds, includes the settled points.
    fn new(after: &StaticBounds, allowed: Cells, slot: Option<Slot>, goal: i32) -> SearchNode {
        let Bounds { lower, upper } = after.bounds;
        let known = Bounds { lower: lower - after.score, upper: upper - after.score };
        SearchNode { territory: after.territory, allowed, known, slot, goal: goal - after.score }
    }
}

/// The search of one thread.
pub struct Searcher<'s> {
    tables: &'s SearchTables,
    cache: MutexGuard<'s, RegionCache>,
    nodes: Nodes<'s>,
}

impl<'s> Searcher<'s> {
    /// A search on shared tables, with this thread's cache, until `halt` ends it.
    pub fn new(
        tables: &'s SearchTables,
        cache: MutexGuard<'s, RegionCache>,
        halt: &'s Halt<'s>,
    ) -> Searcher<'s> {
        Searcher { tables, cache, nodes: Nodes::new(&tables.shared, halt) }
    }

    fn static_bounds(&mut self, territory: Territory) -> StaticBounds {
        let SearchTables { board, regions, .. } = self.tables;
        StaticBounds::new(board, regions, &mut self.cache, territory)
    }

    /// Decides whether the value of the root is at least `goal`. Returns a lower bound of at least
    /// `goal` if so, otherwise an upper bound below it.
    pub fn run(mut self, root: &Root, goal: i32) -> Result<i32, SolveError> {
        let node = SearchNode::new(&root.bounds, root.allowed, root.slot, goal);
        Ok(self.search(node)? + root.bounds.score)
    }

    /// Returns a bound that decides whether the value of the node reaches its goal.
    fn search(&mut self, node: SearchNode) -> Result<i32, SolveError> {
        let before = self.nodes.count();
        self.nodes.add()?;
        let mut replies = ArrayVec::new();
        let mut found = self.bound_moves(&node, &mut replies);
        if found.lower < node.goal {
            replies.sort_unstable_by_key(|reply| reply.after.estimate);
            // Moves that another thread is searching come last.
            for postpone in [true, false] {
                let mut later: ArrayVec<Reply, 64> = ArrayVec::new();
                for reply in replies.drain(..) {
                    if postpone
                        && reply.can_be_postponed()
                        && self.tables.shared.in_progress.has(reply.number())
                    {
                        later.push(reply);
                        continue;
                    }
                    let value = self.search_move(reply, node.goal)?;
                    found.upper = found.upper.max(value);
                    if value >= node.goal {
                        found.lower = value;
                        return Ok(self.store(&node, found, before));
                    }
                }
                replies = later;
            }
        }
        Ok(self.store(&node, found, before))
    }

    /// Bounds the moves of a node statically. Returns a lower bound on the best move, and an upper
    /// bound on the moves that cannot reach the goal. Unless the goal is reached, the other moves
    /// are pushed to `replies`.
    fn bound_moves(&mut self, node: &SearchNode, replies: &mut ArrayVec<Reply, 64>) -> Bounds {
        let board = &self.tables.board;
        let mut found = Bounds { lower: node.known.lower, upper: i32::MIN };
        let allowed = node.territory.own & node.allowed;
        for cell in cells_of(node.territory.undominated(board, allowed)) {
            let mut after = self.static_bounds(node.territory.take(board, cell));
            found.lower = found.lower.max(1 - after.bounds.upper);
            if found.lower >= node.goal {
                return found;
            }
            if 1 - after.bounds.lower < node.goal {
                found.upper = found.upper.max(1 - after.bounds.lower);
            } else {
                after.generalize(board, &self.tables.regions, &mut self.cache);
                replies.push(Reply { after, slot: self.tables.slot(after.territory) });
            }
        }
        replies.iter().for_each(|reply| self.tables.shared.table.prefetch(&reply.slot));
        for reply in replies {
            reply.look_up(&self.tables.shared.table);
            found.lower = found.lower.max(1 - reply.after.bounds.upper);
        }
        found
    }

    /// Returns a bound on the value of a move that decides whether it reaches the goal.
    fn search_move(&mut self, mut reply: Reply, goal: i32) -> Result<i32, SolveError> {
        reply.look_up(&self.tables.shared.table);
        let Reply { after, slot } = reply;
        if 1 - after.bounds.upper >= goal {
            return Ok(1 - after.bounds.upper);
        }
        if 1 - after.bounds.lower < goal {
            return Ok(1 - after.bounds.lower);
        }
        if reply.can_be_postponed() {
            self.tables.shared.in_progress.begin(reply.number());
        }
        // The move reaches the goal unless the opponent reaches 2 - goal.
        let answer = self.search(SearchNode::new(&after, Cells::MAX, Some(slot), 2 - goal));
        if reply.can_be_postponed() {
            self.tables.shared.in_progress.end(reply.number());
        }
        Ok(1 - after.score - answer?)
    }

    /// Stores the bounds of a node and returns the one that decides its goal.
    fn store(&self, node: &SearchNode, found: Bounds, before: u64) -> i32 {
        let reached = found.lower >= node.goal;
        let bounds = Bounds {
            lower: found.lower.max(node.known.lower),
            upper: if reached { node.known.upper } else { found.upper.min(node.known.upper) },
        };
        if let Some(slot) = &node.slot {
            self.tables.shared.table.put(slot, bounds, self.nodes.effort_since(before));
        }
        if reached { found.lower } else { found.upper }
    }
}

//! A null-window search by one thread.

use super::driver::Nodes;
use super::scale::{Scale, Step, WIN};
use super::{KEY_BITS, Search, SearchError};
use crate::game::Game;
use crate::monitor::Halt;
use crate::table::Bounds;
use crate::table::transposition::Slot;
use parking_lot::MutexGuard;
use siphasher::sip128::{Hasher128, SipHasher13};
use std::cmp::Reverse;
use std::hash::Hash;

/// The slots of the history.
const MOVES: usize = 1 << 10;
/// The plies from the root for which killer moves are kept.
const KILLERS: usize = 128;

/// A position with its slot in the table.
pub struct Node<P> {
    pub position: P,
    slot: Slot,
    /// The key in the set of positions that are being searched.
    mark: u64,
}

/// The order of moves that a thread has learned. It never affects values.
pub struct Order<M> {
    /// How often a move reached the goal, weighted by work, by a hash of the move.
    history: Vec<u32>,
    /// The last move that reached the goal, by the number of plies from the root.
    killers: Vec<Option<M>>,
}

impl<M> Default for Order<M> {
    fn default() -> Order<M> {
        let killers = (0..KILLERS).map(|_| None).collect();
        Order { history: vec![0; MOVES], killers }
    }
}

impl<M: Clone + Eq + Hash> Order<M> {
    fn slot(mv: &M) -> usize {
        hash(mv).0 as usize % MOVES
    }

    fn reward(&mut self, mv: &M, ply: usize, effort: u32) {
        let credit = &mut self.history[Order::slot(mv)];
        *credit = credit.saturating_add(effort * effort);
        if *credit > 1 << 24 {
            self.history.iter_mut().for_each(|credit| *credit /= 2);
        }
        if let Some(killer) = self.killers.get_mut(ply) {
            *killer = Some(mv.clone());
        }
    }
}

/// A move with the position after it.
pub struct Child<G: Game> {
    mv: G::Move,
    step: Step,
    node: Node<G::Position>,
    /// The bounds on the value of the move in the table.
    pub bounds: Bounds,
}

impl<G: Game> Search<G> {
    /// The node of a position.
    pub fn node(&self, position: &G::Position) -> Node<G::Position> {
        let position = self.game.canonical(&self.game.reduced(position));
        let (one, other) = hash(&position);
        let word = |word: u64| word & ((1 << KEY_BITS) - 1);
        Node { slot: self.shared.table.locate((word(one), word(other))), position, mark: one }
    }

    /// The bounds on the value of a node that need no search.
    pub fn bounds(&self, node: &Node<G::Position>) -> Bounds {
        let stated = self.stated(&node.position);
        self.shared.table.get(&node.slot).map_or(stated, |known| known.and(stated))
    }

    /// Moves of a node, without those to positions that an earlier one leads to.
    pub fn children(&self, node: &Node<G::Position>, moves: Vec<G::Move>) -> Vec<Child<G>> {
        let Search { game, scale, shared, .. } = self;
        let table = &shared.table;
        let unknown = Bounds { lower: -WIN, upper: WIN };
        let mut children: Vec<Child<G>> = Vec::with_capacity(moves.len());
        for mv in moves {
            let next = game.play(&node.position, mv.clone());
            let step = self.step(&node.position, &next);
            let after = self.node(&next);
            table.prefetch(&after.slot);
            let is_twin = |other: &Child<G>| other.node.slot == after.slot && other.step == step;
            if !children.iter().any(is_twin) {
                children.push(Child { mv, step, node: after, bounds: unknown });
            }
        }
        for child in &mut children {
            let known = table.get(&child.node.slot).unwrap_or(unknown);
            child.bounds = scale.bounds_after(child.step, known);
        }
        children
    }

    /// What a move does, by the positions before and after it.
    pub fn step(&self, before: &G::Position, after: &G::Position) -> Step {
        let Search { game, scale, .. } = self;
        let player = game.to_move(before);
        let gain = match scale {
            Scale::Points => (game.score(after) - game.score(before)) * player.sign(),
            Scale::Plies => 0,
        };
        Step { gain, again: game.to_move(after) == player }
    }

    /// The bounds that the game states.
    fn stated(&self, position: &G::Position) -> Bounds {
        let Some(remaining) = self.game.remaining(position) else {
            return Bounds { lower: -WIN, upper: WIN };
        };
        match self.scale {
            Scale::Points => Bounds { lower: remaining.lower, upper: remaining.upper },
            Scale::Plies => Bounds {
                lower: if remaining.lower < 0 { -WIN } else { 0 },
                upper: if remaining.upper > 0 { WIN } else { 0 },
            },
        }
    }
}

/// The hash of a position or move.
fn hash(of: &impl Hash) -> (u64, u64) {
    let mut hasher = SipHasher13::new();
    of.hash(&mut hasher);
    hasher.finish128().as_u64()
}

/// A thread of a search.
pub struct Searcher<'a, G: Game> {
    search: &'a Search<G>,
    order: MutexGuard<'a, Order<G::Move>>,
    nodes: Nodes<'a>,
}

impl<'a, G: Game> Searcher<'a, G> {
    /// A thread that searches until `halt` ends it.
    pub fn new(
        search: &'a Search<G>,
        order: MutexGuard<'a, Order<G::Move>>,
        halt: &'a Halt<'a>,
    ) -> Searcher<'a, G> {
        Searcher { search, order, nodes: Nodes::new(&search.shared, halt) }
    }

    /// A bound on the value of a node: a lower one if it is at least `goal`, otherwise an upper one.
    pub fn run(mut self, node: &Node<G::Position>, goal: i32) -> Result<i32, SearchError> {
        self.search(node, goal, 0)
    }

    fn search(
        &mut self,
        node: &Node<G::Position>,
        goal: i32,
        ply: usize,
    ) -> Result<i32, SearchError> {
        self.nodes.add()?;
        let before = self.nodes.count();
        let Search { game, scale, shared, .. } = self.search;
        let known = self.search.bounds(node);
        if known.lower >= goal {
            return Ok(known.lower);
        }
        if known.upper < goal {
            return Ok(known.upper);
        }
        let moves = game.candidates(&node.position);
        if moves.is_empty() {
            let value = scale.terminal(game, &node.position);
            return value.ok_or(SearchError::Result);
        }
        // The position is not terminal, so a win or a loss is at least one ply away.
        let known = match scale {
            Scale::Points => known,
            Scale::Plies => known.and(Bounds { lower: 1 - WIN, upper: WIN - 1 }),
        };
        if known.upper < goal {
            return Ok(known.upper);
        }
        if known.lower >= goal {
            return Ok(known.lower);
        }
        let mut children = self.search.children(node, moves);
        if let Some(child) = children.iter().find(|child| child.bounds.lower >= goal) {
            let lower = child.bounds.lower;
            self.store(node, Bounds { lower, ..known }, before);
            return Ok(lower);
        }
        let hopeless = children.extract_if(.., |child| child.bounds.upper < goal);
        let best = hopeless.map(|child| child.bounds.upper).max().unwrap_or(-WIN);
        let killer = self.order.killers.get(ply).cloned().flatten();
        children.sort_by_cached_key(|child| {
            let is_killer = killer.as_ref() == Some(&child.mv);
            let preference = game.preference(&node.position, &child.mv);
            Reverse((preference, is_killer, self.order.history[Order::slot(&child.mv)]))
        });
        shared.in_progress.begin(node.mark);
        let found = self.try_moves(&children, goal, ply);
        shared.in_progress.end(node.mark);
        match found? {
            (Some(child), lower) => {
                self.order.reward(&child.mv, ply, self.nodes.effort_since(before));
                self.store(node, Bounds { lower, ..known }, before);
                Ok(lower)
            }
            (None, upper) => {
                let upper = upper.max(best).min(known.upper);
                self.store(node, Bounds { upper, ..known }, before);
                Ok(upper)
            }
        }
    }

    /// The first move that reaches the goal, with the lower bound on its value. If there is none, the
    /// largest upper bound.
    fn try_moves<'c>(
        &mut self,
        children: &'c [Child<G>],
        goal: i32,
        ply: usize,
    ) -> Result<(Option<&'c Child<G>>, i32), SearchError> {
        let Search { scale, shared, .. } = self.search;
        let mut best = -WIN;
        let mut is_tried = vec![false; children.len()];
        // Moves to positions that other threads are searching come last.
        for postpones in [true, false] {
            for (at, child) in children.iter().enumerate() {
                if is_tried[at] || postpones && at > 0 && shared.in_progress.has(child.node.mark) {
                    continue;
                }
                is_tried[at] = true;
                let goal_after = scale.goal_after(child.step, goal);
                let found = self.search(&child.node, goal_after, ply + 1)?;
                let value = scale.after(child.step, found);
                if value >= goal {
                    return Ok((Some(child), value));
                }
                best = best.max(value);
            }
        }
        Ok((None, best))
    }

    fn store(&self, node: &Node<G::Position>, bounds: Bounds, before: u64) {
        let effort = self.nodes.effort_since(before);
        self.search.shared.table.put(&node.slot, bounds, effort);
    }
}

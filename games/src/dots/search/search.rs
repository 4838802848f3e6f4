//! Whether the value of a position is at least some goal: alpha-beta with null windows.

use super::move_history::MoveHistory;
use super::node::{Move, Node};
use super::solver::Solver;
use bsq_engine::for_each_cpu;
use bsq_engine::monitor::Halt;
use bsq_engine::monitor::SolveError;
use bsq_engine::table::Bounds;
use bsq_engine::table::transposition::Slot;
use std::sync::MutexGuard;

/// Open lines that a position must have to be put off while another thread searches it.
const LARGE: u32 = 12;
/// Open lines that a position must have for its moves to be looked up before the first is searched.
/// Further down the table is asked more than it answers.
const EARLY: u32 = 16;
/// Nodes between two looks at what others want.
const NODES_AT_A_TIME: u64 = 1024;

/// One thread's search.
pub struct Worker<'s> {
    solver: &'s Solver,
    history: MutexGuard<'s, MoveHistory>,
    /// The moves of all positions from the root to the one that is searched.
    replies: Vec<Reply>,
    nodes: u64,
    reported: u64,
}

/// A move with what is known of it.
#[derive(Clone, Copy)]
struct Reply {
    mv: Move,
    place: Option<Slot>,
    /// What is known of the position that it leads to.
    rest: Bounds,
    /// What is known of the move, for who makes it.
    worth: Bounds,
}

impl<'s> Worker<'s> {
    /// A worker with what it learned before.
    pub fn new(solver: &'s Solver, history: MutexGuard<'s, MoveHistory>) -> Worker<'s> {
        Worker { solver, history, replies: Vec::new(), nodes: 0, reported: 0 }
    }

    /// Whether the value is at least the goal: a lower bound on it that is no less if so, otherwise
    /// an upper bound.
    pub fn run(&mut self, node: &Node, goal: i32, halt: &Halt) -> Result<i32, SolveError> {
        let place = self.solver.place(node);
        let bounds = self.solver.bounds(node);
        let stored = self.solver.table.get(&place);
        let known = stored.map_or(bounds, |stored| stored.and(bounds));
        let answer = match known {
            Bounds { lower, .. } if lower >= goal => Ok(lower),
            Bounds { upper, .. } if upper < goal => Ok(upper),
            known => self.search(node, &place, known, goal, halt),
        };
        halt.finish();
        self.report(halt);
        answer
    }

    fn report(&mut self, halt: &Halt) {
        let new = self.nodes - self.reported;
        self.solver.count(new);
        halt.monitor.advance(new);
        self.reported = self.nodes;
    }

    fn search(
        &mut self,
        node: &Node,
        place: &Slot,
        known: Bounds,
        goal: i32,
        halt: &Halt,
    ) -> Result<i32, SolveError> {
        let solver = self.solver;
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes - self.reported >= NODES_AT_A_TIME {
            self.report(halt);
            halt.check()?;
        }
        let goal = solver.generator.encoding.next(goal, solver.generator.odd(node));
        let first = self.replies.len();
        look(solver, node, &mut self.replies);
        let mut found = self.recall_all(first, goal);
        found.lower = found.lower.max(known.lower);
        if found.lower < goal {
            for reply in &mut self.replies[first..] {
                reply.mv.rank -= self.history.credit(node, &reply.mv);
            }
            self.replies[first..].sort_unstable_by_key(|reply| reply.mv.rank);
            self.search_replies(node, first, goal, &mut found, halt)?;
        }
        self.replies.truncate(first);
        let reached = found.lower >= goal;
        let bounds = Bounds {
            lower: found.lower.max(known.lower),
            upper: if reached { known.upper } else { found.upper.min(known.upper) },
        };
        let effort = self.nodes - before + 1;
        solver.table.put(place, bounds, u64::BITS - effort.leading_zeros());
        Ok(if reached { found.lower } else { found.upper })
    }

    /// What the table knows of the moves: a lower bound on the best one, an upper bound on those that
    /// cannot reach the goal. The others stay, unless the goal is reached.
    fn recall_all(&mut self, first: usize, goal: i32) -> Bounds {
        let mut found = Bounds { lower: i32::MIN, upper: i32::MIN };
        let mut kept = first;
        for i in first..self.replies.len() {
            let mut reply = self.replies[i];
            reply.recall(self.solver);
            found.lower = found.lower.max(reply.worth.lower);
            if reply.worth.upper >= goal {
                self.replies[kept] = reply;
                kept += 1;
            } else {
                found.upper = found.upper.max(reply.worth.upper);
            }
        }
        self.replies.truncate(kept);
        found
    }

    /// Searches the moves until one reaches the goal: first those that no other thread is at.
    fn search_replies(
        &mut self,
        node: &Node,
        first: usize,
        goal: i32,
        found: &mut Bounds,
        halt: &Halt,
    ) -> Result<(), SolveError> {
        let end = self.replies.len();
        let mut put_off = 0_u128;
        for i in first..end {
            let hash = self.replies[i].hash();
            if hash != 0 && self.solver.in_progress.has(hash) {
                put_off |= 1 << (i - first);
            } else if self.settle(node, i, goal, found, halt)? {
                return Ok(());
            }
        }
        for i in (first..end).filter(|i| put_off >> (i - first) & 1 == 1) {
            if self.settle(node, i, goal, found, halt)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Searches what a move leads to until it is decided whether it reaches the goal, and whether
    /// it does.
    fn settle(
        &mut self,
        node: &Node,
        i: usize,
        goal: i32,
        found: &mut Bounds,
        halt: &Halt,
    ) -> Result<bool, SolveError> {
        let encoding = self.solver.generator.encoding;
        let mut reply = self.replies[i];
        if reply.rest.lower < reply.rest.upper {
            let place = reply.place.unwrap_or_else(|| place(self.solver, &reply.mv.node));
            reply.place = Some(place);
            reply.recall(self.solver);
            while reply.worth.lower < goal && reply.worth.upper >= goal {
                let test = reply.mv.test(encoding, reply.rest, goal);
                let hash = reply.hash();
                if hash != 0 {
                    self.solver.in_progress.begin(hash);
                }
                let answer = self.search(&reply.mv.node, &place, reply.rest, test, halt);
                if hash != 0 {
                    self.solver.in_progress.end(hash);
                }
                let answer = answer?;
                if answer >= test {
                    reply.rest.lower = reply.rest.lower.max(answer);
                } else {
                    reply.rest.upper = reply.rest.upper.min(answer);
                }
                reply.worth = reply.mv.bounds(encoding, reply.rest);
            }
        }
        found.upper = found.upper.max(reply.worth.upper);
        found.lower = found.lower.max(reply.worth.lower);
        let decided = found.lower >= goal;
        self.history.learn(node, &reply.mv, decided);
        Ok(decided)
    }
}

impl Reply {
    /// Takes in what the table knows.
    #[inline]
    fn recall(&mut self, solver: &Solver) {
        if let Some(known) = self.place.as_ref().and_then(|place| solver.table.get(place)) {
            self.rest = self.rest.and(known);
            self.worth = self.mv.bounds(solver.generator.encoding, self.rest);
        }
    }

    /// By what the position that it leads to is known while it is searched; 0 if it is small.
    fn hash(&self) -> u64 {
        let Node { open, endgame } = self.mv.node;
        match open.count() >= LARGE {
            true => open.horizontal ^ open.vertical.rotate_left(32) ^ u64::from(endgame) << 20,
            false => 0,
        }
    }
}

for_each_cpu! {
    /// Lists the moves of a position, with where the table has what they lead to.
    fn look(solver: &Solver, node: &Node, replies: &mut Vec<Reply>) {
        let early = node.open.count() >= EARLY;
        solver.generator.moves(node, |mv| {
            let rest = solver.bounds(&mv.node);
            let place = (early && rest.lower < rest.upper).then(|| solver.place(&mv.node));
            replies.push(Reply { mv, place, rest, worth: mv.bounds(solver.generator.encoding, rest) });
        });
    }

    /// Where the table has a position.
    fn place(solver: &Solver, node: &Node) -> Slot {
        solver.place(node)
    }
}

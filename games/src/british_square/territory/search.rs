//! Whether the value of a territory is at least some goal: alpha-beta with null windows.
//!
//! All that the moves of a territory lead to is appraised first, and looked up in the table of
//! bounds. Many a test is over then. Otherwise the moves are searched, those with the best
//! estimate first. Threads run the same test, share the table, and put off what another one is
//! searching.

use super::solver::{Root, Solver};
use super::static_bounds::{Appraisal, Notes};
use super::{Territorial, Territory, best_moves, cells_of};
use arrayvec::ArrayVec;
use bsq_engine::monitor::Halt;
use bsq_engine::monitor::SolveError;
use bsq_engine::table::transposition::Slot;
use bsq_engine::table::{Bounds, TranspositionTable};
use std::sync::MutexGuard;
use std::sync::atomic::Ordering;

/// Cells that a territory must have to be put off while another thread searches it.
const LARGE: u32 = 14;
/// Nodes between two looks at what others want.
const NODES_AT_A_TIME: u64 = 1024;

/// A move that may decide a test: what it leads to, seen by the opponent.
#[derive(Clone, Copy)]
struct Reply {
    seen: Appraisal,
    place: Slot,
}

impl Reply {
    /// Takes in what the table knows.
    #[inline]
    fn recall(&mut self, table: &TranspositionTable) {
        if let Some(Bounds { lower, upper }) = table.get(&self.place) {
            let score = self.seen.score;
            let known = Bounds { lower: lower + score, upper: upper + score };
            self.seen.bounds = self.seen.bounds.and(known);
        }
    }

    fn is_large(&self) -> bool {
        self.seen.territory.cells().count_ones() >= LARGE
    }

    /// By what the territory is known while it is searched.
    fn number(&self) -> u64 {
        let Territory { own, other } = self.seen.territory;
        own ^ other.rotate_left(32)
    }
}

/// What to search: a settled territory, what is known of it, and where the table has it.
#[derive(Clone, Copy)]
struct Task {
    territory: Territory,
    allowed: u64,
    known: Bounds,
    place: Option<Slot>,
    goal: i32,
}

impl Task {
    /// Whether what a territory is worth, points included, reaches a goal.
    fn new(seen: &Appraisal, allowed: u64, place: Option<Slot>, goal: i32) -> Task {
        let Bounds { lower, upper } = seen.bounds;
        let known = Bounds { lower: lower - seen.score, upper: upper - seen.score };
        Task { territory: seen.territory, allowed, known, place, goal: goal - seen.score }
    }
}

/// One thread's search.
pub struct Worker<'s, G> {
    solver: &'s Solver<G>,
    notes: MutexGuard<'s, Notes>,
    /// Nodes searched, and those of them that were reported.
    nodes: u64,
    reported: u64,
}

impl<'s, G: Territorial> Worker<'s, G> {
    /// A worker with its notes.
    pub fn new(solver: &'s Solver<G>, notes: MutexGuard<'s, Notes>) -> Worker<'s, G> {
        Worker { solver, notes, nodes: 0, reported: 0 }
    }

    /// A first look at a territory.
    pub fn appraise(&mut self, territory: Territory) -> Appraisal {
        let Solver { field, atlas, .. } = self.solver;
        Appraisal::of(field, atlas, &mut self.notes, territory)
    }

    /// Whether the value from the root is at least the goal: a lower bound on it that is no
    /// less if so, otherwise an upper bound.
    pub fn run(&mut self, root: &Root, goal: i32, halt: &Halt) -> Result<i32, SolveError> {
        let task = Task::new(&root.seen, root.allowed, root.place, goal);
        let answer = self.search(task, halt).map(|open| open + root.seen.score);
        halt.finish();
        self.report(halt);
        answer
    }

    fn report(&mut self, halt: &Halt) {
        let new = self.nodes - self.reported;
        self.solver.nodes.fetch_add(new, Ordering::Relaxed);
        halt.monitor.advance(new);
        self.reported = self.nodes;
    }

    /// A bound on the value that decides whether it reaches the goal.
    fn search(&mut self, task: Task, halt: &Halt) -> Result<i32, SolveError> {
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes - self.reported >= NODES_AT_A_TIME {
            self.report(halt);
            halt.check()?;
        }
        let mut replies = ArrayVec::new();
        let mut found = self.look(&task, &mut replies);
        if found.lower < task.goal {
            replies.sort_unstable_by_key(|reply| reply.seen.estimate);
            // First those that no other thread is searching, then the others.
            for put_off in [true, false] {
                let mut later: ArrayVec<Reply, 64> = ArrayVec::new();
                for reply in replies.drain(..) {
                    if put_off && reply.is_large() && self.solver.busy.has(reply.number()) {
                        later.push(reply);
                        continue;
                    }
                    let value = self.try_reply(reply, task.goal, halt)?;
                    found.upper = found.upper.max(value);
                    if value >= task.goal {
                        found.lower = value;
                        return Ok(self.learn(&task, found, before));
                    }
                }
                replies = later;
            }
        }
        Ok(self.learn(&task, found, before))
    }

    /// What the moves of a territory are worth at first sight: a lower bound on the best one,
    /// and an upper bound on those that cannot reach the goal. The others are replies to try,
    /// unless the goal is reached.
    fn look(&mut self, task: &Task, replies: &mut ArrayVec<Reply, 64>) -> Bounds {
        let field = &self.solver.field;
        let mut found = Bounds { lower: task.known.lower, upper: i32::MIN };
        let allowed = task.territory.own & task.allowed;
        for cell in cells_of(best_moves(field, task.territory, allowed)) {
            let mut seen = self.appraise(task.territory.take(field, cell));
            found.lower = found.lower.max(1 - seen.bounds.upper);
            if found.lower >= task.goal {
                return found;
            }
            if 1 - seen.bounds.lower < task.goal {
                found.upper = found.upper.max(1 - seen.bounds.lower);
            } else {
                seen.generalize(field, &self.solver.atlas, &mut self.notes);
                replies.push(Reply { seen, place: self.solver.place(seen.territory) });
            }
        }
        for reply in replies {
            reply.recall(&self.solver.table);
            found.lower = found.lower.max(1 - reply.seen.bounds.upper);
        }
        found
    }

    /// A bound on what a move is worth that decides whether it reaches the goal.
    fn try_reply(&mut self, mut reply: Reply, goal: i32, halt: &Halt) -> Result<i32, SolveError> {
        reply.recall(&self.solver.table);
        let Reply { seen, place } = reply;
        if 1 - seen.bounds.upper >= goal {
            return Ok(1 - seen.bounds.upper);
        }
        if 1 - seen.bounds.lower < goal {
            return Ok(1 - seen.bounds.lower);
        }
        if reply.is_large() {
            self.solver.busy.begin(reply.number());
        }
        // The move reaches the goal unless the opponent reaches 2 - goal.
        let answer = self.search(Task::new(&seen, u64::MAX, Some(place), 2 - goal), halt);
        if reply.is_large() {
            self.solver.busy.end(reply.number());
        }
        Ok(1 - seen.score - answer?)
    }

    /// Remembers what a test found, and passes on the bound that decides it.
    fn learn(&self, task: &Task, found: Bounds, before: u64) -> i32 {
        let reached = found.lower >= task.goal;
        let bounds = Bounds {
            lower: found.lower.max(task.known.lower),
            upper: if reached { task.known.upper } else { found.upper.min(task.known.upper) },
        };
        if let Some(place) = &task.place {
            let effort = self.nodes - before + 1;
            self.solver.table.put(place, bounds, u64::BITS - effort.leading_zeros());
        }
        if reached { found.lower } else { found.upper }
    }
}

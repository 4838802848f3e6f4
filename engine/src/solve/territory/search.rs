//! The value of one territory: alpha-beta with null windows.
//!
//! A test asks whether the value is at least some goal. All that the moves of a territory lead
//! to is appraised first: regions of known worth, bounds, and what the table remembers. Many a
//! test is over then. Otherwise the moves are searched, those with the best estimate first.
//! Threads run the same test, share the table, and put off what another one is searching.

use super::atlas::{Atlas, Worth};
use super::thermograph::STEPS;
use super::{Territorial, Territory, best_moves, cells_of};
use crate::solve::{Monitor, SolveError};
use crate::table::bounds::Place;
use crate::table::{Bounds, BoundsTable};
use arrayvec::ArrayVec;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The largest region, in cells, that is looked up in the atlas.
const SMALL_REGION: u32 = 9;
/// Cells that a territory must have to be put off while another thread searches it.
const LARGE: u32 = 14;
/// Nodes between two looks at the clock and at what others want.
const NODES_AT_A_TIME: u64 = 1024;

/// A solver of territories, with all that it has learned so far.
pub struct Solver<'g, G> {
    field: &'g G,
    atlas: Atlas<'g, G>,
    table: BoundsTable,
    busy: Busy,
    nodes: AtomicU64,
    notes: Vec<Mutex<Notes>>,
}

impl<'g, G: Territorial> Solver<'g, G> {
    /// A solver with a table of about that many bytes, at least what the board needs.
    pub fn new(field: &'g G, table_bytes: u64) -> Result<Solver<'g, G>, SolveError> {
        let lines = usize::try_from(table_bytes).unwrap_or(usize::MAX) / BoundsTable::LINE_BYTES;
        let table = BoundsTable::with_lines(field.cells(), lines);
        let table = table.ok_or(SolveError::NoRoom { positions: lines as u64 * 4 })?;
        let notes = (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect();
        let (atlas, busy, nodes) = (Atlas::new(field), Busy::default(), AtomicU64::new(0));
        Ok(Solver { field, atlas, table, busy, nodes, notes })
    }

    /// Nodes searched so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The table of bounds.
    pub fn table(&self) -> &BoundsTable {
        &self.table
    }

    /// Shapes of small regions met so far.
    pub fn shapes(&self) -> usize {
        self.atlas.len()
    }

    /// The value of a territory for its mover: its points minus the other player's, from here
    /// on, under perfect play.
    ///
    /// The first move is one of the allowed cells, at least one of which is the mover's; all of
    /// them, unless the rules are special about it.
    pub fn value(
        &self,
        territory: Territory,
        allowed: u64,
        monitor: &Monitor,
    ) -> Result<i32, SolveError> {
        let whole = territory.own & !allowed == 0;
        let seen = match whole {
            true => self.worker(0).appraise(territory),
            false => Appraisal::unknown(territory),
        };
        let mut bounds = seen.bounds();
        if whole && self.field.canonical(territory) == self.field.canonical(territory.swapped()) {
            bounds.lower = bounds.lower.max(0); // it never pays to wait
        }
        let mut goal = 0;
        while bounds.lower < bounds.upper {
            goal = goal.clamp(bounds.lower + 1, bounds.upper);
            let place = whole.then(|| self.table.locate(self.pair(seen.territory)));
            let root = Root { seen, place, allowed };
            let found = self.test(monitor, |worker, halt| worker.search_root(&root, goal, halt))?;
            if found >= goal {
                bounds.lower = bounds.lower.max(found);
                goal = found + 1;
            } else {
                bounds.upper = bounds.upper.min(found);
                goal = found;
            }
            tracing::debug!(lower = bounds.lower, upper = bounds.upper, nodes = self.nodes(), "test");
        }
        Ok(bounds.lower)
    }

    fn pair(&self, territory: Territory) -> (u64, u64) {
        let Territory { own, other } = self.field.canonical(territory);
        (own, other)
    }

    fn worker(&self, thread: usize) -> Worker<'_, 'g, G> {
        Worker { solver: self, notes: self.notes[thread % self.notes.len()].lock().unwrap_or_else(|e| e.into_inner()), nodes: 0, reported: 0 }
    }

    /// Runs a search on every thread; the first to end has the answer.
    fn test<F>(&self, monitor: &Monitor, search: F) -> Result<i32, SolveError>
    where
        F: Fn(&mut Worker<G>, &Halt) -> Result<i32, SolveError> + Sync,
    {
        let halt = Halt { monitor, done: AtomicBool::new(false) };
        let answers = rayon::broadcast(|thread| {
            let mut worker = self.worker(thread.index());
            let answer = search(&mut worker, &halt);
            halt.done.store(true, Ordering::Relaxed);
            worker.report(&halt);
            answer
        });
        let stopped = Err(SolveError::Stopped);
        answers.into_iter().find(|answer| answer.is_ok()).unwrap_or(stopped)
    }
}

/// What makes a thread stop.
struct Halt<'a> {
    monitor: &'a Monitor<'a>,
    /// Another thread has the answer.
    done: AtomicBool,
}

impl Halt<'_> {
    fn check(&self) -> Result<(), SolveError> {
        match self.done.load(Ordering::Relaxed) {
            true => Err(SolveError::Stopped),
            false => self.monitor.check(),
        }
    }
}

/// What a first look at a territory tells.
#[derive(Clone, Copy)]
struct Appraisal {
    /// Points settled, the mover's minus the other player's.
    score: i32,
    /// What is left without them.
    territory: Territory,
    /// Bounds on the value, points included.
    lower: i32,
    upper: i32,
    /// A guess at the value, in steps.
    estimate: i32,
}

impl Appraisal {
    fn settled(score: i32) -> Appraisal {
        Appraisal {
            score,
            territory: Territory::CLOSED,
            lower: score,
            upper: score,
            estimate: score * i32::from(STEPS),
        }
    }

    /// Nothing but what can be counted.
    fn unknown(territory: Territory) -> Appraisal {
        let count = |set: u64| set.count_ones() as i32;
        let (lower, upper) = (-count(territory.other), count(territory.own));
        Appraisal { score: 0, territory, lower, upper, estimate: 0 }
    }

    fn bounds(&self) -> Bounds {
        Bounds { lower: self.lower, upper: self.upper }
    }

    fn open_bounds(&self) -> Bounds {
        Bounds { lower: self.lower - self.score, upper: self.upper - self.score }
    }
}

/// Where a search begins.
struct Root {
    seen: Appraisal,
    /// Where the table has it, if every move is allowed.
    place: Option<Place>,
    allowed: u64,
}

/// A move that may decide a test: what it leads to, seen by the opponent.
#[derive(Clone, Copy)]
struct Reply {
    seen: Appraisal,
    place: Place,
}

/// A thread's own notes on regions, so that it seldom has to ask the atlas.
struct Notes(Box<[(Territory, Option<Worth>)]>);

impl Default for Notes {
    fn default() -> Notes {
        Notes(vec![(Territory::CLOSED, None); 1 << 16].into())
    }
}

impl Notes {
    #[inline]
    fn worth<G: Territorial>(&mut self, atlas: &Atlas<G>, region: Territory) -> Option<Worth> {
        let hash = region.own.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ region.other.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let note = &mut self.0[(hash >> 48) as usize];
        if note.0 != region {
            *note = (region, atlas.worth(region));
        }
        note.1
    }
}

/// Large territories that some thread is searching, by a hash. A wrong answer costs work only.
struct Busy(Box<[AtomicU64]>);

impl Default for Busy {
    fn default() -> Busy {
        Busy((0..1 << 12).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Busy {
    fn slot(&self, territory: Territory) -> (&AtomicU64, u64) {
        let hash = (territory.own ^ territory.other.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (&self.0[(hash >> 52) as usize], hash | 1)
    }

    fn begin(&self, territory: Territory) {
        let (slot, hash) = self.slot(territory);
        slot.store(hash, Ordering::Relaxed);
    }

    fn end(&self, territory: Territory) {
        self.slot(territory).0.store(0, Ordering::Relaxed);
    }

    fn has(&self, territory: Territory) -> bool {
        let (slot, hash) = self.slot(territory);
        slot.load(Ordering::Relaxed) == hash
    }
}

/// One thread's search.
struct Worker<'s, 'g, G> {
    solver: &'s Solver<'g, G>,
    notes: std::sync::MutexGuard<'s, Notes>,
    /// Nodes searched, and those of them that were reported.
    nodes: u64,
    reported: u64,
}

impl<G: Territorial> Worker<'_, '_, G> {
    fn report(&mut self, halt: &Halt) {
        let new = self.nodes - self.reported;
        self.solver.nodes.fetch_add(new, Ordering::Relaxed);
        halt.monitor.advance(new);
        self.reported = self.nodes;
    }

    /// Points, regions and bounds of a territory.
    fn appraise(&mut self, territory: Territory) -> Appraisal {
        let field = self.solver.field;
        let (mut score, open) = territory.settle(field);
        if open == Territory::CLOSED || field.is_mirrored(open) {
            return Appraisal::settled(score);
        }
        let mut small: ArrayVec<(Territory, Worth), 32> = ArrayVec::new();
        let mut large = Territory::CLOSED;
        let mut rest = open;
        while rest.own != 0 {
            let region = rest.region(field, rest.own & rest.own.wrapping_neg());
            rest = rest.without(region.cells());
            let is_small = region.cells().count_ones() <= SMALL_REGION;
            let worth = if is_small { self.notes.worth(&self.solver.atlas, region) } else { None };
            match worth {
                None => large = large.and(region),
                Some(worth) if worth.is_cold() => score += i32::from(worth.stops[0]),
                Some(worth) => match small.iter().position(|(_, other)| worth.cancels(other)) {
                    Some(opposite) => drop(small.swap_remove(opposite)),
                    None => small.push((region, worth)),
                },
            }
        }
        appraise_sum(score, &small, large)
    }

    fn search_root(&mut self, root: &Root, goal: i32, halt: &Halt) -> Result<i32, SolveError> {
        let Root { seen, place, allowed } = root;
        let goal = goal - seen.score;
        let open = self.search(seen.territory, *allowed, seen.open_bounds(), *place, goal, halt)?;
        Ok(open + seen.score)
    }

    /// Whether the value of a settled territory is at least the goal: a lower bound on it that
    /// is no less if so, otherwise an upper bound.
    fn search(
        &mut self,
        territory: Territory,
        allowed: u64,
        known: Bounds,
        place: Option<Place>,
        goal: i32,
        halt: &Halt,
    ) -> Result<i32, SolveError> {
        let field = self.solver.field;
        self.nodes += 1;
        if self.nodes - self.reported == NODES_AT_A_TIME {
            self.report(halt);
            halt.check()?;
        }
        let before = self.nodes;
        let mut bounds = Bounds { lower: known.lower, upper: i32::MIN };
        let mut replies: ArrayVec<Reply, 64> = ArrayVec::new();
        for cell in cells_of(best_moves(field, territory, territory.own & allowed)) {
            let seen = self.appraise(territory.take(field, cell));
            bounds.lower = bounds.lower.max(1 - seen.upper);
            if 1 - seen.lower < goal {
                bounds.upper = bounds.upper.max(1 - seen.lower);
            } else if bounds.lower < goal {
                let place = self.solver.table.locate(self.solver.pair(seen.territory));
                replies.push(Reply { seen, place });
            } else {
                return Ok(self.learn(place, known, bounds.lower, goal, 1));
            }
        }
        for reply in &mut replies {
            reply.recall(&self.solver.table);
            bounds.lower = bounds.lower.max(1 - reply.seen.upper);
        }
        if bounds.lower >= goal {
            return Ok(self.learn(place, known, bounds.lower, goal, 1));
        }
        replies.sort_unstable_by_key(|reply| reply.seen.estimate);

        let mut value = bounds.upper;
        let mut later: ArrayVec<Reply, 64> = ArrayVec::new();
        let mut put_off = false;
        loop {
            for mut reply in replies.drain(..) {
                reply.recall(&self.solver.table);
                let seen = reply.seen;
                let is_large = seen.territory.cells().count_ones() >= LARGE;
                let mut found = 1 - seen.lower;
                if 1 - seen.upper >= goal {
                    found = 1 - seen.upper;
                } else if found >= goal {
                    if is_large && !put_off && self.solver.busy.has(seen.territory) {
                        later.push(reply);
                        continue;
                    }
                    if is_large {
                        self.solver.busy.begin(seen.territory);
                    }
                    let answer = self.search(
                        seen.territory,
                        u64::MAX,
                        seen.open_bounds(),
                        Some(reply.place),
                        2 - goal - seen.score,
                        halt,
                    );
                    if is_large {
                        self.solver.busy.end(seen.territory);
                    }
                    found = 1 - seen.score - answer?;
                }
                value = value.max(found);
                if value >= goal {
                    return Ok(self.learn(place, known, value, goal, self.nodes - before + 1));
                }
            }
            if later.is_empty() {
                return Ok(self.learn(place, known, value, goal, self.nodes - before + 1));
            }
            put_off = true;
            std::mem::swap(&mut replies, &mut later);
        }
    }

    /// Remembers what a test found, and passes it on.
    fn learn(&self, place: Option<Place>, known: Bounds, found: i32, goal: i32, effort: u64) -> i32 {
        let bounds = match found >= goal {
            true => Bounds { lower: known.lower.max(found), ..known },
            false => Bounds { upper: known.upper.min(found), ..known },
        };
        if let Some(place) = place {
            self.solver.table.put(&place, bounds, 64 - effort.leading_zeros());
        }
        found
    }
}

impl Reply {
    /// Takes in what the table knows.
    #[inline]
    fn recall(&mut self, table: &BoundsTable) {
        if let Some(known) = table.get(&self.place) {
            self.seen.lower = self.seen.lower.max(known.lower + self.seen.score);
            self.seen.upper = self.seen.upper.min(known.upper + self.seen.score);
        }
    }
}

/// Bounds for a sum of small regions, whose worth is known, and large ones, on top of points.
fn appraise_sum(score: i32, small: &[(Territory, Worth)], large: Territory) -> Appraisal {
    let steps = i32::from(STEPS);
    let mut territory = large;
    let (mut mean, mut temperature, mut most_swing) = (0, 0, 0);
    let mut stops = [0, 0];
    for (region, worth) in small {
        territory = territory.and(*region);
        mean += i32::from(worth.mean);
        temperature = temperature.max(i32::from(worth.temperature));
        let [first, second] = worth.stops.map(i32::from);
        stops = [stops[0] + first, stops[1] + second];
        most_swing = most_swing.max(first - second);
    }
    // The sum of the small ones alone, by who moves first.
    let moving = Bounds {
        lower: (stops[1] + most_swing).max((mean + steps - 1).div_euclid(steps)),
        upper: stops[0].min((mean + temperature).div_euclid(steps)),
    };
    let waiting_lower = stops[1].max((mean - temperature + steps - 1).div_euclid(steps));
    let open = match (small, large) {
        ([], Territory::CLOSED) => return Appraisal::settled(score),
        ([(_, worth)], Territory::CLOSED) => {
            return Appraisal::settled(score + i32::from(worth.stops[0]));
        }
        (_, Territory::CLOSED) => moving,
        _ => {
            let (alone, after) = (bounds_moving(large), bounds_moving(large.swapped()));
            let waiting = Bounds { lower: -after.upper, upper: -after.lower };
            Bounds {
                lower: (alone.lower + waiting_lower).max(waiting.lower + moving.lower),
                upper: alone.upper + moving.upper,
            }
        }
    };
    let count = |set: u64| set.count_ones() as i32;
    let estimate = score * steps + mean
        + (count(large.own) - count(large.other)) * steps * 5 / 8;
    Appraisal { score, territory, lower: score + open.lower, upper: score + open.upper, estimate }
}

/// Bounds for a settled territory by the numbers of its cells alone. A move closes at most five
/// cells and uses one, so a player with `n` cells comes to move `n / 6` times at least.
fn bounds_moving(territory: Territory) -> Bounds {
    let own = territory.own.count_ones() as i32;
    let other = territory.other.count_ones() as i32;
    // After the first move, which closes a cell at least.
    Bounds { lower: 2 - other + (own - 1) / 6, upper: own - other / 6 }
}

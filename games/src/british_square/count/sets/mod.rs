//! The states of each turn, counted from the sets of pieces that one player can have.
//!
//! A state is two sets of pieces and a player to move, up to symmetry. Whether play reaches it can
//! be decided from the sets alone: no cell of one is in or adjacent to the other, and their sizes
//! differ only by the passes. So states need not be generated. Each set `S` of cells is considered
//! once, up to symmetry, with the set `F` of the cells that are neither in nor adjacent to it:
//!
//! * **Nobody has passed, and the mover has a move.** If `S` is the set of the opponent's pieces,
//!   the mover's are a subset of `F`, of the size that follows from the turn, and the rest of `F`
//!   are the legal moves. The states are the subsets of that size, up to the symmetries that leave
//!   `S` unchanged. Burnside's lemma gives their number.
//! * **A player is stuck.** If `S` is the set of pieces of the other player, the closer, then the
//!   stuck player's pieces are all of `F`. If the stuck player has already passed, a subset of the
//!   closer's pieces had closed all other cells at the first pass. Its size is known, so the
//!   question is whether that many of the pieces dominate these cells.
//!
//! Nothing is stored. There are 4.2 million such sets on 5x5 and 8.6 billion on 6x6, compared with
//! 8.7 million and 39 billion states.
//!
//! The numbers are sums over the sets, so they can be counted in [parts](Part), in any order and on
//! any machines, and added.

use super::census::{LevelCount, StateCounts};
use crate::british_square::board::{Cells, MAX_CELLS};
use crate::british_square::orbits::{Orbit, Orbits, binomial};
use crate::british_square::rules::{Rules, RulesError, Stuck};
use bsq_engine::for_each_cpu;
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// One of several parts into which the sets of cells are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    number: u64,
    parts: NonZeroU64,
}

impl Part {
    /// All sets.
    pub const ALL: Part = Part { number: 1, parts: NonZeroU64::MIN };

    /// Part `number`, from 1, of `parts`. `None` if there is no such part.
    pub fn new(number: u64, parts: u64) -> Option<Part> {
        let parts = NonZeroU64::new(parts)?;
        (1..=parts.get()).contains(&number).then_some(Part { number, parts })
    }

    /// The number of the part, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// The number of all parts.
    pub fn parts(self) -> u64 {
        self.parts.get()
    }

    /// A task of the part, by its index in the part.
    fn task(self, index: u64) -> u64 {
        self.number - 1 + index * self.parts.get()
    }

    /// The number of tasks of the part, of `tasks` tasks.
    fn tasks_of(self, tasks: u64) -> u64 {
        (tasks + self.parts.get() - self.number) / self.parts.get()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.parts)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, parts)| Part::new(number.parse().ok()?, parts.parse().ok()?));
        numbers.ok_or_else(|| {
            format!(
                "'{text}' is not a part; write its number, from 1 to that of all parts, such as 3/64"
            )
        })
    }
}

/// Counts the states of a game.
///
/// Time is roughly proportional to the number of sets of cells up to symmetry: 0.05 s on 5x5, 3 s
/// on 5x6 and 87 s on 6x6, on two threads with AVX-512.
///
/// # Errors
///
/// [`SolveError::Stopped`] if the count was cancelled.
///
/// # Panics
///
/// If the rules are not [valid](Rules::check).
///
/// ```
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::sets::count_states;
///
/// let rules = Rules::standard(5, 5).unwrap();
/// let counts = count_states(&rules, &Monitor::default()).unwrap();
/// assert_eq!(counts.states(), 8_659_987);
/// assert_eq!(counts.terminals.values().sum::<u128>(), 6_955);
/// ```
pub fn count_states(rules: &Rules, monitor: &Monitor) -> Result<StateCounts, SolveError> {
    count_part(rules, Part::ALL, monitor)
}

/// Counts the states that follow from the sets of a part. The sums over all parts are the numbers
/// of the game.
///
/// # Errors
///
/// [`SolveError::Stopped`] if the count was cancelled.
///
/// # Panics
///
/// If the rules are not [valid](Rules::check).
///
/// ```
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::StateCounts;
/// use bsq_games::british_square::count::sets::{Part, count_part, count_states};
///
/// let (rules, monitor) = (Rules::standard(4, 5).unwrap(), Monitor::default());
/// let mut sum = StateCounts::default();
/// for number in 1..=3 {
///     let part = Part::new(number, 3).unwrap();
///     sum.absorb(&count_part(&rules, part, &monitor).unwrap());
/// }
/// assert_eq!(Ok(sum), count_states(&rules, &monitor));
/// ```
pub fn count_part(rules: &Rules, part: Part, monitor: &Monitor) -> Result<StateCounts, SolveError> {
    assert_eq!(rules.check(), Ok::<(), RulesError>(()));
    if rules.forbidden_opening() == rules.board.all() {
        return Ok(if part.number == 1 { only_the_centre() } else { StateCounts::default() });
    }
    let orbits = Orbits::new(&rules.board);
    let counter = Counter::new(rules, &orbits);
    let tasks = part.tasks_of(orbits.tasks());
    monitor.begin("sets of cells", tasks.saturating_mul(orbits.sets_per_task()));
    let tallies = parallel::fold_range(0..tasks, Tally::default, |tally, index| {
        let count = |found: &[Orbit]| count_orbits(&counter, found, tally);
        orbits.each_part(part.task(index), monitor, count)
    })?;
    let mut all = Tally::default();
    tallies.iter().for_each(|tally| all.absorb(tally));
    Ok(counter.finish(all))
}

/// Estimates the time that [`count_part`] takes on the threads of the current pool, from a sample
/// of the tasks of the part that takes a tenth of a second.
///
/// # Panics
///
/// If the rules are not [valid](Rules::check).
pub fn estimate(rules: &Rules, part: Part) -> Duration {
    const SAMPLE: Duration = Duration::from_millis(100);
    let orbits = Orbits::new(&rules.board);
    let counter = Counter::new(rules, &orbits);
    let tasks = part.tasks_of(orbits.tasks());
    let (mut tally, mut sampled, began) = (Tally::default(), 0, Instant::now());
    // The tasks differ, so those of the sample are spread over all of them by the golden ratio.
    let mut at = 0.5_f64;
    while sampled < tasks && (sampled == 0 || began.elapsed() < SAMPLE) {
        at = (at + 0.618_033_988_749_895).fract();
        let index = ((tasks as f64 * at) as u64).min(tasks - 1);
        let counted = orbits.each_part(part.task(index), &Monitor::default(), |found| {
            count_orbits(&counter, found, &mut tally);
        });
        counted.expect("nobody stops the sample");
        sampled += 1;
    }
    let threads = (rayon::current_num_threads() as f64).min(tasks.max(1) as f64);
    let seconds = began.elapsed().as_secs_f64() / sampled.max(1) as f64 * tasks as f64 / threads;
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// The counts of a board whose only cell is a forbidden centre: the first player passes, the second
/// takes it.
fn only_the_centre() -> StateCounts {
    let level =
        |by_moves: &[u128], terminals| LevelCount { by_moves: by_moves.to_vec(), terminals };
    StateCounts {
        levels: vec![level(&[1], 0), level(&[0, 1], 0), level(&[], 1)],
        terminals: BTreeMap::from([(-1, 1)]),
    }
}

/// The sizes that a set of cells can have.
const SIZES: usize = MAX_CELLS + 1;
/// One more than the largest number of a turn.
const TURNS: usize = 2 * MAX_CELLS + 2;

/// The states counted so far. A set adds at most 1 to each number but those of `symmetric`, so 64
/// bits suffice for all sets.
struct Tally {
    /// The sets that only the identity leaves unchanged, by size and by the number of cells out of
    /// reach.
    sets: Box<[[u64; SIZES]; SIZES]>,
    /// States in which a player is stuck or has passed, and that are not terminal, by turn and
    /// number of legal moves.
    stuck: Box<[[u64; SIZES]; TURNS]>,
    /// Terminal states in which a player is stuck, by turn and by the first player's lead plus
    /// [`MAX_CELLS`].
    terminals: Box<[[u64; 2 * SIZES]; TURNS]>,
    /// The states of turn 3 with the first player's only piece on the forbidden centre, by the
    /// number of cells out of the second player's reach. They are counted with the others, and
    /// subtracted at the end.
    forbidden: [u64; SIZES],
    /// The states in which nobody has passed, and whose set some symmetries leave unchanged.
    symmetric: StateCounts,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            sets: Box::new([[0; SIZES]; SIZES]),
            stuck: Box::new([[0; SIZES]; TURNS]),
            terminals: Box::new([[0; 2 * SIZES]; TURNS]),
            forbidden: [0; SIZES],
            symmetric: StateCounts::default(),
        }
    }
}

impl Tally {
    #[inline(always)]
    fn count_stuck(&mut self, stuck: &Stuck) {
        let turn = stuck.position.turn as usize;
        match stuck.moves.count_ones() {
            0 => {
                let lead = stuck.position.lead() + MAX_CELLS as i32;
                self.terminals[turn][lead as usize] += 1;
            }
            moves => {
                // The stuck player passes, and the other one moves.
                self.stuck[turn][0] += 1;
                self.stuck[turn + 1][moves as usize] += 1;
            }
        }
    }

    fn absorb(&mut self, other: &Tally) {
        let add = |mine: &mut [u64], theirs: &[u64]| {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        };
        add(self.sets.as_flattened_mut(), other.sets.as_flattened());
        add(self.stuck.as_flattened_mut(), other.stuck.as_flattened());
        add(self.terminals.as_flattened_mut(), other.terminals.as_flattened());
        add(&mut self.forbidden, &other.forbidden);
        self.symmetric.absorb(&other.symmetric);
    }
}

/// Counts the states of some rules.
struct Counter<'a> {
    rules: &'a Rules,
    orbits: &'a Orbits,
    /// The centre if the first move may not be on it, otherwise no cell.
    centre: Cells,
    /// The limit on the pieces of a player.
    most: u32,
}

for_each_cpu! {
    fn count_orbits(counter: &Counter, orbits: &[Orbit], tally: &mut Tally) {
        let board = &counter.rules.board;
        for orbit in orbits {
            let set = orbit.set;
            let beyond = board.all() & !(set | board.neighbours(set));
            let (size, rest) = (set.count_ones(), beyond.count_ones());
            if size > counter.most {
                continue;
            }
            if orbit.stabilizer == counter.orbits.identity() {
                tally.sets[size as usize][rest as usize] += 1;
            } else {
                counter.count_symmetric(orbit, beyond, &mut tally.symmetric);
            }
            if size == 1 && beyond & counter.centre != 0 {
                tally.forbidden[rest as usize] += 1;
            }
            counter.rules.each_stuck(set, beyond, |stuck| tally.count_stuck(&stuck));
        }
    }
}

impl<'a> Counter<'a> {
    fn new(rules: &'a Rules, orbits: &'a Orbits) -> Counter<'a> {
        let (centre, most) = (rules.forbidden_opening(), rules.pieces.unwrap_or(u32::MAX));
        Counter { rules, orbits, centre, most }
    }

    /// Counts the states in which nobody has passed, the player to move has a move, and the
    /// opponent's pieces are a set that some symmetries leave unchanged.
    fn count_symmetric(&self, orbit: &Orbit, beyond: Cells, counts: &mut StateCounts) {
        let size = orbit.set.count_ones();
        for mover in Player::BOTH {
            // With the second player to move, `set` is the first player's.
            let is_forbidden = mover == Player::Second && orbit.set == self.centre;
            if !is_forbidden && let Some(own) = size.checked_sub(mover.index() as u32) {
                let states = self.orbits.subsets(orbit.stabilizer, beyond, own);
                self.count_free(counts, mover, size, beyond.count_ones(), states.into());
            }
        }
    }

    /// Counts states in which nobody has passed, the opponent has `size` pieces, and `rest` cells
    /// are out of their reach, if the player to move has a move on one of these.
    fn count_free(
        &self,
        counts: &mut StateCounts,
        mover: Player,
        size: u32,
        rest: u32,
        states: u128,
    ) {
        let own = size - mover.index() as u32;
        let turn = 1 + size + own;
        if own >= rest {
            return; // the player to move is stuck
        }
        if own == self.most {
            // Neither player has a piece left.
            counts.add_terminals(turn, 0, states);
        } else if turn == 1 {
            counts.add(turn, rest - self.centre.count_ones(), states);
        } else {
            counts.add(turn, rest - own, states);
        }
    }

    /// The counts of all sets.
    fn finish(&self, tally: Tally) -> StateCounts {
        let mut counts = tally.symmetric;
        for (size, by_rest) in (0..).zip(tally.sets.iter()) {
            for (rest, &sets) in (0..).zip(by_rest).filter(|(_, sets)| **sets > 0) {
                for mover in Player::BOTH {
                    if let Some(own) = u32::checked_sub(size, mover.index() as u32) {
                        let states = u128::from(sets) * u128::from(binomial(rest, own));
                        self.count_free(&mut counts, mover, size, rest, states);
                    }
                }
            }
        }
        for (turn, (by_moves, by_lead)) in (0..).zip(tally.stuck.iter().zip(tally.terminals.iter()))
        {
            for (moves, &states) in (0..).zip(by_moves) {
                counts.add(turn, moves, states.into());
            }
            for (lead, &terminals) in (-(MAX_CELLS as i32)..).zip(by_lead) {
                counts.add_terminals(turn, lead, terminals.into());
            }
        }
        // If no other cell is out of reach, the first player is stuck, and the state was not
        // counted.
        for (rest, forbidden) in tally.forbidden.into_iter().enumerate().skip(2) {
            self.subtract_forbidden(&mut counts, rest, forbidden.into());
        }
        counts
    }

    /// Subtracts states of turn 3 in which the first player's only piece is on the forbidden
    /// centre, and `rest` cells are out of the second player's reach.
    fn subtract_forbidden(&self, counts: &mut StateCounts, rest: usize, states: u128) {
        if states == 0 {
            return;
        }
        let level = &mut counts.levels[2];
        if self.most == 1 {
            level.terminals -= states;
            *counts.terminals.entry(0).or_default() -= states;
            counts.terminals.retain(|_, terminals| *terminals > 0);
            return;
        }
        level.by_moves[rest - 1] -= states;
        while level.by_moves.last() == Some(&0) {
            level.by_moves.pop();
        }
    }
}

#[cfg(test)]
mod tests;

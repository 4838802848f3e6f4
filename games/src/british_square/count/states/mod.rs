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

use crate::british_square::board::Cells;
use crate::british_square::limits::MAX_COUNTED_CELLS;
use crate::british_square::orbits::{Orbit, Orbits, binomial};
use crate::british_square::rules::{Rules, Stuck};
use bsq_engine::for_each_cpu;
use bsq_engine::game::Player;
use bsq_engine::levels::LevelCount;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use std::collections::BTreeMap;

/// The numbers of states of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateCounts {
    /// The states of each turn, from turn 1.
    pub levels: Vec<LevelCount>,
    /// The terminal states by score, in pieces without the bias.
    pub terminals: BTreeMap<i32, u64>,
}

/// Counts the states of a game. The rules must be [valid](Rules::check).
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
/// If the board has more than [`MAX_COUNTED_CELLS`] cells.
///
/// ```
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::states::count_states;
///
/// let rules = Rules::standard(5, 5).unwrap();
/// let counts = count_states(&rules, &Monitor::default()).unwrap();
/// assert_eq!(counts.levels.iter().map(|level| level.states()).sum::<u64>(), 8_659_987);
/// assert_eq!(counts.terminals.values().sum::<u64>(), 6_955);
/// ```
pub fn count_states(rules: &Rules, monitor: &Monitor) -> Result<StateCounts, SolveError> {
    assert!(
        rules.board.cells() <= MAX_COUNTED_CELLS,
        "the states of {} are not counted",
        rules.board
    );
    if rules.forbidden_opening() == rules.board.all() {
        return Ok(only_the_centre());
    }
    let orbits = Orbits::new(&rules.board);
    let counter = Counter {
        rules,
        orbits: &orbits,
        centre: rules.forbidden_opening(),
        most: rules.pieces.unwrap_or(u32::MAX),
    };
    orbits.begin(monitor);
    let tallies = parallel::fold(orbits.tasks(), Tally::default, |tally, task| {
        orbits.each_part(task, monitor, |found| count_orbits(&counter, found, tally))
    })?;
    let mut all = Tally::default();
    tallies.iter().for_each(|tally| all.absorb(tally));
    Ok(counter.finish(all))
}

/// The counts of a board whose only cell is a forbidden centre: the first player passes, the second
/// takes it.
fn only_the_centre() -> StateCounts {
    let level = |by_moves: &[u64], terminals| LevelCount { by_moves: by_moves.to_vec(), terminals };
    StateCounts {
        levels: vec![level(&[1], 0), level(&[0, 1], 0), level(&[], 1)],
        terminals: BTreeMap::from([(-1, 1)]),
    }
}

/// The sizes that a set of cells can have.
const SIZES: usize = MAX_COUNTED_CELLS + 1;
/// One more than the largest number of a turn.
const TURNS: usize = 2 * MAX_COUNTED_CELLS + 2;

/// The states counted so far.
struct Tally {
    /// The sets that only the identity leaves unchanged, by size and by the number of cells out of
    /// reach.
    sets: Box<[[u64; SIZES]; SIZES]>,
    /// States that are not terminal and do not follow from `sets`, by turn and number of legal
    /// moves.
    states: Box<[[u64; SIZES]; TURNS]>,
    /// Terminal states, by turn and by the first player's lead plus [`MAX_COUNTED_CELLS`].
    terminals: Box<[[u64; 2 * SIZES]; TURNS]>,
    /// The states of turn 3 with the first player's only piece on the forbidden centre, by the
    /// number of cells out of the second player's reach. They are counted with the others, and
    /// subtracted at the end.
    forbidden: [u64; SIZES],
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            sets: Box::new([[0; SIZES]; SIZES]),
            states: Box::new([[0; SIZES]; TURNS]),
            terminals: Box::new([[0; 2 * SIZES]; TURNS]),
            forbidden: [0; SIZES],
        }
    }
}

impl Tally {
    #[inline]
    fn count(&mut self, turn: u32, moves: u32, states: u64) {
        self.states[turn as usize][moves as usize] += states;
    }

    #[inline]
    fn count_terminal(&mut self, turn: u32, lead: i32, states: u64) {
        self.terminals[turn as usize][(lead + MAX_COUNTED_CELLS as i32) as usize] += states;
    }

    #[inline(always)]
    fn count_stuck(&mut self, stuck: &Stuck) {
        let turn = stuck.position.turn;
        match stuck.moves.count_ones() {
            0 => self.count_terminal(turn, stuck.position.lead(), 1),
            moves => {
                // The stuck player passes, and the other one moves.
                self.count(turn, 0, 1);
                self.count(turn + 1, moves, 1);
            }
        }
    }

    fn absorb(&mut self, other: &Tally) {
        let add = |mine: &mut [u64], theirs: &[u64]| {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        };
        add(self.sets.as_flattened_mut(), other.sets.as_flattened());
        add(self.states.as_flattened_mut(), other.states.as_flattened());
        add(self.terminals.as_flattened_mut(), other.terminals.as_flattened());
        add(&mut self.forbidden, &other.forbidden);
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
                counter.count_symmetric(orbit, beyond, tally);
            }
            if size == 1 && beyond & counter.centre != 0 {
                tally.forbidden[rest as usize] += 1;
            }
            counter.rules.each_stuck(set, beyond, |stuck| tally.count_stuck(&stuck));
        }
    }
}

impl Counter<'_> {
    /// Counts the states in which nobody has passed, the player to move has a move, and the
    /// opponent's pieces are a set that some symmetries leave unchanged.
    fn count_symmetric(&self, orbit: &Orbit, beyond: Cells, tally: &mut Tally) {
        let size = orbit.set.count_ones();
        for mover in Player::BOTH {
            // With the second player to move, `set` is the first player's.
            let is_forbidden = mover == Player::Second && orbit.set == self.centre;
            if !is_forbidden && let Some(own) = size.checked_sub(mover.index() as u32) {
                let states = self.orbits.subsets(orbit.stabilizer, beyond, own);
                self.count_free(tally, mover, size, beyond.count_ones(), states);
            }
        }
    }

    /// Counts states in which nobody has passed, the opponent has `size` pieces, and `rest` cells
    /// are out of their reach, if the player to move has a move on one of these.
    fn count_free(&self, tally: &mut Tally, mover: Player, size: u32, rest: u32, states: u64) {
        let own = size - mover.index() as u32;
        let turn = 1 + size + own;
        if own >= rest {
            return; // the player to move is stuck
        }
        if own == self.most {
            // Neither player has a piece left.
            tally.count_terminal(turn, 0, states);
        } else if turn > 1 {
            tally.count(turn, rest - own, states);
        }
    }

    /// The counts of all sets.
    fn finish(&self, mut tally: Tally) -> StateCounts {
        let sets = tally.sets.clone();
        for (size, by_rest) in (0..).zip(sets.iter()) {
            for (rest, &sets) in (0..).zip(by_rest).filter(|(_, sets)| **sets > 0) {
                for mover in Player::BOTH {
                    if let Some(own) = u32::checked_sub(size, mover.index() as u32) {
                        let states = sets * binomial(rest, own);
                        self.count_free(&mut tally, mover, size, rest, states);
                    }
                }
            }
        }
        let cells = self.rules.board.cells() as u32;
        tally.count(1, cells - self.centre.count_ones(), 1);
        // If no other cell is out of reach, the first player is stuck, and the state was not
        // counted.
        for (rest, forbidden) in tally.forbidden.into_iter().enumerate().skip(2) {
            match self.most {
                1 => tally.terminals[3][MAX_COUNTED_CELLS] -= forbidden,
                _ => tally.states[3][rest - 1] -= forbidden,
            }
        }
        let mut counts = StateCounts::default();
        for (by_moves, by_lead) in tally.states.iter().zip(tally.terminals.iter()).skip(1) {
            let most = by_moves.iter().rposition(|&states| states > 0);
            counts.levels.push(LevelCount {
                by_moves: by_moves[..most.map_or(0, |most| most + 1)].to_vec(),
                terminals: by_lead.iter().sum(),
            });
            for (lead, &terminals) in (-(MAX_COUNTED_CELLS as i32)..).zip(by_lead) {
                if terminals > 0 {
                    *counts.terminals.entry(lead).or_default() += terminals;
                }
            }
        }
        let last = counts.levels.iter().rposition(|level| level.states() > 0);
        counts.levels.truncate(last.map_or(0, |last| last + 1));
        counts
    }
}

#[cfg(test)]
mod tests;

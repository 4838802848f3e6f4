//! Sets that a symmetry leaves unchanged, one by one.

use super::tally::{StuckSets, Tally, binomial};
use crate::british_square::board::{Board, Cells};
use crate::british_square::rules::Rules;
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use std::collections::BTreeMap;

/// The symmetries of a board up to conjugation, with the number of conjugates of each. Conjugate
/// symmetries leave as many states unchanged.
pub(super) fn classes(board: &Board) -> BTreeMap<Vec<usize>, usize> {
    let symmetries = board.symmetries();
    let mut classes = BTreeMap::new();
    for symmetry in &symmetries {
        let conjugate = |by: &Vec<usize>| {
            let mut image = vec![0; symmetry.len()];
            for (cell, &to) in symmetry.iter().enumerate() {
                image[by[cell]] = by[to];
            }
            image
        };
        let least = symmetries.iter().map(conjugate).min().unwrap_or_default();
        *classes.entry(least).or_default() += 1;
    }
    classes
}

/// The number of subsets that a task of a thread forms of the first cycles of a symmetry.
const LOW_CYCLES: usize = 12;

/// The states that a symmetry other than the identity leaves unchanged, the centre not forbidden.
///
/// # Errors
///
/// [`SolveError::Stopped`] if the monitor stops it.
pub(super) fn tally(
    board: &Board,
    symmetry: &[usize],
    monitor: &Monitor,
) -> Result<Tally, SolveError> {
    let rules = Rules { board: *board, center_allowed: true, bias: 0, pieces: None };
    let cycles = Cycles::new(symmetry);
    let unions = |cycles: &[Cells]| {
        let mut unions = vec![0];
        for cycle in cycles {
            let with: Vec<Cells> = unions.iter().map(|union| union | cycle).collect();
            unions.extend(with);
        }
        unions
    };
    let (low, high) = cycles.all.split_at(LOW_CYCLES.min(cycles.all.len()));
    let low = unions(low);
    monitor.begin("symmetric sets", (low.len() as u64) << high.len());
    let begin = || Found { free: vec![0; cycles.indices()], stuck: StuckSets::default() };
    let parts = parallel::fold(0..1_u64 << high.len(), begin, |found, part| {
        monitor.check()?;
        let chosen = high.iter().enumerate().filter(|(at, _)| part >> at & 1 == 1);
        let high = chosen.fold(0, |union, (_, cycle)| union | cycle);
        for low in &low {
            found.add(&rules, &cycles, high | low);
        }
        monitor.advance(low.len() as u64);
        Ok::<_, SolveError>(())
    })?;
    let mut tally = Tally::default();
    for part in &parts {
        for (index, &sets) in part.free.iter().enumerate().filter(|(_, sets)| **sets > 0) {
            let (size, free) = cycles.of_index(index);
            for mover in Player::BOTH {
                if let Some(own) = u32::checked_sub(size, mover.index() as u32) {
                    let states = u128::from(sets) * unions_of_cycles(free, own);
                    let beyond = free[0] + 2 * free[1] + 4 * free[2];
                    tally.count_free(mover, size, beyond, states);
                }
            }
        }
        tally.count_stuck(&part.stuck);
    }
    Ok(tally)
}

/// The cycles of a symmetry. Their lengths are 1, 2 and 4.
struct Cycles {
    all: Vec<Cells>,
    /// The cells in cycles of length 1, and of length 1 or 2.
    single: Cells,
    short: Cells,
    /// One more than the numbers of cycles of each length.
    bounds: [usize; 3],
}

impl Cycles {
    fn new(symmetry: &[usize]) -> Cycles {
        let mut cycles = Cycles { all: Vec::new(), single: 0, short: 0, bounds: [1; 3] };
        for cell in 0..symmetry.len() {
            let (mut cycle, mut image): (Cells, _) = (0, cell);
            while cycle >> image & 1 == 0 {
                cycle |= 1 << image;
                image = symmetry[image];
            }
            if cell as u32 > cycle.trailing_zeros() {
                continue;
            }
            cycles.all.push(cycle);
            let length = cycle.count_ones();
            cycles.bounds[length.ilog2() as usize] += 1;
            if length == 1 {
                cycles.single |= cycle;
            }
            if length <= 2 {
                cycles.short |= cycle;
            }
        }
        cycles
    }

    /// The number of indices.
    fn indices(&self) -> usize {
        65 * self.bounds.iter().product::<usize>()
    }

    /// The index of the sets of a size with these numbers of cycles of each length beyond.
    fn index(&self, size: u32, beyond: Cells) -> usize {
        let single = (beyond & self.single).count_ones() as usize;
        let short = (beyond & self.short).count_ones() as usize;
        let numbers = [single, (short - single) / 2, (beyond.count_ones() as usize - short) / 4];
        let numbers = numbers.iter().zip(self.bounds);
        numbers.fold(size as usize, |index, (number, bound)| index * bound + number)
    }

    /// The size and the numbers of cycles of an index.
    fn of_index(&self, mut index: usize) -> (u32, [u32; 3]) {
        let mut numbers = [0; 3];
        for (number, bound) in numbers.iter_mut().zip(self.bounds).rev() {
            *number = (index % bound) as u32;
            index /= bound;
        }
        (index as u32, numbers)
    }
}

/// The number of unions of cycles with `size` elements, from the numbers of cycles of length 1, 2
/// and 4.
fn unions_of_cycles([singles, pairs, fours]: [u32; 3], size: u32) -> u128 {
    let mut unions = 0;
    for from_fours in 0..=size / 4 {
        let rest = size - 4 * from_fours;
        for from_pairs in 0..=rest / 2 {
            let rest = rest - 2 * from_pairs;
            unions +=
                binomial(fours, from_fours) * binomial(pairs, from_pairs) * binomial(singles, rest);
        }
    }
    unions
}

/// The sets of some tasks.
struct Found {
    /// By the [index](Cycles::index).
    free: Vec<u64>,
    stuck: StuckSets,
}

impl Found {
    fn add(&mut self, rules: &Rules, cycles: &Cycles, set: Cells) {
        let board = &rules.board;
        let beyond = board.all() & !(set | board.neighbours(set));
        if set.count_ones() <= beyond.count_ones() {
            self.free[cycles.index(set.count_ones(), beyond)] += 1;
        }
        rules.each_stuck(set, beyond, |stuck| {
            let player = stuck.position.to_move;
            let (size, beyond) = (set.count_ones() as usize, beyond.count_ones() as usize);
            match stuck.moves.count_ones() as usize {
                0 => self.stuck.terminal[player.index()][size][beyond] += 1,
                open => self.stuck.passing[player.index()][size][open] += 1,
            }
        });
    }
}

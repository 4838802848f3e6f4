//! The sets that the identity leaves unchanged, which are all, by transfer matrix.

use super::sweep::{Count, Sweep};
use super::tally::{StuckSets, Tally, binomial};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};

/// The direction and the means of the sweeps over a board.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    /// The number of rows of a sweep.
    pub length: usize,
    /// The number of cells of a row, at most 8.
    pub width: usize,
    /// Whether frontiers are dropped and merged where that is possible.
    pub is_reduced: bool,
    pub monitor: &'a Monitor<'a>,
}

impl Plan<'_> {
    /// The number of cells of the three sweeps, each with a row below the board.
    pub(super) fn cells(&self) -> u64 {
        3 * (self.length as u64 + 1) * self.width as u64
    }
}

/// The largest number of marked pieces plus 1.
const MARKS: usize = 65;

/// The number of states, images under symmetry counted separately, the centre not forbidden.
///
/// # Errors
///
/// [`SolveError::OverLimit`] if the memory does not suffice, and [`SolveError::Stopped`].
///
/// # Panics
///
/// If two ways to count the terminal states do not agree.
pub(super) fn tally(plan: Plan) -> Result<Tally, SolveError> {
    let sweep = |count, most| {
        let Plan { length, width, is_reduced, monitor } = plan;
        Sweep { length, width, count, most, is_reduced, monitor }.run()
    };
    let mut tally = Tally::default();
    // The sets by stuck player, size and number of marked open cells.
    let mut marked = Box::new([[[0_u64; MARKS]; MARKS]; 2]);
    for (gap, [size, marks], sets) in sweep(Count::AllChosen, 0)? {
        for mover in Player::BOTH.into_iter().filter(|mover| gap < mover.index() as i8) {
            let sum = &mut marked[mover.index()][size][marks];
            *sum = sum.wrapping_sub(sets);
            if let Some(own) = size.checked_sub(mover.index()).filter(|_| marks == 0) {
                let beyond = (size as i32 - i32::from(gap)) as u32;
                let states = u128::from(sets) * binomial(beyond, own as u32);
                tally.count_free(mover, size as u32, beyond, states);
            }
        }
    }
    for (gap, [size, marks], sets) in sweep(Count::FewestChosen, 1)? {
        for stuck in Player::BOTH.into_iter().filter(|stuck| gap <= stuck.index() as i8) {
            let sum = &mut marked[stuck.index()][size][marks];
            *sum = sum.wrapping_add(sets);
        }
    }
    let mut sets = StuckSets::default();
    for (gap, [size, beyond], terminal) in sweep(Count::Signed, 1)? {
        for stuck in Player::BOTH.into_iter().filter(|stuck| gap <= stuck.index() as i8) {
            if beyond + stuck.index() <= size {
                let sum = &mut sets.terminal[stuck.index()][size][beyond];
                *sum = sum.wrapping_add(terminal);
            }
        }
    }
    for stuck in 0..2 {
        for (size, marked) in marked[stuck].iter().enumerate() {
            let by_open = by_open(marked);
            let terminal =
                sets.terminal[stuck][size].iter().fold(0, |sum: u64, n| sum.wrapping_add(*n));
            assert_eq!(by_open[0], terminal, "the terminal states do not agree");
            sets.passing[stuck][size][1..].copy_from_slice(&by_open[1..]);
        }
    }
    tally.count_stuck(&sets);
    Ok(tally)
}

/// The number of sets by their number of open cells, from the numbers of sets with some of their
/// open cells marked, by the number of marks, modulo 2^64. A set of `open` cells has
/// `binomial(open, marks)` ways to be marked.
fn by_open(marked: &[u64; MARKS]) -> [u64; MARKS] {
    std::array::from_fn(|open| {
        let mut sets: u64 = 0;
        for (marks, &of_marks) in marked.iter().enumerate().skip(open) {
            let ways = binomial(marks as u32, open as u32) as u64;
            let term = of_marks.wrapping_mul(ways);
            let is_even = (marks - open) % 2 == 0;
            sets = if is_even { sets.wrapping_add(term) } else { sets.wrapping_sub(term) };
        }
        sets
    })
}

//! The states of each turn, by a transfer-matrix method (Stanley, *Enumerative Combinatorics I*,
//! section 4.7).
//!
//! A state belongs to a set `S` of the pieces of one player, as [`sets`](super::sets)
//! describes. Here the sets are not visited, but summed up, by Burnside's lemma: the number of
//! states is the mean number of those that a symmetry leaves unchanged. The sets that a symmetry
//! other than the identity leaves unchanged are few, and visited. Those of the identity, which are
//! all, are counted cell by cell with a frontier of one row.
//!
//! Let `s` be the number of pieces of `S`, and `f` that of the cells apart: neither in `S` nor
//! adjacent to it. Let `i` be 0 if the first player is to move, and 1 if the second is.
//!
//! * **The mover is free** if `s - i < f`. The mover's pieces are `s - i` of the cells apart. So
//!   the number of sets by `s` and `f` suffices.
//! * **The mover is stuck** if `f + i <= s`, and at most `f + i` pieces of `S` dominate: every
//!   piece, and every cell adjacent to one, is among them or adjacent to one of them. The mover's
//!   pieces are all cells apart. If `g` is the least number of dominating pieces, the stuck are
//!   the sets with `g - f <= i`, less those with `s - f < i`, since `g <= s`. So the number of sets
//!   by `s` and the **gap** `g - f` suffices. For the least number, a frontier has a list of
//!   **covers**: numbers of chosen pieces, with the cells of the frontier that they dominate.
//! * **The moves of the other player** are the open cells: the cells of no piece that are not
//!   adjacent to a cell apart. With some of them, **marked** ones, added to `S`, the cells apart
//!   are the same. So sets with marked open cells are sets of pieces of which some are marked, may
//!   not be chosen, and are dominated too. The numbers of these, by the number of marks, are
//!   binomial moments of the number of open cells, and determine its distribution. A state without
//!   open cells is terminal. If each mark changes the sign, the sum over the marked sets is the
//!   number of sets without open cells, which are counted by `f` too, for the score.
//!
//! Sums are exact modulo 2^64, and there are fewer sets of one size on a board of 64 cells.
//!
//! Two reductions keep the number of frontiers small: covers that cannot lead to a small gap are
//! dropped, and after each row a frontier and its mirror image are merged. The counts of a frontier
//! are stored in as few bytes as they need.

mod completions;
mod covers;
mod frontier;
mod group;
mod identity;
mod packed;
mod sweep;
mod symmetric;
mod tally;

use super::census::{LevelCount, StateCounts};
use crate::british_square::board::{Board, cells_of};
use crate::british_square::rules::Rules;
use bsq_engine::monitor::{Monitor, SolveError};
use identity::Plan;
use std::collections::BTreeMap;
use tally::Tally;

/// Counts the states of a game without a limit on pieces. The rules must be
/// [valid](Rules::check).
///
/// The memory that the monitor allows is compared with an [estimate](memory_of). On one processor 5x6 takes 1.3 s, 5x7 5 s, 6x6 22 s, 6x7 2 minutes and 6x8 10 minutes. The numbers of
/// moves are the most expensive part.
///
/// # Errors
///
/// [`SolveError::TooMuch`] if the board takes more memory than is allowed,
/// [`SolveError::OverLimit`] if this appears during the count, and [`SolveError::Stopped`] if the
/// count was cancelled.
///
/// # Panics
///
/// If the rules have a limit on pieces, or if sums do not agree that have to.
///
/// ```
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::transfer_matrix::count_states;
///
/// let rules = Rules::standard(4, 5).unwrap();
/// let counts = count_states(&rules, &Monitor::default()).unwrap();
/// assert_eq!(counts.states(), 400_925);
/// ```
pub fn count_states(rules: &Rules, monitor: &Monitor) -> Result<StateCounts, SolveError> {
    let (rows, columns) = (rules.board.rows(), rules.board.cols());
    monitor.allow(memory_of(&rules.board))?;
    let (length, width) = (rows.max(columns), rows.min(columns));
    let plan = Plan { length, width, is_reduced: true, monitor };
    count_with(rules, plan)
}

/// About how many bytes a count of the states of a board takes.
///
/// The formula was fitted to the peaks of the process, with two threads, on 16 boards of 2 to 6 rows and
/// 27 to 56 cells. On these it is at most 12 % too small and 19 % too large.
///
/// ```
/// use bsq_games::british_square::Board;
/// use bsq_games::british_square::count::transfer_matrix::memory_of;
///
/// let mebibytes = |rows, cols| memory_of(&Board::new(rows, cols).unwrap()) >> 20;
/// assert!((100..400).contains(&mebibytes(6, 6)));
/// assert!((10_000..30_000).contains(&mebibytes(7, 7)));
/// ```
pub fn memory_of(board: &Board) -> u64 {
    const WITHOUT_COUNTS: f64 = 10.0;
    let width = board.rows().min(board.cols()) as f64;
    let cells = board.cells() as f64;
    let doublings = -8.4217
        + width * (0.3726 - 0.155 * width + 0.0628 * cells)
        + cells * (0.2696 - 0.0031 * cells);
    ((WITHOUT_COUNTS + doublings.exp2()) * f64::from(1 << 20)) as u64
}

/// As [`count_states`], with sweeps in a given direction.
fn count_with(rules: &Rules, plan: Plan) -> Result<StateCounts, SolveError> {
    assert_eq!(rules.pieces, None, "the states with a limit on pieces are not counted");
    let board = &rules.board;
    let forbidden = rules.forbidden_opening();
    if forbidden != 0 && board.cells() <= 3 {
        return Ok(of_small_board(board.cells()));
    }
    let mut fixed = Tally::default();
    let mut symmetries = 0;
    for (symmetry, conjugates) in symmetric::classes(board) {
        let is_identity = symmetry.iter().enumerate().all(|(cell, &image)| cell == image);
        let unchanged = if is_identity {
            plan.monitor.begin("cells of sweeps", plan.cells());
            identity::tally(plan)?
        } else {
            symmetric::tally(board, &symmetry, plan.monitor)?
        };
        fixed.absorb(&unchanged, conjugates as u128);
        symmetries += conjugates as u128;
    }
    let mut tally = fixed.up_to_symmetry(symmetries);
    if forbidden != 0 {
        forbid_centre(rules, &mut tally);
    }
    Ok(finish(tally))
}

/// Subtracts the states in which the first player's only piece is on the centre, of a board of more
/// than three cells. The centre does not reach all other cells, so nobody is stuck in these.
fn forbid_centre(rules: &Rules, tally: &mut Tally) {
    let board = &rules.board;
    let centre = rules.forbidden_opening();
    let beyond = |set| board.all() & !(set | board.neighbours(set));
    let cells = board.cells() as u32;
    let replies = beyond(centre);
    let mut subtract = |turn, moves| {
        let states = tally.states.get_mut(&(turn, moves)).filter(|states| **states > 0);
        *states.expect("the states on the centre are counted") -= 1;
    };
    subtract(1, cells);
    subtract(2, replies.count_ones());
    let symmetries = board.symmetries();
    for cell in cells_of(replies) {
        if symmetries.iter().all(|symmetry| cell <= symmetry[cell]) {
            subtract(3, beyond(1 << cell).count_ones() - 1);
        }
    }
    tally.states.insert((1, cells - 1), 1);
}

/// The counts of a row of one or three cells whose centre is forbidden. On one cell, the first
/// player passes, and the second takes it. On three, both take one end.
fn of_small_board(cells: usize) -> StateCounts {
    let level =
        |by_moves: &[u128], terminals| LevelCount { by_moves: by_moves.to_vec(), terminals };
    if cells == 1 {
        return StateCounts {
            levels: vec![level(&[1], 0), level(&[0, 1], 0), level(&[], 1)],
            terminals: BTreeMap::from([(-1, 1)]),
        };
    }
    StateCounts {
        levels: vec![level(&[0, 0, 1], 0), level(&[0, 1], 0), level(&[], 1)],
        terminals: BTreeMap::from([(0, 1)]),
    }
}

/// The counts in the form of the result.
fn finish(tally: Tally) -> StateCounts {
    let mut counts = StateCounts::default();
    for ((turn, moves), states) in tally.states {
        counts.add(turn, moves, states);
    }
    for ((turn, lead), states) in tally.terminals {
        counts.add_terminals(turn, lead, states);
    }
    counts
}

#[cfg(test)]
mod tests;

//! Every state with the values of its moves, by retrograde analysis.
//!
//! States are enumerated as in [`count::sets`](super::count::sets), without a search. Each set
//! of the second player's pieces, up to symmetry, has a **row**: the first player's pieces are a
//! subset of the cells that are neither in nor adjacent to it. The values of a row are stored in
//! the order of these subsets, so that the index of a value can be computed from the pieces, and
//! neither keys nor a hash table are needed.
//!
//! As long as nobody has passed and the second player has `k` pieces, the first player has `k`
//! pieces, or `k + 1` if the second player is to move. A move of the first player stays in the row,
//! and a move of the second player leads to a row of `k + 1` pieces. So rows are completed by
//! decreasing size, those of one size in parallel, and only the values of two sizes are stored at a
//! time, 3 MB on 5x5, besides the list of all rows.
//!
//! When a player is stuck, the other one takes all cells that are left, and the value is known.
//!
//! It shares only the rules with the depth-first search of
//! [`BritishSquare`](super::BritishSquare), so the tests compare the two.

mod row;
mod subsets;

use super::limits::MAX_SOLVED_CELLS;
use super::orbits::{Orbit, Orbits};
use super::rules::{Position, Rules, Stuck};
use bsq_engine::monitor::{Growth, Monitor, SolveError};
use bsq_engine::parallel;
use bsq_engine::strong::Visitor;
use row::{Level, Worker};
use subsets::Ranks;

/// The number of rows in a task of a thread.
const ROWS_PER_TASK: usize = 64;

/// Whether the rules are supported: there is no limit on pieces, and the first player has a move.
pub fn supports(rules: &Rules) -> bool {
    rules.pieces.is_none() && rules.forbidden_opening() != rules.board.all()
}

/// Calls a visitor with every state and the values of its moves. Returns the value of the start.
/// Values are in pieces, without the bias.
///
/// # Errors
///
/// [`SolveError::Stopped`] if the monitor stops the analysis, and [`SolveError::TooMuch`] or
/// [`SolveError::OverLimit`] if it takes more memory than the monitor allows.
///
/// # Panics
///
/// If the board has more than [`MAX_SOLVED_CELLS`] cells or the rules are not
/// [supported](supports).
///
/// ```
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::retrograde::visit_states;
///
/// let rules = Rules::standard(5, 5).unwrap();
/// let (value, ()) = visit_states(&rules, (), &Monitor::default()).unwrap();
/// assert_eq!(value, 2);
/// ```
pub fn visit_states<V: Visitor<Position>>(
    rules: &Rules,
    mut visitor: V,
    monitor: &Monitor,
) -> Result<(i32, V), SolveError> {
    assert!(supports(rules), "{rules:?} are not supported");
    assert!(rules.board.cells() <= MAX_SOLVED_CELLS, "{} is too large", rules.board);
    let (orbits, ranks) = (Orbits::new(&rules.board), Ranks::new());
    let mut levels = visit_stuck(rules, &orbits, &mut visitor, monitor)?;
    // The rows of all levels, and the values of two.
    let rows: u64 = levels.iter().map(Level::bytes_of_rows).sum();
    let values = levels.windows(2).map(|two| two.iter().map(Level::bytes_of_values).sum::<u64>());
    monitor.allow(rows + values.max().unwrap_or(0))?;
    monitor.begin("states", levels.iter().map(Level::states).sum());
    let mut after = Level::default();
    while let Some(mut level) = levels.pop() {
        let worker = || Worker::new(rules, &orbits, &ranks, &after, visitor.fresh());
        let workers = parallel::fold(level.tasks(ROWS_PER_TASK), worker, |worker, task| {
            monitor.check()?;
            monitor.advance(worker.visit_rows(task));
            Ok::<_, SolveError>(())
        })?;
        let seen: Vec<V> = workers.into_iter().map(Worker::finish).collect();
        seen.into_iter().for_each(|seen| visitor.absorb(seen));
        after = level;
    }
    Ok((after.value_of_start(), visitor))
}

/// Calls the visitor with the states in which a player is stuck. Returns the other states by the
/// number of the second player's pieces, without values.
fn visit_stuck<V: Visitor<Position>>(
    rules: &Rules,
    orbits: &Orbits,
    visitor: &mut V,
    monitor: &Monitor,
) -> Result<Vec<Level>, SolveError> {
    monitor.begin("sets of cells", orbits.tasks() * orbits.sets_per_task());
    let growth = Growth::new(monitor, "sets of cells");
    let tasks = parallel::try_map(0..orbits.tasks(), |task| {
        let (mut visitor, mut sets) = (visitor.fresh(), Vec::new());
        orbits.each_part(task, monitor, |found| {
            for orbit in found {
                let beyond = rules.usable(0, orbit.set);
                if orbit.set.count_ones() <= beyond.count_ones() {
                    sets.push(*orbit);
                }
                rules.each_stuck(orbit.set, beyond, |stuck| visit_both(&stuck, &mut visitor));
            }
        })?;
        // Each set is going to be a row. The list of a task and that of a level have spare room.
        let listed = sets.len() as u64;
        let bytes = 2 * (size_of::<Orbit>() + Level::BYTES_OF_A_ROW) as u64;
        growth.add(listed * bytes, listed)?;
        sets.shrink_to_fit();
        Ok::<_, SolveError>((sets, visitor))
    })?;
    let mut levels: Vec<Level> = (0..=MAX_SOLVED_CELLS).map(|_| Level::default()).collect();
    for (sets, seen) in tasks {
        for orbit in sets {
            levels[orbit.set.count_ones() as usize].add_row(orbit, rules.usable(0, orbit.set));
        }
        visitor.absorb(seen);
    }
    Ok(levels)
}

/// Visits a state whose player to move is stuck and, unless the game is over, that after the pass.
fn visit_both<V: Visitor<Position>>(stuck: &Stuck, visitor: &mut V) {
    let Stuck { position, moves } = stuck;
    let other = position.to_move.other();
    let left = moves.count_ones() as usize;
    let value = position.lead() + other.sign() * left as i32;
    let values = [value as i8; MAX_SOLVED_CELLS];
    if left == 0 {
        return visitor.visit(position, 0, &[]);
    }
    visitor.visit(position, 0, &values[..1]);
    let passed = Position { to_move: other, turn: position.turn + 1, ..*position };
    visitor.visit(&passed, *moves, &values[..left]);
}

#[cfg(test)]
mod tests;

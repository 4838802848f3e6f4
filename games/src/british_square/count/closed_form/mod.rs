//! Playouts in closed form: a sum of products of factorials over the positions of the first pass.
//!
//! Pieces of different players are never adjacent, a cell closed to a player stays closed, and a
//! player who passes once passes until the end. A playout therefore has two parts. Both players
//! place pieces in turn until one of them, the **stuck** player, cannot move. The other, the
//! **closer**, then fills all cells that are **left over**, in any order. The cells left over
//! follow from the two sets of pieces at the first pass, and every order of placing is legal, so
//! `c! s! l!` playouts pass through a position with `c` pieces of the closer, `s` of the stuck
//! player and `l` cells left over. If the second player is stuck, `c = s + 1` and the score is `l +
//! 1`; if the first player is stuck, `c = s` and the score is `-l`.
//!
//! The two sets at the first pass are those that are not adjacent and such that every cell outside
//! the stuck player's set is in or adjacent to the closer's. These conditions are local, so the
//! pairs of sets of each size are counted by a transfer-matrix method, cell by cell with a frontier
//! of one row. The two halves of the board are counted separately, for all frontiers between them,
//! and joined.
//!
//! If the first move may not be on the centre, the orders that begin there are subtracted. The
//! halves meet right after the centre, so that the frontier between them contains it. If pieces are
//! limited, the closer may run out of them; and if neither player is stuck before both have placed
//! all pieces, the two sets only need to be non-adjacent.
//!
//! * `frontier`: filling the board cell by cell;
//! * `sizes`: counts of partly filled boards by size.

mod by_size;
mod frontier;

use crate::british_square::rules::Rules;
use bsq_engine::monitor::{Growth, Monitor, SolveError};
use bsq_engine::parallel;
use by_size::{Sizes, Sum, Whole};
use frontier::{Empties, Filling, Frontier, Grid, NOTHING};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The number of playouts that end with each score, in pieces without the bias. The rules must be
/// [valid](Rules::check). Time and memory are exponential in the shorter side of the board: seconds
/// and 1 GiB on 8x8.
///
/// # Errors
///
/// [`SolveError::Stopped`] if the count was cancelled, and [`SolveError::OverLimit`] if it takes
/// more memory than the monitor allows.
///
/// ```
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::closed_form;
/// use bsq_engine::monitor::Monitor;
/// let rules = Rules::standard(5, 5).unwrap();
/// let playouts = closed_form::playouts_by_score(&rules, &Monitor::default()).unwrap();
/// assert_eq!(playouts.values().sum::<num_bigint::BigUint>(), 4_233_789_642_926_592u64.into());
/// ```
pub fn playouts_by_score(
    rules: &Rules,
    monitor: &Monitor,
) -> Result<BTreeMap<i32, BigUint>, SolveError> {
    if rules.forbidden_opening() == rules.board.all() {
        // The only cell is the centre: the first player passes, the second takes it.
        return Ok(BTreeMap::from([(-1, 1u8.into())]));
    }
    let factorials = Factorials::up_to(rules.board.cells());
    let limit = rules.pieces.map_or(usize::MAX, |limit| limit as usize);
    let mut playouts: BTreeMap<i32, BigUint> = BTreeMap::new();
    let mut add = |score: i32, orders: BigUint, boards: u128| {
        if orders != BigUint::ZERO {
            *playouts.entry(score).or_default() += orders * boards;
        }
    };
    for (first_pass, boards) in first_passes(rules, Empties::BesideCloser, monitor)? {
        // A player who has placed all pieces is not stuck by the other's.
        if first_pass.stuck >= limit || first_pass.closer() > limit {
            continue;
        }
        let alone = first_pass.left_over.min(limit - first_pass.closer());
        let orders =
            first_pass.orders(&factorials) * factorials.choices(first_pass.left_over, alone);
        add(first_pass.score(alone), orders, boards);
    }
    if limit <= rules.board.cells() / 2 {
        // Neither player is stuck before all pieces are placed.
        let full = |(first_pass, _): &(FirstPass, u128)| {
            (first_pass.ahead, first_pass.stuck) == (0, limit)
        };
        let all = first_passes(rules, Empties::Anywhere, monitor)?;
        for (first_pass, boards) in all.into_iter().filter(full) {
            add(0, first_pass.orders(&factorials), boards);
        }
    }
    Ok(playouts)
}

/// The sizes of a position at the first pass.
#[derive(Clone, Copy, Debug)]
struct FirstPass {
    /// The closer's pieces minus the stuck player's: 1 if the closer is the first player, otherwise
    /// 0.
    ahead: usize,
    /// The number of the stuck player's pieces.
    stuck: usize,
    /// The number of cells that the closer can still fill.
    left_over: usize,
    /// Whether the first player has a piece on the centre, where the first move is forbidden.
    on_centre: bool,
}

impl FirstPass {
    /// The number of the closer's pieces.
    fn closer(&self) -> usize {
        self.stuck + self.ahead
    }

    /// The number of orders in which the pieces can have been placed.
    fn orders(&self, factorials: &Factorials) -> BigUint {
        // The first player has as many pieces as the closer in either case.
        let first = self.closer();
        let mut openings = factorials.of(first).clone();
        if self.on_centre {
            openings -= factorials.of(first - 1);
        }
        openings * factorials.of(self.stuck)
    }

    /// The final score if the closer fills `alone` more cells.
    fn score(&self, alone: usize) -> i32 {
        if self.ahead == 1 { alone as i32 + 1 } else { -(alone as i32) }
    }
}

/// A table of factorials.
struct Factorials(Vec<BigUint>);

impl Factorials {
    fn up_to(most: usize) -> Factorials {
        let mut all = vec![BigUint::from(1u8)];
        for n in 1..=most {
            all.push(&all[n - 1] * n);
        }
        Factorials(all)
    }

    fn of(&self, n: usize) -> &BigUint {
        &self.0[n]
    }

    /// The number of sequences of `filled` out of `n` cells.
    fn choices(&self, n: usize, filled: usize) -> BigUint {
        self.of(n) / self.of(n - filled)
    }
}

/// The sizes at the first pass, each with the number of boards.
fn first_passes(
    rules: &Rules,
    empties: Empties,
    monitor: &Monitor,
) -> Result<Vec<(FirstPass, u128)>, SolveError> {
    let grid = Grid::new(rules.board.rows(), rules.board.cols(), empties);
    let boards = filled_boards(&grid, grid.cells().div_ceil(2), monitor)?;
    let mut first_passes = Vec::new();
    for (centre, boards) in boards.by_centre() {
        for ahead in [0, 1] {
            let first_there = centre == if ahead == 1 { Filling::Closer } else { Filling::Stuck };
            let on_centre = first_there && rules.forbidden_opening() != 0;
            for (stuck, left_over, count) in boards.counts(ahead) {
                first_passes.push((FirstPass { ahead, stuck, left_over, on_centre }, count));
            }
        }
    }
    Ok(first_passes)
}

/// Counts of whole boards by size and by the filling of the last cell of the upper half, which is
/// the centre if there is one.
struct Boards([Whole; 3]);

impl Boards {
    fn new(cells: usize) -> Boards {
        Boards([(); 3].map(|()| Whole::new(cells)))
    }

    fn with(&mut self, centre: Filling) -> &mut Whole {
        &mut self.0[centre as usize]
    }

    fn by_centre(&self) -> impl Iterator<Item = (Filling, &Whole)> {
        Filling::ALL.into_iter().zip(&self.0)
    }

    fn plus(mut self, other: Boards) -> Boards {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| mine.add(theirs));
        self
    }
}

/// Counts of half-filled boards by frontier, sorted.
type Half = Vec<(Frontier, Sizes)>;

/// Counts the fillings of the first `meeting` cells, forward, and those of the other cells,
/// backward, and joins them.
fn filled_boards(grid: &Grid, meeting: usize, monitor: &Monitor) -> Result<Boards, SolveError> {
    let cells = grid.cells();
    let most = meeting.max(cells - meeting);
    monitor.begin("cells", cells as u64);
    let mut upper: Half = vec![(NOTHING, Sizes::one())];
    for cell in 0..meeting {
        upper = forward(grid, cell, most, &upper, &monitor.holding(bytes_of(&upper)))?;
        monitor.advance(1);
    }
    let monitor = &monitor.holding(bytes_of(&upper));
    let mut frontiers: Vec<Vec<Frontier>> = vec![upper.iter().map(|&(f, _)| f).collect()];
    for cell in meeting..cells - 1 {
        monitor.check()?;
        let found: usize = frontiers.iter().map(Vec::len).sum();
        // Each frontier of the last cell can have three after the next one.
        let listed = found + 2 * Filling::ALL.len() * frontiers[frontiers.len() - 1].len();
        monitor.allow_for((listed * size_of::<Frontier>()) as u64, found as u64, "frontiers")?;
        frontiers.push(after(grid, cell, &frontiers[frontiers.len() - 1]));
    }
    let listed: usize = frontiers.iter().map(Vec::len).sum();
    let monitor = &monitor.holding((listed * size_of::<Frontier>()) as u64);
    let mut lower: Half = vec![(NOTHING, Sizes::one())];
    for (cell, frontiers) in (meeting..cells).zip(frontiers).rev() {
        let monitor = &monitor.holding(bytes_of(&lower));
        lower = backward(grid, cell, most, &frontiers, &lower, monitor)?;
        monitor.advance(1);
    }
    tracing::debug!(frontiers = lower.len(), "halves");
    let none = || Boards::new(cells);
    let joined = parallel::fold(lower.chunks(CHUNK), none, |boards, lower| {
        monitor.check()?;
        for (frontier, lower) in lower {
            if let Some(upper) = find(&upper, *frontier) {
                let centre = grid.latest(*frontier, meeting - 1);
                boards.with(centre).add_products(upper, lower);
            }
        }
        Ok::<_, SolveError>(())
    })?;
    Ok(joined.into_iter().fold(none(), Boards::plus))
}

/// The number of frontiers in a task of a thread.
const CHUNK: usize = 256;

/// The memory of a half, in bytes.
fn bytes_of(half: &Half) -> u64 {
    half.iter().map(|(_, sizes)| bytes_of_frontier(sizes)).sum()
}

/// The memory of a frontier with its sizes, in bytes.
fn bytes_of_frontier(sizes: &Sizes) -> u64 {
    (size_of::<(Frontier, Sizes)>() + sizes.bytes_on_heap()) as u64
}

/// Fills one more cell of the boards in `before`.
fn forward(
    grid: &Grid,
    cell: usize,
    most: usize,
    before: &Half,
    monitor: &Monitor,
) -> Result<Half, SolveError> {
    let fillings = |(index, (frontier, _)): (usize, &(Frontier, Sizes))| {
        let fill = move |filling| {
            let (after, left_over) = grid.fill(*frontier, cell, filling)?;
            Some((after, index, filling, left_over))
        };
        Filling::ALL.map(fill)
    };
    // The list of fillings, and that of their groups.
    let listed =
        (before.len() * Filling::ALL.len() * 2 * size_of::<(Frontier, usize, u64)>()) as u64;
    monitor.allow_for(listed, before.len() as u64, "frontiers")?;
    let monitor = &monitor.holding(listed);
    let mut filled: Vec<_> = before.iter().enumerate().flat_map(fillings).flatten().collect();
    filled.par_sort_unstable_by_key(|&(after, index, filling, _)| (after, index, filling));
    let groups: Vec<_> = filled.chunk_by(|a, b| a.0 == b.0).collect();
    merged(&groups, most, monitor, |sum, group| {
        for &(_, index, filling, left_over) in *group {
            sum.add(&before[index].1, filling, left_over);
        }
        group[0].0
    })
}

/// Prepends a cell to the completions in `after`.
fn backward(
    grid: &Grid,
    cell: usize,
    most: usize,
    frontiers: &[Frontier],
    after: &Half,
    monitor: &Monitor,
) -> Result<Half, SolveError> {
    merged(frontiers, most, monitor, |sum, &before| {
        for filling in Filling::ALL {
            let filled = grid.fill(before, cell, filling);
            let found = filled.and_then(|(next, left_over)| Some((find(after, next)?, left_over)));
            if let Some((sizes, left_over)) = found {
                sum.add(sizes, filling, left_over);
            }
        }
        before
    })
}

/// The frontiers that `add` returns for some items, in their order, with the sizes that it adds for
/// each. Frontiers without sizes are left out.
fn merged<T: Sync>(
    items: &[T],
    most: usize,
    monitor: &Monitor,
    add: impl Fn(&mut Sum, &T) -> Frontier + Sync,
) -> Result<Half, SolveError> {
    let growth = Growth::new(monitor, "frontiers");
    let halves = parallel::try_map_with(
        items.chunks(CHUNK),
        || Sum::new(most),
        |sum, items| {
            monitor.check()?;
            let sizes = items.iter().map(|item| (add(sum, item), sum.take()));
            let half: Half = sizes.filter(|(_, sizes)| !sizes.is_empty()).collect();
            growth.add(bytes_of(&half), half.len() as u64)?;
            Ok::<Half, SolveError>(half)
        },
    )?;
    let mut all = Vec::new();
    all.reserve_exact(halves.iter().map(Vec::len).sum());
    all.extend(halves.into_iter().flatten());
    Ok(all)
}

/// The possible frontiers after a cell.
fn after(grid: &Grid, cell: usize, before: &[Frontier]) -> Vec<Frontier> {
    let fill = |&frontier: &Frontier| {
        Filling::ALL.map(|filling| Some(grid.fill(frontier, cell, filling)?.0))
    };
    let mut after: Vec<Frontier> = before.iter().flat_map(fill).flatten().collect();
    after.par_sort_unstable();
    after.dedup();
    after
}

fn find(half: &Half, frontier: Frontier) -> Option<&Sizes> {
    let index = half.binary_search_by_key(&frontier, |&(known, _)| known).ok()?;
    Some(&half[index].1)
}

#[cfg(test)]
mod tests;

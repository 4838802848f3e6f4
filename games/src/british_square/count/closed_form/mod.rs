//! Playouts counted from how play can end, without following it.
//!
//! Pieces of different players never touch, a cell once lost to a player stays lost, and who
//! passes once passes for good. So a playout is this: both place in turn until one of them is
//! **stuck**; the other, who **closed** the board with the pieces placed so far, then goes on
//! alone and fills every cell that is **left over**. Which cells those are follows from the two
//! sets of pieces at that moment, and every order is legal: `c! s! l!` playouts go through it, for
//! as many closer's pieces, stuck player's pieces and cells left over. Taking turns makes
//! `c = s + 1` where the second player is stuck, and the score is then `l + 1`; it makes `c = s`
//! where the first is stuck, and the score is then `-l`.
//!
//! The two sets are those that do not touch and where every cell outside the stuck player's is
//! the closer's or beside one of them. All of that is local, so how many pairs of sets there are
//! of each size is counted cell by cell with a frontier of one row. Two halves
//! of the board are counted, each with all frontiers between them, and joined.
//!
//! Where the first move may not take the centre, the orders that begin there are left out. The
//! halves meet right after the centre, so the frontier between them knows what is on it. Where
//! pieces are limited the closer may run out of them, and where nobody is stuck before both have,
//! the two sets are any that do not touch.

mod frontier;
mod sizes;

use crate::british_square::rules::Rules;
use bsq_engine::monitor::{Monitor, SolveError};
use frontier::{Empties, Filling, Frontier, Grid, NOTHING};
use num_bigint::BigUint;
use rayon::prelude::*;
use sizes::{Sizes, Sum, Whole};
use std::collections::BTreeMap;

/// For each score in which play can end, in pieces without the bias, how many playouts end in it.
/// For any rules that [are some](Rules::check), on boards of up to 64 cells. Time and memory grow
/// with the shorter side: seconds and a GiB on 8x8.
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
    for (moment, boards) in moments(rules, Empties::BesideCloser, monitor)? {
        // Who has placed all pieces is stuck too, but not by the other's.
        if moment.stuck >= limit || moment.closer() > limit {
            continue;
        }
        let alone = moment.left_over.min(limit - moment.closer());
        let orders = moment.orders(&factorials) * factorials.choices(moment.left_over, alone);
        add(moment.score(alone), orders, boards);
    }
    if limit <= rules.board.cells() / 2 {
        // Nobody is stuck before all pieces are placed.
        let full = |(moment, _): &(Moment, u128)| (moment.ahead, moment.stuck) == (0, limit);
        let all = moments(rules, Empties::Anywhere, monitor)?;
        for (moment, boards) in all.into_iter().filter(full) {
            add(0, moment.orders(&factorials), boards);
        }
    }
    Ok(playouts)
}

/// What counts at the moment when one player cannot place any more.
#[derive(Clone, Copy, Debug)]
struct Moment {
    /// By how many pieces the closer is ahead: 1 if that is the first player, else 0.
    ahead: usize,
    /// The stuck player's pieces.
    stuck: usize,
    /// The cells that the closer can still fill.
    left_over: usize,
    /// Whether one of the first player's pieces is on a centre that may not be the opening.
    on_centre: bool,
}

impl Moment {
    /// The closer's pieces.
    fn closer(&self) -> usize {
        self.stuck + self.ahead
    }

    /// In how many orders play gets there.
    fn orders(&self, factorials: &Factorials) -> BigUint {
        // The first player has as many pieces as the closer, as one or as the other.
        let first = self.closer();
        let mut openings = factorials.of(first).clone();
        if self.on_centre {
            openings -= factorials.of(first - 1);
        }
        openings * factorials.of(self.stuck)
    }

    /// The final score if the closer fills so many cells more.
    fn score(&self, alone: usize) -> i32 {
        if self.ahead == 1 { alone as i32 + 1 } else { -(alone as i32) }
    }
}

/// The factorials of small numbers.
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

    /// In how many orders so many of `n` cells can be filled.
    fn choices(&self, n: usize, filled: usize) -> BigUint {
        self.of(n) / self.of(n - filled)
    }
}

/// Every kind of moment, and how many boards there are at it.
fn moments(
    rules: &Rules,
    empties: Empties,
    monitor: &Monitor,
) -> Result<Vec<(Moment, u128)>, SolveError> {
    let grid = Grid::new(rules.board.rows(), rules.board.cols(), empties);
    let boards = filled_boards(&grid, grid.cells().div_ceil(2), monitor)?;
    let mut moments = Vec::new();
    for (centre, boards) in boards.by_centre() {
        for ahead in [0, 1] {
            let first_there = centre == if ahead == 1 { Filling::Closer } else { Filling::Stuck };
            let on_centre = first_there && rules.forbidden_opening() != 0;
            for (stuck, left_over, count) in boards.counts(ahead) {
                moments.push((Moment { ahead, stuck, left_over, on_centre }, count));
            }
        }
    }
    Ok(moments)
}

/// Whole boards by their sizes and by what is on the latest cell of the upper half, which is the
/// centre where there is one.
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

/// The boards with each frontier, in the order of the frontiers.
type Half = Vec<(Frontier, Sizes)>;

/// Counts the upper half of the board, of `meeting` cells, forward from its first cell, the lower
/// half backward from its last, and joins them.
fn filled_boards(grid: &Grid, meeting: usize, monitor: &Monitor) -> Result<Boards, SolveError> {
    let cells = grid.cells();
    let most = meeting.max(cells - meeting);
    monitor.begin("cells", cells as u64);
    let mut upper: Half = vec![(NOTHING, Sizes::one())];
    for cell in 0..meeting {
        upper = forward(grid, cell, most, &upper, monitor)?;
        monitor.advance(1);
    }
    let mut frontiers: Vec<Vec<Frontier>> = vec![upper.iter().map(|&(f, _)| f).collect()];
    for cell in meeting..cells - 1 {
        monitor.check()?;
        frontiers.push(after(grid, cell, &frontiers[frontiers.len() - 1]));
    }
    let mut lower: Half = vec![(NOTHING, Sizes::one())];
    for (cell, frontiers) in (meeting..cells).zip(frontiers).rev() {
        lower = backward(grid, cell, most, &frontiers, &lower, monitor)?;
        monitor.advance(1);
    }
    tracing::debug!(frontiers = lower.len(), "halves");
    let join = |mut boards: Boards, (frontier, lower): &(Frontier, Sizes)| {
        monitor.check()?;
        if let Some(upper) = find(&upper, *frontier) {
            let centre = grid.latest(*frontier, meeting - 1);
            boards.with(centre).add_products(upper, lower);
        }
        Ok(boards)
    };
    let none = || Boards::new(cells);
    let joined = lower.par_iter().with_min_len(256).try_fold(none, join);
    joined.try_reduce(none, |a, b| Ok(a.plus(b)))
}

/// From the boards up to a cell to those with that cell filled.
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
    let mut filled: Vec<_> = before.iter().enumerate().flat_map(fillings).flatten().collect();
    filled.par_sort_unstable_by_key(|&(after, index, filling, _)| (after, index, filling));
    let groups: Vec<_> = filled.chunk_by(|a, b| a.0 == b.0).collect();
    let sum = |sum: &mut Sum, group: &[(Frontier, usize, Filling, u8)]| {
        monitor.check()?;
        for &(_, index, filling, left_over) in group {
            sum.add(&before[index].1, filling, left_over);
        }
        Ok((group[0].0, sum.take()))
    };
    let groups = groups.into_par_iter().with_min_len(256);
    groups.map_init(|| Sum::new(most), sum).collect()
}

/// From the ways to complete boards after a cell to those before it.
fn backward(
    grid: &Grid,
    cell: usize,
    most: usize,
    frontiers: &[Frontier],
    after: &Half,
    monitor: &Monitor,
) -> Result<Half, SolveError> {
    let complete = |sum: &mut Sum, &before: &Frontier| {
        monitor.check()?;
        for filling in Filling::ALL {
            let filled = grid.fill(before, cell, filling);
            let found = filled.and_then(|(next, left_over)| Some((find(after, next)?, left_over)));
            if let Some((sizes, left_over)) = found {
                sum.add(sizes, filling, left_over);
            }
        }
        Ok((before, sum.take()))
    };
    let all = frontiers.par_iter().with_min_len(256).map_init(|| Sum::new(most), complete);
    let mut all: Half = all.collect::<Result<_, SolveError>>()?;
    all.retain(|(_, sizes)| !sizes.is_empty());
    Ok(all)
}

/// The frontiers that there can be after a cell.
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
mod tests {
    use super::*;
    use crate::british_square::Board;

    /// By lead of the closer, the stuck player's pieces and the cells left over.
    type Counts = BTreeMap<(usize, usize, usize), u128>;

    fn counted(grid: &Grid, meeting: usize) -> Counts {
        let boards = filled_boards(grid, meeting, &Monitor::default()).unwrap();
        let mut counts = Counts::new();
        for (_, boards) in boards.by_centre() {
            for ahead in [0, 1] {
                for (stuck, left_over, count) in boards.counts(ahead) {
                    *counts.entry((ahead, stuck, left_over)).or_default() += count;
                }
            }
        }
        counts
    }

    /// The same by listing all pairs of sets.
    fn listed(board: &Board, empties: Empties) -> Counts {
        let mut counts = Counts::new();
        for closer in 0..=board.all() {
            let near = board.neighbours(closer);
            for stuck in 0..=board.all() {
                let open = board.all() & !(closer | stuck);
                let touching = (closer | near) & stuck != 0;
                let closed = empties == Empties::Anywhere || open & !near == 0;
                let ahead =
                    (closer.count_ones() as usize).wrapping_sub(stuck.count_ones() as usize);
                if touching || !closed || ahead > 1 {
                    continue;
                }
                let left_over = match empties {
                    Empties::BesideCloser => (open & !board.neighbours(stuck)).count_ones(),
                    Empties::Anywhere => 0,
                };
                let sizes = (ahead, stuck.count_ones() as usize, left_over as usize);
                *counts.entry(sizes).or_default() += 1;
            }
        }
        counts
    }

    #[test]
    fn boards_are_as_many_as_listed_wherever_the_halves_meet() {
        for (rows, cols) in [(1, 1), (1, 2), (1, 7), (2, 2), (2, 4), (3, 3), (2, 5)] {
            let board = Board::new(rows, cols).unwrap();
            for empties in [Empties::BesideCloser, Empties::Anywhere] {
                let listed = listed(&board, empties);
                for grid in
                    [Grid::new(rows, cols, empties), Grid::new(rows, cols, empties).turned()]
                {
                    for meeting in 1..=grid.cells() {
                        assert_eq!(counted(&grid, meeting), listed, "{board} {grid:?} {meeting}");
                    }
                }
            }
        }
    }

    /// On boards too large for listing, the frontier along the other side gives the same.
    #[test]
    fn larger_boards_are_as_many_along_either_side() {
        for (rows, cols) in [(3, 8), (4, 6), (5, 6), (6, 6), (5, 7)] {
            let grid = Grid::new(rows, cols, Empties::BesideCloser);
            let half = counted(&grid, grid.cells() / 2);
            assert_eq!(counted(&grid.turned(), grid.cells() / 2 + 3), half, "{rows}x{cols}");
        }
    }
}

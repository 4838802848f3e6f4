//! An upper bound on the number of states of a game, computed without visiting them.
//!
//! A state is, up to symmetry, a pair of sets of cells, one for each player, such that no cell of
//! one set is in or adjacent to the other. If neither player has passed, the sizes of the sets
//! follow from the turn. If a player has passed, the opponent's pieces dominate the rest of the
//! board: every cell outside the player's set is in or adjacent to the opponent's set. Already some
//! of the opponent's pieces, as many as the player had turns, dominate it. The pairs of both kinds
//! are counted exactly by a transfer-matrix method, cell by cell with a frontier of one row.
//! Burnside's lemma converts pairs to states. On 5x5, the bound exceeds the true number by an
//! eighth. The rule about the centre and a limit on pieces only remove states.
//!
//! [`states_without_passes`] counts the states of the first kind exactly, turn by turn.

use crate::british_square::board::{Board, Cells};
use crate::british_square::orbits::binomial;
use crate::british_square::rules::Rules;
use bsq_engine::monitor::{Monitor, SolveError};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The numbers of positions of one turn that play can reach without a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithoutPasses {
    /// The number of positions, images under symmetry counted separately.
    pub positions: u128,
    /// The number of states, images under symmetry counted once.
    pub states: u128,
}

/// Counts the positions and states in which neither player has passed, by turn, the first turn first.
/// The rules must be [valid](Rules::check). Takes half a second on 6x6, several seconds on 7x8, and
/// 0.2 GiB on 8x8.
///
/// # Errors
///
/// If the count takes more memory than the monitor allows, or is stopped.
///
/// ```
/// use bsq_engine::monitor::Monitor;
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::state_bounds::states_without_passes;
///
/// let (rules, monitor) = (Rules::standard(6, 6).unwrap(), Monitor::default());
/// let by_turn = states_without_passes(&rules, &monitor).unwrap();
/// assert_eq!(by_turn[10].states, 499_854_037);
/// ```
pub fn states_without_passes(
    rules: &Rules,
    monitor: &Monitor,
) -> Result<Vec<WithoutPasses>, SolveError> {
    let board = &rules.board;
    let symmetries = board.symmetries();
    monitor.begin("frontiers", 0);
    let fixed = |permutation: &Vec<usize>| pairs(board, permutation, Count::BySizes, monitor);
    let mut images: Vec<_> = symmetries.iter().map(fixed).collect::<Result<_, _>>()?;
    if let Some(centre) = board.centre().filter(|_| !rules.center_allowed) {
        // Subtract the positions in which the first player's only piece is on the centre.
        let elsewhere = board.all() & !board.reach(centre);
        for (fixed, permutation) in images.iter_mut().zip(&symmetries) {
            let stays = |cell: &usize| elsewhere >> cell & 1 == 1 && permutation[*cell] == *cell;
            let replies = (0..board.cells()).filter(stays).count() as u128;
            for (sizes, excluded) in [((1, 0), 1), ((1, 1), replies)] {
                fixed.entry(sizes).and_modify(|count| *count -= excluded);
            }
        }
    }
    let most = rules.pieces.unwrap_or(u32::MAX);
    let counts = (0u32..)
        .map(|placed| (placed.div_ceil(2), placed / 2))
        .take_while(|sizes| sizes.0 <= most)
        .map(|sizes| {
            let by_image = images.iter().map(|fixed| fixed.get(&sizes).copied().unwrap_or(0));
            let states = by_image.sum::<u128>() / images.len() as u128;
            WithoutPasses { positions: images[0].get(&sizes).copied().unwrap_or(0), states }
        })
        .take_while(|count| count.positions > 0)
        .collect();
    Ok(counts)
}

/// An upper bound on the number of states of the game.
///
/// ```
/// use bsq_games::british_square::Board;
/// use bsq_games::british_square::count::state_bounds::states_at_most;
/// let bound = states_at_most(&Board::new(5, 5).unwrap());
/// assert!((8_659_987..10_000_000).contains(&bound));
/// ```
pub fn states_at_most(board: &Board) -> u128 {
    bound_states(board, &Monitor::default()).expect("the count has no limit and is not stopped")
}

/// The same as [`states_at_most`], for boards on which that takes a while.
///
/// # Errors
///
/// As for [`states_without_passes`].
pub fn bound_states(board: &Board, monitor: &Monitor) -> Result<u128, SolveError> {
    let symmetries = board.symmetries();
    monitor.begin("frontiers", 0);
    let mut images = unmerged_states(board, &symmetries[0], monitor)?;
    for permutation in &symmetries[1..] {
        // Either player may be to move in a pair that is its own image.
        let all = pairs(board, permutation, Count::AllTogether, monitor)?;
        images += 2 * all.values().sum::<u128>();
    }
    Ok(images / symmetries.len() as u128 + 1)
}

/// An upper bound on the number of states in which no player has more than `most` pieces: the pairs
/// of disjoint sets of so many cells, with either player to move.
///
/// ```
/// use bsq_games::british_square::Board;
/// use bsq_games::british_square::count::state_bounds::states_of_pieces;
///
/// let board = Board::new(5, 5).unwrap();
/// assert_eq!(states_of_pieces(&board, 1), 2 * (1 + 25 + 25 + 25 * 24));
/// ```
pub fn states_of_pieces(board: &Board, most: u32) -> u128 {
    let cells = board.cells() as u32;
    let choices = |cells: u32| (0..=most.min(cells)).map(move |size| (size, binomial(cells, size)));
    let pairs = choices(cells).map(|(size, sets)| {
        let others = choices(cells - size).map(|(_, sets)| u128::from(sets)).sum::<u128>();
        u128::from(sets) * others
    });
    2 * pairs.sum::<u128>()
}

/// An upper bound on the number of states, images under symmetry counted separately.
fn unmerged_states(
    board: &Board,
    identity: &[usize],
    monitor: &Monitor,
) -> Result<u128, SolveError> {
    let without_pass: u128 = pairs(board, identity, Count::BySizes, monitor)?
        .iter()
        .filter(|((a, b), _)| *a == *b || *a == *b + 1)
        .map(|(_, n)| n)
        .sum();
    let dominated = pairs(board, identity, Count::DominatedBySizes, monitor)?;
    // Pairs in which one player cannot move and the opponent was `ahead` by 0 or 1 pieces on the
    // first pass. The stuck player has at least as many pieces as the smallest domination requires.
    let with_pass = |ahead: u32| -> u128 {
        let stuck = |b: &u32| dominated.contains_key(&(b + ahead, *b));
        let Some(least) = (0..=board.cells() as u32).find(stuck) else { return 0 };
        dominated.iter().filter(|((a, b), _)| *b >= least && *a >= *b + ahead).map(|(_, n)| n).sum()
    };
    // Either player may be to move.
    Ok(without_pass + 2 * (with_pass(1) + with_pass(0)))
}

/// The orbits of the cells under a symmetry, along the shorter side of the board.
fn orbits(board: &Board, permutation: &[usize]) -> Vec<Cells> {
    let (rows, cols) = (board.rows(), board.cols());
    let mut order: Vec<usize> = (0..board.cells()).collect();
    if cols > rows {
        order.sort_by_key(|cell| (cell % cols, cell / cols));
    }
    let mut left = board.all();
    let mut orbits = Vec::new();
    for cell in order {
        let mut orbit: Cells = 0;
        let mut image = cell;
        while left >> image & 1 == 1 {
            left &= !(1 << image);
            orbit |= 1 << image;
            image = permutation[image];
        }
        if orbit != 0 {
            orbits.push(orbit);
        }
    }
    orbits
}

/// The state of the transfer-matrix method: the processed cells that have an unprocessed neighbour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Frontier {
    first: Cells,
    second: Cells,
    /// Empty cells that are not yet adjacent to a piece of the first player.
    waiting: Cells,
}

/// The pairs to count, and their grouping.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    /// All pairs, in one group.
    AllTogether,
    /// All pairs, by the sizes of the two sets.
    BySizes,
    /// The pairs in which every cell outside the second set is in or adjacent to the first, by
    /// sizes.
    DominatedBySizes,
}

/// The number of frontiers between two checks whether to continue.
const CHECKED: usize = 1 << 8;

/// About how many bytes a frontier with its first counts takes, and each further count.
const FRONTIER_BYTES: usize = 360;
const COUNT_BYTES: usize = 44;

/// Counts the pairs of sets that a symmetry fixes and in which no cell of one set is in or adjacent
/// to the other. There are at most 3^64 such pairs.
fn pairs(
    board: &Board,
    permutation: &[usize],
    count: Count,
    monitor: &Monitor,
) -> Result<BTreeMap<(u32, u32), u128>, SolveError> {
    let bytes_of =
        |counts: &BTreeMap<(u32, u32), u128>| FRONTIER_BYTES + COUNT_BYTES * counts.len();
    let dominated = count == Count::DominatedBySizes;
    let mut to_come = board.all();
    let mut frontiers = BTreeMap::from([(Frontier::default(), BTreeMap::from([((0, 0), 1)]))]);
    let orbits = orbits(board, permutation);
    for (number, &here) in (1..).zip(&orbits) {
        monitor.status(&format!("step {number} of {}", orbits.len()));
        to_come &= !here;
        let active = board.neighbours(to_come);
        let beside = board.neighbours(here);
        let cells = if count == Count::AllTogether { 0 } else { here.count_ones() };
        let mut next: BTreeMap<Frontier, BTreeMap<(u32, u32), u128>> = BTreeMap::new();
        let bytes = Cell::new(frontiers.values().map(bytes_of).sum::<usize>());
        let mut add =
            |frontier: Frontier, counts: &BTreeMap<(u32, u32), u128>, gain: (u32, u32)| {
                if frontier.waiting & !active != 0 {
                    return; // A waiting cell has no neighbour left.
                }
                let Frontier { first, second, waiting } = frontier;
                let frontier = Frontier { first: first & active, second: second & active, waiting };
                let sums = next.entry(frontier).or_default();
                let before = if sums.is_empty() { 0 } else { bytes_of(sums) };
                for (&(a, b), count) in counts {
                    *sums.entry((a + gain.0, b + gain.1)).or_default() += count;
                }
                bytes.set(bytes.get() + bytes_of(sums) - before);
            };
        for (at, (frontier, counts)) in frontiers.iter().enumerate() {
            let reached = frontier.first & beside != 0;
            let waits = if dominated && !reached { here } else { 0 };
            add(Frontier { waiting: frontier.waiting | waits, ..*frontier }, counts, (0, 0));
            if frontier.second & beside == 0 {
                let first = frontier.first | here;
                let waiting = frontier.waiting & !beside;
                add(Frontier { first, waiting, ..*frontier }, counts, (cells, 0));
            }
            if !reached {
                add(Frontier { second: frontier.second | here, ..*frontier }, counts, (0, cells));
            }
            if at.is_multiple_of(CHECKED) {
                monitor.check()?;
                monitor.advance(CHECKED.min(frontiers.len() - at) as u64);
                monitor.allow_for(bytes.get() as u64, at as u64 + 1, "frontiers")?;
            }
        }
        frontiers = next;
    }
    Ok(frontiers.into_values().next().unwrap_or_default())
}

#[cfg(test)]
mod tests;

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
use crate::british_square::rules::{Rules, RulesError};
use std::collections::BTreeMap;

/// The numbers of positions of one turn that play can reach without a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithoutPasses {
    /// The number of positions, images under symmetry counted separately.
    pub positions: u128,
    /// The number of states, images under symmetry counted once.
    pub states: u128,
}

/// Counts the positions and states in which neither player has passed, by turn, starting with turn
/// 1. Takes half a second on 6x6 and several seconds on 7x8.
///
/// # Errors
///
/// If the rules are invalid.
///
/// ```
/// use bsq_games::british_square::Rules;
/// use bsq_games::british_square::count::state_bounds::states_without_passes;
/// let by_turn = states_without_passes(&Rules::standard(6, 6).unwrap()).unwrap();
/// assert_eq!(by_turn[10].states, 499_854_037);
/// ```
pub fn states_without_passes(rules: &Rules) -> Result<Vec<WithoutPasses>, RulesError> {
    rules.check()?;
    let board = &rules.board;
    let symmetries = board.symmetries();
    let fixed = |permutation: &Vec<usize>| pairs(board, permutation, Count::BySizes);
    let mut images: Vec<_> = symmetries.iter().map(fixed).collect();
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
    let symmetries = board.symmetries();
    let turned = symmetries.iter().skip(1).map(|permutation| {
        // Either player may be to move in a pair that is its own image.
        2 * pairs(board, permutation, Count::AllTogether).values().sum::<u128>()
    });
    let images = unmerged_states(board, &symmetries[0]) + turned.sum::<u128>();
    images / symmetries.len() as u128 + 1
}

/// An upper bound on the number of states, images under symmetry counted separately.
fn unmerged_states(board: &Board, identity: &[usize]) -> u128 {
    let without_pass: u128 = pairs(board, identity, Count::BySizes)
        .iter()
        .filter(|((a, b), _)| *a == *b || *a == *b + 1)
        .map(|(_, n)| n)
        .sum();
    let dominated = pairs(board, identity, Count::DominatedBySizes);
    // Pairs in which one player cannot move and the opponent was `ahead` by 0 or 1 pieces on the
    // first pass. The stuck player has at least as many pieces as the smallest domination requires.
    let with_pass = |ahead: u32| -> u128 {
        let stuck = |b: &u32| dominated.contains_key(&(b + ahead, *b));
        let Some(least) = (0..=board.cells() as u32).find(stuck) else { return 0 };
        dominated.iter().filter(|((a, b), _)| *b >= least && *a >= *b + ahead).map(|(_, n)| n).sum()
    };
    // Either player may be to move.
    without_pass + 2 * (with_pass(1) + with_pass(0))
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

/// Counts the pairs of sets that a symmetry fixes and in which no cell of one set is in or adjacent
/// to the other. There are at most 3^64 such pairs.
fn pairs(board: &Board, permutation: &[usize], count: Count) -> BTreeMap<(u32, u32), u128> {
    let dominated = count == Count::DominatedBySizes;
    let mut to_come = board.all();
    let mut frontiers = BTreeMap::from([(Frontier::default(), BTreeMap::from([((0, 0), 1)]))]);
    for here in orbits(board, permutation) {
        to_come &= !here;
        let active = board.neighbours(to_come);
        let beside = board.neighbours(here);
        let cells = if count == Count::AllTogether { 0 } else { here.count_ones() };
        let mut next: BTreeMap<Frontier, BTreeMap<(u32, u32), u128>> = BTreeMap::new();
        let mut add =
            |frontier: Frontier, counts: &BTreeMap<(u32, u32), u128>, gain: (u32, u32)| {
                if frontier.waiting & !active != 0 {
                    return; // A waiting cell has no neighbour left.
                }
                let Frontier { first, second, waiting } = frontier;
                let frontier = Frontier { first: first & active, second: second & active, waiting };
                let sums = next.entry(frontier).or_default();
                for (&(a, b), count) in counts {
                    *sums.entry((a + gain.0, b + gain.1)).or_default() += count;
                }
            };
        for (frontier, counts) in &frontiers {
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
        }
        frontiers = next;
    }
    frontiers.into_values().next().unwrap_or_default()
}

#[cfg(test)]
mod tests;

//! How many states a game can have at most, from its rules, before a single one is visited.
//!
//! A state is a pair of sets of cells, one for each player, no cell of one in or beside the
//! other, up to symmetry. Either nobody has passed, and the sets differ in size as taking turns
//! makes them. Or one player is stuck for good: then the other's pieces dominate the board,
//! every empty cell is beside one of them, and already as many of them as the stuck player had
//! turns can do that. The pairs of each kind are counted exactly, cell by cell with a frontier
//! of one row, and Burnside's lemma, with an upper bound for the positions that are their own
//! image, turns pairs into states. On 5x5 the bound is an eighth above the truth. The centre
//! rule and a limit on pieces only take states away.

use super::board::{Board, Cells};
use std::collections::BTreeMap;

/// An upper bound on the number of states of the game on a board of at most 32 cells.
///
/// ```
/// use bsq_engine::game::british_square::{Board, capacity::states_at_most};
/// let bound = states_at_most(&Board::new(5, 5).unwrap());
/// assert!((8_659_987..10_000_000).contains(&bound));
/// ```
pub fn states_at_most(board: &Board) -> u64 {
    let symmetries = board.symmetries();
    let turned = symmetries.iter().skip(1).map(|permutation| {
        // A pair that is its own image is known by its cells in one representative of each
        // orbit, and is a state with one or the other to move.
        let stands_for_orbit = |&cell: &usize| orbit_minimum(permutation, cell) == cell;
        let cells = (0..board.cells()).filter(stands_for_orbit).fold(0, |set, c| set | 1 << c);
        2 * pairs(board, cells, Count::AllTogether).values().sum::<u64>()
    });
    let images = unmerged_states(board) + turned.sum::<u64>();
    images / symmetries.len() as u64 + 1
}

/// States when no two are taken as one, a few of them counted twice.
fn unmerged_states(board: &Board) -> u64 {
    let without_pass = pairs(board, board.all(), Count::BySizes);
    let without_pass = without_pass.iter().filter(|((a, b), _)| *a == *b || *a == *b + 1);
    let dominated = pairs(board, board.all(), Count::DominatedBySizes);
    // Pairs of a player who is stuck and one who was `ahead` by a piece or none when that
    // began: the stuck player's pieces are at least as many as domination by that few allows.
    let with_pass = |ahead: u32| -> u64 {
        let stuck = |b: &u32| dominated.contains_key(&(b + ahead, *b));
        let Some(least) = (0..=board.cells() as u32).find(stuck) else { return 0 };
        let counted = dominated.iter().filter(|((a, b), _)| *b >= least && *a >= *b + ahead);
        counted.map(|(_, n)| n).sum()
    };
    // Either player may be to move while one is stuck.
    without_pass.map(|(_, n)| n).sum::<u64>() + 2 * (with_pass(1) + with_pass(0))
}

fn orbit_minimum(permutation: &[usize], cell: usize) -> usize {
    let orbit = std::iter::successors(Some(permutation[cell]), |&image| {
        (image != cell).then(|| permutation[image])
    });
    orbit.min().unwrap_or(cell)
}

/// What later cells need to know of the earlier ones: those with a neighbour to come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Frontier {
    first: Cells,
    second: Cells,
    /// Empty and not yet beside a first player's piece.
    waiting: Cells,
}

/// Which pairs to count, and how.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    /// All pairs, as if of sizes 0 and 0.
    AllTogether,
    /// All pairs, by their sizes.
    BySizes,
    /// By their sizes, those where every cell outside the second set is in or beside the first.
    DominatedBySizes,
}

/// How many pairs of sets within `cells` there are, no cell of one in or beside the other.
fn pairs(board: &Board, cells: Cells, count: Count) -> BTreeMap<(u32, u32), u64> {
    let dominated = count == Count::DominatedBySizes;
    let one = u32::from(count != Count::AllTogether);
    let (rows, cols) = (board.rows(), board.cols());
    let mut order: Vec<usize> = (0..board.cells()).collect();
    if cols > rows {
        order.sort_by_key(|cell| (cell % cols, cell / cols)); // the frontier is the short side
    }
    let mut to_come = board.all();
    let mut frontiers = BTreeMap::from([(Frontier::default(), BTreeMap::from([((0, 0), 1)]))]);
    for cell in order {
        to_come &= !(1 << cell);
        let active = board.neighbours(to_come);
        let beside = board.neighbours(1 << cell);
        let mut next: BTreeMap<Frontier, BTreeMap<(u32, u32), u64>> = BTreeMap::new();
        let mut add = |frontier: Frontier, counts: &BTreeMap<(u32, u32), u64>, gain: (u32, u32)| {
            if frontier.waiting & !active != 0 {
                return; // nothing can reach it any more
            }
            let Frontier { first, second, waiting } = frontier;
            let frontier = Frontier { first: first & active, second: second & active, waiting };
            let sums = next.entry(frontier).or_default();
            for (&(a, b), count) in counts {
                *sums.entry((a + gain.0, b + gain.1)).or_default() += count;
            }
        };
        for (frontier, counts) in &frontiers {
            let here = 1 << cell;
            let reached = frontier.first & beside != 0;
            let waits = if dominated && !reached { here } else { 0 };
            add(Frontier { waiting: frontier.waiting | waits, ..*frontier }, counts, (0, 0));
            if cells & here == 0 {
                continue;
            }
            if frontier.second & beside == 0 {
                let first = frontier.first | here;
                let waiting = frontier.waiting & !beside;
                add(Frontier { first, waiting, ..*frontier }, counts, (one, 0));
            }
            if !reached {
                add(Frontier { second: frontier.second | here, ..*frontier }, counts, (0, one));
            }
        }
        frontiers = next;
    }
    frontiers.into_values().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by listing all pairs of sets.
    fn listed(board: &Board, dominated: bool) -> BTreeMap<(u32, u32), u64> {
        let mut counts = BTreeMap::new();
        for first in 0..=board.all() {
            for second in 0..=board.all() {
                let reach = first | board.neighbours(first);
                if second & reach == 0 && (!dominated || (reach | second) == board.all()) {
                    *counts.entry((first.count_ones(), second.count_ones())).or_default() += 1;
                }
            }
        }
        counts
    }

    #[test]
    fn counts_agree_with_listing_on_small_boards() {
        for (rows, cols) in [(1, 1), (1, 6), (5, 1), (2, 3), (3, 3), (4, 2)] {
            let board = Board::new(rows, cols).unwrap();
            for (what, dominated) in [(Count::BySizes, false), (Count::DominatedBySizes, true)] {
                let counted = pairs(&board, board.all(), what);
                assert_eq!(counted, listed(&board, dominated), "{board} {dominated}");
            }
            let all = listed(&board, false).into_values().sum();
            let together = pairs(&board, board.all(), Count::AllTogether);
            assert_eq!(together, BTreeMap::from([((0, 0), all)]), "{board}");
        }
    }

    #[test]
    fn orbits_have_one_representative() {
        let diagonal = &Board::new(5, 5).unwrap().symmetries()[4];
        let kept = (0..25).filter(|&cell| orbit_minimum(diagonal, cell) == cell).count();
        assert_eq!(kept, 15); // ten pairs and the five cells on the diagonal
    }
}

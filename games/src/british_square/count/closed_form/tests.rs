use super::*;
use crate::british_square::Board;

/// By the closer's lead, the stuck player's pieces and the cells left over.
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

/// The same numbers, by enumerating all pairs of sets.
fn listed(board: &Board, empties: Empties) -> Counts {
    let mut counts = Counts::new();
    for closer in 0..=board.all() {
        let near = board.neighbours(closer);
        for stuck in 0..=board.all() {
            let open = board.all() & !(closer | stuck);
            let touching = (closer | near) & stuck != 0;
            let closed = empties == Empties::Anywhere || open & !near == 0;
            let ahead = (closer.count_ones() as usize).wrapping_sub(stuck.count_ones() as usize);
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
            for grid in [Grid::new(rows, cols, empties), Grid::new(rows, cols, empties).turned()] {
                for meeting in 1..=grid.cells() {
                    assert_eq!(counted(&grid, meeting), listed, "{board} {grid:?} {meeting}");
                }
            }
        }
    }
}

/// On boards too large to enumerate, compares frontiers along either side.
#[test]
fn larger_boards_are_as_many_along_either_side() {
    for (rows, cols) in [(3, 8), (4, 6), (5, 6), (6, 6), (5, 7)] {
        let grid = Grid::new(rows, cols, Empties::BesideCloser);
        let half = counted(&grid, grid.cells() / 2);
        assert_eq!(counted(&grid.turned(), grid.cells() / 2 + 3), half, "{rows}x{cols}");
    }
}

//! Features of the cells that the next move could close: the numbers of the opponent's cells within
//! reach of a cell.

use super::Measure::{NextMove, Territory};
use super::OpenCells;
use crate::british_square::cells_of;

features! {
    "opponent-best-claim": ReadAhead, "cells that the opponent's largest claim would take from you"
        => Territory(|open| open.turned().largest_claim());
    "own-best-claim": ReadAhead, "cells that your largest claim would take if it were your turn"
        => Territory(|open| open.largest_claim());
    "opponent-second-claim": ReadAhead,
        "the opponent's second-largest claim, as large as the largest if two are"
        => Territory(|open| own_second(&open.turned()));
    "own-second-claim": ReadAhead, "your second-largest claim, as large as the largest if two are"
        => Territory(own_second);
    "own-next-free": ReadAhead,
        "your free cells less the opponent's, if you could take another cell in conflict"
        => NextMove(|open| {
            let conflicting = open.own & open.reached(open.opponent);
            let twice = cells_of(conflicting).map(|cell| open.after_own(cell).free_difference());
            twice.max().unwrap_or_else(|| open.free_difference())
        });
}

fn own_second(open: &OpenCells) -> i32 {
    let claims = open.by_conflicts().into_iter().enumerate().rev();
    let mut each = claims.flat_map(|(claim, cells)| std::iter::repeat_n(claim, cells as usize));
    each.nth(1).unwrap_or(0) as i32
}

//! Features of the cells that the next move could close: the numbers of the opponent's cells within
//! reach of a cell.

use super::Measure::{NextMove, Territory};
use super::{OpenCells, count};
use crate::british_square::cells_of;

features! {
    "opponent-best-claim": ReadAhead, "cells that the opponent's largest claim would take from you"
        => Territory(|open| best(&open.turned()));
    "own-best-claim": ReadAhead, "cells that your largest claim would take if it were your turn"
        => Territory(best);
    "opponent-second-claim": ReadAhead,
        "the opponent's second-largest claim, as large as the largest if two are"
        => Territory(|open| second(&open.turned()));
    "own-second-claim": ReadAhead, "your second-largest claim, as large as the largest if two are"
        => Territory(second);
    "own-next-free": ReadAhead,
        "your free cells less the opponent's, if you could take another cell in conflict"
        => NextMove(|open| {
            let next = cells_of(open.conflicting());
            let twice = next.map(|cell| open.after_own(cell).free_difference());
            twice.max().unwrap_or_else(|| open.free_difference())
        });
}

/// The largest number of the opponent's cells that an own cell closes.
fn best(open: &OpenCells) -> i32 {
    open.claims.highest(open.own).0
}

/// The second-largest number.
fn second(open: &OpenCells) -> i32 {
    let (best, cells) = open.claims.highest(open.own);
    if count(cells) > 1 { best } else { open.claims.highest(open.own & !cells).0 }
}

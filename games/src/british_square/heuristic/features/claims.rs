//! Features of the cells that the next move could close: the numbers of the opponent's cells within
//! reach of a cell.

use super::Effort::ReadAhead;
use super::Measure::{NextMove, Territory};
use super::{Feature, OpenCells};
use crate::british_square::cells_of;

pub static FEATURES: &[Feature] = &[
    Feature {
        name: "opponent-best-claim",
        summary: "cells that the opponent's largest claim would take from you",
        effort: ReadAhead,
        measure: Territory(|open| open.turned().largest_claim()),
    },
    Feature {
        name: "own-best-claim",
        summary: "cells that your largest claim would take if it were your turn",
        effort: ReadAhead,
        measure: Territory(|open| open.largest_claim()),
    },
    Feature {
        name: "opponent-second-claim",
        summary: "the opponent's second-largest claim, as large as the largest if two are",
        effort: ReadAhead,
        measure: Territory(|open| own_second(&open.turned())),
    },
    Feature {
        name: "own-second-claim",
        summary: "your second-largest claim, as large as the largest if two are",
        effort: ReadAhead,
        measure: Territory(own_second),
    },
    Feature {
        name: "own-next-free",
        summary: "your free cells less the opponent's, if you could take another cell in conflict",
        effort: ReadAhead,
        measure: NextMove(|open| {
            let conflicting = open.own & open.reached(open.opponent);
            let twice = cells_of(conflicting).map(|cell| open.after_own(cell).free_difference());
            twice.max().unwrap_or_else(|| open.free_difference())
        }),
    },
];

fn own_second(open: &OpenCells) -> i32 {
    let claims = open.by_conflicts().into_iter().enumerate().rev();
    let mut each = claims.flat_map(|(claim, cells)| std::iter::repeat_n(claim, cells as usize));
    each.nth(1).unwrap_or(0) as i32
}

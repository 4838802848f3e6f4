//! Features of the conflicts between the cells of the two players.
//!
//! A cell that one player may use and a cell that the opponent may use **conflict** if they are
//! equal or adjacent: a piece on one of them closes the other. A **region** is a connected
//! component of the graph of conflicts; regions do not affect each other.

use super::Measure::{NextMove, Territory};
use super::{Numbers, OpenCells, count, highest};
use crate::british_square::{Cells, cells_of};

/// The largest number of conflicts of a cell: with itself and its neighbours.
const MOST_CONFLICTS: i32 = 5;
/// The points of a free cell in `chances`. Any other cell shares them with the cells that it
/// conflicts with.
const CHANCE: i32 = 60;

features! {
    "conflicts": Count, "pairs of a cell of yours and one of the opponent's that exclude each other"
        => Territory(|open| open.claims.sum(open.own));
    "own-single": Weigh, "cells of yours that conflict with a single cell of the opponent's"
        => Territory(|open| with_conflicts(open, 1));
    "opponent-single": Weigh, "cells of the opponent's that conflict with a single cell of yours"
        => Territory(|open| with_conflicts(&open.turned(), 1));
    "own-double": Weigh, "cells of yours that conflict with two cells of the opponent's"
        => Territory(|open| with_conflicts(open, 2));
    "opponent-double": Weigh, "cells of the opponent's that conflict with two cells of yours"
        => Territory(|open| with_conflicts(&open.turned(), 2));
    "own-triple": Weigh, "cells of yours that conflict with three cells of the opponent's"
        => Territory(|open| with_conflicts(open, 3));
    "opponent-triple": Weigh, "cells of the opponent's that conflict with three cells of yours"
        => Territory(|open| with_conflicts(&open.turned(), 3));
    "own-quadruple": Weigh, "cells of yours that conflict with four cells of the opponent's"
        => Territory(|open| with_conflicts(open, 4));
    "opponent-quadruple": Weigh, "cells of the opponent's that conflict with four cells of yours"
        => Territory(|open| with_conflicts(&open.turned(), 4));
    "chances": Weigh,
        "60 points for each cell of yours, shared with the cells it conflicts with, less \
        the opponent's points"
        => Territory(|open| chances(open) - chances(&open.turned()));
    "unsettled": Count,
        "cells that either of you can use and the other can still take, each counted once"
        => Territory(unsettled);
    "left-unsettled": ReadAhead,
        "the most cells that can be unsettled after any one move of the opponent's"
        => NextMove(|open| highest(open.opponent, |cell| unsettled(&open.after_reply(cell))));
    "regions": Count, "separate regions that are still in conflict"
        => Territory(|open| regions(open).count() as i32);
    "odd-regions": Count, "1 if the number of regions is odd, else 0"
        => Territory(|open| regions(open).count() as i32 & 1);
    "largest-region": Count, "cells of both players in the largest region, shared ones twice"
        => Territory(|open| {
            regions(open)
                .map(|region| count(region.own) + count(region.opponent))
                .max()
                .unwrap_or(0)
        });
    "own-best-cut": Weigh,
        "the most conflicts that cells within reach of one of your cells have, added up"
        => Territory(best_cut);
    "opponent-best-cut": Weigh, "the same for the opponent's cells"
        => Territory(|open| best_cut(&open.turned()));
    "alternation": Weigh,
        "heat of the hottest region, less that of the next, plus the third, and so on; \
        heat: your largest claim there and the opponent's, added"
        => Territory(alternation);
    "claims-difference": Weigh, "your largest claim in each region, added up, less the opponent's"
        => Territory(|open| best_claims(open).map(|[own, opponent]| own - opponent).sum());
    "own-best-gain": ReadAhead,
        "cells that your best next move would take from the opponent or set free for you"
        => NextMove(best_gain);
    "own-most-freed": ReadAhead, "cells that your next move could set free for you, at most"
        => NextMove(|open| highest(open.conflicting(), |cell| freed(open, cell)));
    "gains-difference": ReadAhead,
        "your best gain in each region, added up, less the opponent's; gain: cells that a \
        next move takes from the other player or sets free"
        => NextMove(|open| {
            regions(open).map(|region| best_gain(&region) - best_gain(&region.turned())).sum()
        });
}

/// The number of own cells that a move makes free.
fn freed(open: &OpenCells, cell: usize) -> i32 {
    let threatened = open.reached(open.opponent & !open.reach[cell]);
    count(open.own & !(1 << cell) & !threatened) - count(open.free())
}

fn best_gain(open: &OpenCells) -> i32 {
    highest(open.conflicting(), |cell| open.claims.of(cell) + freed(open, cell))
}

/// The number of own cells that conflict with the given number of the opponent's cells.
fn with_conflicts(open: &OpenCells, conflicts: i32) -> i32 {
    open.claims.count_of(conflicts, open.own)
}

fn unsettled(open: &OpenCells) -> i32 {
    count(open.conflicting() | open.turned().conflicting())
}

fn chances(open: &OpenCells) -> i32 {
    (0..=MOST_CONFLICTS)
        .map(|conflicts| open.claims.count_of(conflicts, open.own) * (CHANCE / (1 + conflicts)))
        .sum()
}

/// The largest total number of conflicts of the opponent's cells that one own piece closes. These
/// are at most five cells with five conflicts each.
fn best_cut(open: &OpenCells) -> i32 {
    let mut conflicts = Numbers { digits: [0; 5] };
    for (place, digit) in open.opponent_claims.digits.into_iter().enumerate() {
        conflicts.add(Numbers::within_reach(open.board, digit & open.opponent), place);
    }
    conflicts.highest(open.conflicting()).0
}

/// The largest claims of the player and of the opponent in each region.
fn best_claims(open: &OpenCells) -> impl Iterator<Item = [i32; 2]> {
    regions(open).map(|region| {
        [region.claims.highest(region.own).0, region.opponent_claims.highest(region.opponent).0]
    })
}

fn alternation(open: &OpenCells) -> i32 {
    // Two regions of the same heat cancel out, so only the heats that occur an odd number of times
    // matter.
    let mut heats: u64 = 0;
    for [own, opponent] in best_claims(open) {
        heats ^= 1 << (own + opponent);
    }
    let mut sum = 0;
    for heat in cells_of(heats) {
        sum = heat as i32 - sum;
    }
    sum
}

/// Returns the regions, each with only its own usable cells. Cells in different regions do not
/// conflict, so the claims of a region's cells are those on the whole board.
fn regions<'a>(open: &OpenCells<'a>) -> impl Iterator<Item = OpenCells<'a>> {
    let open = *open;
    let mut rest = open.conflicting();
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let mut own: Cells = rest & rest.wrapping_neg();
        let mut opponent = 0;
        loop {
            let touched = open.opponent & open.reached(own);
            let grown = own | open.own & open.reached(touched);
            if (grown, touched) == (own, opponent) {
                break;
            }
            (own, opponent) = (grown, touched);
        }
        rest &= !own;
        Some(OpenCells { own, opponent, ..open })
    })
}

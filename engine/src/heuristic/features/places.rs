//! Features of where a tile lies, and of the pieces around it.

use super::Effort::Look;
use super::Measure::{Place, Position};
use super::{Feature, count};
use crate::game::british_square::Board;

pub const FEATURES: &[Feature] = &[
    Feature {
        name: "centre-distance",
        summary: "how far the tile is from the centre of the board: twice the distance, squared",
        effort: Look,
        measure: Place(|decision, cell| centre_distance(decision.board, cell)),
    },
    Feature {
        name: "edge",
        summary: "sides of the board that the tile touches: 0, 1, or 2 in a corner",
        effort: Look,
        measure: Place(|decision, cell| edges(decision.board, cell)),
    },
    Feature {
        name: "mirror",
        summary: "1 if the tile opposite, through the centre, is the opponent's, else 0",
        effort: Look,
        measure: Place(|decision, cell| {
            (decision.opponent >> decision.board.opposite(cell) & 1) as i32
        }),
    },
    Feature {
        name: "own-neighbours",
        summary: "your own pieces that share a side with the tile",
        effort: Look,
        measure: Place(|decision, cell| count(decision.reach[cell] & decision.own)),
    },
    Feature {
        name: "turn",
        summary: "number of the turn, from 1",
        effort: Look,
        measure: Position(|decision| decision.turn as i32),
    },
];

/// The square of twice the distance, which is an integer on every board.
fn centre_distance(board: &Board, cell: usize) -> i32 {
    let doubled = |at: usize, side: usize| 2 * at as i32 - (side as i32 - 1);
    let down = doubled(cell / board.cols(), board.rows());
    let right = doubled(cell % board.cols(), board.cols());
    down * down + right * right
}

fn edges(board: &Board, cell: usize) -> i32 {
    let (row, col) = (cell / board.cols(), cell % board.cols());
    let touched = [row == 0, row + 1 == board.rows(), col == 0, col + 1 == board.cols()];
    touched.into_iter().filter(|&touched| touched).count() as i32
}

//! Features of the location of a tile, and of the pieces around it.

use super::Measure::{Place, Position};
use super::{count, highest};
use crate::british_square::{Board, cells_of};

features! {
    "centre-distance": Look,
        "how far the tile is from the centre of the board: twice the distance, squared"
        => Place(|decision, cell| {
            let [down, right] = from_centre(decision.board, cell);
            down * down + right * right
        });
    "ring": Look, "twice the number of rows or columns, whichever is more, to the centre"
        => Place(|decision, cell| {
            let [down, right] = from_centre(decision.board, cell);
            down.max(right)
        });
    "off-colour": Look, "0 on the corners' colour of a chessboard pattern with odd sides, else 1"
        => Place(|decision, cell| {
            let [down, right] = from_centre(decision.board, cell);
            (down + right) / 2 % 2
        });
    "edge": Look, "sides of the board that the tile touches: 0, 1, or 2 in a corner"
        => Place(|decision, cell| edges(decision.board, cell));
    "mirror": Look, "1 if the tile opposite, through the centre, is the opponent's, else 0"
        => Place(|decision, cell| {
            (decision.opponent >> decision.board.opposite(cell) & 1) as i32
        });
    "own-neighbours": Look, "your own pieces that share a side with the tile"
        => Place(|decision, cell| count(decision.reach[cell] & decision.own));
    "own-farthest": Look,
        "distance, squared, from the tile to the farthest piece of yours; 0 without any"
        => Place(|decision, cell| {
            highest(decision.own, |piece| distance(decision.board, cell, piece))
        });
    "opponent-in-line": Look, "pieces of the opponent in the row and in the column of the tile"
        => Place(|decision, cell| {
            let cols = decision.board.cols();
            let in_line =
                |&piece: &usize| piece / cols == cell / cols || piece % cols == cell % cols;
            cells_of(decision.opponent).filter(in_line).count() as i32
        });
    "mirrored": Look, "1 if your pieces are the opponent's, mirrored through the centre, else 0"
        => Position(|decision| {
            let opposite = |cell| 1 << decision.board.opposite(cell);
            let mirrored = cells_of(decision.opponent).fold(0, |set, cell| set | opposite(cell));
            i32::from(decision.own == mirrored)
        });
    "turn": Look, "number of the turn, from 1" => Position(|decision| decision.turn as i32);
}

/// The distances in rows and in columns between a tile and the centre, doubled to be integers.
fn from_centre(board: &Board, cell: usize) -> [i32; 2] {
    let doubled = |at: usize, side: usize| (2 * at as i32 - (side as i32 - 1)).abs();
    [doubled(cell / board.cols(), board.rows()), doubled(cell % board.cols(), board.cols())]
}

/// The square of the Euclidean distance between two tiles.
fn distance(board: &Board, a: usize, b: usize) -> i32 {
    let apart = |a: usize, b: usize| a.abs_diff(b).pow(2) as i32;
    apart(a / board.cols(), b / board.cols()) + apart(a % board.cols(), b % board.cols())
}

fn edges(board: &Board, cell: usize) -> i32 {
    let (row, col) = (cell / board.cols(), cell % board.cols());
    let touched = [row == 0, row + 1 == board.rows(), col == 0, col + 1 == board.cols()];
    touched.into_iter().filter(|&touched| touched).count() as i32
}

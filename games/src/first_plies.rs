//! The stored scores of first plies.
//!
//! A table has every position of the first plies of some boards, one of each class under symmetry, on which a
//! search from the start takes long. `analyses/first_plies.py` computes it by search.

use bsq_engine::record::{GameRecord, Recorded, values_of};

/// The positions of a board under its standard rules in a table, with the first player's points minus the
/// second player's at the end under perfect play.
///
/// The columns of the table are the rows and the columns of the board, the moves from the start, and the
/// score.
pub fn first_plies<R: Recorded>(table: &str, standard: &R) -> Vec<(R::Position, i32)> {
    let rules = values_of(standard);
    let board = rules.get("board").and_then(Option::as_deref);
    let mut stored = Vec::new();
    for row in csv::Reader::from_reader(table.as_bytes()).records() {
        let row = row.expect("the table is valid");
        let [rows, cols, moves, score] = [0, 1, 2, 3].map(|column| &row[column]);
        if Some(&*format!("{rows}x{cols}")) == board {
            let mut played = GameRecord::new(standard.clone());
            played.play_all(moves).expect("stored moves are legal");
            stored.push((played.position().clone(), score.parse().expect("scores are integers")));
        }
    }
    stored
}

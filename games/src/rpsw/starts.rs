//! The stored values of the starts of the standard game, with each arrangement of the pieces.

use super::{Move, Piece, Placement, Position, Rules, Square};
use bsq_engine::game::{Notation, Player, Value};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A copy of `results/rpsw-arrangements.csv`. Its columns are the pieces of the first player and of the
/// second, from column a on, the class under symmetry, the result for the first player, the number of plies
/// until the win, and the best moves.
const TABLE: &str = include_str!("starts.csv");

/// A start with its value.
pub struct Start {
    /// The value.
    pub value: Value,
    /// The best moves. The values of the others are not stored.
    pub best: Vec<Move>,
}

/// The value of a position of the standard game, if it is a start.
pub fn of(position: &Position) -> Option<&'static Start> {
    static STARTS: LazyLock<HashMap<Position, Start>> = LazyLock::new(all);
    STARTS.get(position)
}

fn all() -> HashMap<Position, Start> {
    let rules = Rules::standard();
    let mut starts = HashMap::new();
    for row in csv::Reader::from_reader(TABLE.as_bytes()).records() {
        let row = row.expect("the table is valid");
        let [first, second, _, result, plies, best] = [0, 1, 2, 3, 4, 5].map(|column| &row[column]);
        let position = Position { pieces: [placed(first), placed(second)], to_move: Player::First };
        let plies = plies.parse().expect("plies are integers");
        let value = match result {
            "won" => Value::win(Player::First, plies),
            "lost" => Value::win(Player::Second, plies),
            _ => Value::DRAW,
        };
        let best = best.split(' ').map(|mv| rules.parse_move(&position, mv));
        let best = best.collect::<Result<_, _>>().expect("stored moves are legal");
        starts.insert(position, Start { value, best });
    }
    starts
}

/// The squares of the kinds in letters such as `RPSW`, on the home row of their player.
fn placed(letters: &str) -> Placement {
    Piece::ALL.map(|kind| {
        let letter = kind.name()[..1].to_ascii_uppercase();
        letters.find(&letter).map(|at| at as Square)
    })
}

//! Game records.
//!
//! ```text
//! game: rock-paper-scissors-well
//! board: 6x4
//! pieces: 4
//! total: 7
//! takes: R:S,P:RW,S:P,W:RS
//! start: rps./..../..../..../..../RPSW first
//! moves: b1b2 c6c5
//! ```

use super::illegal::MoveError;
use super::rules::{Move, Position, Rules};
use crate::rectangle;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::{RecordFormat, Recorded};
use std::sync::LazyLock;

/// The captures of the standard rules.
const TAKES: &str = "R:S,P:RW,S:P,W:RS";

/// A game record of rock-paper-scissors-well.
pub type GameRecord = bsq_engine::record::GameRecord<Rules>;

impl Recorded for Rules {
    type MoveError = MoveError;

    fn format(&self) -> &RecordFormat {
        static FORMAT: LazyLock<RecordFormat> = LazyLock::new(|| {
            let options = [
                RuleOption::new(
                    "board",
                    OptionKind::Board,
                    Some("6x4"),
                    "Rows x columns of the board: 3 to 6 rows, 1 to 4 columns",
                ),
                RuleOption::new(
                    "pieces",
                    OptionKind::Integer { least: 1, most: 4 },
                    Some("4"),
                    "The most pieces of a player",
                ),
                RuleOption::new(
                    "total",
                    OptionKind::Integer { least: 2, most: 8 },
                    None,
                    "The most pieces of both players",
                ),
                RuleOption::new(
                    "takes",
                    OptionKind::Text { form: TAKES.into() },
                    Some(TAKES),
                    "The kinds that each kind captures",
                ),
            ];
            RecordFormat::new("rock-paper-scissors-well", options, "moves: b1b2 c6c5", 12)
        });
        &FORMAT
    }

    fn illegal_move(&self, position: &Position, mv: Move) -> MoveError {
        Rules::illegal_move(self, position, mv)
    }

    fn entries(&self) -> Vec<(&str, String)> {
        let mut entries = vec![("board", board(self)), ("pieces", self.pieces().to_string())];
        if self.total() < 2 * self.pieces() {
            entries.push(("total", self.total().to_string()));
        }
        if self.capture_table() != Rules::standard().capture_table() {
            entries.push(("takes", self.format_takes()));
        }
        entries
    }

    fn set_rule(&mut self, name: &str, value: &str) -> Result<(), String> {
        let rules = self.clone();
        let number = || value.parse().map_err(|_| format!("'{value}' is not a positive integer"));
        *self = match name {
            "board" => rectangle::parse(
                value,
                |rows, cols| rules.on_board(cols, rows).map_err(|error| error.to_string()),
                |text| format!("'{text}' is not a board; write rows x columns, such as 6x4"),
            )?,
            "pieces" => rules.with_pieces(number()?).map_err(|error| error.to_string())?,
            "total" => rules.with_total(number()?).map_err(|error| error.to_string())?,
            _ => rules.with_takes_of(value).map_err(|error| error.to_string())?,
        };
        Ok(())
    }
}

/// The size of the board, rows x columns.
fn board(rules: &Rules) -> String {
    format!("{}x{}", rules.board().rows(), rules.board().cols())
}

//! Game records.
//!
//! ```text
//! game: rock-paper-scissors-well
//! board: 4x6
//! pieces: 4
//! total: 7
//! takes: R:S,P:RW,S:P,W:RS
//! start: rps./..../..../..../..../RPSW first
//! moves: b1b2 c6c5
//! ```

use super::illegal::MoveError;
use super::rules::{Move, Position, Rules};
use bsq_engine::record::{RecordFormat, Recorded};

/// A game record of rock-paper-scissors-well.
pub type GameRecord = bsq_engine::record::GameRecord<Rules>;

/// A record with rules other than the given ones is an error, since a tablebase has one set of
/// rules.
impl Recorded for Rules {
    type MoveError = MoveError;
    const FORMAT: RecordFormat = RecordFormat {
        game: "rock-paper-scissors-well",
        names: &["game", "board", "pieces", "total", "takes", "start", "moves"],
        example: "moves: b1b2 c6c5",
        moves_per_line: 12,
    };

    fn try_play(&self, position: &Position, mv: Move) -> Result<Position, MoveError> {
        Rules::try_play(self, position, mv)
    }

    fn entries(&self) -> Vec<(&'static str, String)> {
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
        let known = match name {
            "board" => board(self),
            "pieces" => self.pieces().to_string(),
            "total" => self.total().to_string(),
            _ => self.format_takes(),
        };
        match value.eq_ignore_ascii_case(&known) {
            true => Ok(()),
            false => Err(format!("'{value}' is not what is played here: {known}")),
        }
    }
}

/// The size of the board, columns x rows.
fn board(rules: &Rules) -> String {
    format!("{}x{}", rules.board().cols(), rules.board().rows())
}

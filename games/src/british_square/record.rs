//! The text form of game records.
//!
//! ```text
//! game: British Square
//! board: 5x5
//! center allowed: yes
//! bias: 2
//! pieces: 9
//! start: ...../.X.../...../...O./..... X
//! moves: 7 19 9 pass
//! ```

use super::board::Board;
use super::notation::{ParseError, words};
use super::rules::{MAX_BIAS, Move, Position, Rules};
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::{RecordFormat, Recorded};
use std::sync::LazyLock;

/// A game record of British Square.
pub type GameRecord = bsq_engine::record::GameRecord<Rules>;

impl Recorded for Rules {
    type MoveError = ParseError;

    fn format(&self) -> &RecordFormat {
        static FORMAT: LazyLock<RecordFormat> = LazyLock::new(|| {
            let options = [
                RuleOption::new(
                    "board",
                    OptionKind::Board,
                    Some("5x5"),
                    "Rows x columns of the board, up to 64 cells",
                ),
                RuleOption::new(
                    "center allowed",
                    OptionKind::Truth,
                    Some("no"),
                    "Whether the first move may take the centre",
                ),
                RuleOption::new(
                    "bias",
                    OptionKind::Integer { least: -MAX_BIAS as i64, most: MAX_BIAS as i64 },
                    Some("0"),
                    "Points given to the second player",
                ),
                RuleOption::new(
                    "pieces",
                    OptionKind::Integer { least: 1, most: 64 },
                    None,
                    "Pieces of each player; a player who has placed them all passes",
                ),
            ];
            RecordFormat::new("British Square", options, "moves: 7 19 9", 20)
        });
        &FORMAT
    }

    fn illegal_move(&self, position: &Position, mv: Move) -> ParseError {
        Rules::illegal_move(self, position, mv)
    }

    fn forced_pass(&self, position: &Position) -> Option<Move> {
        (self.moves(position) == [Move::Pass]).then_some(Move::Pass)
    }

    fn entries(&self) -> Vec<(&str, String)> {
        let Rules { board, center_allowed, bias, pieces } = self;
        let mut entries = vec![("board", board.to_string())];
        if *center_allowed {
            entries.push(("center allowed", "yes".to_string()));
        }
        if *bias != 0 {
            entries.push(("bias", bias.to_string()));
        }
        if let Some(pieces) = pieces {
            entries.push(("pieces", pieces.to_string()));
        }
        entries
    }

    fn set_rule(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut changed = self.clone();
        match name {
            "board" => changed.board = Board::parse(value).map_err(|error| error.to_string())?,
            "center allowed" => changed.center_allowed = value == "yes",
            "bias" => changed.bias = number(value)?,
            _ => changed.pieces = Some(number(value)?),
        }
        changed.check().map_err(|error| error.to_string())?;
        *self = changed;
        Ok(())
    }

    fn words(&self, moves: &str) -> Vec<String> {
        words(moves)
    }

    fn record_move(&self, _: &Position, mv: Move) -> String {
        self.move_name(mv)
    }
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("'{text}' is not an integer in range"))
}

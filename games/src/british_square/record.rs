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

/// A game record of British Square.
pub type GameRecord = bsq_engine::record::GameRecord<Rules>;

impl Recorded for Rules {
    type MoveError = ParseError;
    const FORMAT: RecordFormat = RecordFormat {
        game: "British Square",
        options: &[
            RuleOption {
                name: "board",
                kind: OptionKind::Board,
                default: Some("5x5"),
                help: "Rows x columns of the board, up to 64 cells",
            },
            RuleOption {
                name: "center allowed",
                kind: OptionKind::Truth,
                default: Some("no"),
                help: "Whether the first move may take the centre",
            },
            RuleOption {
                name: "bias",
                kind: OptionKind::Integer { least: -MAX_BIAS as i64, most: MAX_BIAS as i64 },
                default: Some("0"),
                help: "Points given to the second player",
            },
            RuleOption {
                name: "pieces",
                kind: OptionKind::Integer { least: 1, most: 64 },
                default: None,
                help: "Pieces of each player; a player who has placed them all passes",
            },
        ],
        example: "moves: 7 19 9",
        moves_per_line: 20,
    };

    fn illegal_move(&self, position: &Position, mv: Move) -> ParseError {
        Rules::illegal_move(self, position, mv)
    }

    fn entries(&self) -> Vec<(&'static str, String)> {
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

    fn words(moves: &str) -> Vec<String> {
        words(moves)
    }

    fn record_move(&self, mv: Move) -> String {
        self.move_name(mv)
    }
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("'{text}' is not an integer in range"))
}

//! Game records.
//!
//! ```text
//! game: m,n,k
//! board: 3x3
//! k: 3
//! moves: b2 a1
//! ```

use super::rules::{Error, MAX_CELLS, Position, Rules};
use crate::rectangle;
use bsq_engine::game::Game;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::{RecordFormat, Recorded};
use std::sync::LazyLock;

impl Recorded for Rules {
    type MoveError = Error;

    fn format(&self) -> &RecordFormat {
        static FORMAT: LazyLock<RecordFormat> = LazyLock::new(|| {
            let options = [
                RuleOption::new(
                    "board",
                    OptionKind::Board,
                    Some("3x3"),
                    "Rows x columns of the board, up to 64 cells",
                ),
                RuleOption::new(
                    "k",
                    OptionKind::Integer { least: 1, most: MAX_CELLS as i64 },
                    Some("3"),
                    "The number of pieces in a row that wins",
                ),
                RuleOption::new(
                    "misere",
                    OptionKind::Truth,
                    Some("no"),
                    "Whether the player with k pieces in a row loses",
                ),
            ];
            RecordFormat::new("m,n,k", options, "moves: b2 a1", 20)
        });
        &FORMAT
    }

    fn illegal_move(&self, position: &Position, cell: usize) -> Error {
        match self.result(position) {
            Some(_) => Error::Over,
            None => Error::Occupied(self.board().coordinate(cell)),
        }
    }

    fn entries(&self) -> Vec<(&str, String)> {
        let mut entries = vec![("board", self.board().to_string()), ("k", self.k().to_string())];
        if self.is_misere() {
            entries.push(("misere", "yes".to_string()));
        }
        entries
    }

    /// A board on which no row of k cells fits changes k to the length of its longer side.
    fn set_rule(&mut self, name: &str, value: &str) -> Result<(), String> {
        let malformed =
            |text| format!("'{text}' is not a board; write rows x columns, such as 3x3");
        let (rows, cols) = (self.board().rows(), self.board().cols());
        let changed = match name {
            "board" => rectangle::parse(
                value,
                |rows, cols| {
                    let k = self.k().min(rows.max(cols));
                    Rules::new(rows, cols, k).map_err(|error| error.to_string())
                },
                malformed,
            )?
            .with_misere(self.is_misere()),
            "k" => {
                let k =
                    value.parse().map_err(|_| format!("'{value}' is not a positive integer"))?;
                let changed = Rules::new(rows, cols, k).map_err(|error| error.to_string())?;
                changed.with_misere(self.is_misere())
            }
            _ => self.clone().with_misere(value == "yes"),
        };
        *self = changed;
        Ok(())
    }
}

//! Records of games.
//!
//! ```text
//! game: Dots-and-Boxes
//! board: 2x2
//! variant: icelandic
//! penalty: -1
//! start: ../|..../../|..../-- A
//! moves: a1-b1 b1-b2
//! ```

use super::board::Board;
use super::notation::ParseError;
use super::penalty::Penalty;
use super::rules::{Position, Rules, Variant};
use super::wilson::{self, BoardFile};
use bsq_engine::game::Notation;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::{Imported, RecordFormat, Recorded};
use std::sync::LazyLock;

/// A game in progress, with the moves played.
pub type GameRecord = bsq_engine::record::GameRecord<Rules>;

/// Why a move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The line is drawn already.
    #[error("{0} is drawn already")]
    Drawn(String),
    /// A line of the start is missing.
    #[error("lines are missing that the variant {0} draws at the start")]
    Variant(&'static str),
}

impl Recorded for Rules {
    type MoveError = MoveError;

    fn format(&self) -> &RecordFormat {
        static FORMAT: LazyLock<RecordFormat> = LazyLock::new(|| {
            let options = [
                RuleOption::new("board", OptionKind::Board, Some("3x3"), "Rows x columns of boxes"),
                RuleOption::new(
                    "variant",
                    OptionKind::choice(Variant::NAMES),
                    Some("standard"),
                    "Which lines are drawn at the start: none, left and bottom, or all sides",
                ),
                RuleOption::new(
                    "penalty",
                    OptionKind::Points { least: -1000, most: 1000 },
                    Some("0"),
                    "Points for the player who draws the last line, often negative",
                ),
            ];
            RecordFormat::new("Dots-and-Boxes", options, "board: 3x3", 12)
        });
        &FORMAT
    }

    fn illegal_move(&self, position: &Position, line: usize) -> MoveError {
        MoveError::Drawn(self.format_move(position, line))
    }

    fn entries(&self) -> Vec<(&str, String)> {
        let Rules { board, variant, penalty } = self;
        let mut entries = vec![("board", board.to_string())];
        if *variant != Variant::Standard {
            entries.push(("variant", variant.name().to_string()));
        }
        if *penalty != Penalty::ZERO {
            entries.push(("penalty", penalty.to_string()));
        }
        entries
    }

    fn set_rule(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "board" => self.board = Board::parse(value).map_err(|error| error.to_string())?,
            "variant" => {
                let named = Variant::ALL.into_iter().find(|variant| variant.name() == value);
                let names = Variant::ALL.map(Variant::name).join(", ");
                self.variant =
                    named.ok_or(format!("'{value}' is not a variant; there are {names}"))?;
            }
            _ => self.penalty = Penalty::parse(value).map_err(|error| error.to_string())?,
        }
        Ok(())
    }

    /// Parses a file of Wilson's analyser, which begins with the penalty, or its drawing alone.
    fn import(&self, text: &str) -> Option<Result<Imported<Rules>, String>> {
        let of_file = |file: BoardFile| Imported {
            rules: Rules { penalty: file.penalty, ..Rules::standard(file.board) },
            start: file.position,
            has_rules: true,
        };
        let of_drawing = |(board, start)| Imported {
            rules: Rules { penalty: self.penalty, ..Rules::standard(board) },
            start,
            has_rules: false,
        };
        let imported = if wilson::has_header(text) {
            BoardFile::parse(text).map(of_file)
        } else if wilson::is_drawing(text) {
            wilson::parse_drawing(text).map(of_drawing)
        } else {
            return None;
        };
        Some(imported.map_err(|error| error.to_string()))
    }

    fn parse_start(&mut self, value: &str) -> Result<Position, MoveError> {
        let (board, start) = self.board.parse_position(value)?;
        match self.variant.lines(&board) & !start.lines {
            0 => self.board = board,
            _ => return Err(MoveError::Variant(self.variant.name())),
        }
        Ok(start)
    }
}

#[cfg(test)]
mod tests;

//! Positions as arguments: in one line, or in a file of Wilson's analyser.

use crate::usage::usage;
use anyhow::{Context, Result};
use bsq_games::dots::{Board, BoardFile, Position, parse_position};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The maximum length of a file in bytes; a board takes less than a thousand.
const MOST_BYTES: u64 = 1 << 16;

/// A position on a board of any size.
pub struct Given {
    /// The board.
    pub board: Board,
    /// The position.
    pub position: Position,
    /// The points for the last line, if a file contains them.
    pub penalty: Option<i32>,
}

impl Given {
    /// Parses a position in one line, otherwise reads the file of that name.
    pub fn read(text: &str) -> Result<Given> {
        match parse_position(text) {
            Ok((board, position)) => Ok(Given { board, position, penalty: None }),
            Err(_) if Path::new(text).is_file() => Given::of_file(&read_text(text)?, text),
            Err(_) if !text.contains(['/', ' ']) => {
                Err(usage(format!("there is no file {text}, and it is no position either")))
            }
            Err(error) => Err(usage(format!("{error}; nor is there such a file"))),
        }
    }

    /// Parses the text of a file.
    pub fn of_file(text: &str, path: &str) -> Result<Given> {
        let wrong = |why: &dyn std::fmt::Display| usage(format!("{path}: {why}"));
        let BoardFile { board, position, penalty, .. } =
            BoardFile::parse(text).map_err(|error| wrong(&error))?;
        if !penalty.is_whole() {
            return Err(wrong(&format!("the penalty {penalty} is no whole number")));
        }
        Ok(Given { board, position, penalty: Some(penalty.floor()) })
    }
}

/// Reads a file, up to the maximum length.
pub fn read_text(path: &str) -> Result<String> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    read.with_context(|| format!("cannot read {path}"))?;
    Ok(text)
}

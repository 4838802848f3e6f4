//! The position of a question: given as a board, a file or a line of text.

use crate::usage::usage;
use anyhow::Result;
use bsq_games::dots::{
    Board, BoardFile, Penalty, Position, Rules, Variant, letter, parse_position,
};
use std::io::Read;
use std::path::Path;

/// The largest number of bytes of a file; positions have a few hundred.
const LONGEST_FILE: u64 = 1 << 16;

/// A position with its variant and penalty.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The board.
    pub board: Board,
    /// The position.
    pub position: Position,
    /// The variant, if a board was given.
    pub variant: Option<Variant>,
    /// The penalty for the last line.
    pub penalty: Penalty,
}

impl Question {
    /// Reads a board, a file or a position, depending on the form of the text.
    pub fn read(typed: &str, variant: Option<Variant>) -> Result<Question> {
        let text = typed.trim();
        if is_board(text) {
            return Question::board(text, variant.unwrap_or_default());
        }
        if let Some(variant) = variant {
            return Err(usage(format!(
                "--variant {} says what is drawn on a board, such as 3x5; '{typed}' is no board, \
                 and a position has its own lines",
                variant.name()
            )));
        }
        if text != "-" && text.starts_with('-') && !text.contains('/') {
            return Err(usage(format!("unexpected argument '{text}'; --help shows what there is")));
        }
        match is_position(text) && !Path::new(typed).exists() {
            true => Question::position(text),
            false => Question::file(typed),
        }
    }

    fn board(text: &str, variant: Variant) -> Result<Question> {
        let board = Board::parse(text).map_err(usage)?;
        let position = Rules { variant, ..Rules::standard(board) }.start();
        Ok(Question { board, position, variant: Some(variant), penalty: Penalty::ZERO })
    }

    fn position(text: &str) -> Result<Question> {
        let (board, position) = parse_position(text).map_err(usage)?;
        Ok(Question { board, position, variant: None, penalty: Penalty::ZERO })
    }

    fn file(name: &str) -> Result<Question> {
        let what = if name == "-" { "standard input" } else { name };
        let text = text_of(name, what)?;
        let file = BoardFile::parse(&text).map_err(|error| usage(format!("{what}: {error}")))?;
        let BoardFile { penalty, position, board, .. } = file;
        Ok(Question { board, position, variant: None, penalty })
    }

    /// The letter of the player to move.
    pub fn to_move(self) -> char {
        letter(self.position.to_move)
    }

    /// The number of open lines.
    pub fn open(self) -> u32 {
        (self.board.all() & !self.position.lines).count_ones()
    }
}

/// Whether a text has the form of a board: two numbers around an x.
fn is_board(text: &str) -> bool {
    let number = |side: &str| {
        !side.trim().is_empty() && side.trim().bytes().all(|byte| byte.is_ascii_digit())
    };
    text.split_once(['x', 'X']).is_some_and(|(rows, cols)| number(rows) && number(cols))
}

/// Whether a text consists of the characters of positions.
fn is_position(text: &str) -> bool {
    let mark = |mark: char| "-|.?/ABab ".contains(mark);
    text.contains('/') && text.chars().all(mark)
}

/// The text of a file.
fn text_of(name: &str, what: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let read = match name {
        "-" => std::io::stdin().take(LONGEST_FILE + 1).read_to_end(&mut bytes),
        _ if Path::new(name).is_dir() => {
            return Err(usage(format!("{what} is a folder; name a file with a position")));
        }
        _ => std::fs::File::open(name)
            .and_then(|file| file.take(LONGEST_FILE + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| usage(unreadable(name, what, &error)))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(usage(format!("{what} is longer than 64 KiB; a position has a few lines")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let read = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let read = String::from_utf8_lossy(read);
        let (line, column) = (read.matches('\n').count() + 1, read.rsplit('\n').next());
        let column = column.map_or(0, |text| text.chars().count()) + 1;
        usage(format!("{what}: line {line}, column {column}: this is no text; write UTF-8"))
    })
}

/// The message about a file that cannot be read, and about the other possible forms of the text.
fn unreadable(name: &str, what: &str, error: &std::io::Error) -> String {
    let mut text = format!("cannot read {what}: {error}");
    if error.kind() == std::io::ErrorKind::NotFound {
        text += "; nor is it a board, such as 3x5, or a position, such as '../...../.. A'";
    }
    // Text with several rows is most likely a position.
    if let (2.., Err(error)) = (name.matches('/').count(), parse_position(name.trim())) {
        let marks = name.chars().filter(|&mark| "-|.?/".contains(mark)).count();
        if 2 * marks > name.chars().count() {
            text += &format!(": {error}");
        }
    }
    text
}

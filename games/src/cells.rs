//! Boards of cells as text, for all games that have them.
//!
//! The rows come from the top, separated by `/`, line ends, blanks or commas. The cells may be
//! separated as well, or follow each other without any separator. The player to move may come last.

use crate::rectangle::Rectangle;
use bsq_engine::game::Player;

/// How the boards of a game are written.
pub struct Alphabet {
    /// Whether a character is a cell.
    pub is_cell: fn(char) -> bool,
    /// The characters of cells, as in `use X (first), O (second) or . (empty)`.
    pub cells: &'static str,
    /// The player whom a word names.
    pub player: fn(&str) -> Option<Player>,
    /// The words for players, as in `end the position with X (first) or O (second)`.
    pub players: &'static str,
}

/// The boards of games whose players have pieces X and O.
pub const X_AND_O: Alphabet = Alphabet {
    is_cell: |found| "XO.-_".contains(found.to_ascii_uppercase()),
    cells: "X (first), O (second) or . (empty)",
    player: |word| match word {
        "X" | "x" => Some(Player::First),
        "O" | "o" => Some(Player::Second),
        _ => None,
    },
    players: "X (first) or O (second)",
};

/// Parses a board of up to 64 cells with pieces X and O. Returns the cells of each player, numbered by
/// rows from the top left, and the player to move, if given.
///
/// # Errors
///
/// As for [`parse`].
pub fn parse_x_and_o(
    text: &str,
    board: Rectangle,
    alphabet: &Alphabet,
) -> Result<([u64; 2], Option<Player>), BoardError> {
    let (cells, to_move) = parse(text, board, alphabet)?;
    let mut pieces = [0, 0];
    for (cell, symbol) in cells.into_iter().enumerate() {
        if let Some(player) = "XO".find(symbol.to_ascii_uppercase()) {
            pieces[player] |= 1 << cell;
        }
    }
    Ok((pieces, to_move))
}

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A character is not a cell.
    #[error("'{found}' at character {at} is not a cell; use {cells}, as in {}", example(board))]
    BadCell {
        /// The character.
        found: char,
        /// Its place in the text, from 1.
        at: usize,
        /// The characters of cells.
        cells: &'static str,
        /// The board.
        board: Rectangle,
    },
    /// The text is empty.
    #[error("no position was given; write the rows from the top, such as {}", example(board))]
    Empty {
        /// The board.
        board: Rectangle,
    },
    /// The word after the rows is not a player.
    #[error("'{word}' is not a player; end the position with {players}")]
    NoPlayer {
        /// The word.
        word: String,
        /// The words for players.
        players: &'static str,
    },
    /// A row is too long or too short.
    #[error(
        "row {row} has {found} cell{s}; every row of a {board} board has {}, as in {}",
        board.cols(), example(board), s = if *found == 1 { "" } else { "s" }
    )]
    RowLength {
        /// The row, from 1.
        row: usize,
        /// Cells found in it.
        found: usize,
        /// The board.
        board: Rectangle,
    },
    /// There are too many or too few rows.
    #[error(
        "found {found} of the {} rows of a {board} board; write them from the top, separated by / or blanks, as in {}",
        board.rows(), example(board)
    )]
    RowCount {
        /// Rows found.
        found: usize,
        /// The board.
        board: Rectangle,
    },
}

/// An empty board.
fn example(board: &Rectangle) -> String {
    vec![".".repeat(board.cols()); board.rows()].join("/")
}

/// Parses a board. Returns its cells, by rows from the top left, and the player to move, if given.
///
/// # Errors
///
/// If the text does not have the size of the board, or contains anything but cells and a player.
pub fn parse(
    text: &str,
    board: Rectangle,
    alphabet: &Alphabet,
) -> Result<(Vec<char>, Option<Player>), BoardError> {
    let separates = |c: char| c == '/' || c == ',' || c.is_whitespace();
    let words: Vec<&str> = text.split(separates).filter(|word| !word.is_empty()).collect();
    let (words, to_move) = split_player(&words, board, alphabet)?;
    let mut cells = Vec::with_capacity(board.cells());
    for word in words {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        for (offset, found) in word.char_indices() {
            if !(alphabet.is_cell)(found) {
                let at = text[..start + offset].chars().count() + 1;
                return Err(BoardError::BadCell { found, at, cells: alphabet.cells, board });
            }
            cells.push(found);
        }
    }
    let length = |word: &str| word.chars().count();
    let is_apart = words.len() == board.cells() && words.iter().all(|word| length(word) == 1);
    let is_together = words.len() == 1 && length(words[0]) == board.cells();
    if !is_apart && !is_together {
        if words.len() != board.rows() {
            return Err(BoardError::RowCount { found: words.len(), board });
        }
        let wrong = (1..).zip(words).find(|(_, word)| length(word) != board.cols());
        if let Some((row, word)) = wrong {
            return Err(BoardError::RowLength { row, found: length(word), board });
        }
    }
    Ok((cells, to_move))
}

/// Splits off the player to move, if given, from the words of a board.
fn split_player<'a, 't>(
    words: &'a [&'t str],
    board: Rectangle,
    alphabet: &Alphabet,
) -> Result<(&'a [&'t str], Option<Player>), BoardError> {
    let Some((&last, rows)) = words.split_last() else { return Err(BoardError::Empty { board }) };
    // If every word is one cell, the last one can be a cell as well as a player.
    let is_row = words.len() == board.rows() && board.cols() == 1;
    let is_cell = words.len() == board.cells() && words.iter().all(|word| word.len() == 1);
    let is_complete = [board.rows(), board.cells()].contains(&rows.len())
        || rows.len() == 1 && rows[0].chars().count() == board.cells();
    match (alphabet.player)(last) {
        Some(player) if !is_row && !is_cell => Ok((rows, Some(player))),
        _ if is_complete && last.chars().count() != board.cols() => {
            Err(BoardError::NoPlayer { word: last.to_string(), players: alphabet.players })
        }
        _ => Ok((words, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Alphabet = Alphabet {
        is_cell: |found| "XO.".contains(found),
        cells: "X, O or .",
        player: |word| match word {
            "X" => Some(Player::First),
            "O" => Some(Player::Second),
            _ => None,
        },
        players: "X or O",
    };

    #[test]
    fn rows_and_cells_are_separated_in_any_way() {
        let board = Rectangle::new(2, 3);
        for text in [
            "X.O/..X",
            "X.O ..X",
            "X.O\n..X\n",
            "X.O\r\n..X\r\n",
            "X.O..X",
            "X . O / . . X",
            "X,.,O,.,.,X",
            " X.O,..X ",
            "X . O . . X",
            "X.O//..X",
        ] {
            let cells = "X.O..X".chars().collect();
            assert_eq!(parse(text, board, &LETTERS), Ok((cells, None)), "{text}");
            let cells = "X.O..X".chars().collect();
            let (with_player, to_move) = (format!("{text} O"), Some(Player::Second));
            assert_eq!(parse(&with_player, board, &LETTERS), Ok((cells, to_move)), "{text}");
        }
    }

    #[test]
    fn a_last_cell_is_no_player() {
        for (rows, cols, text, to_move) in [
            (3, 1, "X/./O", None),
            (3, 1, "X/./O O", Some(Player::Second)),
            (1, 3, "X . O", None),
            (1, 3, "X.O", None),
            (1, 3, "X.O X", Some(Player::First)),
            (1, 1, "X", None),
            (1, 1, "X X", Some(Player::First)),
        ] {
            let (cells, player) = parse(text, Rectangle::new(rows, cols), &LETTERS).unwrap();
            assert_eq!((cells.len(), player), (rows * cols, to_move), "{text}");
        }
    }

    #[test]
    fn errors_name_the_place() {
        for (text, said) in [
            ("", "no position was given; write the rows from the top, such as .../..."),
            ("X.O/.?X", "'?' at character 6 is not a cell; use X, O or ."),
            ("é.O/..X", "'é' at character 1 is not a cell"),
            ("X.O", "found 1 of the 2 rows of a 2x3 board; write them from the top"),
            ("X.O/..X/... X", "found 3 of the 2 rows of a 2x3 board"),
            ("X.O/.. X", "row 2 has 2 cells; every row of a 2x3 board has 3, as in .../..."),
            ("X.O/..X both", "'both' is not a player; end the position with X or O"),
            ("X.O..X both", "'both' is not a player"),
        ] {
            let error = parse(text, Rectangle::new(2, 3), &LETTERS).unwrap_err().to_string();
            assert!(error.starts_with(said), "{text}: {error}");
        }
    }
}

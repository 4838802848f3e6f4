//! Positions and moves as text that can be typed, pasted and parsed back.
//!
//! A position is its rows from the top, separated by `/`, line breaks or blanks: `X` for the
//! first player's pieces, `O` for the second's, `.` or `-` for an empty cell; then who is to
//! move, `X` or `O`. Who is to move may be left out where only one answer is reachable.
//!
//! ```
//! use bsq_games::british_square::Rules;
//!
//! let rules = Rules::standard(5, 5).unwrap();
//! let position = rules.parse_position("..... .X... ..... ...O. ..... X").unwrap();
//! assert_eq!(position.turn, 3);
//! assert_eq!(rules.format_position(&position), "...../.X.../...../...O./..... X");
//! ```

use super::board::{Board, cells_of};
use super::rules::{Move, Position, Rules, Unreachable};
use bsq_engine::game::Player;

/// What is wrong with a text that should be a position or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A character that stands for nothing.
    #[error("'{found}' at character {at} is no cell; use X (first), O (second) or . (empty)")]
    BadCell {
        /// The character.
        found: char,
        /// Which character it is, from 1.
        at: usize,
    },
    /// No text at all.
    #[error("no position was given; write the rows from the top, then X or O for who moves")]
    Empty,
    /// The word after the rows names neither player.
    #[error("'{0}' is no player; end the position with X (first) or O (second)")]
    NoPlayer(String),
    /// A row too long or too short.
    #[error("row {row} has {found} cell{s}; every row of a {board} board has {expected}", s = plural(*found))]
    RowLength {
        /// The row, from 1.
        row: usize,
        /// Cells found in it.
        found: usize,
        /// Cells that it should have.
        expected: usize,
        /// The board's name.
        board: String,
    },
    /// Too many or too few rows.
    #[error(
        "found {found} of the {expected} rows of a {board} board; write them from the top, separated by / or blanks"
    )]
    RowCount {
        /// Rows found.
        found: usize,
        /// Rows that there should be.
        expected: usize,
        /// The board's name.
        board: String,
    },
    /// Play can reach the board with either player to move.
    #[error("say who is to move: end the position with X (first) or O (second)")]
    WhoMoves,
    /// Well formed, but no game leads to it.
    #[error("no game reaches this position: {0}")]
    Unreachable(String),
    /// Not the name of a tile.
    #[error(
        "'{text}' is no tile; write a number from 1 to {tiles}, or a letter and a number from a1 to {last}"
    )]
    NoSuchTile {
        /// What was written.
        text: String,
        /// How many tiles there are.
        tiles: usize,
        /// The coordinate of the last one.
        last: String,
    },
    /// A tile that cannot be taken now.
    #[error("{mv} is not legal here: {why}")]
    Illegal {
        /// The move.
        mv: String,
        /// The rule that it breaks.
        why: String,
    },
}

/// The letter of a player's pieces.
pub fn symbol(player: Player) -> char {
    match player {
        Player::First => 'X',
        Player::Second => 'O',
    }
}

impl Board {
    /// The cell of a tile number (`8`) or a coordinate (`c2`).
    pub fn parse_cell(&self, text: &str) -> Result<usize, ParseError> {
        let no_tile = || ParseError::NoSuchTile {
            text: text.to_string(),
            tiles: self.cells(),
            last: self.coordinate(self.cells() - 1),
        };
        let wanted = text.trim().to_ascii_lowercase();
        let found = (0..self.cells())
            .find(|&c| wanted == self.tile(c).to_string() || wanted == self.coordinate(c));
        found.ok_or_else(no_tile)
    }
}

impl Rules {
    /// The position as one line: rows separated by `/`, then who is to move.
    pub fn format_position(&self, position: &Position) -> String {
        let mut text = String::new();
        self.push_position(position, &mut text);
        text
    }

    /// The same, put behind a text.
    pub fn push_position(&self, position: &Position, text: &mut String) {
        for row in 0..self.board.rows() {
            if row > 0 {
                text.push('/');
            }
            text.extend(self.cells_of_row(position, row));
        }
        text.push(' ');
        text.push(symbol(position.to_move));
    }

    /// The rows of the board, a character a cell.
    pub fn format_rows(&self, position: &Position) -> Vec<String> {
        (0..self.board.rows()).map(|row| self.cells_of_row(position, row).collect()).collect()
    }

    fn cells_of_row(&self, position: &Position, row: usize) -> impl Iterator<Item = char> {
        let [first, second] = position.pieces;
        let cols = self.board.cols();
        (row * cols..(row + 1) * cols).map(move |c| match (first >> c & 1, second >> c & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '.',
        })
    }

    /// Reads a position; only one that play can reach under these rules. Cells may stand apart,
    /// one by one.
    pub fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        let board = self.board.to_string();
        let separates = |c: char| c == '/' || c.is_whitespace();
        let words: Vec<&str> = text.split(separates).filter(|word| !word.is_empty()).collect();
        let (words, mover) = self.split_mover(&words)?;
        let rows: Vec<Vec<Symbol>> = self.rows_of(text, words);
        if rows.len() != self.board.rows() {
            let expected = self.board.rows();
            return Err(ParseError::RowCount { found: rows.len(), expected, board });
        }
        let mut pieces = [0, 0];
        for (r, row) in rows.iter().enumerate() {
            let found = row.len();
            if found != self.board.cols() {
                let expected = self.board.cols();
                return Err(ParseError::RowLength { row: r + 1, found, expected, board });
            }
            for (c, &Symbol { symbol, at }) in row.iter().enumerate() {
                let bit = 1 << (r * self.board.cols() + c);
                match symbol {
                    'X' | 'x' => pieces[0] |= bit,
                    'O' | 'o' => pieces[1] |= bit,
                    '.' | '-' | '_' => {}
                    found => return Err(ParseError::BadCell { found, at }),
                }
            }
        }
        let [first, second] = pieces;
        let explain = |why: Unreachable| ParseError::Unreachable(why.explain(&self.board));
        let reach = |player| self.position(first, second, player);
        match (mover, reach(Player::First), reach(Player::Second)) {
            (Some(Player::First), found, _) => found.map_err(explain),
            (Some(Player::Second), _, found) => found.map_err(explain),
            (None, Ok(_), Ok(_)) => Err(ParseError::WhoMoves),
            (None, Ok(position), _) | (None, _, Ok(position)) => Ok(position),
            // Report against the player whose turn the counts suggest.
            (None, Err(first_to_move), Err(second_to_move)) => {
                let [a, b] = pieces.map(|p| p.count_ones());
                Err(explain(if a > b { second_to_move } else { first_to_move }))
            }
        }
    }

    /// The words of the board, and who moves if that is said.
    fn split_mover<'a, 't>(
        &self,
        words: &'a [&'t str],
    ) -> Result<(&'a [&'t str], Option<Player>), ParseError> {
        let Some((&last, board)) = words.split_last() else { return Err(ParseError::Empty) };
        let complete = [self.board.rows(), self.board.cells()].contains(&board.len());
        // Where a row has one cell, and where cells stand apart, a last X may be one of them.
        let is_row = words.len() == self.board.rows() && self.board.cols() == 1;
        let is_cell = words.len() == self.board.cells() && words.iter().all(|word| word.len() == 1);
        match last {
            "X" | "x" if !is_row && !is_cell => Ok((board, Some(Player::First))),
            "O" | "o" if !is_row && !is_cell => Ok((board, Some(Player::Second))),
            _ if complete && last.chars().count() != self.board.cols() => {
                Err(ParseError::NoPlayer(last.to_string()))
            }
            _ => Ok((words, None)),
        }
    }

    /// The symbols of each row: a word a row, or a word a cell.
    fn rows_of(&self, text: &str, words: &[&str]) -> Vec<Vec<Symbol>> {
        let symbols = |word: &&str| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let before = text[..start].chars().count();
            let symbol = |(i, symbol)| Symbol { symbol, at: before + i + 1 };
            word.chars().enumerate().map(symbol).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<Symbol>> = words.iter().map(symbols).collect();
        let apart = rows.len() == self.board.cells() && rows.iter().all(|row| row.len() == 1);
        match apart {
            true => rows.concat().chunks(self.board.cols()).map(<[Symbol]>::to_vec).collect(),
            false => rows,
        }
    }

    /// Tile number and coordinate, such as `8 (c2)`, or `pass`.
    pub fn format_move(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => {
                format!("{} ({})", self.board.tile(cell), self.board.coordinate(cell))
            }
            Move::Pass => "pass".to_string(),
        }
    }

    /// A tile number, or `pass`.
    pub fn move_name(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => self.board.tile(cell).to_string(),
            Move::Pass => "pass".to_string(),
        }
    }

    /// Reads a tile number, a coordinate, what [`Rules::format_move`] writes, `pass`, or 0 for it.
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("pass") || text == "0" {
            return Ok(Move::Pass);
        }
        let cell = match text.split_once('(') {
            Some((tile, rest)) => {
                let cell = self.board.parse_cell(tile)?;
                let named = rest.strip_suffix(')').map(|name| self.board.parse_cell(name));
                match named {
                    Some(Ok(same)) if same == cell => cell,
                    _ => self.board.parse_cell(text)?,
                }
            }
            None => self.board.parse_cell(text)?,
        };
        Ok(Move::Place(cell))
    }

    /// Plays a move if it is legal; the error says which rule it breaks.
    pub fn try_play(&self, position: &Position, mv: Move) -> Result<Position, ParseError> {
        if self.moves(position).contains(&mv) {
            return Ok(self.play(position, mv));
        }
        let player = position.to_move;
        let [own, opponent] = position.seen_by(player);
        let why = match mv {
            _ if self.is_terminal(position) => "the game is over".to_string(),
            Move::Pass => "a player with a legal move may not pass".to_string(),
            Move::Place(cell) if (own | opponent) >> cell & 1 == 1 => {
                "the tile is taken".to_string()
            }
            Move::Place(cell) if self.board.neighbours(1 << cell) & opponent != 0 => {
                "the tile shares a side with an opponent's piece".to_string()
            }
            _ if self.pieces.is_some_and(|limit| own.count_ones() >= limit) => {
                format!("the {player} player has placed every piece and must pass")
            }
            Move::Place(_) => "the first move may not take the centre".to_string(),
        };
        Err(ParseError::Illegal { mv: self.format_move(mv), why })
    }
}

/// A character and which one it is in its text, from 1.
#[derive(Clone, Copy)]
struct Symbol {
    symbol: char,
    at: usize,
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl Unreachable {
    /// The broken rule in words, tiles named as on that board.
    pub fn explain(&self, board: &Board) -> String {
        let tile = |cell: &usize| format!("{} ({})", board.tile(*cell), board.coordinate(*cell));
        match self {
            Unreachable::Shared { cell } => format!("both players stand on tile {}", tile(cell)),
            Unreachable::Adjacent { cells: [x, o] } => format!(
                "X on tile {} and O on tile {} share a side; no piece may be placed beside an opponent's",
                tile(x),
                tile(o)
            ),
            Unreachable::TooManyPieces { player, placed, limit } => {
                format!("the {player} player has placed {placed} pieces and has only {limit}")
            }
            Unreachable::Centre => {
                "the first move may not take the centre (allow it with --center-allowed)"
                    .to_string()
            }
            Unreachable::NeedlessPass { player, passes, to_move } => format!(
                "with {} to move the {player} player would have passed {passes} time{} while a move was legal",
                symbol(*to_move),
                plural(*passes as usize)
            ),
            Unreachable::Over { to_move } => format!(
                "neither player can move, so the game was over before {} came to move; it ended with {} to move",
                symbol(*to_move),
                symbol(to_move.other())
            ),
        }
    }
}

/// The words of a text, with blanks or commas between them; `8 (c2)`, as moves are written, is one.
pub fn words(text: &str) -> Vec<String> {
    let text = text.replace(" (", "(");
    let separates = |c: char| c == ',' || c.is_whitespace();
    text.split(separates).filter(|word| !word.is_empty()).map(String::from).collect()
}

/// The tiles of a set as text, such as `7 9 17 19`.
pub fn format_tiles(board: &Board, cells: super::board::Cells) -> String {
    let tiles: Vec<String> = cells_of(cells).map(|c| board.tile(c).to_string()).collect();
    tiles.join(" ")
}

//! The text form of positions and moves.
//!
//! A position consists of its rows from the top, then the player to move, `X` or `O`. Rows are
//! separated by `/`, line breaks, blanks or commas, and so may the cells be; without any separator
//! they form one word. In a row, `X` is a piece of the first player, `O` is a piece of the second
//! player, and `.`, `-` or `_` is an empty cell. The player to move may be omitted if only one is
//! possible.
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
use crate::cells::{BoardError, X_AND_O, parse_x_and_o};
use bsq_engine::game::Player;

/// An error in the text of a position or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text is not a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The player to move is missing, and either is possible.
    #[error("say who is to move: end the position with X (first) or O (second)")]
    WhoMoves,
    /// Play cannot reach the position.
    #[error("no game reaches this position: {}", why.explain(board))]
    Unreachable {
        /// Why not.
        why: Unreachable,
        /// The board.
        board: Board,
    },
    /// The text is not the name of a tile.
    #[error(
        "'{text}' is not a tile; write a number from 1 to {tiles}, or a letter and a number from a1 to {last}"
    )]
    NoSuchTile {
        /// The text.
        text: String,
        /// The number of tiles.
        tiles: usize,
        /// The coordinate of the last tile.
        last: String,
    },
    /// The move is not legal in the position.
    #[error("{mv} is not legal here: {why}")]
    Illegal {
        /// The move.
        mv: String,
        /// The rule that it violates.
        why: String,
    },
}

/// The symbol of a player: `X` or `O`.
pub fn symbol(player: Player) -> char {
    match player {
        Player::First => 'X',
        Player::Second => 'O',
    }
}

impl Board {
    /// Parses a tile number (`8`) or a coordinate (`c2`) and returns the cell.
    pub fn parse_cell(&self, text: &str) -> Result<usize, ParseError> {
        self.cell_named(text).ok_or_else(|| ParseError::NoSuchTile {
            text: text.to_string(),
            tiles: self.cells(),
            last: self.coordinate(self.cells() - 1),
        })
    }
}

impl Rules {
    /// Formats a position as one line: rows separated by `/`, then the player to move.
    pub fn format_position(&self, position: &Position) -> String {
        let mut text = String::new();
        self.push_position(position, &mut text);
        text
    }

    /// Appends the output of [`format_position`](Rules::format_position) to `text`.
    pub fn push_position(&self, position: &Position, text: &mut String) {
        for row in 0..self.board.rows() {
            if row > 0 {
                text.push('/');
            }
            text.extend(self.board.symbols(position.pieces, row));
        }
        text.push(' ');
        text.push(symbol(position.to_move));
    }

    /// Parses a position that play can reach under these rules.
    pub fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        let (pieces, mover) = parse_x_and_o(text, *self.board, &X_AND_O)?;
        let [first, second] = pieces;
        let unreachable = |why| ParseError::Unreachable { why, board: self.board };
        let reach = |player| self.position(first, second, player);
        match (mover, reach(Player::First), reach(Player::Second)) {
            (Some(Player::First), found, _) => found.map_err(unreachable),
            (Some(Player::Second), _, found) => found.map_err(unreachable),
            (None, Ok(_), Ok(_)) => Err(ParseError::WhoMoves),
            (None, Ok(position), _) | (None, _, Ok(position)) => Ok(position),
            // Report the error for the player to move that the numbers of pieces suggest.
            (None, Err(first_to_move), Err(second_to_move)) => {
                let [a, b] = pieces.map(|p| p.count_ones());
                Err(unreachable(if a > b { second_to_move } else { first_to_move }))
            }
        }
    }

    /// Formats a move as tile number and coordinate, such as `8 (c2)`, or `pass`.
    pub fn format_move(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => {
                format!("{} ({})", self.board.tile(cell), self.board.coordinate(cell))
            }
            Move::Pass => "pass".to_string(),
        }
    }

    /// Formats a move as a tile number or `pass`.
    pub fn move_name(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => self.board.tile(cell).to_string(),
            Move::Pass => "pass".to_string(),
        }
    }

    /// Parses a tile number, a coordinate, the output of [`Rules::format_move`], `pass`, or 0 for a
    /// pass.
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("pass") || text == "0" {
            return Ok(Move::Pass);
        }
        let cell = match text.split_once('(') {
            Some((tile, rest)) => {
                let cell = self.board.parse_cell(tile).or_else(|_| self.board.parse_cell(text))?;
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

    /// The error of an illegal move, with the rule that it violates.
    pub(super) fn illegal_move(&self, position: &Position, mv: Move) -> ParseError {
        let player = position.to_move;
        let [own, opponent] = position.seen_by(player);
        let why = match mv {
            _ if self.is_terminal(position) => "the game is over".to_string(),
            Move::Pass => {
                "a player with a legal move may not pass; tiles are numbered from 1, and 0 is a pass"
                    .to_string()
            }
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
        ParseError::Illegal { mv: self.format_move(mv), why }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl Unreachable {
    /// Describes the violated rule, with the names of tiles on the given board.
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
                "the first move may not take the centre, unless the rule 'center allowed' is set"
                    .to_string()
            }
            Unreachable::NeedlessPass { player, passes, to_move } => format!(
                "with {} to move the {player} player would have passed {passes} time{} while a move was legal; without passes, X has as many pieces as O when X is to move, and otherwise one more",
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

/// Splits a text into words at blanks and commas. A formatted move such as `8 (c2)` is one word.
pub fn words(text: &str) -> Vec<String> {
    let text = text.replace(" (", "(");
    let separates = |c: char| c == ',' || c.is_whitespace();
    text.split(separates).filter(|word| !word.is_empty()).map(String::from).collect()
}

/// Formats the tiles of a set, such as `7 9 17 19`.
pub fn format_tiles(board: &Board, cells: super::board::Cells) -> String {
    let tiles: Vec<String> = cells_of(cells).map(|c| board.tile(c).to_string()).collect();
    tiles.join(" ")
}

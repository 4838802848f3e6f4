//! Positions and moves as text.
//!
//! A position is its rows from the second player's home row down, separated by `/`, line breaks, blanks
//! or commas, or all in one word: `RPSW` for the
//! first player's rock, paper, scissors and well, `rpsw` for the second's, `.` for an empty square;
//! then the player to move, `first` or `second`. A move is two squares, a letter for the column and
//! a number for the row, counted from the first player's home row: `b1b2`.
//!
//! ```
//! use bsq_engine::game::{Game, Notation};
//! use bsq_games::rpsw::Rules;
//!
//! let rules = Rules::standard();
//! let start = rules.start();
//! assert_eq!(rules.format_position(&start), "rpsw/..../..../..../..../RPSW first");
//! let mv = rules.parse_move(&rules.start(), "b1a2").unwrap();
//! assert_eq!(rules.format_position(&rules.play(&start, mv)), "rpsw/..../..../..../P.../R.SW second");
//! ```

use super::board::Square;
use super::rules::{Move, Piece, Placement, Position, Rules, kind_on};
use crate::cells::{self, Alphabet, BoardError};
use crate::rectangle::Rectangle;
use bsq_engine::game::{Notation, Player};

/// A text that is not a position or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text is not a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The player to move is missing.
    #[error("say who is to move: end the position with first or second")]
    WhoMoves,
    /// A piece that occurs twice.
    #[error("there are two of '{0}'; each player has one piece of a kind")]
    Twice(char),
    /// A player has more pieces than the rules allow.
    #[error("the {player} player has {found} pieces; these rules have at most {limit}")]
    TooMany {
        /// The player.
        player: Player,
        /// The number of pieces.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// There are more pieces than the rules allow.
    #[error("there are {found} pieces; these rules have at most {limit} in all")]
    TooManyInAll {
        /// The number of pieces.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The game is over, and the player who has just moved has not won it.
    #[error("the game is over there, and not by a move of the player who has just moved")]
    Finished,
    /// The text is not two squares.
    #[error(
        "'{text}' is not a move; write the square a piece leaves and where it goes, from a1 to {last}, such as a1a2"
    )]
    BadMove {
        /// The text.
        text: String,
        /// The last square.
        last: String,
    },
}

/// The letter of a piece.
pub fn letter(player: Player, kind: Piece) -> char {
    let letter = ['r', 'p', 's', 'w'][kind.index()];
    match player {
        Player::First => letter.to_ascii_uppercase(),
        Player::Second => letter,
    }
}

/// The piece of a letter.
fn piece(letter: char) -> Option<(Player, Piece)> {
    let pieces = Player::BOTH.into_iter().flat_map(|player| Piece::ALL.map(|kind| (player, kind)));
    pieces.into_iter().find(|&(player, kind)| self::letter(player, kind) == letter)
}

const ALPHABET: Alphabet = Alphabet {
    is_cell: |found| piece(found).is_some() || ".-_".contains(found),
    cells: "R, P, S, W (first player), r, p, s, w (second) or . (empty)",
    player: Player::named,
    players: "first or second",
};

/// A text that does not list the captures of each kind once.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' does not say what each kind takes; write each of R, P, S, W once with what it takes, such as R:S,P:RW,S:P,W:RS"
)]
pub struct TakesError(pub String);

impl Rules {
    /// The captures of each kind, such as `R:S,P:RW,S:P,W:RS`.
    pub fn format_takes(&self) -> String {
        let upper = |kind: Piece| letter(Player::First, kind);
        let of = |kind: Piece| -> String {
            let taken = Piece::ALL.into_iter().filter(|&other| self.takes(kind, other));
            format!("{}:{}", upper(kind), taken.map(upper).collect::<String>())
        };
        Piece::ALL.map(of).join(",")
    }

    /// The same rules with the captures of a text in the format of [`Rules::format_takes`], in any
    /// order.
    pub fn with_takes_of(self, text: &str) -> Result<Rules, TakesError> {
        let wrong = || TakesError(text.to_string());
        let kind = |letter: char| match piece(letter.to_ascii_uppercase()) {
            Some((_, kind)) => Ok(kind.index()),
            None => Err(wrong()),
        };
        let mut takes = [None; 4];
        for entry in text.split(',') {
            let (taker, taken) = entry.split_once(':').ok_or_else(wrong)?;
            let mut letters = taker.trim().chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return Err(wrong());
            };
            let bits =
                taken.trim().chars().try_fold(0, |bits, letter| Ok(bits | 1 << kind(letter)?))?;
            if takes[kind(letter)?].replace(bits).is_some() {
                return Err(wrong());
            }
        }
        match takes {
            [Some(rock), Some(paper), Some(scissors), Some(well)] => {
                Ok(self.with_takes([rock, paper, scissors, well]))
            }
            _ => Err(wrong()),
        }
    }

    /// A square by name, counted as the first player does.
    pub fn square_name(&self, square: Square) -> String {
        let (row, col) =
            (usize::from(square) / self.board.cols(), usize::from(square) % self.board.cols());
        format!("{}{}", char::from(b'a' + col as u8), row + 1)
    }

    /// The letter of the piece that a move captures, if any.
    pub fn taken(&self, position: &Position, mv: Move) -> Option<char> {
        let other = position.to_move.other();
        let there = self.board.counted_by(other, mv.to);
        kind_on(&position.pieces[other.index()], there).map(|kind| letter(other, kind))
    }

    fn square(&self, name: &str) -> Option<Square> {
        (0..self.board.squares() as Square).find(|&square| self.square_name(square) == name)
    }

    /// Rejects invalid positions: those with too many pieces, and those in which the game is over
    /// but not won by the player who has just moved.
    fn check_position(&self, position: &Position) -> Result<(), ParseError> {
        for player in Player::BOTH {
            let found = position.pieces[player.index()].iter().flatten().count();
            if found > self.pieces() {
                return Err(ParseError::TooMany { player, found, limit: self.pieces() });
            }
        }
        let found = position.pieces.iter().flatten().flatten().count();
        if found > self.total() {
            return Err(ParseError::TooManyInAll { found, limit: self.total() });
        }
        let last = position.to_move.other();
        let through = |placement: &Placement| {
            let through = |square: &&Square| usize::from(**square) >= self.board.open_squares();
            placement.iter().flatten().filter(through).count()
        };
        let [own, opponent] = position.seen_by(last);
        let has_moved = own.iter().any(Option::is_some);
        if has_moved && through(&opponent) == 0 && through(&own) <= 1 {
            Ok(())
        } else {
            Err(ParseError::Finished)
        }
    }
}

impl Notation for Rules {
    type Error = ParseError;

    fn format_position(&self, position: &Position) -> String {
        let symbol = |square: Square| {
            let on = |player: Player| {
                let placement = &position.pieces[player.index()];
                kind_on(placement, self.board.counted_by(player, square))
                    .map(|kind| letter(player, kind))
            };
            on(Player::First).or_else(|| on(Player::Second)).unwrap_or('.')
        };
        let row = |row: usize| -> String {
            (0..self.board.cols())
                .map(|col| symbol((row * self.board.cols() + col) as Square))
                .collect()
        };
        let rows: Vec<String> = (0..self.board.rows()).rev().map(row).collect();
        format!("{} {}", rows.join("/"), position.to_move)
    }

    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        let (rows, cols) = (self.board.rows(), self.board.cols());
        let (cells, to_move) = cells::parse(text, Rectangle::new(rows, cols), &ALPHABET)?;
        let to_move = to_move.ok_or(ParseError::WhoMoves)?;
        let mut pieces: [Placement; 2] = Default::default();
        // Text begins with the last row.
        let squares = (0..rows).rev().flat_map(|row| (0..cols).map(move |col| row * cols + col));
        for (square, symbol) in squares.zip(cells) {
            let Some((player, kind)) = piece(symbol) else { continue };
            let square = self.board.counted_by(player, square as Square);
            if pieces[player.index()][kind.index()].replace(square).is_some() {
                return Err(ParseError::Twice(symbol));
            }
        }
        let position = Position { pieces, to_move };
        self.check_position(&position)?;
        Ok(position)
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        self.square_name(mv.from) + &self.square_name(mv.to)
    }

    fn parse_move(&self, _: &Position, text: &str) -> Result<Move, ParseError> {
        let text = text.trim();
        let split = text.is_ascii() && text.len() == 4;
        let names = split.then(|| text.split_at(2));
        let found = names.and_then(|(from, to)| Some((self.square(from)?, self.square(to)?)));
        let (from, to) = found.ok_or_else(|| ParseError::BadMove {
            text: text.to_string(),
            last: self.square_name((self.board.squares() - 1) as Square),
        })?;
        Ok(Move { from, to })
    }
}

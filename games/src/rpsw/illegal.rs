//! The reasons why moves are illegal.

use super::board::Square;
use super::notation::ParseError;
use super::rules::{Move, Piece, Position, Rules, kind_on};
use bsq_engine::game::{Game, Notation, Player};

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The game is over.
    Over,
    /// The square that the move leaves has no piece of the player to move; it may have the given
    /// piece of the opponent.
    NoPiece(Option<Piece>),
    /// The squares are not adjacent.
    TooFar,
    /// The square that the move enters has a piece of the same player.
    Own(Piece),
    /// The first piece does not capture the second one, which stands on the square that the move
    /// enters.
    Takes(Piece, Piece),
}

/// A move that is invalid or illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The move is illegal in the position.
    #[error("{mv} is not legal here: {why}")]
    Illegal {
        /// The move as text.
        mv: String,
        /// The reason.
        why: String,
    },
}

impl Piece {
    /// The name with its article; scissors and paper have none.
    pub(super) fn with_article(self) -> &'static str {
        ["a rock", "paper", "scissors", "a well"][self.index()]
    }

    /// `rock`, `paper`, `scissors` or `well`.
    pub fn name(self) -> &'static str {
        ["rock", "paper", "scissors", "well"][self.index()]
    }
}

impl Rules {
    /// The piece on a square, which is numbered as the first player counts.
    pub fn piece_on(&self, position: &Position, square: Square) -> Option<(Player, Piece)> {
        Player::BOTH.into_iter().find_map(|player| {
            let placement = &position.pieces[player.index()];
            Some((player, kind_on(placement, self.board.counted_by(player, square))?))
        })
    }

    /// The error of an illegal move, with the reason.
    pub(super) fn illegal_move(&self, position: &Position, mv: Move) -> MoveError {
        let why = self.illegal(position, mv).map(|illegal| self.why(position, mv, illegal));
        MoveError::Illegal { mv: self.format_move(position, mv), why: why.unwrap_or_default() }
    }

    /// The reason why a move is illegal; `None` if it is legal.
    pub fn illegal(&self, position: &Position, mv: Move) -> Option<Illegal> {
        let moves = self.moves(position);
        let on = |square| self.piece_on(position, square);
        if moves.contains(&mv) {
            return None;
        }
        if moves.is_empty() {
            return Some(Illegal::Over);
        }
        if [mv.from, mv.to].iter().any(|&square| usize::from(square) >= self.board.squares()) {
            return Some(Illegal::TooFar);
        }
        Some(match (on(mv.from), on(mv.to)) {
            (None, _) => Illegal::NoPiece(None),
            (Some((owner, kind)), _) if owner != position.to_move => Illegal::NoPiece(Some(kind)),
            (Some((_, kind)), Some((owner, other)))
                if self.board.around(mv.from).any(|to| to == mv.to) =>
            {
                if owner == position.to_move {
                    Illegal::Own(other)
                } else {
                    Illegal::Takes(kind, other)
                }
            }
            _ => Illegal::TooFar,
        })
    }

    fn why(&self, position: &Position, mv: Move, illegal: Illegal) -> String {
        let [from, to] = [mv.from, mv.to].map(|square| self.square_name(square));
        match illegal {
            Illegal::Over => "the game is over".to_string(),
            Illegal::NoPiece(None) => format!("nothing stands on {from}"),
            Illegal::NoPiece(Some(kind)) => {
                let owner = position.to_move.other();
                format!("the {} on {from} is the {owner} player's", kind.name())
            }
            Illegal::TooFar => "a piece goes to one of the squares around it".to_string(),
            Illegal::Own(kind) => format!("your own {} stands on {to}", kind.name()),
            Illegal::Takes(kind, other) => {
                let [kind, other] = [kind.name(), other.name()];
                format!("{kind} does not take {other}")
            }
        }
    }
}

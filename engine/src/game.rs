//! The traits that a game implements.
//!
//! [`Game`] states the rules as plainly as possible. It is what the conformance suite and
//! the brute-force oracles speak, and what a reader should look at first. The solvers ask
//! for more: each names the few capabilities it needs in a trait of its own.

use std::fmt::{Debug, Display};
use std::hash::Hash;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Who moves first, and wants a high score.
    First,
    /// Who moves second, and wants a low score.
    Second,
}

impl Player {
    /// Both players, the first one first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// Who moves on a turn, where turns count from 1 and alternate.
    #[inline]
    pub fn on_turn(turn: u32) -> Player {
        if turn % 2 == 1 { Player::First } else { Player::Second }
    }

    /// The opponent.
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// +1 for the first player, -1 for the second: a score times this is what the player wants.
    pub fn sign(self) -> i32 {
        match self {
            Player::First => 1,
            Player::Second => -1,
        }
    }

    /// 0 for the first player, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }

    /// `first` or `second`.
    pub fn name(self) -> &'static str {
        match self {
            Player::First => "first",
            Player::Second => "second",
        }
    }
}

impl Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// The rules of a two-player game of perfect information without chance.
pub trait Game {
    /// Pieces, whose turn it is, and whatever else decides how play may go on.
    type Position: Clone + Eq + Hash + Debug;
    /// A move. A game in which a player without a move passes has a move that says so.
    type Move: Copy + Eq + Debug;

    /// The position in which play begins.
    fn start(&self) -> Self::Position;
    /// Whose turn it is. In a terminal position: whose turn it would be.
    fn to_move(&self, position: &Self::Position) -> Player;
    /// The legal moves, in a fixed order. None exactly in a terminal position.
    fn moves(&self, position: &Self::Position) -> Vec<Self::Move>;
    /// The position after a legal move.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;
    /// First player's points minus second player's, as they stand.
    fn score(&self, position: &Self::Position) -> i32;
}

/// A game whose board looks the same from several sides.
pub trait Symmetric: Game {
    /// The images of a position under the symmetries, the position itself first. They form
    /// a group: the images of any image are the same set.
    fn images(&self, position: &Self::Position) -> Vec<Self::Position>;
    /// The one image that stands for all of them.
    fn canonical(&self, position: &Self::Position) -> Self::Position;
}

/// A game in which one can go back from a position to those before it.
pub trait Reversible: Game {
    /// Every position from which some move leads here, once each, whether or not play can reach
    /// it.
    fn unmoves(&self, position: &Self::Position) -> Vec<Self::Position>;
}

/// A game whose positions and moves can be typed.
pub trait Notation: Game {
    /// What is wrong with a text.
    type Error: std::error::Error;

    /// A position as one line of text.
    fn format_position(&self, position: &Self::Position) -> String;
    /// The position that a text describes; only one that play can reach.
    fn parse_position(&self, text: &str) -> Result<Self::Position, Self::Error>;
    /// A move as a word.
    fn format_move(&self, mv: Self::Move) -> String;
    /// The move that a word names; whether it is legal is another question.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Self::Error>;
}

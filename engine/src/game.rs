//! The traits that a game implements.
//!
//! [`Game`] states the rules in the simplest form. The conformance suite and the brute-force
//! oracles use nothing else. Solvers need more: each states the few capabilities that it requires
//! as a trait.

use crate::score::Score;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fmt::{Debug, Display};
use std::hash::Hash;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Player {
    /// The player who moves first and prefers high scores.
    First,
    /// The player who moves second and prefers low scores.
    Second,
}

impl Player {
    /// Both players, the first one first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The player to move on a turn, where turns count from 1 and alternate.
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

    /// +1 for the first player, -1 for the second: a score times this is the score from the
    /// player's point of view.
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

    /// The player of that [name](Player::name).
    pub fn named(name: &str) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| player.name() == name)
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

/// The outcome of a game under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The given player wins.
    Win(Player),
    /// The game ends without a winner; in games with points, with equal points.
    Tie,
    /// Neither player can force the end of the game.
    Draw,
}

/// The result of a game, or the result that best play leads to from a position.
///
/// Values compare only from the point of view of a player, see [`Value::rank`].
///
/// ```
/// use bsq_engine::game::{Player, Value};
///
/// let (soon, late) = (Value::win(Player::First, 1), Value::win(Player::First, 9));
/// assert!(soon.rank(Player::First) > late.rank(Player::First));
/// assert!(soon.rank(Player::Second) < late.rank(Player::Second));
/// assert!(Value::of_score(2.into()).rank(Player::Second) < Value::DRAW.rank(Player::Second));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The winner, or a tie or draw.
    pub outcome: Outcome,
    /// First player's points minus the second player's at the end, in games with points.
    pub score: Option<Score>,
    /// Plies until the win (depth to win), in games that are won sooner or later; 0 in a terminal
    /// position.
    pub plies: Option<u32>,
}

impl Value {
    /// A tie in games without points.
    pub const TIE: Value = Value { outcome: Outcome::Tie, score: None, plies: None };
    /// A draw.
    pub const DRAW: Value = Value { outcome: Outcome::Draw, score: None, plies: None };

    /// The value of a game that ends with that score.
    pub fn of_score(score: Score) -> Value {
        let outcome = match score.signum() {
            0 => Outcome::Tie,
            1 => Outcome::Win(Player::First),
            _ => Outcome::Win(Player::Second),
        };
        Value { outcome, score: Some(score), plies: None }
    }

    /// A win of a player in the given number of plies.
    #[inline]
    pub fn win(player: Player, plies: u32) -> Value {
        Value { outcome: Outcome::Win(player), score: None, plies: Some(plies) }
    }

    /// The value a ply earlier, which a move has that leads to a position of this value.
    #[inline]
    pub fn before(self) -> Value {
        Value { plies: self.plies.map(|plies| plies + 1), ..self }
    }

    /// The winner, if there is one.
    #[inline]
    pub fn winner(&self) -> Option<Player> {
        match self.outcome {
            Outcome::Win(player) => Some(player),
            Outcome::Tie | Outcome::Draw => None,
        }
    }

    /// The score, if it is an integer.
    #[inline]
    pub fn points(&self) -> Option<i32> {
        self.score.and_then(Score::to_integer)
    }

    /// A sort key, greater for values that are better for a player: a win before a tie or draw
    /// before a loss, then the score, then an early win or a late loss.
    #[inline]
    pub fn rank(&self, player: Player) -> impl Ord + use<> {
        let sign = self.winner().map_or(0, |winner| if winner == player { 1 } else { -1 });
        let score = self.score.map(|score| if player == Player::First { score } else { -score });
        let plies = self.plies.unwrap_or(0);
        let (soon, late) = if sign > 0 { (plies, 0) } else { (0, plies) };
        (sign, score, Reverse(soon), late)
    }
}

/// The rules of a two-player game of perfect information without chance.
///
/// Methods without a default are those that a game must have. Of the others, a game should have
/// [`score`](Game::score) and [`measure`](Game::measure) if it has points, and
/// [`images`](Game::images) and [`canonical`](Game::canonical) if its board has symmetries, because
/// fewer positions are then stored, and [`remaining`](Game::remaining) if its play ends, because it
/// can then be searched. It may have [`orbit_size`](Game::orbit_size), [`reduced`](Game::reduced),
/// [`candidates`](Game::candidates) and [`preference`](Game::preference).
pub trait Game: Send + Sync {
    /// A position: the pieces, the player to move, and whatever else determines the legal moves.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move: a number, a pair of cells, or a text that needs the position to be understood. A pass
    /// is a move too, in games in which a player with no other move passes.
    type Move: Clone + Eq + Hash + Debug + Send + Sync;

    /// The initial position.
    fn start(&self) -> Self::Position;
    /// The player to move; in a terminal position, the player whose turn would be next.
    fn to_move(&self, position: &Self::Position) -> Player;
    /// The legal moves, in a fixed order. A position without legal moves is terminal.
    fn moves(&self, position: &Self::Position) -> Vec<Self::Move>;
    /// The position after a legal move.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;
    /// First player's points minus second player's so far. By default, for games without points, 1
    /// if the first player has won, -1 if the second player has, otherwise 0.
    fn score(&self, position: &Self::Position) -> i32 {
        let winner = self.result(position).and_then(|result| result.winner());
        winner.map_or(0, Player::sign)
    }
    /// The result in a terminal position, and `None` in any other position. Also `None` in a terminal
    /// position whose result depends on moves that it does not record. Play from the start never
    /// reaches such a position.
    fn result(&self, position: &Self::Position) -> Option<Value>;

    /// The images of a position under the symmetries of the game, the position itself first. Each
    /// image occurs equally often: once for every symmetry, or once in all. They form a group: the
    /// images of any image are the same set. By default there are no symmetries.
    fn images(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// The number of distinct images. By default they are counted.
    fn orbit_size(&self, position: &Self::Position) -> u64 {
        let images = self.images(position);
        // Every image occurs as often as the position itself.
        let times = images.iter().filter(|image| *image == position).count();
        (images.len() / times.max(1)) as u64
    }

    /// The image that represents all of them.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The position without those parts of its past that have no influence on the rest of the game,
    /// such as points made: it has the same legal moves, and each move scores the same. The player
    /// to move may be the other one; then each move scores the negative. By default the position
    /// itself. The [result](Game::result) of a reduced terminal position, if it has one, is that
    /// of the position, or, if the player to move is the other one, that with players exchanged.
    fn reduced(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// What values say besides the outcome. By default the plies until the win, or nothing.
    fn measure(&self) -> Measure {
        Measure::Plies
    }

    /// What can happen from a position until the end. A [reduced](Game::reduced) position has the
    /// same. `None`, the default, if positions can occur again, or if no bound is known.
    fn remaining(&self, _: &Self::Position) -> Option<Remaining> {
        None
    }

    /// Legal moves of which one is best: all, unless a proved rule excludes some. Empty in a terminal
    /// position only.
    fn candidates(&self, position: &Self::Position) -> Vec<Self::Move> {
        self.moves(position)
    }

    /// How good a move seems; a search tries moves with a high preference first. By default all are
    /// equal.
    fn preference(&self, _: &Self::Position, _: &Self::Move) -> i32 {
        0
    }
}

/// What the values of a game say besides the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The plies until the win, or nothing. The game is won or drawn.
    Plies,
    /// A score, which is an integer. Every result has one.
    Points,
    /// A score that may be a fraction.
    Fractions,
}

/// What can happen from a position until the end of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// The most plies.
    pub plies: u32,
    /// A lower bound on the value for the player to move: on the points to come, the mover's minus the
    /// opponent's, or, in games without points, -1 for a loss, 0 for a draw, 1 for a win.
    pub lower: i32,
    /// An upper bound on the value.
    pub upper: i32,
}

/// A game that can list the predecessors of a position.
pub trait Reversible: Game {
    /// Every position from which a move leads to this one, once each, whether or not it is
    /// reachable.
    fn unmoves(&self, position: &Self::Position) -> Vec<Self::Position>;
}

/// A game whose positions and moves have a text form. A game must have all methods without a
/// default.
pub trait Notation: Game {
    /// The error of an invalid text.
    type Error: std::error::Error;

    /// Formats a position as a line of text.
    fn format_position(&self, position: &Self::Position) -> String;
    /// Parses a position. Fails if the text is not a position of the game. Positions that play does
    /// not reach may be accepted where the rules give them a value.
    fn parse_position(&self, text: &str) -> Result<Self::Position, Self::Error>;
    /// Whether the text of every position states the points made so far, in games with points. By
    /// default it does. Otherwise the value of a position may be known from there on only.
    fn states_points(&self) -> bool {
        true
    }
    /// Whether play from the start may lead to a position that was parsed. A game that accepts others
    /// should have this method, because front ends mark them. By default, always.
    fn is_reachable(&self, _: &Self::Position) -> bool {
        true
    }
    /// Formats a move of a position as a line of text.
    fn format_move(&self, position: &Self::Position, mv: Self::Move) -> String;
    /// Parses a move in a position, in which it may be illegal.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, Self::Error>;
}

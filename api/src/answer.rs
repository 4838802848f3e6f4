//! The schema of answers. All keys are always present; unknown values are null.

use bsq_engine::game::{self, Player};
use bsq_engine::proved::Proved;
use bsq_engine::score::Score;
use bsq_engine::view::{Fact, Scene};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A position of a game with what is known about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    /// The name of the game.
    pub game: Cow<'static, str>,
    /// The rules: each option with its value, or null if it is not set.
    pub rules: RulesAnswer,
    /// The position, as text that can be asked about again.
    pub position: String,
    /// The moves played since the first position of the session.
    pub played: Vec<String>,
    /// The player to move. In a terminal position, the player whose turn would be next.
    pub to_move: Player,
    /// Whether the position is terminal.
    pub is_over: bool,
    /// Whether play from the start of the game may lead to the position. Some games value others, too.
    pub is_reachable: bool,
    /// First player's points minus the second player's so far; null in games without points, where
    /// the position does not record them, and, before the end of the game, if no value was
    /// requested.
    pub score: Option<Score>,
    /// The value under best play; null if it is not known, or, before the end of the game, if no
    /// value was requested.
    pub value: Option<ValueAnswer>,
    /// Bounds on the value; null if nothing is known. They are the same if the value is known.
    pub bounds: Option<BoundsAnswer>,
    /// The least score at the end that is not excluded; null if nothing is known, and in games without
    /// points.
    pub score_min: Option<Score>,
    /// The greatest score at the end that is not excluded.
    pub score_max: Option<Score>,
    /// Whether the value is known, or [`to_come`](Answer::to_come) where the points so far are not.
    pub proved: bool,
    /// Whether everything that was requested was found; otherwise the time was over before.
    pub is_complete: bool,
    /// First player's points minus the second player's from the position on, under best play.
    pub to_come: Option<Score>,
    /// The least that is not excluded; null if nothing is known, and in games without points.
    pub to_come_min: Option<Score>,
    /// The most that is not excluded.
    pub to_come_max: Option<Score>,
    /// The legal moves. With values, the best ones for the player to move come first; if not all are
    /// known, those that seem best so far.
    pub moves: Vec<MoveAnswer>,
    /// Best play of both players; null if it was not requested.
    pub principal_variation: Option<Vec<String>>,
    /// Further facts about the position.
    pub facts: BTreeMap<String, Fact>,
    /// The position for drawing.
    pub scene: Scene,
    /// The effort of an evaluation with every move.
    pub cost: Cost,
    /// About how many seconds a search for the value takes, rounded up; null if nothing is known about it.
    pub search_seconds: Option<u64>,
}

impl Answer {
    /// The moves that are known to be best.
    pub fn best(&self) -> impl Iterator<Item = &MoveAnswer> {
        self.moves.iter().filter(|mv| mv.class == Some(Class::Best))
    }
}

/// A value under best play of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValueAnswer {
    /// The outcome.
    pub outcome: Outcome,
    /// First player's points minus the second player's at the end; null in games without points.
    pub score: Option<Score>,
    /// Plies until the win, in games that are won sooner or later.
    pub plies: Option<u32>,
}

impl ValueAnswer {
    /// The winner; `None` for a tie or draw.
    pub fn winner(&self) -> Option<Player> {
        self.outcome.winner()
    }
}

/// Bounds on a value under best play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundsAnswer {
    /// The worst value for the first player that is not excluded.
    pub least: ValueAnswer,
    /// The best value for the first player that is not excluded.
    pub most: ValueAnswer,
    /// What they mean, in words such as `the first player does not lose`.
    pub words: String,
}

impl BoundsAnswer {
    /// The outcome, if it is known.
    pub fn outcome(&self) -> Option<Outcome> {
        (self.least.outcome == self.most.outcome).then_some(self.least.outcome)
    }
}

impl From<Proved<game::Value>> for BoundsAnswer {
    fn from(proved: Proved<game::Value>) -> BoundsAnswer {
        let words = proved.to_string();
        BoundsAnswer { least: proved.least.into(), most: proved.most.into(), words }
    }
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveAnswer {
    /// The move, as text that can be played.
    #[serde(rename = "move")]
    pub name: String,
    /// The places at which a person points to play it, in their order. Empty for a pass.
    pub places: Vec<String>,
    /// The value of the position if the move is played, with plies counted from before the move.
    pub value: Option<ValueAnswer>,
    /// First player's points minus the second player's from before the move on.
    pub to_come: Option<Score>,
    /// The points that the move loses compared with the best one, 0 or more; null in games without
    /// points.
    pub cost: Option<Score>,
    /// The effect of the move on the value; null if that is not known.
    pub class: Option<Class>,
    /// Further facts about the move.
    pub facts: BTreeMap<String, Fact>,
}

/// The effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// No move is better.
    Best,
    /// Another move is better, but the winner, or that there is none, stays the same.
    KeepsOutcome,
    /// The winner changes, or a win becomes a tie or draw.
    ChangesOutcome,
}

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The first player wins.
    First,
    /// The second player wins.
    Second,
    /// The game ends without a winner; in games with points, with equal points.
    Tie,
    /// Neither player can force the end of the game.
    Draw,
}

impl Outcome {
    /// The name in answers and tables.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::First => "first",
            Outcome::Second => "second",
            Outcome::Tie => "tie",
            Outcome::Draw => "draw",
        }
    }

    /// The winner; `None` for a tie or draw.
    pub fn winner(self) -> Option<Player> {
        match self {
            Outcome::First => Some(Player::First),
            Outcome::Second => Some(Player::Second),
            Outcome::Tie | Outcome::Draw => None,
        }
    }
}

/// The effort of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cost {
    /// A few reads from a table.
    LookUp,
    /// A search that takes less than a second.
    Quick,
    /// A search, which may be long.
    Search,
    /// A table of the whole board has to be built; later evaluations are looked up.
    Build,
    /// The position is not evaluated.
    Refused {
        /// The reason.
        reason: String,
    },
}

impl From<game::Value> for ValueAnswer {
    fn from(value: game::Value) -> ValueAnswer {
        let outcome = match value.outcome {
            game::Outcome::Win(Player::First) => Outcome::First,
            game::Outcome::Win(Player::Second) => Outcome::Second,
            game::Outcome::Tie => Outcome::Tie,
            game::Outcome::Draw => Outcome::Draw,
        };
        ValueAnswer { outcome, score: value.score, plies: value.plies }
    }
}

/// The rules: each option with its value, or null if it is not set.
pub type RulesAnswer = BTreeMap<String, Option<String>>;

/// The facts under the names of JSON keys.
pub(crate) fn facts_of(facts: Vec<(&'static str, Fact)>) -> BTreeMap<String, Fact> {
    facts.into_iter().map(|(name, fact)| (name.replace(' ', "_"), fact)).collect()
}

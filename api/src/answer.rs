//! The schema of answers. All keys are always present; unknown values are null.

use bsq_engine::game;
use bsq_engine::options::RuleOption;
use bsq_engine::record::Recorded;
use bsq_engine::score::Score;
use bsq_engine::view;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A position of a game with what is known about it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Answer {
    /// The name of the game.
    pub game: &'static str,
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
    /// First player's points minus the second player's so far; null in games without points, where
    /// the position does not record them, and, before the end of the game, if no value was
    /// requested.
    pub score: Option<Points>,
    /// The value under best play; null if it is not known, or, before the end of the game, if no
    /// value was requested.
    pub value: Option<ValueAnswer>,
    /// First player's points minus the second player's from the position on, under best play.
    pub to_come: Option<Points>,
    /// The legal moves. With values, the best ones for the player to move come first.
    pub moves: Vec<MoveAnswer>,
    /// Best play of both players; null if it was not requested.
    pub principal_variation: Option<Vec<String>>,
    /// Further facts about the position.
    pub facts: BTreeMap<String, Option<FactValue>>,
    /// The position for drawing.
    pub scene: SceneAnswer,
    /// The effort of an evaluation with every move.
    pub cost: Cost,
}

impl Answer {
    /// The moves that are known to be best.
    pub fn best(&self) -> impl Iterator<Item = &MoveAnswer> {
        self.moves.iter().filter(|mv| mv.class == Some(Class::Best))
    }
}

/// A value under best play of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ValueAnswer {
    /// The outcome.
    pub outcome: Outcome,
    /// The winner; null for a tie or draw.
    pub winner: Option<Player>,
    /// First player's points minus the second player's at the end; null in games without points.
    pub score: Option<Points>,
    /// Plies until the win, in games that are won sooner or later.
    pub plies: Option<u32>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MoveAnswer {
    /// The move, as text that can be played.
    #[serde(rename = "move")]
    pub name: String,
    /// The places at which a person points to play it, in their order. Empty for a pass.
    pub places: Vec<String>,
    /// The value of the position if the move is played, with plies counted from before the move.
    pub value: Option<ValueAnswer>,
    /// First player's points minus the second player's from before the move on.
    pub to_come: Option<Points>,
    /// The points that the move loses compared with the best one, 0 or more; null in games without
    /// points.
    pub cost: Option<Points>,
    /// The effect of the move on the value; null if that is not known.
    pub class: Option<Class>,
    /// Further facts about the move.
    pub facts: BTreeMap<String, Option<FactValue>>,
}

/// The effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// No move is better.
    Best,
    /// Another move is better, but the winner, or that there is none, stays the same.
    KeepsOutcome,
    /// The winner changes, or a win becomes a tie or draw.
    ChangesOutcome,
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Player {
    /// The player who moves first and prefers high scores.
    First,
    /// The player who moves second and prefers low scores.
    Second,
}

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A player wins.
    Win,
    /// The game ends with equal points.
    Tie,
    /// The game ends without a winner, or neither player can force its end.
    Draw,
}

/// The effort of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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

/// A fact: an integer, or a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FactValue {
    /// A number.
    Integer(i64),
    /// A word.
    Word(String),
}

/// A position for drawing: named places on a grid whose unit is the side of a cell or box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SceneAnswer {
    /// The height of the board.
    pub rows: usize,
    /// The width of the board.
    pub cols: usize,
    /// The places, from the top left by rows.
    pub places: Vec<PlaceAnswer>,
}

/// A part of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlaceAnswer {
    /// The name, to which the places of moves refer.
    pub name: String,
    /// The shape.
    pub shape: Shape,
    /// The distance of the left end from the left side of the board.
    pub x: usize,
    /// The distance of the upper end from the top of the board.
    pub y: usize,
    /// Whether the place is free or taken.
    pub state: State,
    /// The player to whom the piece, the box or the claim belongs.
    pub owner: Option<Player>,
    /// A letter or two to write there.
    pub symbol: Option<String>,
}

/// The shape of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A square with a side of one unit.
    Cell,
    /// A horizontal line, one unit long.
    Horizontal,
    /// A vertical line, one unit long.
    Vertical,
}

/// Whether a place is free or taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Free for both players.
    Empty,
    /// Free, but only the owner may play there.
    Claimed,
    /// Free, but neither player may play there.
    Blocked,
    /// A piece, a line, or a closed box.
    Taken,
}

/// A number of points: an integer, or a fraction as text, such as `"-3/2"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points(pub Score);

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0.numerator(), self.0.denominator()) {
            (points, 1) => serializer.serialize_i64(points),
            (numerator, denominator) => {
                serializer.collect_str(&format_args!("{numerator}/{denominator}"))
            }
        }
    }
}

impl JsonSchema for Points {
    fn schema_name() -> Cow<'static, str> {
        "Points".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of points: an integer, or a fraction as text.",
            "oneOf": [
                { "type": "integer" },
                { "type": "string", "pattern": "^-?[0-9]+/[0-9]+$" },
            ],
        })
    }
}

impl From<game::Player> for Player {
    fn from(player: game::Player) -> Player {
        match player {
            game::Player::First => Player::First,
            game::Player::Second => Player::Second,
        }
    }
}

impl From<game::Value> for ValueAnswer {
    fn from(value: game::Value) -> ValueAnswer {
        let outcome = match value.outcome {
            game::Outcome::Win(_) => Outcome::Win,
            game::Outcome::Tie => Outcome::Tie,
            game::Outcome::Draw => Outcome::Draw,
        };
        let winner = value.winner().map(Player::from);
        ValueAnswer { outcome, winner, score: value.score.map(Points), plies: value.plies }
    }
}

impl From<view::Scene> for SceneAnswer {
    fn from(view::Scene { rows, cols, places }: view::Scene) -> SceneAnswer {
        SceneAnswer { rows, cols, places: places.into_iter().map(PlaceAnswer::from).collect() }
    }
}

impl From<view::Place> for PlaceAnswer {
    fn from(place: view::Place) -> PlaceAnswer {
        let view::Place { name, shape, x, y, state, owner, symbol } = place;
        let shape = match shape {
            view::Shape::Cell => Shape::Cell,
            view::Shape::Horizontal => Shape::Horizontal,
            view::Shape::Vertical => Shape::Vertical,
        };
        let state = match state {
            view::State::Empty => State::Empty,
            view::State::Claimed => State::Claimed,
            view::State::Blocked => State::Blocked,
            view::State::Taken => State::Taken,
        };
        PlaceAnswer { name, shape, x, y, state, owner: owner.map(Player::from), symbol }
    }
}

/// The rules: each option with its value, or null if it is not set.
pub type RulesAnswer = BTreeMap<String, Option<String>>;

/// All options of the rules.
pub(crate) fn rules_of<R: Recorded>(rules: &R) -> RulesAnswer {
    let given: BTreeMap<&str, String> = rules.entries().into_iter().collect();
    let value = |option: &RuleOption| {
        given.get(option.name).cloned().or_else(|| option.default.map(str::to_string))
    };
    R::FORMAT.options.iter().map(|option| (option.parameter(), value(option))).collect()
}

/// The facts under the names of JSON keys.
pub(crate) fn facts_of(facts: &impl view::Facts) -> BTreeMap<String, Option<FactValue>> {
    let value = |fact| match fact {
        view::Fact::Unknown => None,
        view::Fact::Integer(number) => Some(FactValue::Integer(number)),
        view::Fact::Word(word) => Some(FactValue::Word(word.to_string())),
    };
    let facts = facts.facts().into_iter();
    facts.map(|(name, fact)| (name.replace(' ', "_"), value(fact))).collect()
}

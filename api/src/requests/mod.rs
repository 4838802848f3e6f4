//! Requests by path and query, and the JSON that answers them.
//!
//! | path | parameters | answer |
//! | --- | --- | --- |
//! | `games` | | [`Games`] |
//! | `GAME/analyses` | | [`AnalysesAnswer`] |
//! | `GAME/analyses/NAME` | the options of the analysis | [`TablesAnswer`] |
//! | `GAME/position` | rules, [`POSITION`] | [`Answer`](crate::Answer) |
//! | `GAME/position` with a [`Batch`] | | [`Answers`] |
//! | `GAME/line` | rules, [`VARIATION`] | [`Variation`] |
//! | `GAME/move` | rules, [`AGENT`] | [`Chosen`] |
//! | `GAME/puzzle` | rules, [`PUZZLE`] | [`Puzzle`](crate::Puzzle) |
//! | `GAME/record` | rules, [`RECORD`] | [`Record`] |
//! | `GAME/record` with a record as text | | [`Loaded`] |
//!
//! A server answers many requests at a time, within its limits; [`Local`] answers one after another.

mod analyses;
mod batch;
mod local;
mod parameters;
mod replies;

pub use analyses::{
    AnalysesAnswer, AnalysisRequest, TablesAnswer, asked_for, options as analysis_options,
};
pub use batch::{Batch, Place, Values};
pub use local::Local;
pub use parameters::Parameters;
pub use replies::{Answers, Chosen, Games, Loaded, OneAnswer, Record, ServedGame, Variation};

use crate::{Error, Game, RulesAnswer};

/// The maximum length of a parameter in bytes.
pub const MOST_TEXT: usize = 2000;
/// The most moves of a principal variation.
pub const LONGEST_LINE: usize = 200;
/// The default number of moves of [`Variation`].
pub const DEFAULT_LINE: usize = 100;
/// The most positions of a batch.
pub const MOST_POSITIONS: usize = 500;
/// The agent that moves if none is named.
pub const DEFAULT_AGENT: &str = "perfect";

/// Names of parameters of `position` besides the rules.
pub const POSITION: [&str; 4] = ["position", "moves", "values", "line"];
/// Names of parameters of `line` besides the rules.
pub const VARIATION: [&str; 3] = ["position", "moves", "limit"];
/// Names of parameters of `move` besides the rules.
pub const AGENT: [&str; 4] = ["position", "moves", "agent", "seed"];
/// Names of parameters of `puzzle` besides the rules.
pub const PUZZLE: [&str; 5] = ["position", "moves", "task", "level", "seed"];
/// Names of parameters of `record` besides the rules.
pub const RECORD: [&str; 2] = ["position", "moves"];

/// A position that a request is about.
#[derive(Clone)]
pub struct Subject<'a> {
    /// The game.
    pub game: &'a dyn Game,
    /// Names and values of options of the rules.
    pub rules: Vec<(&'static str, String)>,
    /// The first position; the start of the game if it is left out.
    pub position: Option<String>,
    /// Moves to play from there.
    pub moves: String,
}

impl Subject<'_> {
    /// All options of the rules.
    ///
    /// # Errors
    ///
    /// If a rule or the position is invalid.
    pub fn all_rules(&self) -> Result<RulesAnswer, Error> {
        let given: Vec<(&str, &str)> =
            self.rules.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.game.rules_at(&given, self.position.as_deref())
    }
}

/// The rules of an answer by the names of their options.
pub fn options_of<'a>(game: &dyn Game, rules: &'a RulesAnswer) -> Vec<(&'static str, &'a str)> {
    let value = |name: &str| rules.get(name)?.as_deref();
    let options = game.options().iter();
    options.filter_map(|option| Some((option.name, value(&option.parameter())?))).collect()
}

fn unknown(name: &str, names: &[String]) -> String {
    match names.is_empty() {
        true => format!("'{name}' is not a parameter; there are none here"),
        false => format!("'{name}' is not a parameter; there are {}", names.join(", ")),
    }
}

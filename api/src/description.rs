//! The games and the options of their rules as data, for front ends.

use crate::agent::AgentInfo;
use crate::registry::{Game, Registry};
use bsq_engine::definition::Info;
use bsq_engine::options::RuleOption;
use bsq_engine::view::Mark;
use serde::Serialize;
use std::borrow::Cow;

/// A game with the options of its rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameAnswer {
    /// The name in addresses and commands.
    pub name: Cow<'static, str>,
    /// The title.
    pub title: Cow<'static, str>,
    /// What the game is, in a sentence without a full stop.
    pub summary: Cow<'static, str>,
    /// The rules in two or three sentences.
    pub rules: Cow<'static, str>,
    /// The options of the rules.
    pub options: Vec<OptionAnswer>,
    /// The agents under the default rules, the weakest first.
    pub agents: Vec<AgentInfo>,
    /// What can stand at the places of a position that is set up. Empty if none can be set up.
    pub marks: Vec<Mark>,
}

/// An option of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OptionAnswer {
    /// The option.
    #[serde(flatten)]
    pub option: RuleOption,
    /// The name in queries and in the rules of answers.
    pub parameter: String,
}

impl Registry {
    /// The games as data, in the order of their registration.
    pub fn describe(&self) -> Vec<GameAnswer> {
        self.games().map(describe).collect()
    }
}

fn describe(game: &dyn Game) -> GameAnswer {
    // The file of a game is the matter of who serves it.
    let Info { name, title, summary, rules, file: _ } = game.info().clone();
    GameAnswer {
        name,
        title,
        summary,
        rules,
        options: game.options().iter().map(OptionAnswer::of).collect(),
        agents: game.agents(&[]).unwrap_or_default(),
        marks: game.marks(),
    }
}

impl OptionAnswer {
    /// An option with its name in queries.
    pub fn of(option: &RuleOption) -> OptionAnswer {
        OptionAnswer { parameter: option.parameter(), option: option.clone() }
    }
}

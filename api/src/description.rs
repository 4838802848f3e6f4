//! The games and the options of their rules as data, for front ends.

use crate::agent::AgentInfo;
use crate::registry::{Game, Registry};
use bsq_engine::options::{self, RuleOption};
use schemars::JsonSchema;
use serde::Serialize;

/// A game with the options of its rules.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GameAnswer {
    /// The name in addresses and commands.
    pub name: &'static str,
    /// The title.
    pub title: &'static str,
    /// What the game is, in a sentence without a full stop.
    pub summary: &'static str,
    /// The rules in two or three sentences.
    pub rules: &'static str,
    /// The options of the rules.
    pub options: Vec<OptionAnswer>,
    /// The agents under the default rules, the weakest first.
    pub agents: Vec<AgentInfo>,
}

/// An option of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OptionAnswer {
    /// The name, in words.
    pub name: &'static str,
    /// The name in queries and in the rules of answers.
    pub parameter: String,
    /// The valid values.
    pub kind: Kind,
    /// The value if the option is not given; null if it is not set then.
    pub default: Option<&'static str>,
    /// What the option sets, in a sentence without a full stop.
    pub help: &'static str,
}

/// The values of an option, all of them given as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Kind {
    /// The size of a board: `ROWSxCOLS`.
    Board,
    /// `yes` or `no`.
    Truth,
    /// An integer.
    Integer {
        /// The least valid value.
        least: i64,
        /// The greatest valid value on any board.
        most: i64,
    },
    /// A number of points: an integer, a decimal such as `-0.5`, or a fraction such as `-1/2`.
    Points {
        /// The least valid value.
        least: i64,
        /// The greatest valid value.
        most: i64,
    },
    /// One of some words.
    Choice {
        /// The words.
        values: &'static [&'static str],
    },
    /// Text of a form.
    Text {
        /// The form.
        form: &'static str,
    },
}

impl Registry {
    /// The games as data, in the order of their registration.
    pub fn describe(&self) -> Vec<GameAnswer> {
        self.games().map(describe).collect()
    }
}

fn describe(game: &dyn Game) -> GameAnswer {
    let info = game.info();
    GameAnswer {
        name: info.name,
        title: info.title,
        summary: info.summary,
        rules: info.rules,
        options: game.options().iter().map(OptionAnswer::from).collect(),
        agents: game.agents(&[]).unwrap_or_default(),
    }
}

impl From<&RuleOption> for OptionAnswer {
    fn from(option: &RuleOption) -> OptionAnswer {
        let kind = match option.kind {
            options::OptionKind::Board => Kind::Board,
            options::OptionKind::Truth => Kind::Truth,
            options::OptionKind::Integer { least, most } => Kind::Integer { least, most },
            options::OptionKind::Points { least, most } => Kind::Points { least, most },
            options::OptionKind::Choice(values) => Kind::Choice { values },
            options::OptionKind::Text(form) => Kind::Text { form },
            options::OptionKind::Position => Kind::Text { form: "POSITION" },
            options::OptionKind::Size => Kind::Text { form: "SIZE" },
            options::OptionKind::Folder => Kind::Text { form: "DIR" },
        };
        let RuleOption { name, default, help, .. } = *option;
        OptionAnswer { name, parameter: option.parameter(), kind, default, help }
    }
}

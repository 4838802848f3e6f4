//! The definition of a game: everything that front ends need besides its rules.

use crate::evaluate::Evaluator;
use crate::explore::{Limits, OnDemand};
use crate::game::Game;
use crate::record::Recorded;
use crate::view::{Facts, View};
use std::error::Error;
use std::path::{Path, PathBuf};

/// The name and description of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The name in commands and addresses, in lower case without spaces.
    pub name: &'static str,
    /// The title.
    pub title: &'static str,
    /// What the game is, in a sentence without a full stop.
    pub summary: &'static str,
    /// The rules in two or three sentences.
    pub rules: &'static str,
}

/// What an evaluator may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Memory for tables, in bytes.
    pub memory: u64,
    /// A tablebase.
    pub tablebase: Option<PathBuf>,
}

/// An error in creating an evaluator.
pub type Unavailable = Box<dyn Error + Send + Sync>;

/// A way to choose moves without knowing their values.
pub struct Heuristic<G: Game> {
    /// The name; for a heuristic given as text, that text.
    pub name: String,
    /// How it chooses, in plain words; may be empty.
    pub summary: String,
    /// The share of positions, in percent, in which it may choose a move that is not best, as
    /// measured on the board of the default rules.
    pub mistakes: Option<f64>,
    /// The moves that it prefers in a position: some of the legal ones, at least one if there are
    /// any.
    pub preferred: Box<Preferred<G>>,
}

/// The function of a [`Heuristic`].
pub type Preferred<G> = dyn Fn(&<G as Game>::Position) -> Vec<<G as Game>::Move> + Send + Sync;

/// A text that is not the name of a heuristic.
#[derive(Debug, thiserror::Error)]
#[error("unknown heuristic '{0}'")]
struct UnknownHeuristic(String);

/// A game with its evaluator.
pub trait Definition: Send + Sync + 'static {
    /// The rules, with notation, records and drawings.
    type Rules: Recorded + View + Send + Sync + 'static;
    /// The evaluator.
    type Evaluator: Evaluator<Game = Self::Rules, Facts: Facts, MoveFacts: Facts, Error: Send + Sync + 'static>
        + 'static;
    /// The name and description.
    const INFO: Info;

    /// The rules with the default of every option.
    fn rules() -> Self::Rules;

    /// Creates an evaluator.
    ///
    /// # Errors
    ///
    /// If the resources do not suffice, or the tablebase has other rules or cannot be read.
    fn evaluator(
        rules: &Self::Rules,
        resources: &Resources,
    ) -> Result<Self::Evaluator, Unavailable>;

    /// The rules of a tablebase, or `None` if the path contains none of this game. By default a game
    /// has no tablebases.
    ///
    /// # Errors
    ///
    /// If the tablebase cannot be used.
    fn tablebase_rules(_path: &Path) -> Result<Option<Self::Rules>, Unavailable> {
        Ok(None)
    }

    /// The named heuristics.
    fn heuristics(_: &Self::Rules) -> Vec<Heuristic<Self::Rules>> {
        Vec::new()
    }

    /// The heuristic of a name, or one given as text in a language of the game.
    ///
    /// # Errors
    ///
    /// If the text is neither.
    fn parse_heuristic(
        rules: &Self::Rules,
        text: &str,
    ) -> Result<Heuristic<Self::Rules>, Box<dyn Error + Send + Sync>> {
        let known = Self::heuristics(rules).into_iter().find(|heuristic| heuristic.name == text);
        known.ok_or_else(|| UnknownHeuristic(text.to_string()).into())
    }
}

/// A game small enough to be explored: its values come from its rules alone. The default are the
/// rules with the default of every option.
pub trait Explorable: Recorded + View + Default + Send + Sync + 'static {
    /// The name and description.
    const INFO: Info;

    /// The named heuristics.
    fn heuristics(&self) -> Vec<Heuristic<Self>> {
        Vec::new()
    }
}

impl<G: Explorable> Definition for G {
    type Rules = G;
    type Evaluator = OnDemand<G>;
    const INFO: Info = <G as Explorable>::INFO;

    fn rules() -> G {
        G::default()
    }

    fn evaluator(rules: &G, resources: &Resources) -> Result<OnDemand<G>, Unavailable> {
        if resources.tablebase.is_some() {
            return Err("this game has no tablebases".into());
        }
        let limits = Limits { memory: Some(resources.memory), ..Limits::default() };
        Ok(OnDemand::new(rules.clone(), limits))
    }
    fn heuristics(rules: &G) -> Vec<Heuristic<G>> {
        rules.heuristics()
    }
}

//! The definition of a game: everything that front ends need besides its rules.

use crate::dataset::GameColumn;
use crate::error::{Error, HasKind};
use crate::evaluate::Evaluator;
use crate::explore::{Limits, OnDemand};
use crate::game::Game;
use crate::monitor::Monitor;
use crate::options::RuleOption;
use crate::record::Recorded;
use crate::results::Table;
use crate::tabulate;
use crate::text::thousands;
use crate::view::{Facts, View};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The name and description of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The name in commands and addresses, in lower case without spaces.
    pub name: Cow<'static, str>,
    /// The title.
    pub title: Cow<'static, str>,
    /// What the game is, in a sentence without a full stop.
    pub summary: Cow<'static, str>,
    /// The rules in two or three sentences.
    pub rules: Cow<'static, str>,
    /// The file that states the game. Its commands name the file after the verb. `None` if the game
    /// is part of a program.
    pub file: Option<Cow<'static, str>>,
}

impl Info {
    /// Creates a description from static strings.
    pub const fn new(
        name: &'static str,
        title: &'static str,
        summary: &'static str,
        rules: &'static str,
    ) -> Info {
        Info {
            name: Cow::Borrowed(name),
            title: Cow::Borrowed(title),
            summary: Cow::Borrowed(summary),
            rules: Cow::Borrowed(rules),
            file: None,
        }
    }
}

/// The resources that an evaluator may use, and its workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Memory for tables, in bytes.
    pub memory: u64,
    /// The path of a tablebase, for a game that has [tablebases](Definition::tablebases).
    pub tablebase: Option<PathBuf>,
    /// The names of the [optional facts](Definition::facts) to find.
    pub facts: Vec<String>,
    /// How many positions will be evaluated.
    pub workload: Workload,
    /// The [method](Definition::methods) of finding values. `None` selects the first one.
    pub method: Option<&'static str>,
    /// Whether values of first plies are those of the game's stored table, if it has one, instead of
    /// being found anew.
    pub first_plies: bool,
}

/// How many positions an evaluator will evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// One position, and perhaps those that follow it.
    One,
    /// One position, by a search whose [transposition tables](Evaluator::learned) are stored in a
    /// checkpoint.
    Checkpoint,
    /// Many positions, so that a table of the whole board pays off.
    Many,
}

impl Resources {
    /// Creates resources with `memory` bytes for tables, for many positions without optional facts.
    pub fn new(memory: u64) -> Resources {
        Resources {
            memory,
            tablebase: None,
            facts: Vec::new(),
            workload: Workload::Many,
            method: None,
            first_plies: false,
        }
    }
}

/// A fact that an evaluator finds only on request, because that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionalFact {
    /// The name in commands, in lower case without spaces.
    pub name: &'static str,
    /// The name in answers and the column in tables, with underscores.
    pub key: &'static str,
    /// What the fact says, as a phrase without a full stop.
    pub help: &'static str,
}

/// A way to choose moves without knowing their values.
pub struct Heuristic<G: Game> {
    /// The name; for a heuristic given as text, that text.
    pub name: String,
    /// A description of how it chooses, in plain words. May be empty.
    pub summary: String,
    /// The share of positions, in percent, in which it may choose a move that is not best, as
    /// measured on the board of the default rules.
    pub mistakes: Option<f64>,
    /// Returns the legal moves that it prefers in a position: at least one, unless there are none.
    pub preferred: Box<Preferred<G>>,
}

/// The function of a [`Heuristic`].
pub type Preferred<G> = dyn Fn(&<G as Game>::Position) -> Vec<<G as Game>::Move> + Send + Sync;

/// The error for a text that is not the name of a heuristic.
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is not a heuristic")]
pub struct UnknownHeuristic(pub String);

/// A game with its evaluator.
///
/// A game must have [`info`](Definition::info), [`rules`](Definition::rules) and
/// [`evaluator`](Definition::evaluator). It should have [`heuristics`](Definition::heuristics),
/// which serve as opponents and are compared with perfect play. The other methods are optional.
pub trait Definition: Send + Sync + 'static {
    /// The rules, with notation, records and drawings.
    type Rules: Recorded + View + Send + Sync + 'static;
    /// The evaluator.
    type Evaluator: Evaluator<Game = Self::Rules, Facts: Facts, MoveFacts: Facts, Error: HasKind>
        + 'static;

    /// The name and description.
    fn info(&self) -> &Info;

    /// The rules with the default of every option.
    fn rules(&self) -> Self::Rules;

    /// The names of the methods of finding values, the default first. Empty if there is only one.
    fn methods(&self) -> &'static [&'static str] {
        &[]
    }

    /// Facts that the evaluator finds only on request.
    fn facts(&self) -> &'static [OptionalFact] {
        &[]
    }

    /// The tablebases, if the game has any.
    fn tablebases(&self) -> Option<Tablebases<Self::Rules>> {
        None
    }

    /// Creates an evaluator.
    ///
    /// # Errors
    ///
    /// If the resources do not suffice, or the tablebase has other rules or cannot be read.
    fn evaluator(
        &self,
        rules: &Self::Rules,
        resources: &Resources,
    ) -> Result<Self::Evaluator, Error>;

    /// The named heuristics.
    fn heuristics(&self, _: &Self::Rules) -> Vec<Heuristic<Self::Rules>> {
        Vec::new()
    }

    /// The columns that only this game has in the [datasets](crate::dataset) of its positions and
    /// moves.
    fn columns(&self, _: &Self::Rules) -> Vec<GameColumn<Self::Rules>> {
        Vec::new()
    }

    /// Returns the heuristic with a name, or parses one given in a language of the game.
    ///
    /// # Errors
    ///
    /// If the text is neither. The default implementation returns [`UnknownHeuristic`].
    fn parse_heuristic(
        &self,
        rules: &Self::Rules,
        text: &str,
    ) -> Result<Heuristic<Self::Rules>, Box<dyn std::error::Error + Send + Sync>> {
        self.heuristics(rules)
            .into_iter()
            .find(|heuristic| heuristic.name == text)
            .ok_or_else(|| UnknownHeuristic(text.to_string()).into())
    }
}

/// The tablebases of a game: how they are built, verified and recognised.
#[derive(Clone, Debug)]
pub struct Tablebases<R> {
    /// What front ends need to know.
    pub info: TablebaseInfo,
    /// Reads the rules of a tablebase, finished or not.
    pub rules: fn(&Path) -> Result<R, Error>,
    /// Builds a tablebase or continues an unfinished one, and returns tables of what it contains.
    ///
    /// Reports by [`Monitor::note`] whether it starts, continues, or finds the tablebase finished.
    pub build: fn(&R, &BuildRequest, &Monitor) -> Result<Vec<Table>, Error>,
    /// Verifies a tablebase and returns a table of what was compared.
    pub verify: fn(&Path, &Verification, &Monitor) -> Result<Table, Error>,
}

/// The options of building and verifying tablebases.
#[derive(Clone, Debug)]
pub struct TablebaseInfo {
    /// The options of a build besides the rules.
    pub options: Vec<RuleOption>,
    /// The number of positions that a verification samples by default.
    pub sample: u64,
    /// What a full verification does in addition, as a sentence without a full stop. `None` if
    /// there is none.
    pub full: Option<&'static str>,
}

/// A tablebase to build.
#[derive(Clone, Copy, Debug)]
pub struct BuildRequest<'a> {
    /// The file or folder.
    pub path: &'a Path,
    /// The names and values of the options that are given.
    pub options: &'a [(&'a str, &'a str)],
    /// The memory allowed, in bytes.
    pub memory: u64,
}

impl<'a> BuildRequest<'a> {
    /// The value of an option, if it is given.
    pub fn option(&self, name: &str) -> Option<&'a str> {
        self.options.iter().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }
}

/// The extent of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The number of random positions whose values are compared with those after their moves.
    pub sample: u64,
    /// The random seed.
    pub seed: u64,
    /// Whether the verification is a [full](TablebaseInfo::full) one.
    pub full: bool,
    /// The memory allowed, in bytes.
    pub memory: u64,
}

/// The probability in percent with which errors are said to be found.
const SURE: f64 = 95.0;

impl Verification {
    /// Describes how many wrong values the sample would have found. `None` for a full verification.
    ///
    /// Each draw of the sample hits a given position with a probability of at least `least`.
    ///
    /// ```
    /// use bsq_engine::definition::Verification;
    ///
    /// let sampled = Verification { sample: 1000, seed: 1, full: false, memory: 0 };
    /// assert!(sampled.missed(0.001).unwrap().contains("If 3 or more values"));
    /// assert!(sampled.missed(1e-9).unwrap().contains("If 2,991,250 or more values"));
    /// assert!(sampled.missed(0.5).unwrap().contains("If a value had been wrong"));
    /// let nothing = Verification { sample: 0, ..sampled };
    /// assert!(nothing.missed(0.001).unwrap().contains("No values were compared"));
    /// assert_eq!(Verification { full: true, ..sampled }.missed(0.001), None);
    /// ```
    pub fn missed(&self, least: f64) -> Option<String> {
        if self.full {
            return None;
        }
        let checksums = "The checksums find every changed byte.";
        if self.sample == 0 {
            return Some(format!("{checksums} No values were compared."));
        }
        // The sample misses n wrong values with a probability of at most (1 - n least)^sample.
        let missed = (100.0 - SURE) / 100.0;
        let wrong = (-(missed.ln() / self.sample as f64).exp_m1() / least).ceil();
        let wrong = match wrong as u64 {
            0 | 1 => "a value".to_string(),
            wrong => format!("{} or more values", thousands(wrong)),
        };
        Some(format!(
            "{checksums} If {wrong} had been wrong from the beginning, the sample would have found \
             one with a probability of at least {SURE}%."
        ))
    }

    /// The table of what was compared in a verification that found nothing wrong.
    ///
    /// Every position is sampled with at least the probability `least`.
    pub fn table(&self, name: &str, path: &Path, checked: Vec<(&str, u64)>, least: f64) -> Table {
        let title = if self.full {
            format!("{} is right", path.display())
        } else {
            format!("Nothing wrong was found in {}", path.display())
        };
        let mut table = tabulate!(name, &title, for (what, count) in checked => {
            "checked": text key, "what was compared with the rules or checksums" => what;
            "count": integer, "how many of them" => count;
        });
        table.note = self.missed(least);
        table
    }
}

/// The error for a tablebase whose rules are not those requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tablebase is of {found}, not of {requested}")]
pub struct OtherRules {
    /// The rules of the tablebase.
    pub found: String,
    /// The requested rules.
    pub requested: String,
}

crate::usage_errors!(OtherRules);

/// A game small enough that its values can be found by exploring it.
///
/// The rules with the default of every option serve as its [`Definition`].
pub trait Explorable: Recorded + View + Send + Sync + 'static {
    /// The name and description.
    fn info(&self) -> &Info;

    /// The named heuristics.
    fn heuristics(&self) -> Vec<Heuristic<Self>> {
        Vec::new()
    }

    /// The columns that only this game has in the [datasets](crate::dataset) of its positions and
    /// moves.
    fn columns(&self) -> Vec<GameColumn<Self>> {
        Vec::new()
    }
}

impl<G: Explorable> Definition for G {
    type Rules = G;
    type Evaluator = OnDemand<G>;

    fn info(&self) -> &Info {
        Explorable::info(self)
    }

    fn rules(&self) -> G {
        self.clone()
    }

    fn evaluator(&self, rules: &G, resources: &Resources) -> Result<OnDemand<G>, Error> {
        let limits = Limits { memory: Some(resources.memory), ..Limits::default() };
        Ok(OnDemand::new(rules.clone(), limits))
    }

    fn heuristics(&self, rules: &G) -> Vec<Heuristic<G>> {
        Explorable::heuristics(rules)
    }

    fn columns(&self, rules: &G) -> Vec<GameColumn<G>> {
        Explorable::columns(rules)
    }
}

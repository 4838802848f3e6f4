//! The state of a search after a round, as JSON.

use super::{Front, Method, Plan};
use crate::british_square::Rules;
use crate::british_square::heuristic::corpus::Selection;
use crate::british_square::heuristic::features::Feature;
use crate::british_square::heuristic::language;
use crate::british_square::heuristic::list::DecisionList;
use serde::{Deserialize, Serialize};

/// The version of the format.
const VERSION: u32 = 1;

/// The state of a search after some rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The number of completed rounds.
    pub round: u64,
    /// The best lists found.
    pub front: Front,
    /// The lists to be extended next.
    pub(super) lists: Vec<DecisionList>,
}

/// A saved state: lists without their results, which are recomputed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// The number of completed rounds.
    pub round: u64,
    pub(super) front: Vec<DecisionList>,
    pub(super) lists: Vec<DecisionList>,
}

/// An error in a saved state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The text is not a saved search.
    #[error("it is not a saved search ({0})")]
    Malformed(#[from] serde_json::Error),
    /// The format has another version.
    #[error("it has version {0}; this program writes and reads version {VERSION}")]
    Version(u32),
    /// It belongs to another search.
    #[error("it belongs to another search ({theirs}); this one is: {ours}")]
    OtherSearch {
        /// The search of the file.
        theirs: String,
        /// The search expected.
        ours: String,
    },
    /// It contains a list that this search cannot find.
    #[error("'{0}' in it is not a list of this search")]
    Foreign(DecisionList),
    /// It contains a list that cannot be parsed.
    #[error("a list in it cannot be read: {0}")]
    List(#[from] language::ParseError),
}

#[derive(Serialize, Deserialize)]
struct Written {
    version: u32,
    search: String,
    round: u64,
    front: Vec<String>,
    lists: Vec<String>,
}

impl State {
    /// Writes the state as JSON, with a description of the search.
    pub fn write(&self, rules: &Rules, seen: &Selection, plan: &Plan) -> String {
        let written = Written {
            version: VERSION,
            search: described(rules, seen, plan),
            round: self.round,
            front: self.front.lists().iter().map(|found| found.list.to_string()).collect(),
            lists: self.lists.iter().map(DecisionList::to_string).collect(),
        };
        serde_json::to_string_pretty(&written).expect("strings and numbers can be written")
    }

    /// Reads the output of [`write`](State::write) for the same search.
    /// [`Search::resume`](super::Search::resume) restores a state from it.
    pub fn read(
        text: &str,
        rules: &Rules,
        seen: &Selection,
        plan: &Plan,
    ) -> Result<Saved, StateError> {
        let written: Written = serde_json::from_str(text)?;
        if written.version != VERSION {
            return Err(StateError::Version(written.version));
        }
        let ours = described(rules, seen, plan);
        if written.search != ours {
            return Err(StateError::OtherSearch { theirs: written.search, ours });
        }
        let lists = |texts: &[String]| -> Result<Vec<DecisionList>, language::ParseError> {
            texts.iter().map(|text| language::parse(text, &[])).collect()
        };
        Ok(Saved {
            round: written.round,
            front: lists(&written.front)?,
            lists: lists(&written.lists)?,
        })
    }
}

/// Describes everything on which the result depends, except for the number of rounds of a local
/// search, which may increase.
fn described(rules: &Rules, seen: &Selection, plan: &Plan) -> String {
    let method = match plan.method {
        Method::Exhaustive => "exhaustive".to_string(),
        Method::Beam { width } => format!("beam of {width}"),
        Method::Local { steps, .. } => format!("local, {steps} steps, seed {}", plan.seed),
    };
    let names = |features: &[&Feature]| -> String {
        features.iter().map(|feature| feature.name).collect::<Vec<_>>().join(" ")
    };
    let start: Vec<String> = plan.start.iter().map(DecisionList::to_string).collect();
    format!(
        "{method}; at most {} rules and difficulty {}; {} {}{}; from {}; features {}; after replies {}; in conditions {}{}",
        plan.rules,
        plan.difficulty,
        rules.board,
        if rules.center_allowed { "centre allowed" } else { "standard" },
        rules.pieces.map(|pieces| format!(", {pieces} pieces")).unwrap_or_default(),
        if start.is_empty() { "nothing".to_string() } else { start.join(" | ") },
        names(seen.moves),
        names(seen.replies),
        names(seen.conditions),
        if seen.limits { "; with limits" } else { "" },
    )
}

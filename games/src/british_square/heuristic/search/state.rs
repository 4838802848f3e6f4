//! The state of a search after a round, as a file that consists of a
//! [header](bsq_engine::storage::header).

use super::{Front, Method, Plan};
use crate::british_square::Rules;
use crate::british_square::heuristic::corpus::Selection;
use crate::british_square::heuristic::features::Feature;
use crate::british_square::heuristic::language;
use crate::british_square::heuristic::list::DecisionList;
use bsq_engine::error::{HasKind, Kind};
use bsq_engine::storage::Format;
use bsq_engine::storage::container::ReadError;
use bsq_engine::storage::header::program;
use serde::{Deserialize, Serialize};

/// The format of a saved search. Version 1 was JSON without a header.
pub const FORMAT: Format = Format {
    kind: "search for heuristics",
    noun: "checkpoint of a search for heuristics",
    version: 2,
};

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
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
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

impl HasKind for StateError {
    fn kind(&self) -> Kind {
        match self {
            StateError::Read(error) => error.kind(),
            StateError::OtherSearch { .. } => Kind::Usage,
            StateError::Foreign(_) | StateError::List(_) => Kind::Failed,
        }
    }
}

/// The metadata of the file.
#[derive(Serialize, Deserialize)]
struct Written {
    search: String,
    round: u64,
    front: Vec<String>,
    lists: Vec<String>,
}

impl State {
    /// Returns the content of the file, with a description of the search.
    pub fn write(&self, rules: &Rules, seen: &Selection, plan: &Plan) -> String {
        let written = Written {
            search: described(rules, seen, plan),
            round: self.round,
            front: self.front.lists().iter().map(|found| found.list.to_string()).collect(),
            lists: self.lists.iter().map(DecisionList::to_string).collect(),
        };
        FORMAT.encode(&program(), &written).expect("strings and numbers can be written")
    }

    /// Reads the output of [`write`](State::write) for the same search.
    /// [`Search::resume`](super::Search::resume) restores a state from it.
    pub fn read(
        bytes: &[u8],
        rules: &Rules,
        seen: &Selection,
        plan: &Plan,
    ) -> Result<Saved, StateError> {
        let header = FORMAT.decode::<Written>(bytes);
        let header = header.map_err(|error| ReadError::of_header(error, &FORMAT, bytes))?;
        if header.bytes != bytes.len() {
            return Err(ReadError::Damaged("something follows its end").into());
        }
        let written = header.metadata;
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

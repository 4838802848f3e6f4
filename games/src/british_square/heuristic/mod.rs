//! Heuristics that choose a move, and their evaluation against perfect play.
//!
//! A [`Feature`](features::Feature) is a number that a person can see or count for a move. A
//! [`DecisionList`] ranks the moves at a [`Decision`] by features, in order of importance; the
//! moves that remain are those it *likes*.
//!
//! * [`features`]: the features. To add one, see there.
//! * `list`: decision lists, their evaluation and their text form;
//! * [`language`]: the parser of decision lists, which states their grammar;
//! * `built_in`: the named heuristics. To add one, add a line there.
//! * [`tester`]: how often the liked moves are not perfect, and their cost, over all decisions of a
//!   game;
//! * [`guarantee`]: the worst-case value of a player who follows a list from the start;
//! * [`corpus`]: all decisions of a game with their features, merged into classes;
//! * [`search`]: the search for good lists on a corpus.

use built_in::BUILT_IN;
use std::sync::LazyLock;

mod built_in;
pub mod corpus;
mod decision;
pub mod features;
pub mod guarantee;
pub mod language;
mod list;
pub mod search;
pub mod tester;

pub use bsq_engine::expression::Relation;
pub use decision::Decision;
pub use list::{DecisionList, Heuristic, Rule, Sum, Term, Test};

/// All built-in heuristics.
pub static ALL: LazyLock<Vec<Heuristic>> = LazyLock::new(|| {
    let heuristic = |&(name, _, summary, rules): &(&str, f64, &str, &str)| Heuristic {
        name: Some(name.to_string()),
        summary: summary.to_string(),
        list: language::parse(rules, &[]).expect("built-in rules are well-formed"),
    };
    BUILT_IN.iter().map(heuristic).collect()
});

/// The share of decisions on the standard board, in percent, in which the built-in heuristic of
/// that name likes a move that is not perfect.
pub fn mistakes(name: &str) -> Option<f64> {
    BUILT_IN.iter().find(|built_in| built_in.0 == name).map(|built_in| built_in.1)
}

/// The built-in heuristic of that name.
///
/// ```
/// use bsq_games::british_square::heuristic::by_name;
///
/// assert_eq!(by_name("greedy").unwrap().list.to_string(), "most claim");
/// assert!(by_name("lucky").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static Heuristic> {
    ALL.iter().find(|heuristic| heuristic.name.as_deref() == Some(name))
}

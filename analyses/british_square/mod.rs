//! British Square: states, playouts, perfect play, rule variants and heuristics.

pub mod blunders;
pub mod boards;
pub mod capacity;
pub mod heuristics;
#[path = "match/mod.rs"]
pub mod matches;
mod method;
pub mod mirror;
pub mod openings;
mod outcomes;
pub mod playouts;
pub mod scores;
pub mod states;
pub mod terminals;
pub mod variants;

use crate::{Analysis, AnalysisError, Compute, Method, Request, RequestOption, Takes};
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::levels::{self, Census, PlacementGame, ScoreCount, StateKey};
use bsq_engine::strong::{self, Solved};
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::count::states::{StateCounts, count_states};
use bsq_games::british_square::{
    BritishSquare, Evaluator, LevelGame64, LevelGame128, Move, NAME, Rules,
};
use serde_json::{Value, json};

/// The options of analyses that need every state.
const STATES: &[RequestOption] = &[RequestOption::Method(Method::Levels), RequestOption::Pieces];

/// The options of analyses that need every decision with the values of its moves. Levels are
/// accepted so that `analyze all --method levels` includes them; they do not affect these analyses.
const DECISIONS: &[RequestOption] = &[
    RequestOption::Method(Method::DepthFirst),
    RequestOption::Method(Method::Levels),
    RequestOption::Pieces,
];

/// The options of analyses that only count states.
const COUNTS: &[RequestOption] = &[
    RequestOption::Method(Method::Levels),
    RequestOption::Pieces,
    RequestOption::Memory,
    RequestOption::Scratch,
];

/// The description of the column with the rules of a row.
const RULES: &str = "the rule set in words";

/// An analysis of rules under which every state can be valued.
const fn solving(name: &'static str, summary: &'static str, compute: Compute) -> Analysis {
    let analysis = Analysis::new(NAME, name, summary, Takes::SolvableRules, compute);
    Analysis { options: STATES, ..analysis }
}

/// An analysis that only counts states.
const fn counting(name: &'static str, summary: &'static str, compute: Compute) -> Analysis {
    let analysis = Analysis::new(NAME, name, summary, Takes::CountableRules, compute);
    Analysis { options: COUNTS, ..analysis }
}

impl Request<'_> {
    /// Returns the game of the rules.
    pub(crate) fn game(&self) -> Result<BritishSquare, AnalysisError> {
        let game = BritishSquare::new(self.rules()?.clone())?;
        Ok(if self.method == Some(Method::DepthFirst) { game.depth_first() } else { game })
    }

    /// Whether states are counted level by level: because they have been, on request, or because
    /// memory or a scratch folder is given.
    fn is_by_levels(&self) -> bool {
        self.census.is_some()
            || self.method == Some(Method::Levels)
            || self.limits.options().next().is_some()
    }

    /// Counts states, or takes the counts from the census of the request.
    fn state_counts(&self) -> Result<StateCounts, AnalysisError> {
        if !self.is_by_levels() {
            return Ok(count_states(self.rules()?, &self.monitor)?);
        }
        let Census { levels, scores } = self.census_by_levels()?;
        let terminals = scores.into_iter().map(|(score, count)| (score, count.terminals));
        Ok(StateCounts { levels, terminals: terminals.collect() })
    }

    /// Counts states and playouts, or takes the census of the request.
    fn census(&self) -> Result<Census, AnalysisError> {
        if self.is_by_levels() {
            return self.census_by_levels();
        }
        let StateCounts { levels, terminals } = self.state_counts()?;
        let playouts = closed_form::playouts_by_score(self.rules()?, &self.monitor)?.into_iter();
        let scores = playouts.map(|(score, playouts)| {
            let terminals = terminals.get(&score).copied().unwrap_or_default();
            (score, ScoreCount { playouts, terminals })
        });
        Ok(Census { levels, scores: scores.collect() })
    }

    /// Counts states and playouts level by level, or takes the census of the request.
    fn census_by_levels(&self) -> Result<Census, AnalysisError> {
        if let Some(census) = self.census {
            return Ok(census.clone());
        }
        let rules = self.rules()?.clone();
        match rules.board.cells() <= u64::SET_BITS {
            true => self.count(&LevelGame64::new(rules)?),
            false => self.count(&LevelGame128::new(rules)?),
        }
    }

    fn count(&self, game: &impl PlacementGame) -> Result<Census, AnalysisError> {
        Ok(match self.budget {
            Some(budget) => levels::count_within(game, budget, &self.monitor)?,
            None => levels::count(game, &self.monitor)?,
        })
    }

    /// Returns the score under perfect play, and that after a first move on each cell; `None` where it
    /// is not legal.
    fn openings(&self) -> Result<(i32, Vec<Option<i32>>), AnalysisError> {
        let rules = self.rules()?;
        let evaluator = Evaluator::new(rules, None)?;
        let found = evaluator.evaluate(&rules.start(), Detail::Moves, &self.monitor)?;
        let mut values = vec![None; rules.board.cells()];
        for evaluated in found.moves.iter().flatten() {
            if let Move::Place(cell) = evaluated.mv {
                values[cell] = evaluated.points();
            }
        }
        Ok((found.points().unwrap_or_default(), values))
    }

    /// Values every state, in pieces, bias not subtracted.
    fn solve(&self, game: &BritishSquare) -> Result<Solved, AnalysisError> {
        Ok(strong::solve(game, &game.root(), &self.monitor)?)
    }
}

/// Describes a rule set in a few words, such as `5x5 standard`, `5x5 centre allowed`,
/// `4x5 bias 2, 11 pieces`.
///
/// ```
/// use bsq_games::british_square::Rules;
/// let rules = Rules { bias: 2, ..Rules::standard(5, 5).unwrap() };
/// assert_eq!(bsq_analyses::rules_label(&rules), "5x5 bias 2");
/// ```
pub fn rules_label(rules: &Rules) -> String {
    let mut words = Vec::new();
    if rules.center_allowed {
        words.push("centre allowed".to_string());
    }
    if rules.bias != 0 {
        words.push(format!("bias {}", rules.bias));
    }
    if let Some(pieces) = rules.pieces {
        words.push(format!("{pieces} pieces"));
    }
    match words.is_empty() {
        true => format!("{} standard", rules.board),
        false => format!("{} {}", rules.board, words.join(", ")),
    }
}

/// The rules as fields of a manifest or an answer.
pub fn rules_fields(rules: &Rules) -> Value {
    json!({
        "board": rules.board.to_string(),
        "center_allowed": rules.center_allowed,
        "bias": rules.bias,
        "pieces": rules.pieces,
    })
}

//! What it is worth to open each chain or loop of an endgame that consists of nothing else.

use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, AnalysisError, Cell, Described, Job, Table};
use bsq_engine::definition::Definition as _;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::Recorded as _;
use bsq_engine::tabulate;
use bsq_games::dots::{ChainsAndLoops, Component, Definition, NAME, Penalty, SolvedEndgame};
use serde_json::json;
use std::borrow::Cow;

const ENDGAME: RuleOption = RuleOption::new(
    "endgame",
    OptionKind::Text { form: Cow::Borrowed("CHAINS AND LOOPS") },
    Some("chains 3 4 5 loops 4 4"),
    "The boxes of the chains and loops that are left",
);
const PENALTY: &str = "penalty";
/// Openings valued in a second, at least.
const STEPS_A_SECOND: f64 = 3e7;

/// What each opening is worth.
pub const CHART: Chart = Chart {
    x: "boxes",
    y: &["score"],
    by: Some("component"),
    shown: &[Shown::new("chain", "opening a chain"), Shown::new("loop", "opening a loop")],
    x_label: "boxes of the chain or loop",
    y_label: "score in points under best play after that",
    ..Chart::new(
        "endgame",
        Figure::Bars,
        "The best scores {most}: {most series} of {most at} boxes",
    )
};

/// The analysis `endgame`. See the [module](self).
pub fn analysis() -> Analysis {
    let rules = Definition.rules().format().options.clone().into_iter();
    let penalty = rules.filter(|option| option.name == PENALTY);
    let summary = "endgames of chains and loops: what it is worth to open each of them";
    let analysis = Analysis::new("endgame", summary, penalty.chain([ENDGAME]), |request| {
        let text = request.value(&ENDGAME.name).unwrap_or_default();
        let endgame = text.parse::<ChainsAndLoops>();
        let endgame =
            endgame.map_err(|why| AnalysisError::option(&*ENDGAME.name, why.to_string()))?;
        let penalty = Penalty::parse(request.value(PENALTY).unwrap_or_default());
        let penalty = penalty.map_err(|why| AnalysisError::option(PENALTY, why.to_string()))?;
        let Some(points) = penalty.score().to_integer() else {
            let why = format!("an endgame takes a whole number of points, not {penalty}");
            return Err(AnalysisError::option(PENALTY, why));
        };
        let charged = if points == 0 { String::new() } else { format!(", penalty {points}") };
        let described = Described {
            label: format!("{text}{charged}"),
            fields: json!({ "game": NAME, "endgame": text, "penalty": penalty.to_string() }),
        };
        let steps = endgame.positions() as f64 * endgame.components().len() as f64;
        let job = Job::new(described, move |_| Ok(tables(&endgame, points)));
        Ok(job.with_estimate(move || Some(steps / STEPS_A_SECOND)))
    });
    analysis.with_charts(&[&CHART]).only_by_name()
}

/// The value of each opening, and that of the endgame.
fn tables(endgame: &ChainsAndLoops, penalty: i32) -> Vec<Table> {
    let solved = endgame.solve(penalty);
    let value = solved.value();
    // The theorem is about games without a penalty.
    let controlled_value = endgame.controlled_value().filter(|_| penalty == 0);
    let openings = solved.openings();
    let numbered = endgame.components().iter().zip(&openings);
    let rows = numbered.map(|((component, number), (_, score))| (*component, *number, *score));
    let mut openings = tabulate!("endgame", "Openings of an endgame", for (component, number, score) in rows => {
        "component": text key, "what the first player opens: a chain or a loop" => kind(component);
        "boxes": integer key, "boxes of it" => component.boxes();
        "number": integer, "such chains or loops" => number;
        "score": integer, "first player's points minus second player's under best play after that" => score;
        "cost": integer, "points that the move gives away" => value - score;
    });
    let rows = [endgame.boxes()];
    let whole = tabulate!("endgame-value", "Value of an endgame", for boxes in rows => {
        "boxes": integer key, "boxes of all chains and loops" => boxes;
        "score": integer, "first player's points minus second player's under best play; the first player is to move"
            => value;
        "controlled_value": integer, "the same for the player who keeps control to the end, the second; empty with \
                                      a penalty, and with chains of 1 or 2 boxes"
            => controlled_value.map_or(Cell::Empty, |points| points.into());
    });
    openings.note = Some(note(&solved, controlled_value));
    vec![openings, whole]
}

fn kind(component: Component) -> &'static str {
    match component {
        Component::Chain(_) => "chain",
        Component::Loop(_) => "loop",
    }
}

/// The value of the endgame in words.
fn note(solved: &SolvedEndgame, controlled_value: Option<i32>) -> String {
    let value = solved.value();
    let points = match value.abs() {
        1 => "1 point".to_string(),
        points => format!("{points} points"),
    };
    let outcome = match value.signum() {
        0 => "The endgame is a tie.".to_string(),
        1 => format!("The player to move wins by {points}."),
        _ => format!("The player to move loses by {points}."),
    };
    match controlled_value {
        None => outcome,
        Some(points) => format!(
            "{outcome} The controlled value is {points}; if it is at least 2, it is what the player in control wins by (Buzzard and Ciere 2013)."
        ),
    }
}

#[cfg(test)]
mod tests;

//! Playouts and terminal states by final score.

use super::Asked;
use crate::chart::{Chart, Figure};
use crate::ratio::{big_ratio, ratio};
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::definition::Definition as _;
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;
use bsq_games::british_square::count::{Census, ScoreCount};
use bsq_games::british_square::{Definition, Rules};

/// Playouts by final score.
pub const CHART: Chart = Chart {
    x: "score",
    y: &["playouts"],
    by: Some("score"),
    is_score: true,
    x_label: "final score: first player's points minus second player's",
    y_label: "playouts",
    ..Chart::new(
        "scores",
        Figure::Bars,
        "The most frequent final score is {most at}, of {most share} of {total} playouts",
    )
};

/// The analysis `scores`. See the [module](self).
pub fn analysis() -> Analysis {
    super::counting(
        "scores",
        "playouts and terminal states for each final score",
        |asked| Some(asked.counting_states() + asked.counting_playouts()),
        run,
    )
    .with_charts(&[&CHART])
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let bias = asked.rules.bias;
    let census = asked.census(monitor)?;
    let all = ScoreCount { playouts: census.playouts(), terminals: census.terminals() };
    let rows = census.scores.iter().map(|(lead, count)| (Some(lead - bias), count));
    let rows = rows.chain([(None, &all)]);
    let table = tabulate!("scores", "Final scores", for (score, count) in rows => {
        "score": integer key, "first player's points minus second player's" => score;
        "playouts": integer, "complete sequences of moves that end so" => count.playouts.clone();
        "playouts_share": share, "of all playouts" => big_ratio(&count.playouts, &all.playouts);
        "terminals": integer, "terminal states with that score" => count.terminals;
        "terminals_share": share, "of all terminal states"
            => ratio(count.terminals, all.terminals);
    });
    let mut table = table.total_over(&["score"]);
    table.note = finding(asked, &census);
    Ok(vec![table])
}

/// The largest difference of points that the README of Wellons's program states for 11 pieces.
const STATED_MOST: i32 = 6;

/// What contradicts a statement of the literature.
fn finding(asked: &Asked, census: &Census) -> Option<String> {
    let rules = Rules { pieces: Some(11), ..Definition.rules() };
    let most = census.scores.keys().map(|lead| lead.abs()).max()?;
    (asked.root.is_none() && asked.rules == rules && most > STATED_MOST).then(|| {
        format!(
            "With 11 pieces each, a round can be won by {most} points; the README of Wellons's \
             program (2020) states {STATED_MOST} as the most."
        )
    })
}

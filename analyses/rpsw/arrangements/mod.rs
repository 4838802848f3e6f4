//! The outcome of every arrangement of the pieces at the start.

use super::begins_with_four;
use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::game::{self, Notation, Player};
use bsq_engine::monitor::Monitor;
use bsq_engine::parallel;
use bsq_engine::tabulate;
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::rpsw::{Evaluator, Piece, Placement, Position, Rules, Square, outcome_for};
use std::collections::HashMap;

/// Results for the first player in words.
const RESULTS_OF_FIRST: &[Shown] = &[
    Shown::first("won", "first player wins"),
    Shown::tie("drawn", "draw"),
    Shown::second("lost", "second player wins"),
];

/// The outcome of each start.
pub const CHART: Chart = Chart {
    x: "second",
    y: &["first"],
    by: Some("result"),
    shown: RESULTS_OF_FIRST,
    x_label: "second player's pieces",
    rows_label: "first player's pieces",
    ..Chart::new(
        "rpsw-arrangements",
        Figure::Map,
        "The first player wins {count of won} of {count} starts, the second player {count of lost}",
    )
};

/// The numbers of starts by outcome.
pub const SUMMARY_CHART: Chart = Chart {
    x: "first",
    y: &["won", "drawn", "lost"],
    shown: RESULTS_OF_FIRST,
    x_label: "first player's pieces",
    y_label: "arrangements of the second player",
    ..Chart::new(
        "rpsw-arrangements-summary",
        Figure::Stack,
        "Each arrangement of the first player wins against {range of won} of the second player's",
    )
};

/// The four kinds from the left, as the first player sees the board.
type Arrangement = [Piece; 4];

/// The analysis `arrangements`. See the [module](self).
pub fn analysis() -> Analysis {
    let summary = "who wins from every arrangement of the pieces at the start, and how soon";
    super::of_tablebase("arrangements", summary, check, |_| 0.5, run)
        .with_charts(&[&CHART, &SUMMARY_CHART])
}

/// Returns an error if the game does not begin with four pieces each on four columns.
fn check(rules: &Rules) -> Result<(), AnalysisError> {
    if begins_with_four(rules) { Ok(()) } else { Err(AnalysisError::NoArrangements) }
}

fn run(tablebase: &Tablebase, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let all = arrangements();
    let pairs: Vec<_> =
        all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other))).collect();
    monitor.begin("arrangements", pairs.len() as u64);
    let starts = parallel::try_map(pairs, |pair| {
        monitor.check()?;
        monitor.advance(1);
        evaluate(Evaluator::Tablebase(tablebase), pair, monitor)
    })?;
    Ok(vec![table(tablebase.rules(), &starts), summary(&starts)])
}

/// A start of the game with its value and its best moves.
struct Start {
    pair: (Arrangement, Arrangement),
    position: Position,
    value: game::Value,
    best: Vec<String>,
}

impl Start {
    /// The outcome for the first player.
    fn outcome(&self) -> &'static str {
        outcome_for(Player::First, &self.value)
    }
}

fn arrangements() -> Vec<Arrangement> {
    let mut all = Vec::new();
    for code in 0..256usize {
        let kinds = [6, 4, 2, 0].map(|shift| Piece::ALL[code >> shift & 3]);
        if Piece::ALL.iter().all(|kind| kinds.contains(kind)) {
            all.push(kinds);
        }
    }
    all
}

fn evaluate(
    evaluator: Evaluator,
    pair: (Arrangement, Arrangement),
    monitor: &Monitor,
) -> Result<Start, AnalysisError> {
    let placed = |arrangement: Arrangement| -> Placement {
        Piece::ALL
            .map(|kind| arrangement.iter().position(|other| *other == kind).map(|at| at as Square))
    };
    let position = Position { pieces: [placed(pair.0), placed(pair.1)], to_move: Player::First };
    let found = evaluator.evaluate(&position, Detail::Moves, monitor)?;
    let value = found.value.unwrap_or(game::Value::DRAW);
    let best = found.best().map(|mv| evaluator.game().format_move(&position, mv)).collect();
    Ok(Start { pair, position, value, best })
}

fn letters(arrangement: Arrangement) -> String {
    arrangement.map(|kind| ['R', 'P', 'S', 'W'][kind.index()]).iter().collect()
}

fn table(rules: &Rules, starts: &[Start]) -> Table {
    let mut classes = HashMap::new();
    let title = "Every start of the game, with best play";
    let mut table = tabulate!("rpsw-arrangements", title, for start in starts => {
        let next = classes.len() + 1;
        "first": text key, "the first player's pieces from column a to d" => letters(start.pair.0);
        "second": text key, "the second player's pieces from column a to d" => letters(start.pair.1);
        "class": integer, "the same number for a start and its mirror image"
            => *classes.entry(rules.canonical(&start.position)).or_insert(next);
        "result": text, "for the first player, who moves" => start.outcome();
        "plies": integer, "moves of both players until the game is won, with best play; 0 if \
            it is drawn" => start.value.plies.unwrap_or(0);
        "best": text, "the best first moves" => start.best.join(" ");
    });
    table.set_main_columns(["first", "second", "result", "plies", "best"]);
    table
}

/// A row for each arrangement of the first player, and a total.
fn summary(starts: &[Start]) -> Table {
    let rows = arrangements().into_iter().map(Some).chain([None]);
    let title = "Starts of the game by the first player's arrangement";
    let table = tabulate!("rpsw-arrangements-summary", title, for first in rows => {
        let here = || starts.iter().filter(|start| first.is_none_or(|it| start.pair.0 == it));
        let count = |result: &str| here().filter(|start| start.outcome() == result).count();
        let plies = || here().filter_map(|start| start.value.plies);
        "first": text key, "the first player's pieces from column a to d" => first.map(letters);
        "won": integer, "arrangements of the second player against which the first wins"
            => count("won");
        "lost": integer, "those against which the first loses" => count("lost");
        "drawn": integer, "those against which neither wins" => count("drawn");
        "shortest": integer, "plies of the shortest game with best play that is won; 0 if none is"
            => plies().min().unwrap_or(0);
        "longest": integer, "plies of the longest one; 0 if none is"
            => plies().max().unwrap_or(0);
    });
    table.total_over(&["first"])
}

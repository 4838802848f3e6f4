//! Failures of heuristics over all decisions of the game.

mod from_start;
mod front;
mod test;

pub use from_start::table as from_start_table;
pub use front::{CHART as FRONT_CHART, table as front_table};
pub use test::{FROM_START, analysis as test_analysis, tested_game};

use super::Asked;
use crate::any::heuristic::{
    MAIN_COLUMNS, Named, Results, Tested, by_player, by_turn, columns, named, tables,
};
use crate::chart::{Chart, Figure, PLAYERS};
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_games::british_square::heuristic::tester;
use bsq_games::british_square::heuristic::tester::Counts;
use bsq_games::british_square::heuristic::{ALL, Heuristic};

/// How often heuristics fail, by difficulty.
pub const CHART: Chart = Chart {
    x: "difficulty",
    y: &["fails_share"],
    name: Some("heuristic"),
    log_y: true,
    log_x: true,
    x_label: "difficulty: effort of a person for all its rules",
    y_label: "share of decisions at which it may fail",
    ..Chart::new(
        "heuristics",
        Figure::Points,
        "Failures range from {least} of the decisions ({least at}) to {most} ({most at})",
    )
};

/// The same for each player.
pub const BY_PLAYER_CHART: Chart =
    Chart { table: "heuristics_by_player", by: Some("player"), shown: PLAYERS, ..CHART };

/// How often each heuristic fails, by turn.
pub const BY_TURN_CHART: Chart = Chart {
    x: "turn",
    y: &["heuristic"],
    by: Some("fails_share"),
    x_label: "turn",
    y_label: "share of the decisions of the turn at which it may fail",
    rows_label: "heuristic",
    ..Chart::new(
        "heuristics_by_turn",
        Figure::Map,
        "Of the decisions of a turn, heuristics fail at {range}",
    )
};

/// The analysis `heuristics`. See the [module](self).
pub fn analysis() -> Analysis {
    super::deciding(
        "heuristics",
        "every built-in heuristic against perfect play, at every decision",
        |asked| Some(asked.visiting(1.5e5)),
        run,
    )
    .with_charts(&[&CHART, &BY_PLAYER_CHART, &BY_TURN_CHART, &from_start::CHART])
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let game = asked.game()?;
    let reports = tester::test(&game, &ALL, monitor)?;
    let reports: Vec<Tested> = reports.iter().map(presented).collect();
    let all: Vec<Named> = ALL.iter().map(identified).collect();
    let table = named("heuristics", "Heuristics against perfect play", all.iter());
    let mut table = table.beside(columns(reports.iter().map(|report| report.total)));
    table.set_main_columns([&["heuristic"], &MAIN_COLUMNS[2..]].concat());
    let all: Vec<(&Named, &Tested)> = all.iter().zip(&reports).collect();
    let by_player = by_player("heuristics_by_player", "The same by player", &all);
    let by_turn = by_turn("heuristics_by_turn", "The same by turn", &all);
    let from_start = from_start::table(&game, &ALL, monitor)?;
    Ok(vec![table, by_player, by_turn, from_start])
}

/// Returns the tables of one heuristic: by turn with a total, and by player.
pub fn report_tables(heuristic: &Heuristic, report: &tester::Report) -> Vec<Table> {
    let mut tables = tables(&identified(heuristic), &presented(report));
    tables[0].note = Some(about(heuristic));
    tables
}

/// Describes a heuristic in a sentence or two.
fn about(heuristic: &Heuristic) -> String {
    let Heuristic { summary, list, .. } = heuristic;
    let rules = format!("Rules: {list}. Difficulty: {}.", list.difficulty());
    if summary.is_empty() { rules } else { format!("Likes {summary}. {rules}") }
}

fn identified(heuristic: &Heuristic) -> Named {
    Named {
        label: heuristic.label(),
        file_name: heuristic.file_name(),
        rules: heuristic.list.to_string(),
        difficulty: Some(heuristic.list.difficulty()),
    }
}

fn presented(report: &tester::Report) -> Tested {
    let turns = (1u32..).zip(&report.by_turn);
    Tested {
        by_turn: turns
            .map(|(turn, counts)| (turn, Some(Player::on_turn(turn)), results(counts)))
            .collect(),
        by_player: Player::BOTH.map(|player| (player, results(&report.total(Some(player))))).into(),
        total: results(&report.total(None)),
    }
}

fn results(counts: &Counts) -> Results {
    Results {
        decisions: counts.decisions,
        risky: counts.risky,
        fails: counts.fails,
        fails_badly: counts.fails_badly,
        cost_mean: counts.mean_cost(),
        cost_mean_risky: counts.mean_risky_cost(),
        cost_most: Some(counts.worst),
    }
}

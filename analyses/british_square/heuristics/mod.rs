//! Failures of heuristics over all decisions of the game.

mod from_start;
mod front;

pub use from_start::table as from_start_table;
pub use front::table as front_table;

use crate::chart::{Chart, Figure, Only};
use crate::column::{Column, integer, label, real, share, text};
use crate::ratio::ratio;
use crate::{Analysis, AnalysisError, Cell, Request, Table};
use bsq_engine::game::Player;
use bsq_games::british_square::heuristic::tester;
use bsq_games::british_square::heuristic::tester::{Counts, Report};
use bsq_games::british_square::heuristic::{ALL, Heuristic};

/// How often heuristics fail, by difficulty.
pub const CHART: Chart = Chart {
    x: "difficulty",
    y: &["fails_share"],
    name: Some("heuristic"),
    only: &[Only::Is("turn", "all"), Only::Is("player", "all")],
    log_y: true,
    log_x: true,
    x_label: "difficulty for a person",
    y_label: "share of decisions that can fail",
    ..Chart::new("heuristics", Figure::Points, "Do heuristics that are harder to follow fail less?")
};

/// The analysis `heuristics`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&CHART),
    ..super::solving(
        "heuristics",
        "every built-in heuristic against perfect play, at every decision",
        run,
    )
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let game = request.game()?;
    let reports = tester::test(&game, &ALL, &request.monitor)?;
    let mut totals = Table::new("heuristics", "Heuristics against perfect play", &COLUMNS);
    totals.screen = [&["heuristic"], &SCREEN[1..]].concat();
    let mut by_turn = Table::new("heuristics_by_turn", "The same by turn", &COLUMNS);
    for (heuristic, report) in ALL.iter().zip(&reports) {
        push_totals(&mut totals, heuristic, report);
        push_turns(&mut by_turn, heuristic, report);
    }
    let from_start = from_start::table(&game, &ALL, &request.monitor)?;
    Ok(vec![totals, by_turn, from_start])
}

const COLUMNS: [Column; 16] = [
    text("heuristic", "its name, or its rules if it has none"),
    text("rules", "its rules, in order of importance"),
    integer("difficulty", "how hard it is for a person: see the README of the analysis"),
    label("turn", "number of the turn, from 1; all for the sum"),
    text("player", "who is to move; all for both"),
    integer("decisions", "states whose mover has a legal move"),
    integer("risky", "of these, where a mistake is possible: some move is not perfect"),
    integer("fails", "decisions where some liked move is not perfect"),
    share("fails_share", "of the decisions"),
    share("fails_share_risky", "of the risky decisions"),
    integer("fails_badly", "decisions where no liked move is perfect"),
    share("fails_badly_share", "of the decisions"),
    share("fails_badly_share_risky", "of the risky decisions"),
    real(6, "cost_mean", "points given away at a decision, mean over the liked moves"),
    real(6, "cost_mean_risky", "the same at a risky decision"),
    integer("cost_most", "points that the worst liked move gives away"),
];

const SCREEN: [&str; 7] = [
    "turn",
    "player",
    "decisions",
    "fails_share",
    "fails_share_risky",
    "fails_badly_share",
    "cost_mean",
];

/// Returns the table of one heuristic: by turn, by player, and in total.
pub fn report_table(heuristic: &Heuristic, report: &Report) -> Table {
    let name = format!("heuristic_{}", heuristic.file_name());
    let title = format!("{} against perfect play", heuristic.label());
    let mut table = Table::new(&name, &title, &COLUMNS);
    table.screen = SCREEN.to_vec();
    push_turns(&mut table, heuristic, report);
    push_totals(&mut table, heuristic, report);
    table.note = Some(about(heuristic));
    table
}

/// Describes a heuristic in a sentence or two.
fn about(heuristic: &Heuristic) -> String {
    let Heuristic { summary, list, .. } = heuristic;
    let rules = format!("Rules: {list}. Difficulty: {}.", list.difficulty());
    if summary.is_empty() { rules } else { format!("Likes {summary}. {rules}") }
}

fn push_turns(table: &mut Table, heuristic: &Heuristic, report: &Report) {
    for (turn, counts) in (1u32..).zip(&report.by_turn).filter(|(_, c)| c.decisions > 0) {
        let player = Player::on_turn(turn);
        table.push(row(heuristic, turn.into(), player.name(), counts));
    }
}

fn push_totals(table: &mut Table, heuristic: &Heuristic, report: &Report) {
    for player in Player::BOTH {
        let counts = report.total(Some(player));
        table.push(row(heuristic, "all".into(), player.name(), &counts));
    }
    table.push(row(heuristic, "all".into(), "all", &report.total(None)));
}

fn row(heuristic: &Heuristic, turn: Cell, player: &str, counts: &Counts) -> Vec<Cell> {
    vec![
        heuristic.label().into(),
        heuristic.list.to_string().into(),
        heuristic.list.difficulty().into(),
        turn,
        player.into(),
        counts.decisions.into(),
        counts.risky.into(),
        counts.fails.into(),
        ratio(counts.fails, counts.decisions).into(),
        ratio(counts.fails, counts.risky).into(),
        counts.fails_badly.into(),
        ratio(counts.fails_badly, counts.decisions).into(),
        ratio(counts.fails_badly, counts.risky).into(),
        counts.mean_cost().into(),
        counts.mean_risky_cost().into(),
        counts.worst.into(),
    ]
}

//! Failures of heuristics over all decisions of the game.

mod from_start;
mod front;

pub use from_start::table as from_start_table;
pub use front::table as front_table;

use crate::chart::{Chart, Figure, Only};
use crate::ratio::ratio;
use crate::{Analysis, AnalysisError, Cell, Request, Table};
use bsq_engine::game::Player;
use bsq_engine::tabulate;
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
    let all = || ALL.iter().zip(&reports);
    let rows = all().flat_map(|(it, report)| of_players(it, report)).collect();
    let mut totals = table("heuristics", "Heuristics against perfect play", rows);
    totals.screen = [&["heuristic"], &SCREEN[1..]].concat();
    let rows = all().flat_map(|(it, report)| of_turns(it, report)).collect();
    let by_turn = table("heuristics_by_turn", "The same by turn", rows);
    let from_start = from_start::table(&game, &ALL, &request.monitor)?;
    Ok(vec![totals, by_turn, from_start])
}

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
    let rows = of_turns(heuristic, report).into_iter().chain(of_players(heuristic, report));
    let mut table = table(&name, &title, rows.collect());
    table.screen = SCREEN.to_vec();
    table.note = Some(about(heuristic));
    table
}

/// Describes a heuristic in a sentence or two.
fn about(heuristic: &Heuristic) -> String {
    let Heuristic { summary, list, .. } = heuristic;
    let rules = format!("Rules: {list}. Difficulty: {}.", list.difficulty());
    if summary.is_empty() { rules } else { format!("Likes {summary}. {rules}") }
}

/// A heuristic with its results at the decisions of a turn and a player.
type Row<'a> = (&'a Heuristic, Cell, &'static str, Counts);

fn of_turns<'a>(heuristic: &'a Heuristic, report: &Report) -> Vec<Row<'a>> {
    let turns = (1u32..).zip(&report.by_turn).filter(|(_, counts)| counts.decisions > 0);
    let row = |(turn, counts): (u32, &Counts)| {
        (heuristic, turn.into(), Player::on_turn(turn).name(), *counts)
    };
    turns.map(row).collect()
}

fn of_players<'a>(heuristic: &'a Heuristic, report: &Report) -> Vec<Row<'a>> {
    let players = [Some(Player::First), Some(Player::Second), None].into_iter();
    let row = |player: Option<Player>| {
        (heuristic, "all".into(), player.map_or("all", Player::name), report.total(player))
    };
    players.map(row).collect()
}

const RULES: &str = "its rules, in order of importance";
const DIFFICULTY: &str = "how hard it is for a person: see the README of the analysis";
const DECISIONS: &str = "states whose mover has a legal move";
const RISKY: &str = "of these, where a mistake is possible: some move is not perfect";
const FAILS: &str = "decisions where some liked move is not perfect";
const FAILS_BADLY: &str = "decisions where no liked move is perfect";

fn table(name: &str, title: &str, rows: Vec<Row>) -> Table {
    tabulate!(name, title, for (heuristic, turn, player, counts) in rows => {
        let Counts { decisions, risky, fails, fails_badly, .. } = counts;
        "heuristic": text, "its name, or its rules if it has none" => heuristic.label();
        "rules": text, RULES => heuristic.list.to_string();
        "difficulty": integer, DIFFICULTY => heuristic.list.difficulty();
        "turn": label, "number of the turn, from 1; all for the sum" => turn;
        "player": text, "who is to move; all for both" => player;
        "decisions": integer, DECISIONS => decisions;
        "risky": integer, RISKY => risky;
        "fails": integer, FAILS => fails;
        "fails_share": share, "of the decisions" => ratio(fails, decisions);
        "fails_share_risky": share, "of the risky decisions" => ratio(fails, risky);
        "fails_badly": integer, FAILS_BADLY => fails_badly;
        "fails_badly_share": share, "of the decisions" => ratio(fails_badly, decisions);
        "fails_badly_share_risky": share, "of the risky decisions" => ratio(fails_badly, risky);
        "cost_mean": real(6), "points given away at a decision, mean over the liked moves"
            => counts.mean_cost();
        "cost_mean_risky": real(6), "the same at a risky decision" => counts.mean_risky_cost();
        "cost_most": integer, "points that the worst liked move gives away" => counts.worst;
    })
}

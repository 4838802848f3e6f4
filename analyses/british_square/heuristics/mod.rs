//! Failures of heuristics over all decisions of the game.

mod from_start;
mod front;

pub use from_start::table as from_start_table;
pub use front::table as front_table;

use super::Asked;
use crate::chart::{Chart, Figure};
use crate::ratio::ratio;
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;
use bsq_games::british_square::heuristic::tester;
use bsq_games::british_square::heuristic::tester::{Counts, Report};
use bsq_games::british_square::heuristic::{ALL, Heuristic};

/// How often heuristics fail, by difficulty.
pub const CHART: Chart = Chart {
    x: "difficulty",
    y: &["fails_share"],
    name: Some("heuristic"),
    log_y: true,
    log_x: true,
    x_label: "difficulty for a person",
    y_label: "share of decisions that can fail",
    ..Chart::new("heuristics", Figure::Points, "Do heuristics that are harder to follow fail less?")
};

/// The analysis `heuristics`. See the [module](self).
pub fn analysis() -> Analysis {
    super::deciding(
        "heuristics",
        "every built-in heuristic against perfect play, at every decision",
        |asked| Some(asked.visiting(1.5e5)),
        run,
    )
    .with_charts(&[&CHART])
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let game = asked.game()?;
    let reports = tester::test(&game, &ALL, monitor)?;
    let all: Vec<(&Heuristic, &Report)> = ALL.iter().zip(&reports).collect();
    let table = named("heuristics", "Heuristics against perfect play", ALL.iter());
    let mut table = table.beside(columns(reports.iter().map(|report| report.total(None))));
    table.screen = [&["heuristic"], &SCREEN[2..]].concat();
    let by_player = by_player("heuristics_by_player", "The same by player", &all);
    let by_turn = by_turn("heuristics_by_turn", "The same by turn", &all);
    let from_start = from_start::table(&game, &ALL, monitor)?;
    Ok(vec![table, by_player, by_turn, from_start])
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

/// Returns the tables of one heuristic: by turn with a total, and by player.
pub fn report_tables(heuristic: &Heuristic, report: &Report) -> Vec<Table> {
    let name = format!("heuristic_{}", heuristic.file_name());
    let title = format!("{} against perfect play", heuristic.label());
    let one = [(heuristic, report)];
    let mut table = by_turn(&name, &title, &one);
    table.screen = SCREEN.to_vec();
    table.note = Some(about(heuristic));
    vec![table, by_player(&format!("{name}_by_player"), &format!("{title}, by player"), &one)]
}

/// Describes a heuristic in a sentence or two.
fn about(heuristic: &Heuristic) -> String {
    let Heuristic { summary, list, .. } = heuristic;
    let rules = format!("Rules: {list}. Difficulty: {}.", list.difficulty());
    if summary.is_empty() { rules } else { format!("Likes {summary}. {rules}") }
}

/// Heuristics with their reports.
type Reports<'a> = [(&'a Heuristic, &'a Report)];

/// The results by turn, and of a single heuristic in total.
fn by_turn(name: &str, title: &str, reports: &Reports) -> Table {
    let with_total = reports.len() == 1;
    let rows = reports.iter().flat_map(|&(heuristic, report)| {
        let turns = (1u32..).zip(&report.by_turn).filter(|(_, counts)| counts.decisions > 0);
        let turns = turns.map(|(turn, counts)| (Some(turn), *counts));
        let total = with_total.then(|| (None, report.total(None)));
        turns.chain(total).map(move |(turn, counts)| (heuristic, turn, counts))
    });
    let rows: Vec<(&Heuristic, Option<u32>, Counts)> = rows.collect();
    let turns = tabulate!("", "", for (_, turn, _) in &rows => {
        "turn": integer key, "number of the turn, from 1" => *turn;
        "player": text, "who is to move" => turn.map(|turn| Player::on_turn(turn).name());
    });
    let table = named(name, title, rows.iter().map(|(heuristic, ..)| *heuristic)).beside(turns);
    let table = table.beside(columns(rows.iter().map(|(.., counts)| *counts)));
    if with_total { table.total_over(&["turn", "player"]) } else { table }
}

/// The results by player.
fn by_player(name: &str, title: &str, reports: &Reports) -> Table {
    let rows = reports.iter().flat_map(|&(heuristic, report)| {
        Player::BOTH.map(|player| (heuristic, player, report.total(Some(player))))
    });
    let rows: Vec<(&Heuristic, Player, Counts)> = rows.collect();
    let players = tabulate!("", "", for (_, player, _) in &rows => {
        "player": text key, "who is to move" => player.name();
    });
    let table = named(name, title, rows.iter().map(|(heuristic, ..)| *heuristic)).beside(players);
    table.beside(columns(rows.iter().map(|(.., counts)| *counts)))
}

const RULES: &str = "its rules, in order of importance";
const DIFFICULTY: &str = "how hard it is for a person: see the README of the analysis";
const DECISIONS: &str = "states whose mover has a legal move";
const RISKY: &str = "of these, where a mistake is possible: some move is not perfect";
const OF_DECISIONS: &str = "of the decisions; empty without decisions";
const OF_RISKY: &str = "of the risky decisions; empty without any";
const FAILS: &str = "decisions where some liked move is not perfect";
const FAILS_BADLY: &str = "decisions where no liked move is perfect";

/// The columns that say which heuristic a row is about. It is a part of the key if there are several.
fn named<'a>(name: &str, title: &str, rows: impl Iterator<Item = &'a Heuristic>) -> Table {
    let mut table = tabulate!(name, title, for heuristic in rows => {
        "heuristic": text, "its name, or its rules if it has none" => heuristic.label();
        "rules": text, RULES => heuristic.list.to_string();
        "difficulty": integer, DIFFICULTY => heuristic.list.difficulty();
    });
    table.columns[0].is_key = table.rows.iter().any(|row| row[0] != table.rows[0][0]);
    table
}

/// The columns of results.
fn columns(rows: impl Iterator<Item = Counts>) -> Table {
    tabulate!("", "", for counts in rows => {
        let Counts { decisions, risky, fails, fails_badly, .. } = counts;
        "decisions": integer, DECISIONS => decisions;
        "risky": integer, RISKY => risky;
        "fails": integer, FAILS => fails;
        "fails_share": share, OF_DECISIONS => ratio(fails, decisions);
        "fails_share_risky": share, OF_RISKY => ratio(fails, risky);
        "fails_badly": integer, FAILS_BADLY => fails_badly;
        "fails_badly_share": share, OF_DECISIONS => ratio(fails_badly, decisions);
        "fails_badly_share_risky": share, OF_RISKY => ratio(fails_badly, risky);
        "cost_mean": real(6), "points given away at a decision, mean over the liked moves; empty \
            without decisions" => counts.mean_cost();
        "cost_mean_risky": real(6), "the same at a risky decision; empty without any"
            => counts.mean_risky_cost();
        "cost_most": integer, "points that the worst liked move gives away" => counts.worst;
    })
}

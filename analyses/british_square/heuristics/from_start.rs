//! The worst-case value of a game for a player who follows a heuristic from the start.

use crate::Table;
use crate::chart::{Chart, FOLLOWERS, Figure, Only};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong::solve;
use bsq_engine::tabulate;
use bsq_games::british_square::heuristic::Heuristic;
use bsq_games::british_square::heuristic::guarantee::{Guarantee, Step, Ties, guarantee};
use bsq_games::british_square::{BritishSquare, Move};

/// The worst-case score of each heuristic, followed by either player.
pub const CHART: Chart = Chart {
    x: "heuristic",
    y: &["score"],
    by: Some("player"),
    shown: FOLLOWERS,
    only: &[Only::IsNot("ties", "best")],
    x_label: "heuristic",
    y_label: "first player's lead at the end, ties broken for the worst",
    ..Chart::new(
        "heuristics_from_start",
        Figure::Bars,
        "The first player's lead is {range of first} if the first player follows a heuristic, {range of second} if the second player does",
    )
};

/// The same of one heuristic.
pub const ONE_CHART: Chart = Chart { table: "heuristic_*_from_start", ..CHART };

/// Returns four rows for each heuristic: followed by either player, with ties broken for the worst
/// and for the best.
///
/// # Errors
///
/// Fails if a solver fails or is stopped.
pub fn table(
    game: &BritishSquare,
    heuristics: &[Heuristic],
    monitor: &Monitor,
) -> Result<Table, SolveError> {
    let name = match heuristics {
        [one] => format!("heuristic_{}_from_start", one.file_name()),
        _ => "heuristics_from_start".to_string(),
    };
    let solved = solve(game, &game.root(), monitor)?;
    let bias = game.rules().bias;
    let ways = Player::BOTH.into_iter().flat_map(|player| Ties::BOTH.map(|ties| (player, ties)));
    let rows = heuristics.iter().flat_map(|it| ways.clone().map(move |way| (it, way)));
    let title = "Followed from the start";
    let mut table = tabulate!(&name, title, for (heuristic, (player, ties)) in rows => {
        let sure = guarantee(game, &solved, heuristic, player, ties, monitor)?;
        let keeps = sure.score == solved.value();
        "heuristic": text key, "its name, or its rules if it has none" => heuristic.label();
        "rules": text, "its rules, in order of importance" => heuristic.list.to_string();
        "player": text key, "who follows it" => player.name();
        "ties": text key, "how it chooses among moves it likes alike: worst or best for itself"
            => ties.name();
        "value": integer, "score under perfect play of both" => solved.value() - bias;
        "score": integer, "the score against best play by the opponent"
            => sure.score - bias;
        "keeps": truth, "whether that is the value" => keeps;
        "blunder_turn": integer, "turn of the follower's first blunder in the line; 0 if the value is kept"
            => if keeps { 0 } else { blunder_turn(&sure, game.start().turn, player) };
        "line": text, "tiles of a game that ends with that score; ? marks a blunder"
            => line(&sure);
    });
    table.set_main_columns(["player", "ties", "value", "score", "keeps", "blunder_turn", "line"]);
    Ok(table)
}

/// The turn of the first blunder of a player in a line that begins on a turn; 0 if there is none.
fn blunder_turn(sure: &Guarantee, first_turn: u32, player: Player) -> u32 {
    let mut steps = (first_turn..).zip(&sure.line);
    let blunder = steps.find(|(turn, step)| step.cost > 0 && Player::on_turn(*turn) == player);
    blunder.map_or(0, |(turn, _)| turn)
}

/// Formats the moves as tile numbers.
fn line(sure: &Guarantee) -> String {
    let step = |step: &Step| {
        let mark = if step.cost > 0 { "?" } else { "" };
        match step.mv {
            Move::Place(cell) => format!("{}{mark}", cell + 1),
            Move::Pass => format!("pass{mark}"),
        }
    };
    sure.line.iter().map(step).collect::<Vec<_>>().join(" ")
}

//! The worst-case value of a game for a player who follows a heuristic from the start.

use crate::Table;
use crate::column::{Column, integer, text, truth};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong::solve;
use bsq_games::british_square::heuristic::Heuristic;
use bsq_games::british_square::heuristic::guarantee::{Guarantee, Step, Ties, guarantee};
use bsq_games::british_square::{BritishSquare, Move};

const COLUMNS: [Column; 9] = [
    text("heuristic", "its name, or its rules if it has none"),
    text("rules", "its rules, in order of importance"),
    text("player", "who follows it"),
    text("ties", "how it chooses among moves it likes alike: worst or best for itself"),
    integer("value", "score under perfect play of both"),
    integer("score", "score that the follower is sure of, whatever the opponent does"),
    truth("keeps", "whether the follower is sure of the value"),
    integer("blunder_turn", "turn of the follower's first blunder in the line, if it does not"),
    text("line", "tiles of a game that ends with that score; ? marks a blunder"),
];

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
    let mut table = Table::new(&name, "Followed from the start", &COLUMNS);
    table.screen = ["player", "ties", "value", "score", "keeps", "blunder_turn", "line"].to_vec();
    let solved = solve(game, &game.root(), monitor)?;
    let bias = game.rules().bias;
    for heuristic in heuristics {
        for (player, ties) in Player::BOTH.into_iter().flat_map(|p| Ties::BOTH.map(|t| (p, t))) {
            let sure = guarantee(game, &solved, heuristic, player, ties, monitor)?;
            let keeps = sure.score == solved.value();
            table.push(vec![
                heuristic.label().into(),
                heuristic.list.to_string().into(),
                player.name().into(),
                ties.name().into(),
                (solved.value() - bias).into(),
                (sure.score - bias).into(),
                keeps.into(),
                (if keeps { None } else { blunder_turn(&sure, player) }).into(),
                line(&sure).into(),
            ]);
        }
    }
    Ok(table)
}

fn blunder_turn(sure: &Guarantee, player: Player) -> Option<u32> {
    let mut steps = (1u32..).zip(&sure.line);
    let blunder = steps.find(|(turn, step)| step.cost > 0 && Player::on_turn(*turn) == player);
    blunder.map(|(turn, _)| turn)
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

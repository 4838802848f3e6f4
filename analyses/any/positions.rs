//! The positions that play can reach, by ply.

use crate::Table;
use crate::chart::{Chart, Figure, Shown};
use crate::column::{integer, label};
use bsq_engine::explore::{Exploration, Store};
use bsq_engine::game::{Game, Outcome, Player};

/// The number of positions by ply.
pub const CHART: Chart = Chart {
    x: "ply",
    y: &["positions", "canonical"],
    shown: &[Shown::new("positions", "all"), Shown::new("canonical", "up to symmetry")],
    log_y: true,
    x_label: "ply",
    y_label: "positions",
    ..Chart::new(
        "positions",
        Figure::Lines,
        "How many positions are there after each number of plies?",
    )
};

/// Counts positions by the fewest plies after which they are reached. The game defines what counts
/// as a position: in Dots-and-Boxes it is the set of lines.
pub fn table<G: Game, S: Store<G>>(explored: &Exploration<G, S>) -> Table {
    let mut table = Table::new(
        "positions",
        "Positions by ply",
        &[
            label("ply", "plies from the start, the fewest possible"),
            integer("positions", "positions, symmetric ones counted separately"),
            integer("canonical", "positions up to symmetry"),
            integer("terminal", "terminal positions up to symmetry"),
            integer("first", "those that the first player has won"),
            integer("second", "those that the second player has won"),
            integer("equal", "those that are ties or draws"),
        ],
    );
    for (ply, count) in explored.plies().iter().enumerate() {
        let ends = |outcome: fn(Outcome) -> bool| -> u64 {
            let known =
                count.terminals.iter().filter_map(|(result, count)| Some(((*result)?, count)));
            known
                .filter(|(result, _)| outcome(result.outcome))
                .map(|(_, count)| count.canonical)
                .sum()
        };
        let terminal: u64 = count.terminals.iter().map(|(_, count)| count.canonical).sum();
        table.push(vec![
            ply.into(),
            count.all.positions.into(),
            count.all.canonical.into(),
            terminal.into(),
            ends(|outcome| outcome == Outcome::Win(Player::First)).into(),
            ends(|outcome| outcome == Outcome::Win(Player::Second)).into(),
            ends(|outcome| matches!(outcome, Outcome::Tie | Outcome::Draw)).into(),
        ]);
    }
    table
}

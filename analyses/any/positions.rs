//! The positions that play can reach, by ply.

use crate::Table;
use crate::chart::{Chart, Figure, Shown};
use bsq_engine::explore::Exploration;
use bsq_engine::game::{Game, Outcome, Player};
use bsq_engine::tabulate;

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
        "There are {total of positions} positions, {total of canonical} up to symmetry",
    )
};

/// Counts the positions by the least number of plies after which play reaches them.
///
/// The game defines what counts as a position. In Dots-and-Boxes, it is the set of lines.
pub fn table<G: Game>(explored: &Exploration<G>) -> Table {
    let title = "Positions by ply";
    let plies = explored.plies().iter().enumerate();
    let table = tabulate!("positions", title, for (ply, count) in plies => {
        let ends = |is_counted: fn(Outcome) -> bool| -> u64 {
            count
                .terminals
                .iter()
                .filter(|(result, _)| result.is_some_and(|it| is_counted(it.outcome)))
                .map(|(_, count)| count.canonical)
                .sum()
        };
        "ply": integer key, "plies from the start, the fewest possible" => ply;
        "positions": integer, "positions, symmetric ones counted separately"
            => count.all.positions;
        "canonical": integer, "positions up to symmetry" => count.all.canonical;
        "terminal": integer, "terminal positions up to symmetry"
            => count.terminals.iter().map(|(_, count)| count.canonical).sum::<u64>();
        "first": integer, "those that the first player has won"
            => ends(|outcome| outcome == Outcome::Win(Player::First));
        "second": integer, "those that the second player has won"
            => ends(|outcome| outcome == Outcome::Win(Player::Second));
        "equal": integer, "those that are ties or draws"
            => ends(|outcome| matches!(outcome, Outcome::Tie | Outcome::Draw));
    });
    table.with_sums()
}

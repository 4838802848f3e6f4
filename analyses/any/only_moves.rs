//! The positions in which a single move wins.

use crate::chart::{Chart, Figure, Shown};
use crate::{AnalysisError, Table};
use bsq_engine::explore::Solution;
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;

/// The number of won positions by ply.
pub const CHART: Chart = Chart {
    x: "ply",
    y: &["won", "only"],
    shown: &[Shown::new("won", "won"), Shown::new("only", "won by a single move")],
    log_y: true,
    x_label: "ply",
    y_label: "positions",
    ..Chart::new(
        "only-moves",
        Figure::Lines,
        "In {total of only} of {total of won} won positions a single move wins",
    )
};

/// Counts, by ply, the positions in which the player to move wins, and those among them in which
/// only one move does. Symmetric moves count separately. In games with points whose positions do
/// not record the points made, a win is a positive number of points to come.
///
/// # Errors
///
/// If the monitor stops the count.
pub fn table<G: Game>(solution: &Solution<G>, monitor: &Monitor) -> Result<Table, AnalysisError> {
    let winning_moves = |position: &G::Position| {
        let player = solution.game().to_move(position);
        let moves = solution.moves(position).unwrap_or_default();
        moves.iter().filter(|(_, value)| value.winner() == Some(player)).count()
    };
    let key = |ply, position: &G::Position| {
        let winning = winning_moves(position);
        (winning > 0).then_some((ply, winning == 1))
    };
    let counts = solution.count_by(monitor, key)?;
    let rows = (0..solution.plies().len()).map(|ply| {
        let of = |is_only| counts.get(&(ply, is_only)).copied().unwrap_or_default();
        (ply, of(true), of(false))
    });
    let title = "Positions with a single winning move";
    let table = tabulate!("only-moves", title, for (ply, only, others) in rows => {
        "ply": integer key, "plies from the start, the fewest possible" => ply;
        "won": integer, "positions in which the player to move wins and has a move"
            => only.positions + others.positions;
        "won_canonical": integer, "the same up to symmetry" => only.canonical + others.canonical;
        "only": integer, "those in which exactly one move wins" => only.positions;
        "only_canonical": integer, "the same up to symmetry" => only.canonical;
    });
    Ok(table.with_sums())
}

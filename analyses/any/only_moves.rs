//! The positions in which a single move wins.

use crate::chart::{Chart, Figure, Shown};
use crate::column::{integer, label};
use crate::{AnalysisError, Table};
use bsq_engine::explore::{Solution, Store};
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;

/// The number of won positions by ply.
pub const CHART: Chart = Chart {
    x: "ply",
    y: &["won", "only"],
    shown: &[Shown::new("won", "won"), Shown::new("only", "won by a single move")],
    log_y: true,
    x_label: "ply",
    y_label: "positions",
    ..Chart::new("only-moves", Figure::Lines, "How many won positions have a single winning move?")
};

/// Counts, by ply, the positions in which the player to move wins, and those among them in which
/// only one move does. Symmetric moves count separately. In games with points whose positions do
/// not record the points made, a win is a positive number of points to come.
///
/// # Errors
///
/// If the monitor stops the count.
pub fn table<G: Game, S: Store<G>>(
    solution: &Solution<G, S>,
    monitor: &Monitor,
) -> Result<Table, AnalysisError> {
    let columns = [
        label("ply", "plies from the start, the fewest possible"),
        integer("won", "positions in which the player to move wins and has a move"),
        integer("won_canonical", "the same up to symmetry"),
        integer("only", "those in which exactly one move wins"),
        integer("only_canonical", "the same up to symmetry"),
    ];
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
    let mut table = Table::new("only-moves", "Positions with a single winning move", &columns);
    for ply in 0..solution.plies().len() {
        let of = |is_only| counts.get(&(ply, is_only)).copied().unwrap_or_default();
        let (only, others) = (of(true), of(false));
        table.push(vec![
            ply.into(),
            (only.positions + others.positions).into(),
            (only.canonical + others.canonical).into(),
            only.positions.into(),
            only.canonical.into(),
        ]);
    }
    Ok(table)
}

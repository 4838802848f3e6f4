//! States by turn and by number of legal moves.

mod all;

pub use all::EXPORT;

use crate::chart::{Chart, Figure, Shown};
use crate::column::{integer, label, real, text};
use crate::ratio::ratio;
use crate::{Analysis, AnalysisError, Cell, Request, Table};
use bsq_engine::game::Player;
use bsq_engine::levels::LevelCount;

/// States by turn.
pub const CHART: Chart = Chart {
    x: "turn",
    y: &["states"],
    by: Some("player"),
    shown: &[
        Shown::first("first", "first player to move"),
        Shown::second("second", "second player to move"),
    ],
    x_label: "turn",
    y_label: "states",
    ..Chart::new("states", Figure::Bars, "How many states are there at each turn?")
};

/// The analysis `states`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&CHART),
    ..super::counting(
        "states",
        "how many states there are by turn, and how many legal moves they have",
        run,
    )
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let census = request.census()?;
    let mut by_turn = Table::new(
        "states",
        "States by turn",
        &[
            label(
                "turn",
                "number of the turn, from 1: moves and passes so far, plus one; all for the sum",
            ),
            text("player", "who is to move; all for both"),
            integer("states", "positions of that turn, images under symmetry taken as one"),
            integer("decisions", "states whose mover has a legal move"),
            integer("passes", "states whose mover must pass"),
            integer("terminals", "states in which the game is over"),
            integer("moves", "legal moves in all of them together"),
            real(3, "moves_mean", "legal moves at a decision, on average"),
            integer("moves_most", "the largest number of legal moves"),
        ],
    );
    let mut by_moves = Table::new(
        "states_by_moves",
        "States by turn and number of legal moves",
        &[
            label("turn", "number of the turn, from 1; all for the sum"),
            integer("moves", "legal moves of the mover; 0 for a pass, terminal states left out"),
            integer("states", "states of that turn with so many legal moves"),
        ],
    );
    let mut all = LevelCount::default();
    for (turn, level) in (1u32..).zip(&census.levels) {
        let player = Player::on_turn(turn).name();
        by_turn.push(turn_row(turn.into(), player, level));
        push_moves(&mut by_moves, turn.into(), level);
        all.absorb(level);
    }
    by_turn.push(turn_row("all".into(), "all", &all));
    push_moves(&mut by_moves, "all".into(), &all);
    by_turn.note = Some(format!(
        "The longest game takes {} turns, passes included: its last state has turn number {}.",
        census.levels.len() - 1,
        census.levels.len()
    ));
    Ok(vec![by_turn, by_moves])
}

fn turn_row(turn: Cell, player: &str, level: &LevelCount) -> Vec<Cell> {
    let decisions: u64 = level.by_moves.iter().skip(1).sum();
    let moves: u64 = level.by_moves.iter().zip(0..).map(|(states, moves)| states * moves).sum();
    let most = level.by_moves.iter().rposition(|&states| states > 0).unwrap_or(0);
    vec![
        turn,
        player.into(),
        level.states().into(),
        decisions.into(),
        level.passes().into(),
        level.terminals.into(),
        moves.into(),
        ratio(moves, decisions).into(),
        most.into(),
    ]
}

fn push_moves(table: &mut Table, turn: Cell, level: &LevelCount) {
    for (moves, &states) in level.by_moves.iter().enumerate().filter(|(_, states)| **states > 0) {
        table.push(vec![turn.clone(), moves.into(), states.into()]);
    }
}

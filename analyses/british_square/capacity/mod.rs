//! The number of states by turn in which nobody has passed, computed without visiting them.

use super::Asked;
use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;
use bsq_games::british_square::count::state_bounds::{
    WithoutPasses, bound_states, states_without_passes,
};

/// The numbers by turn.
pub const CHART: Chart = Chart {
    x: "turn",
    y: &["positions", "states"],
    shown: &[
        Shown::new("positions", "images under symmetry apart"),
        Shown::new("states", "images under symmetry taken as one"),
    ],
    log_y: true,
    x_label: "turn",
    y_label: "states in which nobody has passed",
    ..Chart::new(
        "capacity",
        Figure::Lines,
        "Before a pass there are {total of positions} positions, {total of states} up to symmetry",
    )
};

/// The analysis `capacity`. See the [module](self).
pub fn analysis() -> Analysis {
    super::about_rules(
        "capacity",
        "how many states a count would have to visit by turn, without visiting them",
        super::rule_options(),
        |_| Ok(()),
        |asked| Some(super::doubling(&asked.rules.board, 15.0, 64.0, 3.0)),
        run,
    )
    .with_charts(&[&CHART])
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let rules = &asked.rules;
    let by_turn = states_without_passes(rules, monitor)?;
    let sum = |of: fn(&WithoutPasses) -> u128| by_turn.iter().map(of).sum();
    let all = WithoutPasses { positions: sum(|c| c.positions), states: sum(|c| c.states) };
    let turns = (1u32..)
        .zip(&by_turn)
        .map(|(turn, count)| (Some(turn), Some(Player::on_turn(turn).name()), count));
    let rows = turns.chain([(None, None, &all)]);
    let title = "States in which nobody has passed, by turn";
    let table = tabulate!("capacity", title, for (turn, player, count) in rows => {
        "turn": integer key, "number of the turn, from 1: moves so far, plus one" => turn;
        "player": text, "who is to move" => player;
        "positions": integer, "positions of that turn, images under symmetry apart"
            => count.positions;
        "states": integer, "the same, images under symmetry taken as one" => count.states;
    });
    let mut table = table.total_over(&["turn", "player"]);
    let most = bound_states(&rules.board, monitor)?;
    table.note = Some(format!(
        "With those in which somebody has passed there are at most {most} states, on any number of pieces."
    ));
    Ok(vec![table])
}

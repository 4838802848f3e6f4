//! The number of states of each turn, computed without visiting them.

use crate::column::{integer, label, text};
use crate::{Analysis, AnalysisError, Cell, Request, Table, Takes};
use bsq_engine::game::Player;
use bsq_games::british_square::count::state_bounds::{
    WithoutPasses, states_at_most, states_without_passes,
};

/// The analysis `capacity`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    takes: Takes::CountableRules,
    ..super::solving(
        "capacity",
        "how many states a count would have to visit by turn, in a moment",
        run,
    )
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let rules = request.rules()?;
    let by_turn = states_without_passes(rules)?;
    let mut table = Table::new(
        "capacity",
        "States in which nobody has passed, by turn",
        &[
            label("turn", "number of the turn, from 1: moves so far, plus one; all for the sum"),
            text("player", "who is to move; all for both"),
            integer("positions", "positions of that turn, images under symmetry apart"),
            integer("states", "the same, images under symmetry taken as one"),
        ],
    );
    for (turn, count) in (1u32..).zip(&by_turn) {
        table.push(row(turn.into(), Player::on_turn(turn).name(), *count));
    }
    let sum = |of: fn(&WithoutPasses) -> u64| by_turn.iter().map(of).sum();
    let all = WithoutPasses { positions: sum(|c| c.positions), states: sum(|c| c.states) };
    table.push(row("all".into(), "all", all));
    let most = states_at_most(&rules.board);
    table.note = Some(format!(
        "With those in which somebody has passed there are at most {most} states, on any number of pieces."
    ));
    Ok(vec![table])
}

fn row(turn: Cell, player: &str, count: WithoutPasses) -> Vec<Cell> {
    vec![turn, player.into(), count.positions.into(), count.states.into()]
}

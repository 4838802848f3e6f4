//! States by turn and by number of legal moves.

mod all;

pub use all::EXPORT;

use crate::chart::{Chart, Figure, PLAYERS};
use crate::ratio::ratio;
use crate::{Analysis, Table};
use bsq_engine::game::Player;
use bsq_engine::tabulate;
use bsq_games::british_square::Rules;
use bsq_games::british_square::count::StateCounts;

/// States by turn.
pub const CHART: Chart = Chart {
    x: "turn",
    y: &["states"],
    by: Some("player"),
    shown: PLAYERS,
    x_label: "turn",
    y_label: "states",
    ..Chart::new(
        "states",
        Figure::Bars,
        "Turn {most at} has the most states: {most}, {most share} of {total}",
    )
};

/// States by turn and by number of legal moves.
pub const BY_MOVES_CHART: Chart = Chart {
    x: "turn",
    y: &["moves"],
    by: Some("states"),
    x_label: "turn",
    y_label: "states",
    rows_label: "legal moves",
    blank: "no states",
    ..Chart::new(
        "states_by_moves",
        Figure::Map,
        "At most {most} states of a turn have the same number of legal moves ({most at})",
    )
};

/// The analysis `states`. See the [module](self).
pub fn analysis() -> Analysis {
    super::counting(
        "states",
        "how many states there are by turn, and how many legal moves they have",
        |asked| Some(asked.counting_states()),
        |asked, monitor| Ok(tables(&asked.rules, &asked.state_counts(monitor)?)),
    )
    .with_charts(&[&CHART, &BY_MOVES_CHART])
}

/// The tables of counted states.
pub fn tables(_: &Rules, counts: &StateCounts) -> Vec<Table> {
    let all = counts.all_turns();
    // Below a root, there are no states of the turns before.
    let levels = (1u32..).zip(&counts.levels).filter(|(_, level)| level.states() > 0);
    let rows = levels.map(|(turn, level)| (Some(turn), Some(Player::on_turn(turn).name()), level));
    let rows = || rows.clone().chain([(None, None, &all)]);
    let by_turn = tabulate!("states", "States by turn", for (turn, player, level) in rows() => {
        let (decisions, moves) = (level.decisions(), level.moves());
        "turn": integer key, "number of the turn, from 1: moves and passes so far, plus one" => turn;
        "player": text, "who is to move" => player;
        "states": integer, "positions of that turn, images under symmetry taken as one"
            => level.states();
        "decisions": integer, "states whose mover has a legal move" => decisions;
        "passes": integer, "states whose mover must pass" => level.passes();
        "terminals": integer, "states in which the game is over" => level.terminals;
        "moves": integer, "legal moves in all of them together" => moves;
        "moves_mean": real(3), "legal moves at a decision, on average; empty without decisions"
            => ratio(moves, decisions);
        "moves_most": integer, "the largest number of legal moves"
            => level.by_moves.iter().rposition(|&states| states > 0).unwrap_or(0);
    });
    let rows = rows().flat_map(|(turn, _, level)| {
        let by_moves = level.by_moves.iter().copied().enumerate();
        by_moves.filter(|&(_, states)| states > 0).map(move |it| (turn, it))
    });
    let title = "States by turn and number of legal moves";
    let by_moves = tabulate!("states_by_moves", title, for (turn, (moves, states)) in rows => {
        "turn": integer key, "number of the turn, from 1" => turn;
        "moves": integer key, "legal moves of the mover; 0 for a pass, terminal states left out"
            => moves;
        "states": integer, "states of that turn with so many legal moves" => states;
    });
    let mut by_turn = by_turn.total_over(&["turn", "player"]);
    // Without the player, who follows from the turn, the table fits 80 columns.
    let names = by_turn.columns.iter().map(|column| column.name.clone());
    by_turn.main_columns = names.filter(|name| name != "player").collect();
    by_turn.note = Some(format!(
        "The longest game takes {} turns, passes included: its last state has turn number {}.",
        counts.levels.len() - 1,
        counts.levels.len()
    ));
    vec![by_turn, by_moves.total_over(&["turn"])]
}

//! The numbers of states of all boards up to a size.

use super::Asked;
use super::outcomes::by_winner;
use super::{CELLS, COLS, ROWS, boards_up_to};
use crate::chart::{Chart, Figure};
use crate::options::Method;
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;
use bsq_games::british_square::Rules;
use bsq_games::british_square::count::{StateCounts, transfer_matrix};

/// The root of the number of states of every board, by the number of its cells.
pub const CHART: Chart = Chart {
    x: "cols",
    y: &["rows"],
    by: Some("states_root"),
    x_label: "columns",
    y_label: "n-th root of the number of states on n cells",
    rows_label: "rows",
    blank: "a turned board, or a larger one",
    is_up_to: true,
    ..Chart::new(
        "growth",
        Figure::Map,
        "The n-th root of the states on n cells ranges from {least} ({least at}) to {most} ({most at})",
    )
};

/// The analysis `growth`. See the [module](self).
pub fn analysis() -> Analysis {
    super::counting(
        "growth",
        "every board up to the size of {board}: states by turn",
        |asked| Some(super::doubling(&asked.rules.board, 1.8, 25.0, 2.3)),
        run,
    )
    .with_charts(&[&CHART])
    .only_by_name()
}

/// A board with its counts.
struct Counted {
    rules: Rules,
    counts: StateCounts,
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let boards = boards_up_to(asked.rules.board.cells());
    let each = boards.into_iter().map(|board| asked.under(Rules { board, ..asked.rules.clone() }));
    // Boards that are too large are refused before others are counted.
    for asked in each.clone() {
        if asked.count_method() == Method::TransferMatrix {
            let bytes = transfer_matrix::memory_of(&asked.rules.board);
            monitor.allow(bytes).map_err(AnalysisError::TransferMatrix)?;
        }
    }
    let mut counted = Vec::new();
    for asked in each {
        monitor.status(&asked.rules.board.to_string());
        let counts = asked.state_counts(monitor)?;
        counted.push(Counted { rules: asked.rules, counts });
    }
    let mut by_board = by_board(&counted);
    let shown = ["rows", "cols", "cells", "states", "states_root", "terminals", "longest"];
    by_board.set_main_columns(shown);
    Ok(vec![by_board, by_turn(&counted)])
}

fn by_board(counted: &[Counted]) -> Table {
    tabulate!("growth", "States of every board", for Counted { rules, counts } in counted => {
        let board = &rules.board;
        let all = counts.all_turns();
        let scores = counts.terminals.iter().map(|(lead, count)| (lead - rules.bias, *count));
        let [first, second, tie] = by_winner(scores);
        "rows": integer key, ROWS => board.rows();
        "cols": integer key, COLS => board.cols();
        "cells": integer, CELLS => board.cells();
        "states": integer, "positions and the number of their turn, images under symmetry taken as one"
            => all.states();
        "states_root": real(4), "the n-th root of that number, on n cells"
            => (all.states() as f64).powf(1.0 / board.cells() as f64);
        "decisions": integer, "states whose mover has a legal move" => all.decisions();
        "passes": integer, "states whose mover must pass" => all.passes();
        "terminals": integer, "states in which the game is over" => all.terminals;
        "terminals_first": integer, "of these, won by the first player" => first;
        "terminals_second": integer, "of these, won by the second player" => second;
        "terminals_tie": integer, "of these, tied" => tie;
        "moves": integer, "legal moves in all states together" => all.moves();
        "longest": integer, "turns of the longest game, passes included" => counts.levels.len() - 1;
    })
}

fn by_turn(counted: &[Counted]) -> Table {
    let rows = counted.iter().flat_map(|Counted { rules, counts }| {
        (1..).zip(&counts.levels).map(move |it| (&rules.board, it))
    });
    let title = "States of every board by turn";
    tabulate!("growth_by_turn", title, for (board, (turn, level)) in rows => {
        "rows": integer key, ROWS => board.rows();
        "cols": integer key, COLS => board.cols();
        "turn": integer key, "number of the turn, from 1: moves and passes so far, plus one"
            => turn as u32;
        "states": integer, "states of that turn" => level.states();
        "passes": integer, "of these, those whose mover must pass" => level.passes();
        "terminals": integer, "of these, those in which the game is over" => level.terminals;
    })
}

//! The numbers of states of all boards up to a size.

use super::outcomes::by_winner;
use super::{CELLS, COLS, ROWS, boards_up_to};
use crate::chart::{Chart, Figure};
use crate::{Analysis, AnalysisError, Method, Request, RequestOption, Subject, Table};
use bsq_engine::tabulate;
use bsq_games::british_square::count::{StateCounts, transfer_matrix};
use bsq_games::british_square::{Board, Rules};

/// The root of the number of states of every board, by the number of its cells.
pub const CHART: Chart = Chart {
    x: "cols",
    y: &["rows"],
    by: Some("states_root"),
    x_label: "columns",
    y_label: "n-th root of the number of states on n cells",
    rows_label: "rows",
    ..Chart::new("growth", Figure::Map, "How fast does the number of states grow with the board?")
};

/// The analysis `growth`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    is_long: true,
    chart: Some(&CHART),
    options: &[RequestOption::Memory, RequestOption::Pieces],
    ..super::counting("growth", "every board up to the size of {board}: states by turn", run)
};

/// A board with its counts.
struct Counted {
    board: Board,
    bias: i32,
    counts: StateCounts,
}

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let asked = request.rules()?;
    let boards = boards_up_to(asked.board.cells());
    let requests = boards.into_iter().map(|board| {
        let rules = Rules { board, ..asked.clone() };
        (board, Request { subject: Subject::Rules(rules), ..request.clone() })
    });
    // Boards that are too large are refused before others are counted.
    for (board, request) in requests.clone() {
        if request.count_method()? == Method::TransferMatrix {
            transfer_matrix::check_memory(&board, request.memory)?;
        }
    }
    let mut counted = Vec::new();
    for (board, request) in requests {
        request.monitor.status(&board.to_string());
        counted.push(Counted { board, bias: asked.bias, counts: request.state_counts()? });
    }
    let mut by_board = by_board(&counted);
    by_board.screen =
        vec!["rows", "cols", "cells", "states", "states_root", "terminals", "longest"];
    Ok(vec![by_board, by_turn(&counted)])
}

fn by_board(counted: &[Counted]) -> Table {
    tabulate!("growth", "States of every board", for Counted { board, bias, counts } in counted => {
        let all = counts.all_turns();
        let scores = counts.terminals.iter().map(|(lead, count)| (lead - bias, *count));
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
    let rows = counted.iter().flat_map(|Counted { board, counts, .. }| {
        (1..).zip(&counts.levels).map(move |it| (board, it))
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

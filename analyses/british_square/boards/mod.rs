//! The values of all boards up to a size.

use super::Asked;
use super::{CELLS, COLS, ROWS, boards_up_to};
use crate::chart::{Chart, Figure, Only};
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::monitor::Monitor;
use bsq_engine::tabulate;
use bsq_games::british_square::{Evaluation, Evaluator, Move, Rules, cells_of};
use std::collections::BTreeMap;

/// The largest number of cells of a board whose first moves are all valued.
const MAPPED_CELLS: usize = 36;

/// The value of every board, under the centre rule if the board has a centre.
pub const CHART: Chart = Chart {
    x: "cols",
    y: &["rows"],
    by: Some("value"),
    is_score: true,
    only: &[Only::IsNot("center_allowed", "true")],
    x_label: "columns",
    y_label: "score under perfect play",
    rows_label: "rows",
    blank: "a turned board, or a larger one",
    is_up_to: true,
    ..Chart::new(
        "boards",
        Figure::Map,
        "The first player wins on {count of +} of {count} boards, the second player on {count of -}",
    )
};

/// The analysis `boards`. See the [module](self).
pub fn analysis() -> Analysis {
    super::about_rules(
        "boards",
        "every board up to the size of {board}: value and openings",
        super::rule_options().filter(|option| option.name != "pieces"),
        |_| Ok(()),
        |asked| Some(super::doubling(&asked.rules.board, 0.25, 25.0, 2.5)),
        run,
    )
    .with_charts(&[&CHART])
    .only_by_name()
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    // A board that is too large is refused before others are valued.
    Evaluator::new(&asked.rules, monitor.room())?;
    let mut found: Vec<(Rules, Evaluation)> = Vec::new();
    for board in boards_up_to(asked.rules.board.cells()) {
        let detail = if board.cells() <= MAPPED_CELLS { Detail::Moves } else { Detail::Value };
        let mut add = |evaluator: &Evaluator| -> Result<(), AnalysisError> {
            let rules = evaluator.game();
            let evaluated = evaluator.evaluate(&rules.start(), detail, monitor)?;
            found.push((rules.clone(), evaluated));
            Ok(())
        };
        let rules = |center_allowed| Rules { board, center_allowed, ..asked.rules.clone() };
        let evaluator = Evaluator::new(&rules(false), monitor.room())?;
        add(&evaluator)?;
        if board.centre().is_some() {
            add(&evaluator.under(rules(true)))?;
        }
    }
    let found: Vec<Found> =
        found.iter().map(|(rules, evaluated)| Found::of(rules, evaluated)).collect();
    Ok(vec![boards(&found), openings(&found)])
}

/// The values of a board.
struct Found<'a> {
    rules: &'a Rules,
    value: i32,
    /// For each cost, the number of first moves with that cost, and of their classes under
    /// symmetry.
    by_cost: BTreeMap<i32, [usize; 2]>,
}

impl Found<'_> {
    fn of<'a>(rules: &'a Rules, found: &Evaluation) -> Found<'a> {
        let mut by_cost: BTreeMap<i32, [usize; 2]> = BTreeMap::new();
        let symmetries = rules.board.symmetries();
        let value = found.points().unwrap_or_default();
        for evaluated in found.moves.iter().flatten() {
            let (Move::Place(cell), Some(after)) = (evaluated.mv, evaluated.points()) else {
                continue;
            };
            let first_of_class = symmetries.iter().all(|turn| turn[cell] >= cell);
            let counts = by_cost.entry(value - after).or_default();
            counts[0] += 1;
            counts[1] += usize::from(first_of_class);
        }
        Found { rules, value, by_cost }
    }
}

const CENTER: &str = "whether the first move may take the centre; false where there is none";

fn boards(found: &[Found]) -> Table {
    tabulate!("boards", "Value of every board", for found in found => {
        let (board, start) = (&found.rules.board, found.rules.start());
        let moves = cells_of(found.rules.legal(&start, start.to_move)).count();
        let best = found.by_cost.get(&0).copied().or_else(|| (moves == 0).then_some([0, 0]));
        "rows": integer key, ROWS => board.rows();
        "cols": integer key, COLS => board.cols();
        "cells": integer, CELLS => board.cells();
        "center_allowed": truth key, CENTER => found.rules.center_allowed;
        "value": integer, "score under perfect play" => found.value;
        "moves": integer, "legal first moves" => moves;
        "perfect": integer, "of these, how many keep the value; empty if unknown: on boards of \
            more than 36 cells"
            => best.map(|counts| counts[0]);
        "classes": integer, "the perfect ones, images under symmetry taken as one; empty if unknown"
            => best.map(|counts| counts[1]);
    })
}

fn openings(found: &[Found]) -> Table {
    let rows = found.iter().flat_map(|found| found.by_cost.iter().map(move |it| (found, it)));
    let title = "First moves of every board by their value";
    tabulate!("boards_openings", title, for (found, (&cost, &[moves, classes])) in rows => {
        let board = &found.rules.board;
        "rows": integer key, ROWS => board.rows();
        "cols": integer key, COLS => board.cols();
        "cells": integer, CELLS => board.cells();
        "center_allowed": truth key, CENTER => found.rules.center_allowed;
        "value": integer, "score under perfect play after the move" => found.value - cost;
        "cost": integer key, "points that the move gives away" => cost;
        "moves": integer, "first moves of that value" => moves;
        "classes": integer, "the same, images under symmetry taken as one" => classes;
    })
}

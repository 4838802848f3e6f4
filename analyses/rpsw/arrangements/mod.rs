//! The outcome of every arrangement of the pieces at the start.

use super::begins_with_four;
use crate::chart::{Chart, Figure};
use crate::column::{integer, text};
use crate::{Analysis, AnalysisError, Cell, Request, Table, Takes};
use bsq_engine::game::{Notation, Player, Symmetric};
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::rpsw::{NAME, Piece, Placement, Position, Square, Verdict};
use rayon::prelude::*;
use std::collections::HashMap;

/// The outcome of each start.
pub const CHART: Chart = Chart {
    x: "second",
    y: &["first"],
    by: Some("result"),
    order: &["won", "lost", "drawn"],
    x_label: "second player's pieces",
    y_label: "result for the first player, whose pieces stand at the left",
    ..Chart::new("rpsw-arrangements", Figure::Map)
};

/// The numbers of starts by outcome.
pub const SUMMARY_CHART: Chart = Chart {
    x: "first",
    y: &["won", "lost", "drawn"],
    x_label: "first player's pieces",
    y_label: "starts by their result for the first player",
    ..Chart::new("rpsw-arrangements-summary", Figure::Bars)
};

/// The four kinds from the left, as the first player sees the board.
type Arrangement = [Piece; 4];

/// The analysis `arrangements`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&CHART),
    condition,
    ..Analysis::new(
        NAME,
        "arrangements",
        "who wins from every arrangement of the pieces at the start, and how soon",
        Takes::Tablebase,
        run,
    )
};

fn condition(request: &Request) -> Result<(), AnalysisError> {
    match begins_with_four(request.tablebase()?.rules()) {
        true => Ok(()),
        false => Err(AnalysisError::NoArrangements),
    }
}

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let (tablebase, monitor) = (request.tablebase()?, &request.monitor);
    let all = arrangements();
    let pairs: Vec<_> =
        all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other))).collect();
    monitor.begin("arrangements", pairs.len() as u64);
    let values = pairs.par_iter().map(|&pair| -> Result<Value, AnalysisError> {
        monitor.check()?;
        monitor.advance(1);
        value(tablebase, pair)
    });
    let values: Vec<Value> = values.collect::<Result<_, _>>()?;
    Ok(vec![table(tablebase, &values), summary(&values)])
}

/// A start of the game with its value and its best moves.
struct Value {
    pair: (Arrangement, Arrangement),
    position: Position,
    verdict: Verdict,
    best: Vec<String>,
}

fn arrangements() -> Vec<Arrangement> {
    let mut all = Vec::new();
    for code in 0..256usize {
        let kinds = [6, 4, 2, 0].map(|shift| Piece::ALL[code >> shift & 3]);
        if Piece::ALL.iter().all(|kind| kinds.contains(kind)) {
            all.push(kinds);
        }
    }
    all
}

fn value(tablebase: &Tablebase, pair: (Arrangement, Arrangement)) -> Result<Value, AnalysisError> {
    let rules = tablebase.rules();
    let placed = |arrangement: Arrangement| -> Placement {
        Piece::ALL
            .map(|kind| arrangement.iter().position(|other| *other == kind).map(|at| at as Square))
    };
    let position = Position { pieces: [placed(pair.0), placed(pair.1)], to_move: Player::First };
    let verdict = tablebase.verdict(&position)?;
    let judged = rules.judged_moves(tablebase, &position)?.into_iter();
    let best = judged.take_while(|judged| judged.verdict == verdict);
    let best = best.map(|judged| rules.format_move(judged.mv)).collect();
    Ok(Value { pair, position, verdict, best })
}

fn letters(arrangement: Arrangement) -> String {
    arrangement.map(|kind| ['R', 'P', 'S', 'W'][kind.index()]).iter().collect()
}

fn table(tablebase: &Tablebase, values: &[Value]) -> Table {
    let mut table = Table::new(
        "rpsw-arrangements",
        "Every start of the game, with best play",
        &[
            text("first", "the first player's pieces from column a to d"),
            text("second", "the second player's pieces from column a to d"),
            integer("class", "the same number for a start and its mirror image"),
            text("result", "for the first player, who moves"),
            integer(
                "plies",
                "moves of both players until the game is won, with best play; nothing if it is drawn",
            ),
            text("best", "the best first moves"),
        ],
    );
    table.screen = vec!["first", "second", "result", "plies", "best"];
    let mut classes = HashMap::new();
    for value in values {
        let next = classes.len() + 1;
        let class = *classes.entry(tablebase.rules().canonical(&value.position)).or_insert(next);
        let texts =
            [value.pair.0, value.pair.1].map(|arrangement| Cell::from(letters(arrangement)));
        let rest = [
            class.into(),
            value.verdict.result().into(),
            value.verdict.plies().into(),
            value.best.join(" ").into(),
        ];
        table.push(texts.into_iter().chain(rest).collect());
    }
    table
}

/// A row for each arrangement of the first player, and a total.
fn summary(values: &[Value]) -> Table {
    let mut table = Table::new(
        "rpsw-arrangements-summary",
        "Starts of the game by the first player's arrangement",
        &[
            text("first", "the first player's pieces from column a to d"),
            integer("won", "arrangements of the second player against which the first wins"),
            integer("lost", "those against which the first loses"),
            integer("drawn", "those against which neither wins"),
            integer("shortest", "plies of the shortest game with best play, if any is decided"),
            integer("longest", "plies of the longest one"),
        ],
    );
    let mut push = |name: String, values: &[&Value]| {
        let count =
            |result: &str| values.iter().filter(|value| value.verdict.result() == result).count();
        let plies = || values.iter().filter_map(|value| value.verdict.plies());
        table.push(vec![
            name.into(),
            count("won").into(),
            count("lost").into(),
            count("drawn").into(),
            plies().min().into(),
            plies().max().into(),
        ]);
    };
    for arrangement in arrangements() {
        let here: Vec<&Value> = values.iter().filter(|value| value.pair.0 == arrangement).collect();
        push(letters(arrangement), &here);
    }
    push("all".to_string(), &values.iter().collect::<Vec<_>>());
    table
}

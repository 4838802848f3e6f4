//! The number of playouts, by winner.

use super::outcomes::{ByWinner, PLAYOUTS, by_winner};
use super::{Asked, RULES, described};
use crate::chart::{Chart, Figure, Shown};
use crate::options::{MOVES, Method, POSITION, method as method_option};
use crate::source::Root;
use crate::{Analysis, AnalysisError, Job, Table, rules_label};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::tabulate;
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::count::territory::{self, ByMove, TerritoryCountError};
use bsq_games::british_square::{Move, Position, Rules};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Playouts by winner.
pub const CHART: Chart = Chart {
    y: &["playouts_first", "playouts_tie", "playouts_second"],
    shown: &[
        Shown::first("playouts_first", "first player wins"),
        Shown::tie("playouts_tie", "tie"),
        Shown::second("playouts_second", "second player wins"),
    ],
    y_label: "playouts",
    ..Chart::new("playouts", Figure::Bars, "How many playouts does each player win?")
};

/// The methods of counting playouts.
const METHODS: [Method; 3] = [Method::ClosedForm, Method::Territory, Method::Explorer];

/// The option of a row for each first move.
const BY_FIRST_MOVE: RuleOption = RuleOption::new(
    "by first move",
    OptionKind::Truth,
    Some("no"),
    "Count the playouts that begin with each move",
);

/// The analysis `playouts`. See the [module](self).
pub fn analysis() -> Analysis {
    let own = [method_option(METHODS), BY_FIRST_MOVE, POSITION, MOVES];
    let options = super::rule_options().chain(own);
    let summary = "how many playouts there are, and who wins them";
    let analysis = Analysis::new("playouts", summary, options, |request| {
        let asked = Asked::of(request)?;
        let (rules, root) = Root::of(request, asked.rules.clone())?;
        let asked = Arc::new(asked.under(rules));
        let by_first_move = request.value(&BY_FIRST_MOVE.name) == Some("yes");
        if root.is_none() && !by_first_move {
            check(&asked)?;
            let (described, estimated) = (described(&asked.rules), Arc::clone(&asked));
            let job = Job::new(described, move |monitor| run(&asked, monitor));
            return Ok(job.with_estimate(move || estimate(&estimated)));
        }
        let option = if by_first_move { "by first move" } else { "moves" };
        match asked.method {
            None | Some(Method::Territory) if territory::supports(&asked.rules) => {}
            None | Some(Method::Territory) => return Err(NO_PIECES),
            Some(method) => return Err(AnalysisError::ByMethod { method, option }),
        }
        let described = described(&asked.rules).from(&asked.rules, root.as_ref());
        let start = root.map_or_else(|| asked.rules.start(), |root| root.position);
        let estimated = Arc::clone(&asked);
        let job = Job::new(described, move |monitor| {
            let by_move = territory::playouts_by_move(&asked.rules, &start, monitor);
            let by_move = by_move.map_err(of_territory)?;
            let tables = if by_first_move { by_move_table } else { below_table };
            Ok(vec![tables(&asked.rules, &start, by_move)])
        });
        Ok(job.with_estimate(move || Some(estimated.visiting(3e6))))
    });
    analysis.with_charts(&[&CHART])
}

/// The table of the playouts from a position on.
fn below_table(rules: &Rules, start: &Position, by_move: ByMove) -> Table {
    // A position in which the game is over is itself the end of one playout.
    let over = by_move.is_empty().then(|| BTreeMap::from([(start.lead(), 1u8.into())]));
    let through = by_move.into_iter().map(|(_, playouts)| playouts);
    of_leads(rules, territory::together(through.chain(over)))
}

/// The table of the playouts that begin with each move.
fn by_move_table(rules: &Rules, _: &Position, by_move: ByMove) -> Table {
    let title = "Playouts by first move and winner";
    let cell = |mv: &Move| match mv {
        Move::Place(cell) => Some(*cell),
        Move::Pass => None,
    };
    let table = tabulate!("playouts_by_first_move", title, for (mv, _) in &by_move => {
        "tile": integer key, "tile number, 1 at the top left, by rows; empty for a pass"
            => cell(mv).map(|cell| rules.board.tile(cell));
        "coordinate": text, "column letter from the left, row number from the top; empty for a pass"
            => cell(mv).map(|cell| rules.board.coordinate(cell));
    });
    let counts = by_move.into_iter().map(|(_, playouts)| {
        by_winner(playouts.into_iter().map(|(lead, count)| (lead - rules.bias, count)))
    });
    let counts: Vec<ByWinner> = counts.collect();
    let mut table = table.beside(PLAYOUTS.of(&counts)).with_sums();
    let [all, _, _, _, shares @ ..] = PLAYOUTS.names;
    table.set_main_columns([&["coordinate", all], &shares[..]].concat());
    table
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    Ok(vec![of_leads(&asked.rules, playouts(asked, monitor)?)])
}

/// The table of playouts by the final lead of the first player in pieces.
fn of_leads(rules: &Rules, by_lead: BTreeMap<i32, BigUint>) -> Table {
    let counts = by_winner(by_lead.into_iter().map(|(lead, count)| (lead - rules.bias, count)));
    let table = tabulate!("playouts", "Playouts by winner", for rules in [rules] => {
        "rules": text key, RULES => rules_label(rules);
    });
    let mut table = table.beside(PLAYOUTS.of([&counts]));
    table.set_main_columns(PLAYOUTS.names);
    table
}

/// Counts the playouts by the final lead of the first player in pieces. The bias is not subtracted.
fn playouts(asked: &Asked, monitor: &Monitor) -> Result<BTreeMap<i32, BigUint>, AnalysisError> {
    match method(asked) {
        Method::Territory => {
            territory::playouts_by_score(&asked.rules, monitor).map_err(of_territory)
        }
        Method::Explorer => {
            let scores = asked.explored(monitor)?.scores;
            Ok(scores.into_iter().map(|(lead, count)| (lead, count.playouts)).collect())
        }
        _ => Ok(closed_form::playouts_by_score(&asked.rules, monitor)?),
    }
}

fn of_territory(error: TerritoryCountError) -> AnalysisError {
    match error {
        TerritoryCountError::Pieces => NO_PIECES,
        TerritoryCountError::Solve(error) => error.into(),
    }
}

/// The method of the request. The default is the closed form.
fn method(asked: &Asked) -> Method {
    asked.method.unwrap_or(Method::ClosedForm)
}

fn estimate(asked: &Asked) -> Option<f64> {
    Some(match method(asked) {
        Method::Explorer => asked.visiting(1e5),
        Method::Territory => asked.visiting(3e6),
        _ => asked.counting_playouts(),
    })
}

/// Returns an error if the method does not support the rules.
fn check(asked: &Asked) -> Result<(), AnalysisError> {
    match method(asked) {
        Method::Territory if !territory::supports(&asked.rules) => Err(NO_PIECES),
        _ => Ok(()),
    }
}

/// The error of the territory method if the number of pieces is limited: a territory does not
/// determine how many pieces a player has left.
const NO_PIECES: AnalysisError =
    AnalysisError::ByMethod { method: Method::Territory, option: "pieces" };

//! The number of playouts, by winner.

use super::outcomes::{ByWinner, PLAYOUTS, by_winner};
use super::{Asked, RULES};
use crate::chart::{Chart, Figure, Shown};
use crate::options::{MOVES, Method, POSITION, method as option_of};
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
    x_label: "result",
    y_label: "playouts",
    ..Chart::new(
        "playouts",
        Figure::Bars,
        "The first player wins {share of playouts_first} of {total} playouts, the second player {share of playouts_second}",
    )
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
    let own = [option_of(METHODS), BY_FIRST_MOVE, POSITION, MOVES];
    let options = super::rule_options().chain(own);
    let summary = "how many playouts there are, and who wins them";
    let analysis = Analysis::new("playouts", summary, options, |request| {
        let asked = Arc::new(Asked::of(request)?);
        let by_first_move = request.value(&BY_FIRST_MOVE.name) == Some("yes");
        let method = method(&asked, by_first_move)?;
        let estimated = Arc::clone(&asked);
        let job = Job::new(asked.described(), move |monitor| {
            let table = if by_first_move {
                by_move_table(&asked.rules, through_each_move(&asked, method, monitor)?)
            } else {
                of_leads(&asked.rules, playouts(&asked, method, monitor)?)
            };
            Ok(vec![table])
        });
        Ok(job.with_estimate(move || Some(estimate(&estimated, method))))
    });
    analysis.with_charts(&[&CHART])
}

/// The fastest method, where the playouts of the whole game are wanted together or not.
fn fastest(rules: &Rules, is_whole: bool) -> Method {
    match is_whole {
        true => Method::ClosedForm,
        false if territory::supports(rules) => Method::Territory,
        false => Method::Explorer,
    }
}

/// The method of a request: the one that it names, or the fastest.
fn method(asked: &Asked, by_first_move: bool) -> Result<Method, AnalysisError> {
    // The closed form counts the playouts of the whole game at once.
    let part = if by_first_move { Some("by first move") } else { asked.root_option() };
    match (asked.method, part) {
        (Some(method @ Method::ClosedForm), Some(option)) => {
            Err(AnalysisError::ByMethod { method, option })
        }
        (Some(Method::Territory), _) if !territory::supports(&asked.rules) => Err(NO_PIECES),
        (Some(method), _) => Ok(method),
        (None, part) => Ok(fastest(&asked.rules, part.is_none())),
    }
}

/// The table of the playouts that begin with each move.
fn by_move_table(rules: &Rules, by_move: ByMove) -> Table {
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

/// The table of playouts by the final lead of the first player in pieces.
fn of_leads(rules: &Rules, by_lead: ByLead) -> Table {
    let counts = by_winner(by_lead.into_iter().map(|(lead, count)| (lead - rules.bias, count)));
    let table = tabulate!("playouts", "Playouts by winner", for rules in [rules] => {
        "rules": text key, RULES => rules_label(rules);
    });
    let mut table = table.beside(PLAYOUTS.of([&counts]));
    table.set_main_columns(PLAYOUTS.names);
    table
}

/// Playouts by the final lead of the first player in pieces, without the bias.
type ByLead = BTreeMap<i32, BigUint>;

/// Counts the playouts from the root by the fastest method.
pub(super) fn by_lead(asked: &Asked, monitor: &Monitor) -> Result<ByLead, AnalysisError> {
    playouts(asked, fastest(&asked.rules, asked.root.is_none()), monitor)
}

/// Counts the playouts from the root.
fn playouts(asked: &Asked, method: Method, monitor: &Monitor) -> Result<ByLead, AnalysisError> {
    match method {
        Method::Explorer => explored(asked, &asked.start(), monitor),
        Method::Territory => {
            let start = asked.start();
            // A position in which the game is over is itself the end of one playout.
            let over = asked.rules.is_terminal(&start);
            let over = over.then(|| BTreeMap::from([(start.lead(), 1u8.into())]));
            let through = through_each_move(asked, method, monitor)?.into_iter();
            Ok(territory::together(through.map(|(_, playouts)| playouts).chain(over)))
        }
        _ => Ok(closed_form::playouts_by_score(&asked.rules, monitor)?),
    }
}

/// Counts the playouts from a position by visiting every position.
fn explored(asked: &Asked, start: &Position, monitor: &Monitor) -> Result<ByLead, AnalysisError> {
    let scores = asked.explored(start, monitor)?.scores;
    Ok(scores.into_iter().map(|(lead, count)| (lead, count.playouts)).collect())
}

/// Counts the playouts from the root through each of its moves.
fn through_each_move(
    asked: &Asked,
    method: Method,
    monitor: &Monitor,
) -> Result<ByMove, AnalysisError> {
    let (rules, start) = (&asked.rules, asked.start());
    if method == Method::Territory {
        let found = territory::playouts_by_move(rules, &start, monitor);
        return found.map_err(|error| match error {
            TerritoryCountError::Pieces => NO_PIECES,
            TerritoryCountError::Solve(error) => error.into(),
        });
    }
    let moves = rules.moves(&start).into_iter();
    moves.map(|mv| Ok((mv, explored(asked, &rules.play(&start, mv), monitor)?))).collect()
}

fn estimate(asked: &Asked, method: Method) -> f64 {
    match method {
        Method::Explorer => asked.visiting(1e5),
        Method::Territory => asked.visiting(3e6),
        _ => asked.counting_playouts(),
    }
}

/// The error of the territory method if the number of pieces is limited: a territory does not
/// determine how many pieces a player has left.
const NO_PIECES: AnalysisError =
    AnalysisError::ByMethod { method: Method::Territory, option: "pieces" };

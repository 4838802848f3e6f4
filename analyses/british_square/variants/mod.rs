//! The effect of rule variants on value, playouts and states.

use crate::british_square::openings::{map_line, opening_values};
use crate::british_square::outcomes::{RESULTS, outcome_of};
use crate::chart::{Chart, Figure, Shown};
use crate::ratio::big_ratio;
use crate::{Analysis, AnalysisError, Request, Subject, Table, rules_label};
use bsq_engine::levels::ScoreCount;
use bsq_engine::tabulate;
use bsq_games::british_square::Rules;

/// Playouts by result under each rule set.
pub const CHART: Chart = Chart {
    x: "rules",
    y: &["playouts_first_share", "playouts_tie_share", "playouts_second_share"],
    shown: &[
        Shown::first("playouts_first_share", "first player wins"),
        Shown::tie("playouts_tie_share", "tie"),
        Shown::second("playouts_second_share", "second player wins"),
    ],
    x_label: "rules",
    y_label: "share of all playouts",
    ..Chart::new("variants", Figure::Stack, "Which rules favour which player?")
};

/// The analysis `variants`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&CHART),
    ..super::solving(
        "variants",
        "the standard rules beside those of the {parameters}, or beside a standard set of variants",
        run,
    )
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let requests = rule_sets(request.rules()?).into_iter().map(|rules| Request {
        subject: Subject::Rules(rules),
        budget: None,
        census: None,
        ..request.clone()
    });
    Ok(vec![tabulate!("variants", "Rule variants", for request in requests => {
        let (rules, game) = (request.rules()?, request.game()?);
        let (solved, census) = (request.solve(&game)?, request.census()?);
        let [first, second, tie, all] =
            RESULTS.map(|(_, result)| outcome_of(&census, rules, result));
        let share = |part: &ScoreCount| big_ratio(&part.playouts, &all.playouts);
        "rules": text, "the rule set in words" => rules_label(rules);
        "board": text, "rows x columns" => rules.board.to_string();
        "center_allowed": truth, "whether the first move may take the centre"
            => rules.center_allowed;
        "bias": integer, "points given to the second player" => rules.bias;
        "pieces": integer, "pieces of each player; empty for no limit" => rules.pieces;
        "value": integer, "score under perfect play" => solved.value() - rules.bias;
        "openings": text, "value of each first move, rows from the top joined by /"
            => map_line(rules, &opening_values(&game, &solved));
        "playouts": integer, "complete sequences of moves, symmetries not merged"
            => all.playouts.clone();
        "playouts_first": integer, "of these, won by the first player" => first.playouts.clone();
        "playouts_second": integer, "of these, won by the second player"
            => second.playouts.clone();
        "playouts_tie": integer, "of these, tied" => tie.playouts.clone();
        "playouts_first_share": share, "of all playouts" => share(&first);
        "playouts_second_share": share, "of all playouts" => share(&second);
        "playouts_tie_share": share, "of all playouts" => share(&tie);
        "states": integer, "positions with their turn, images under symmetry taken as one"
            => census.states();
        "terminals": integer, "states in which neither player can move" => all.terminals;
        "terminals_first": integer, "of these, won by the first player" => first.terminals;
        "terminals_second": integer, "of these, won by the second player" => second.terminals;
        "terminals_tie": integer, "of these, tied" => tie.terminals;
    })])
}

/// Returns the standard rules of the board and the requested rules; a fixed set of variants if
/// these are the standard ones.
fn rule_sets(asked: &Rules) -> Vec<Rules> {
    let standard = Rules { center_allowed: false, bias: 0, pieces: None, ..asked.clone() };
    if *asked != standard {
        return vec![standard, asked.clone()];
    }
    let has_centre = asked.board.centre().is_some();
    let variant = |center_allowed: bool, bias, pieces| {
        let rules = Rules { center_allowed, bias, pieces, ..standard.clone() };
        (!center_allowed || has_centre).then_some(rules)
    };
    let variants = [
        variant(false, 0, None),
        variant(true, 0, None),
        variant(false, 2, None),
        variant(true, 2, None),
        variant(false, 0, Some(11)),
    ];
    variants.into_iter().flatten().collect()
}

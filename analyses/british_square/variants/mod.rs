//! The effect of rule variants on value, playouts and states.

use crate::british_square::openings::{map_line, opening_values};
use crate::british_square::outcomes::{RESULTS, outcome_of};
use crate::chart::{Chart, Figure, Shown};
use crate::column::{integer, share, text, truth};
use crate::ratio::big_ratio;
use crate::{Analysis, AnalysisError, Cell, Request, Subject, Table, rules_label};
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
    let mut table = Table::new(
        "variants",
        "Rule variants",
        &[
            text("rules", "the rule set in words"),
            text("board", "rows x columns"),
            truth("center_allowed", "whether the first move may take the centre"),
            integer("bias", "points given to the second player"),
            integer("pieces", "pieces of each player; empty for no limit"),
            integer("value", "score under perfect play"),
            text("openings", "value of each first move, rows from the top joined by /"),
            integer("playouts", "complete sequences of moves, symmetries not merged"),
            integer("playouts_first", "of these, won by the first player"),
            integer("playouts_second", "of these, won by the second player"),
            integer("playouts_tie", "of these, tied"),
            share("playouts_first_share", "of all playouts"),
            share("playouts_second_share", "of all playouts"),
            share("playouts_tie_share", "of all playouts"),
            integer("states", "positions with their turn, images under symmetry taken as one"),
            integer("terminals", "states in which neither player can move"),
            integer("terminals_first", "of these, won by the first player"),
            integer("terminals_second", "of these, won by the second player"),
            integer("terminals_tie", "of these, tied"),
        ],
    );
    for rules in rule_sets(request.rules()?) {
        table.push(row(&Request {
            subject: Subject::Rules(rules),
            budget: None,
            census: None,
            ..request.clone()
        })?);
    }
    Ok(vec![table])
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

fn row(request: &Request) -> Result<Vec<Cell>, AnalysisError> {
    let rules = request.rules()?;
    let game = request.game()?;
    let solved = request.solve(&game)?;
    let census = request.census()?;
    let map = map_line(rules, &opening_values(&game, &solved));
    let mut row: Vec<Cell> = vec![
        rules_label(rules).into(),
        rules.board.to_string().into(),
        rules.center_allowed.into(),
        rules.bias.into(),
        rules.pieces.into(),
        (solved.value() - rules.bias).into(),
        map.into(),
    ];
    let [first, second, tie, all] = RESULTS.map(|(_, result)| outcome_of(&census, rules, result));
    let wins = [&first, &second, &tie];
    row.push(all.playouts.clone().into());
    row.extend(wins.map(|outcome| outcome.playouts.clone().into()));
    row.extend(wins.map(|outcome| big_ratio(&outcome.playouts, &all.playouts).into()));
    row.push(census.states().into());
    row.push(all.terminals.into());
    row.extend(wins.map(|outcome| outcome.terminals.into()));
    Ok(row)
}

//! The effect of rule variants on value, playouts and states.

use crate::british_square::openings::{map_line, opening_values};
use crate::british_square::outcomes::{RESULTS, outcome_of};
use crate::chart::{Chart, Figure};
use crate::ratio::share;
use crate::{Analysis, AnalysisError, Cell, Info, Kind, Request, Subject, Table, rules_label};
use bsq_games::british_square::Rules;

/// Playouts by result under each rule set.
pub const CHART: Chart = Chart {
    x: "rules",
    y: &["playouts_first_share", "playouts_second_share", "playouts_tie_share"],
    x_label: "rules",
    y_label: "share of all playouts",
    ..Chart::new("variants", Figure::Bars)
};

/// The analysis `variants`. See the [module](self).
pub struct Variants;

impl Analysis for Variants {
    fn info(&self) -> Info {
        Info {
            chart: Some(&CHART),
            ..super::solving(
                "variants",
                "the standard rules beside those of the {parameters}, or beside a standard set of variants",
            )
        }
    }

    fn run(&self, request: &Request) -> Result<Vec<Table>, AnalysisError> {
        let mut table = Table::new(
            "variants",
            "Rule variants",
            &[
                ("rules", Kind::Text, "the rule set in words"),
                ("board", Kind::Text, "rows x columns"),
                ("center_allowed", Kind::Truth, "whether the first move may take the centre"),
                ("bias", Kind::Integer, "points given to the second player"),
                ("pieces", Kind::Integer, "pieces of each player; empty for no limit"),
                ("value", Kind::Integer, "score under perfect play"),
                ("openings", Kind::Text, "value of each first move, rows from the top joined by /"),
                ("playouts", Kind::Integer, "complete sequences of moves, symmetries not merged"),
                ("playouts_first", Kind::Integer, "of these, won by the first player"),
                ("playouts_second", Kind::Integer, "of these, won by the second player"),
                ("playouts_tie", Kind::Integer, "of these, tied"),
                ("playouts_first_share", Kind::Share, "of all playouts"),
                ("playouts_second_share", Kind::Share, "of all playouts"),
                ("playouts_tie_share", Kind::Share, "of all playouts"),
                (
                    "states",
                    Kind::Integer,
                    "positions with their turn, images under symmetry taken as one",
                ),
                ("terminals", Kind::Integer, "states in which neither player can move"),
                ("terminals_first", Kind::Integer, "of these, won by the first player"),
                ("terminals_second", Kind::Integer, "of these, won by the second player"),
                ("terminals_tie", Kind::Integer, "of these, tied"),
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
}

/// Returns the standard rules of the board and the rules asked for; a fixed set of variants if these
/// are the standard ones.
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
    row.extend(wins.map(|outcome| share(&outcome.playouts, &all.playouts).into()));
    row.push(census.states().into());
    row.push(all.terminals.into());
    row.extend(wins.map(|outcome| outcome.terminals.into()));
    Ok(row)
}

//! The effect of rule variants on value, playouts and states.

use super::Asked;
use super::RULES;
use super::openings::map_line;
use super::outcomes::{ByWinner, PLAYOUTS, TERMINALS, by_winner};
use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, AnalysisError, Table, rules_label};
use bsq_engine::monitor::Monitor;
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
    ..Chart::new(
        "variants",
        Figure::Stack,
        "The first player wins {least of playouts_first_share} ({least at of playouts_first_share}) to {most of playouts_first_share} ({most at of playouts_first_share}) of the playouts",
    )
};

/// The analysis `variants`. See the [module](self).
pub fn analysis() -> Analysis {
    let summary = "the standard rules compared with those of the {parameters}, or with a standard set \
        of variants";
    super::solving("variants", summary, [], estimate, run).with_charts(&[&CHART])
}

/// One of the variants has a limit on pieces, which takes a strong solution.
fn estimate(asked: &Asked) -> Option<f64> {
    Some(3.0 * asked.counting_states() + asked.visiting(3e6))
}

fn run(asked: &Asked, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let each = rule_sets(&asked.rules).into_iter().map(|rules| asked.under(rules));
    let found = each.map(|asked| -> Result<Found, AnalysisError> {
        let rules = &asked.rules;
        let ((value, openings), census) = (asked.openings(monitor)?, asked.census(monitor)?);
        let scores = || census.scores.iter().map(|(lead, count)| (lead - rules.bias, count));
        Ok(Found {
            value,
            openings: map_line(rules, &openings),
            states: census.states(),
            playouts: by_winner(scores().map(|(score, count)| (score, count.playouts.clone()))),
            terminals: by_winner(scores().map(|(score, count)| (score, count.terminals))),
            rules: rules.clone(),
        })
    });
    let found: Vec<Found> = found.collect::<Result<_, _>>()?;
    let table = tabulate!("variants", "Rule variants", for found in &found => {
        let rules = &found.rules;
        "rules": text key, RULES => rules_label(rules);
        "board": text, "rows x columns" => rules.board.to_string();
        "center_allowed": truth, "whether the first move may take the centre"
            => rules.center_allowed;
        "bias": integer, "points given to the second player" => rules.bias;
        "pieces": integer, "pieces of each player; the number of cells if there is no limit"
            => rules.pieces.unwrap_or(rules.board.cells() as u32);
        "value": integer, "score under perfect play" => found.value;
        "openings": text, "value of each first move, rows from the top joined by /"
            => found.openings.clone();
        "states": integer, "positions with their turn, images under symmetry taken as one"
            => found.states;
    });
    let playouts = PLAYOUTS.of(found.iter().map(|found| &found.playouts));
    let terminals = TERMINALS.of(found.iter().map(|found| &found.terminals));
    Ok(vec![table.beside(playouts).beside(terminals)])
}

/// The numbers of a rule set.
struct Found {
    rules: Rules,
    value: i32,
    openings: String,
    states: u128,
    playouts: ByWinner,
    terminals: ByWinner,
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

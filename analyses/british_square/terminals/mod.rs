//! The number of terminal states, by winner.

use super::RULES;
use super::outcomes::{TERMINALS, by_winner};
use crate::chart::{Chart, Figure, Shown};
use crate::{Analysis, Table, rules_label};
use bsq_engine::tabulate;
use bsq_games::british_square::Rules;
use bsq_games::british_square::count::StateCounts;

/// Terminal states by winner.
pub const CHART: Chart = Chart {
    y: &["terminals_first", "terminals_tie", "terminals_second"],
    shown: &[
        Shown::first("terminals_first", "first player wins"),
        Shown::tie("terminals_tie", "tie"),
        Shown::second("terminals_second", "second player wins"),
    ],
    x_label: "result",
    y_label: "terminal states",
    ..Chart::new(
        "terminals",
        Figure::Bars,
        "The first player wins {share of terminals_first} of {total} terminal states, the second player {share of terminals_second}",
    )
};

/// The analysis `terminals`. See the [module](self).
pub fn analysis() -> Analysis {
    super::counting(
        "terminals",
        "how many terminal states there are, and who wins them",
        |asked| Some(asked.counting_states()),
        |asked, monitor| Ok(tables(&asked.rules, &asked.state_counts(monitor)?)),
    )
    .with_charts(&[&CHART])
}

/// The table of counted states.
pub fn tables(rules: &Rules, counts: &StateCounts) -> Vec<Table> {
    let terminals = counts.terminals.iter();
    let counts = by_winner(terminals.map(|(lead, count)| (lead - rules.bias, *count)));
    let table = tabulate!("terminals", "Terminal states by winner", for rules in [rules] => {
        "rules": text key, RULES => rules_label(rules);
    });
    let mut table = table.beside(TERMINALS.of([&counts]));
    table.set_main_columns(TERMINALS.names);
    vec![table]
}

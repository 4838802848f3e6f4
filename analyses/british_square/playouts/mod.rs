//! How many playouts there are, and who wins them.

use crate::chart::{Chart, Figure};
use crate::rows::{RESULTS, share};
use crate::{Context, Kind, Method, Pass, PassError, Table};
use num_bigint::BigUint;

/// How playouts split.
pub const CHART: Chart = Chart {
    x: "result",
    y: &["playouts"],
    x_label: "who wins",
    y_label: "playouts",
    ..Chart::new("playouts", Figure::Bars)
};

/// The pass `playouts`. See the [module](self).
pub struct Playouts;

impl Pass for Playouts {
    fn name(&self) -> &'static str {
        "playouts"
    }

    fn summary(&self) -> &'static str {
        "how many playouts there are, and who wins them"
    }

    fn only_counts(&self) -> bool {
        true
    }

    fn check(&self, context: &Context) -> Result<(), PassError> {
        route(context).check(context)
    }

    fn run(&self, context: &Context) -> Result<Vec<Table>, PassError> {
        let by_lead = route(context).playouts(context)?;
        let mut table = Table::new(
            "playouts",
            "Playouts by result",
            &[
                ("result", Kind::Text, "who wins: first, second, tie; all for their sum"),
                ("playouts", Kind::Integer, "complete sequences of moves, symmetries not merged"),
                ("share", Kind::Share, "of all playouts"),
            ],
        );
        let all: BigUint = by_lead.values().sum();
        for (name, result) in RESULTS {
            let wanted =
                by_lead.iter().filter(|(lead, _)| result.is_of(**lead - context.rules.bias));
            let playouts: BigUint = wanted.map(|(_, playouts)| playouts).sum();
            let share = share(&playouts, &all);
            table.push(vec![name.into(), playouts.into(), share.into()]);
        }
        Ok(vec![table])
    }
}

/// The route that was asked for; if none was, the one that limits are about, or the fastest.
fn route(context: &Context) -> Method {
    context.route.unwrap_or(match context.asked.flag() {
        Some(_) => Method::Levels,
        None => Method::Orders,
    })
}

//! The number of playouts, by result.

use crate::british_square::outcomes::RESULTS;
use crate::chart::{Chart, Figure};
use crate::ratio::share;
use crate::{Analysis, AnalysisError, Info, Kind, Method, Opt, Request, Table, Takes};
use num_bigint::BigUint;

/// Playouts by result.
pub const CHART: Chart = Chart {
    x: "result",
    y: &["playouts"],
    x_label: "who wins",
    y_label: "playouts",
    ..Chart::new("playouts", Figure::Bars)
};

/// The analysis `playouts`. See the [module](self).
pub struct Playouts;

impl Analysis for Playouts {
    fn info(&self) -> Info {
        Info {
            takes: Takes::ValidRules,
            options: &[
                Opt::Method(Method::Orders),
                Opt::Method(Method::Levels),
                Opt::Method(Method::Territory),
                Opt::Pieces,
                Opt::Memory,
                Opt::Scratch,
            ],
            chart: Some(&CHART),
            ..super::counting("playouts", "how many playouts there are, and who wins them")
        }
    }

    fn check(&self, request: &Request) -> Result<(), AnalysisError> {
        self.info().check(request)?;
        method(request).check(request)
    }

    fn run(&self, request: &Request) -> Result<Vec<Table>, AnalysisError> {
        let bias = request.rules()?.bias;
        let by_lead = method(request).playouts(request)?;
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
            let wanted = by_lead.iter().filter(|(lead, _)| result.is_of(**lead - bias));
            let playouts: BigUint = wanted.map(|(_, playouts)| playouts).sum();
            let share = share(&playouts, &all);
            table.push(vec![name.into(), playouts.into(), share.into()]);
        }
        Ok(vec![table])
    }
}

/// The method of the request. The default is the one that supports all limits if there are limits,
/// otherwise the fastest.
fn method(request: &Request) -> Method {
    request.method.unwrap_or(match request.limits.options().next() {
        Some(_) => Method::Levels,
        None => Method::Orders,
    })
}

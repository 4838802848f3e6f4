//! Features that look one reply ahead.

use super::Effort::ReadAhead;
use super::Measure::Territory;
use super::{Feature, highest};

pub const FEATURES: &[Feature] = &[
    Feature {
        name: "opponent-best-claim",
        summary: "cells that the opponent's best reply takes from you",
        effort: ReadAhead,
        measure: Territory(|open| {
            let turned = open.turned();
            highest(turned.own, |cell| turned.claim(cell))
        }),
    },
    Feature {
        name: "own-best-claim",
        summary: "cells that your best next move would take if the opponent did nothing",
        effort: ReadAhead,
        measure: Territory(|open| highest(open.own, |cell| open.claim(cell))),
    },
];

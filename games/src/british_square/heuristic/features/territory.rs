//! Features that count the cells that each player may still use.

use super::Effort::{Count, Look};
use super::Measure::{Claim, Territory};
use super::{Feature, count};

pub static FEATURES: &[Feature] = &[
    Feature {
        name: "claim",
        summary: "cells that the opponent could use before the move and cannot after it",
        effort: Look,
        measure: Claim(|decision, cell| count(decision.reach[cell] & decision.opponent_usable)),
    },
    Feature {
        name: "own-moves",
        summary: "cells that you can use",
        effort: Count,
        measure: Territory(|open| count(open.own)),
    },
    Feature {
        name: "opponent-moves",
        summary: "cells that the opponent can use",
        effort: Count,
        measure: Territory(|open| count(open.opponent)),
    },
    Feature {
        name: "contested",
        summary: "cells that both of you can use",
        effort: Count,
        measure: Territory(|open| count(open.own & open.opponent)),
    },
    Feature {
        name: "own-safe",
        summary: "cells that only you can use",
        effort: Count,
        measure: Territory(|open| count(open.own & !open.opponent)),
    },
    Feature {
        name: "opponent-safe",
        summary: "cells that only the opponent can use",
        effort: Count,
        measure: Territory(|open| count(open.opponent & !open.own)),
    },
    Feature {
        name: "safe-difference",
        summary: "cells that only you can use, less those only the opponent can",
        effort: Count,
        measure: Territory(|open| {
            count(open.own & !open.opponent) - count(open.opponent & !open.own)
        }),
    },
    Feature {
        name: "own-free",
        summary: "cells that only you can use and the opponent can never take from you",
        effort: Count,
        measure: Territory(|open| count(open.free())),
    },
    Feature {
        name: "opponent-free",
        summary: "cells that only the opponent can use and you can never take away",
        effort: Count,
        measure: Territory(|open| count(open.turned().free())),
    },
    Feature {
        name: "free-difference",
        summary: "your free cells less the opponent's",
        effort: Count,
        measure: Territory(|open| open.free_difference()),
    },
    Feature {
        name: "half-points",
        summary: "your cells, free ones twice, less the opponent's: what each is worth, in half points",
        effort: Count,
        measure: Territory(|open| count(open.own) - count(open.opponent) + open.free_difference()),
    },
];

//! Features that count the cells that each player may still use.

use super::Measure::{Claim, Territory};
use super::count;

features! {
    "claim": Look, "cells that the opponent could use before the move and cannot after it"
        => Claim(|open| open.claims);
    "own-moves": Count, "cells that you can use" => Territory(|open| count(open.own));
    "opponent-moves": Count, "cells that the opponent can use"
        => Territory(|open| count(open.opponent));
    "contested": Count, "cells that both of you can use"
        => Territory(|open| count(open.own & open.opponent));
    "own-safe": Count, "cells that only you can use"
        => Territory(|open| count(open.own & !open.opponent));
    "opponent-safe": Count, "cells that only the opponent can use"
        => Territory(|open| count(open.opponent & !open.own));
    "safe-difference": Count, "cells that only you can use, less those only the opponent can"
        => Territory(|open| count(open.own & !open.opponent) - count(open.opponent & !open.own));
    "own-free": Count, "cells that only you can use and the opponent can never take from you"
        => Territory(|open| count(open.free()));
    "opponent-free": Count, "cells that only the opponent can use and you can never take away"
        => Territory(|open| count(open.turned().free()));
    "free-difference": Count, "your free cells less the opponent's"
        => Territory(|open| open.free_difference());
    "half-points": Count,
        "your cells, free ones twice, less the opponent's: what each is worth, in half points"
        => Territory(|open| count(open.own) - count(open.opponent) + open.free_difference());
}

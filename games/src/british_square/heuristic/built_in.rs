//! The built-in heuristics: name, share of mistakes, summary, decision list.
//!
//! After the baselines come the best lists found by search, from easy to hard.
//! The share of mistakes, in percent, is that of `results/heuristics.csv`: the decisions on the
//! standard board in which a list likes a move that is not perfect.

pub const BUILT_IN: &[(&str, f64, &str, &str)] = &[
    (
        "greedy",
        22.68,
        "the most cells claimed from the opponent: the article's heuristic",
        "most claim",
    ),
    (
        "most-safe",
        22.68,
        "the most cells that only the mover may use, less those only the opponent may",
        "most safe-difference",
    ),
    (
        "nearest-centre",
        58.51,
        "the tile nearest to the centre of the board, in a straight line",
        "least centre-distance",
    ),
    (
        "mirror",
        73.50,
        "a tile opposite, through the centre, a piece of the opponent; else any tile",
        "most mirror",
    ),
    ("random", 83.10, "any legal tile: the yardstick for the others", "any"),
    (
        "least-conflicts",
        6.10,
        "the fewest pairs of cells left that exclude each other",
        "least conflicts",
    ),
    (
        "conflicts-claim",
        4.92,
        "the fewest conflicts left, then the largest claim",
        "least conflicts, most claim",
    ),
    (
        "conflicts-even",
        4.10,
        "the fewest conflicts left, then an even number of regions",
        "least conflicts, least odd-regions",
    ),
    (
        "conflicts-heat",
        3.54,
        "the fewest conflicts left, then the coolest regions for who moves next",
        "least conflicts, least alternation",
    ),
    (
        "after-reply",
        4.87,
        "the best balance after the opponent's reply, a contested cell being half a free one",
        "most reply(half-points)",
    ),
    (
        "small-regions",
        2.93,
        "the same balance, then nothing large left",
        "most reply(half-points), least largest-region",
    ),
    (
        "balance-and-heat",
        2.67,
        "the same balance with the heat of the regions, hottest first, by turns",
        "most reply(half-points + alternation)",
    ),
    (
        "hot-regions",
        1.19,
        "the same, the balance counted twice",
        "most reply(2*half-points + alternation)",
    ),
    (
        "hot-conflicts",
        0.81,
        "the balance and the heat after the reply, less the conflicts before it",
        "least conflicts + reply(-16*half-points - 9*alternation)",
    ),
    (
        "fifteen-weights",
        0.59,
        "a sum of fifteen counts, eleven of them after the opponent's reply",
        "9*claim - 5*own-double - 9*conflicts + 5*own-best-cut + reply(47*own-free \
         + 26*own-single + 22*own-double + 15*claims-difference + 15*own-best-cut \
         + 11*alternation + 7*odd-regions - 8*own-second-claim - 11*opponent-double \
         - 21*opponent-single - 45*opponent-free)",
    ),
    (
        "fifty-weights",
        0.50,
        "sums of counts, one for several regions and one for the last, most after the reply",
        "if regions > 1: most 25*gains-difference + 20*claim + 15*own-best-cut + 14*own-free \
         - 5*own-double - 18*conflicts - 39*own-best-gain + reply(92*own-free + 57*own-single \
         + 37*own-double + 32*own-best-cut + 28*alternation + 22*odd-regions \
         + 20*claims-difference + 16*opponent-best-cut - 13*own-second-claim \
         - 14*opponent-best-claim - 17*opponent-second-claim - 28*opponent-triple \
         - 41*opponent-double - 49*opponent-quadruple - 51*opponent-single - 90*opponent-free), \
         most 33*claim + 18*gains-difference + 10*own-free + 7*own-most-freed + 5*own-best-cut \
         - 4*own-double - 11*conflicts - 18*own-best-gain + reply(89*own-free + 58*own-single \
         + 41*own-double + 32*own-best-cut + 26*claims-difference + 18*odd-regions \
         + 16*opponent-best-cut + 15*alternation - 20*own-second-claim \
         - 21*opponent-second-claim - 32*opponent-double - 31*opponent-triple \
         - 36*opponent-single - 59*opponent-quadruple - 63*opponent-free), \
         most chances",
    ),
    (
        "steady",
        4.39,
        "claims less the reply's claim, then the corners' colour, then free cells two ways",
        "most claim - opponent-best-claim, least off-colour, \
         most own-next-free + reply(free-difference)",
    ),
    (
        "win-by-two",
        9.83,
        "a way to win by two for the first player, from the start",
        "if mirrored = 1: least ring, most claim - opponent-best-claim up to 0, \
         most own-next-free, most own-farthest up to 7, \
         least 2*left-unsettled + opponent-in-line, least own-triple",
    ),
];

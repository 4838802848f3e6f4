//! Analyses of any game, from its rules alone.
//!
//! Each takes what [`explore`](bsq_engine::explore) finds and returns a table. Where a game has a
//! faster method of its own, such as the closed form of British Square's playouts, the analysis of
//! that game uses it, and tests compare it with the one here.
//!
//! ```
//! use bsq_analyses::any;
//! use bsq_engine::explore::{Limits, explore};
//! use bsq_engine::monitor::Monitor;
//! use bsq_games::mnk::Rules;
//!
//! let monitor = Monitor::default();
//! let explored = explore(Rules::tic_tac_toe(), Limits::default(), &monitor).unwrap();
//! let playouts = any::playouts::table(&explored, &monitor).unwrap();
//! assert_eq!(playouts.rows[0][..2], ["first".into(), 131_184u32.into()]);
//! let solution = explored.solve(&monitor).unwrap();
//! assert_eq!(any::openings::table(&solution).rows.len(), 9);
//! ```

pub mod agents;
pub mod depths;
pub mod heuristic;
pub mod only_moves;
pub mod openings;
pub mod perft;
pub mod playouts;
pub mod positions;

use crate::chart::{Chart, Only, Shown};
use crate::options::{MOVES, POSITION};
use crate::source::Root;
use crate::{Analysis, AnalysisError, Cell, Described, Job, Table};
use bsq_engine::explore::{Exploration, Limits, explore, explore_from};
use bsq_engine::game::{Outcome, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::{Recorded, values_of};
use num_bigint::BigInt;

/// The analyses of a game by its name, from its rules alone. Rules that a request does not give are
/// those of `default`.
///
/// ```
/// use bsq_games::mnk;
///
/// let analyses = bsq_analyses::any::analyses("mnk", &mnk::Rules::tic_tac_toe());
/// let playouts = analyses.iter().find(|analysis| analysis.name() == "playouts").unwrap();
/// let job = playouts.prepare(&[("board", "3x3"), ("k", "3")], None).unwrap();
/// assert_eq!(job.run(&Default::default()).unwrap()[0].rows.len(), 3);
/// ```
pub fn analyses<G>(game: &str, default: &G) -> Vec<Analysis>
where
    G: Recorded + Send + Sync + 'static,
{
    let explored = |name, summary, charts, table: Compute<G>| {
        let (game, default) = (game.to_string(), default.clone());
        let rules = default.format().options.iter().cloned();
        let options: Vec<RuleOption> = rules.chain([POSITION, MOVES]).collect();
        let analysis = Analysis::new(name, summary, options, move |request| {
            let (rules, root) = Root::of(request, request.rules(default.clone())?)?;
            let (probed, described) = (rules.clone(), described(&game, &rules, root.as_ref()));
            let start = root.map_or_else(|| rules.start(), |root| root.position);
            let job = Job::new(described, move |monitor| {
                let explored = explore_from(rules.clone(), &start, limits(monitor), monitor)?;
                Ok(vec![table(explored, monitor)?])
            });
            Ok(job.with_estimate(move || estimate(&probed)))
        });
        analysis.with_charts(charts)
    };
    vec![
        explored(
            "positions",
            "positions and terminal positions by ply, up to symmetry too",
            &[&positions::CHART],
            |explored, _| Ok(positions::table(&explored)),
        ),
        explored("playouts", "complete playouts by result", PLAYOUTS, |explored, monitor| {
            playouts::table(&explored, monitor)
        }),
        explored("openings", "the value of each first move", OPENINGS, |explored, monitor| {
            Ok(openings::table(&explored.solve(monitor)?))
        }),
        perft_of(game, default.clone()),
        explored(
            "depths",
            "positions by value and by plies until the win",
            DEPTHS,
            |explored, monitor| depths::table(&explored.solve(monitor)?, monitor),
        ),
        explored(
            "only-moves",
            "won positions in which only one move wins",
            &[&only_moves::CHART],
            |explored, monitor| only_moves::table(&explored.solve(monitor)?, monitor),
        ),
    ]
}

/// Computes a table of an explored game.
type Compute<G> = fn(Exploration<G>, &Monitor) -> Result<Table, AnalysisError>;

/// The rules of a game by its name, and the position in which an analysis begins.
pub(crate) fn described<G: Recorded>(game: &str, rules: &G, root: Option<&Root<G>>) -> Described {
    Described::new(game, &rules.format().options, &values_of(rules)).from(rules, root)
}

/// The seconds of an exploration, if the positions fit in little memory, which is tried. Nothing is
/// known about the number of positions of other games.
pub fn estimate<G: Recorded + Send + Sync + 'static>(rules: &G) -> Option<f64> {
    const LITTLE: u64 = 512 << 10;
    let limits = Limits { memory: Some(LITTLE), ..Limits::default() };
    explore(rules.clone(), limits, &Monitor::default()).is_ok().then_some(0.5)
}

/// The limits of an exploration.
pub(crate) fn limits(monitor: &Monitor) -> Limits {
    Limits { memory: monitor.room(), ..Limits::default() }
}

/// The option of [`perft`].
const DEPTH: RuleOption = RuleOption::new(
    "depth",
    OptionKind::Integer { least: 0, most: 1000 },
    Some("6"),
    "The length of the longest sequences",
);

fn perft_of<G>(game: &str, default: G) -> Analysis
where
    G: Recorded + Send + Sync + 'static,
{
    let game = game.to_string();
    let options = default.format().options.iter().cloned().chain([DEPTH, POSITION, MOVES]);
    let options: Vec<RuleOption> = options.collect();
    let analysis =
        Analysis::new("perft", "sequences of moves by length", options, move |request| {
            let (rules, root) = Root::of(request, request.rules(default.clone())?)?;
            let depth = request.integer(&DEPTH.name)?;
            let (probed, described) = (rules.clone(), described(&game, &rules, root.as_ref()));
            let start = root.map_or_else(|| rules.start(), |root| root.position);
            let job = Job::new(described, move |monitor| {
                Ok(vec![perft::table(&rules, &start, depth, limits(monitor), monitor)?])
            });
            // Each length visits all positions: 20 of them take about as long as the exploration.
            let rounds = (depth as f64 / 20.0).max(1.0);
            Ok(job.with_estimate(move || Some(rounds * estimate(&probed)?)))
        });
    analysis.with_charts(&[&perft::CHART])
}

/// The charts of tables whose results may be scores. The first whose columns have values is drawn.
const PLAYOUTS: &[&Chart] = &[&SCORES_OF_PLAYOUTS, &playouts::CHART];
const OPENINGS: &[&Chart] = &[&SCORES_OF_OPENINGS, &openings::CHART];
const DEPTHS: &[&Chart] = &[&depths::CHART, &SCORES_OF_POSITIONS];
static SCORES_OF_PLAYOUTS: Chart = Chart { x: "score", x_label: SCORE, ..playouts::CHART };
static SCORES_OF_OPENINGS: Chart = Chart {
    by: Some("score"),
    is_score: true,
    shown: &[],
    y_label: "score after a first move there, under perfect play",
    title: "The first player wins after {count of +} of {count} first moves; scores are {range}",
    ..openings::CHART
};
static SCORES_OF_POSITIONS: Chart = Chart {
    x: "score",
    x_label: SCORE,
    title: "The first player wins {share of first} of {total} positions, the second player {share of second}",
    only: &[Only::IsNot("outcome", "draw")],
    ..depths::CHART
};

/// The outcomes in charts.
pub(crate) const OUTCOMES: &[Shown] = &[
    Shown::first("first", "first player wins"),
    Shown::tie("tie", "tie"),
    Shown::tie("draw", "draw"),
    Shown::second("second", "second player wins"),
];
/// The descriptions of the columns of a value: outcome, score, and depth to win.
const OUTCOME: &str =
    "who wins: first, second, tie (play ends without a winner), draw (play need not end)";
const SCORE: &str = "first player's points minus second player's";
const PLIES: &str = "plies until the win; 0 if the game is over or nobody wins";

/// `first`, `second`, `tie` or `draw`.
pub(crate) fn outcome(value: Value) -> &'static str {
    match value.outcome {
        Outcome::Win(player) => player.name(),
        Outcome::Tie => "tie",
        Outcome::Draw => "draw",
    }
}

/// The cell of the score of a value, empty in games without points. Final scores that the explorer
/// admits are integers.
fn score(value: Value) -> Cell {
    value.points().map(BigInt::from).into()
}

/// The cell of the depth to win of a value, empty in games with points.
fn plies(value: Value) -> Cell {
    value.score.is_none().then(|| value.plies.unwrap_or(0)).into()
}

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

pub mod depths;
pub mod only_moves;
pub mod openings;
pub mod perft;
pub mod playouts;
pub mod positions;

use crate::chart::{Chart, Shown};
use crate::{AnalysisError, Cell, Table};
use bsq_engine::explore::{Limits, explore};
use bsq_engine::game::{Game, Notation, Outcome, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use num_bigint::BigInt;

/// A question about any game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// [`positions`].
    Positions,
    /// [`playouts`].
    Playouts,
    /// [`openings`].
    Openings,
    /// [`perft`].
    Perft,
    /// [`depths`].
    Depths,
    /// [`only_moves`].
    OnlyMoves,
}

impl Question {
    /// All questions.
    pub const ALL: [Question; 6] = [
        Question::Positions,
        Question::Playouts,
        Question::Openings,
        Question::Perft,
        Question::Depths,
        Question::OnlyMoves,
    ];

    /// The name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Question::Positions => "positions",
            Question::Playouts => "playouts",
            Question::Openings => "openings",
            Question::Perft => "perft",
            Question::Depths => "depths",
            Question::OnlyMoves => "only-moves",
        }
    }

    /// What its table contains, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Question::Positions => "positions and terminal positions by ply, up to symmetry too",
            Question::Playouts => "complete playouts by result",
            Question::Openings => "the value of each first move",
            Question::Perft => "sequences of moves by length",
            Question::Depths => "positions by value and by plies until the win",
            Question::OnlyMoves => "won positions in which only one move wins",
        }
    }

    /// The options of the question besides the rules.
    pub fn options(self) -> &'static [RuleOption] {
        match self {
            Question::Perft => &[RuleOption {
                name: "depth",
                kind: OptionKind::Integer { least: 0, most: 1000 },
                default: Some("6"),
                help: "The length of the longest sequences",
            }],
            _ => &[],
        }
    }

    /// Answers the question about a game. `depth` is the length of the longest sequences of
    /// [`Question::Perft`].
    ///
    /// # Errors
    ///
    /// If the positions do not fit in the memory allowed, if the number of playouts is infinite, or
    /// if the monitor stops the job.
    pub fn answer<G: Game + Notation>(
        self,
        game: G,
        depth: usize,
        limits: Limits,
        monitor: &Monitor,
    ) -> Result<Table, AnalysisError> {
        if self == Question::Perft {
            return perft::table(&game, depth, limits, monitor);
        }
        let explored = explore(game, limits, monitor)?;
        Ok(match self {
            Question::Positions => positions::table(&explored),
            Question::Playouts => playouts::table(&explored, monitor)?,
            Question::Openings => openings::table(&explored.solve(monitor)?),
            Question::Depths => depths::table(&explored.solve(monitor)?, monitor)?,
            _ => only_moves::table(&explored.solve(monitor)?, monitor)?,
        })
    }
}

/// The charts of the tables of any game, of which the first that the columns with values suit is drawn.
pub static CHARTS: [Chart; 8] = [
    positions::CHART,
    Chart { x: "score", x_label: "score", ..playouts::CHART },
    playouts::CHART,
    openings::CHART,
    perft::CHART,
    depths::CHART,
    Chart { x: "score", x_label: "score", title: "What are positions worth?", ..depths::CHART },
    only_moves::CHART,
];
/// The outcomes in charts.
const OUTCOMES: &[Shown] = &[
    Shown::first("first", "first player wins"),
    Shown::tie("tie", "tie"),
    Shown::tie("draw", "draw"),
    Shown::second("second", "second player wins"),
];
/// The descriptions of the columns of a value: outcome, score, and depth to win.
const OUTCOME: &str = "who wins: first, second, tie (equal points), draw";
const SCORE: &str = "first player's points minus second player's";
const PLIES: &str = "plies until the win; 0 if the game is over or nobody wins";

/// `first`, `second`, `tie` or `draw`.
fn outcome(value: Value) -> &'static str {
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

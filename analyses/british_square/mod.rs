//! British Square: states, playouts, perfect play, rule variants and heuristics.

pub mod agents;
pub mod blunders;
pub mod boards;
pub mod capacity;
pub mod growth;
pub mod heuristics;
pub mod r#match;
pub mod mirror;
pub mod openings;
mod outcomes;
pub mod playouts;
pub mod scores;
mod source;
pub mod states;
pub mod terminals;
pub mod variants;

use crate::any::heuristic;
use crate::choices::Outside;
use crate::options::{MOVES, Method, POSITION, method};
use crate::source::Root;
use crate::{Analysis, AnalysisError, Described, Job, OptionValues, Table, query, sample};
use bsq_engine::definition::Definition as _;
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::explore::{Limits, Merging};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::RuleOption;
use bsq_engine::record::Recorded as _;
use bsq_engine::strong::{self, Solved};
use bsq_engine::text::time_span;
use bsq_games::british_square::count::sets::Part;
use bsq_games::british_square::count::state_bounds::states_at_most;
use bsq_games::british_square::count::{
    Census, StateCounts, depth_first, explorer, sets, transfer_matrix,
};
use bsq_games::british_square::{
    Board, BritishSquare, Definition, Evaluator, MAX_SOLVED_CELLS, Move, NAME, Position, Rules,
    TooLarge,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The methods of visiting every decision with the values of its moves.
const DECISIONS: [Method; 2] = [Method::Retrograde, Method::DepthFirst];

/// The methods of counting states.
const COUNTS: [Method; 4] =
    [Method::Sets, Method::TransferMatrix, Method::DepthFirst, Method::Explorer];

/// The largest number of cells of a board on which the sets of pieces are faster than the transfer
/// matrix.
const FEW_CELLS: usize = 25;

/// The descriptions of the columns with the board of a row, of no more rows than columns.
const ROWS: &str = "the shorter side";
const COLS: &str = "the longer side";
const CELLS: &str = "rows times columns";

/// The description of the column with the rules of a row.
const RULES: &str = "the rule set in words";

/// The query over the states.
pub fn query() -> Analysis {
    let of_game = |rules: &Rules| Definition.columns(rules);
    query::analysis::<source::EveryState>(NAME, &Definition.rules(), of_game)
}

/// The export of the states and their moves.
pub fn export() -> Analysis {
    let of_game = |rules: &Rules| Definition.columns(rules);
    query::export::<source::EveryState>(NAME, &Definition.rules(), of_game)
}

/// Random positions: of playouts, or of the states.
pub fn sample() -> Analysis {
    sample::analysis::<source::EveryState>(NAME, &Definition.rules())
}

/// The test of moves that somebody prefers outside the program, who is named.
pub fn outside_test(name: &str, outside: &Outside) -> Analysis {
    let (definition, default) = (Arc::new(Definition), Definition.rules());
    heuristic::of_outside::<source::EveryState, _>(&definition, &default, name, outside)
}

/// The options of the rules.
fn rule_options() -> impl Iterator<Item = RuleOption> {
    Definition.rules().format().options.clone().into_iter()
}

/// Rules with the root and the method of a request.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) rules: Rules,
    /// The position in which the analysis begins; `None` for the start of the game.
    pub(crate) root: Option<Root<Rules>>,
    pub(crate) method: Option<Method>,
}

/// Computes the tables of an analysis of rules, the main one first.
type Compute = fn(&Asked, &Monitor) -> Result<Vec<Table>, AnalysisError>;

/// Estimates the seconds that an analysis takes on one thread; `None` if that is not known.
type Estimate = fn(&Asked) -> Option<f64>;

/// An analysis of the rules of a request, which are valid and pass a check that does no work.
fn about_rules(
    name: &'static str,
    summary: &'static str,
    options: impl IntoIterator<Item = RuleOption>,
    check: fn(&Asked) -> Result<(), AnalysisError>,
    estimate: Estimate,
    compute: Compute,
) -> Analysis {
    Analysis::new(name, summary, options, move |request| {
        let asked = Arc::new(Asked::of(request)?);
        check(&asked)?;
        let estimated = Arc::clone(&asked);
        let job = Job::new(asked.described(), move |monitor| compute(&asked, monitor));
        Ok(job.with_estimate(move || estimate(&estimated)))
    })
}

/// An analysis of rules under which every state can be valued, with further options.
fn solving(
    name: &'static str,
    summary: &'static str,
    own: impl IntoIterator<Item = RuleOption>,
    estimate: Estimate,
    compute: Compute,
) -> Analysis {
    let options = rule_options().chain(own);
    about_rules(name, summary, options, Asked::check_solvable, estimate, compute)
}

/// An analysis that visits every decision below a root.
fn deciding(
    name: &'static str,
    summary: &'static str,
    estimate: Estimate,
    compute: Compute,
) -> Analysis {
    let options = rule_options().chain([method(DECISIONS), POSITION, MOVES]);
    about_rules(name, summary, options, Asked::check_decisions, estimate, compute)
}

/// An analysis that only counts states below a root.
fn counting(
    name: &'static str,
    summary: &'static str,
    estimate: Estimate,
    compute: Compute,
) -> Analysis {
    let options = rule_options().chain([method(COUNTS), POSITION, MOVES]);
    about_rules(name, summary, options, Asked::check_counts, estimate, compute)
}

/// Reports how long a count of states from sets of pieces takes, if that is more than some seconds.
pub(crate) fn note_time(rules: &Rules, part: Part, monitor: &Monitor) {
    // Few cells take less than a second. The estimate needs a clock, which WebAssembly does not have.
    if rules.board.cells() <= FEW_CELLS || cfg!(target_family = "wasm") {
        return;
    }
    let estimate = sets::estimate(rules, part);
    if estimate < Duration::from_secs(10) {
        return;
    }
    let time = time_span(estimate);
    let count = if part == Part::ALL { "the count".to_string() } else { format!("part {part}") };
    let threads = match rayon::current_num_threads() {
        1 => "1 thread".to_string(),
        threads => format!("{threads} threads"),
    };
    monitor.note(&format!("{count} takes about {time} on {threads}"));
}

impl Asked {
    pub(crate) fn of(request: &OptionValues) -> Result<Asked, AnalysisError> {
        let rules = request.rules(Definition.rules())?;
        rules.check().map_err(TooLarge::Rules)?;
        let (rules, root) = Root::of(request, rules)?;
        Ok(Asked { rules, root, method: request.method() })
    }

    /// A request about rules, without a method.
    fn about(rules: Rules) -> Asked {
        Asked { rules, root: None, method: None }
    }

    /// The same request about other rules.
    fn under(&self, rules: Rules) -> Asked {
        Asked { rules, ..self.clone() }
    }

    /// The rules and the root as they are presented with results.
    fn described(&self) -> Described {
        described(&self.rules).from(&self.rules, self.root.as_ref())
    }

    /// The position in which the analysis begins.
    fn start(&self) -> Position {
        self.root.as_ref().map_or_else(|| self.rules.start(), |root| root.position)
    }

    /// The option of the root.
    fn root_option(&self) -> Option<&'static str> {
        self.root.as_ref().map(|root| root.option)
    }

    /// The option of the root, or that of the limit on pieces.
    fn limiting_option(&self) -> Option<&'static str> {
        self.root_option().or(self.rules.pieces.map(|_| "pieces"))
    }

    /// Returns an error if not every state can be valued under the rules.
    fn check_solvable(&self) -> Result<(), AnalysisError> {
        Ok(BritishSquare::new(self.rules.clone()).map(drop)?)
    }

    /// Returns an error if not every state can be valued under the rules by the method.
    fn check_decisions(&self) -> Result<(), AnalysisError> {
        self.check_solvable()?;
        match (self.method, self.limiting_option()) {
            (Some(method @ Method::Retrograde), Some(option)) => {
                Err(AnalysisError::ByMethod { method, option })
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if the method of counting states does not support the rules.
    pub(crate) fn check_counts(&self) -> Result<(), AnalysisError> {
        let method = self.count_method();
        let excluded = match method {
            Method::DepthFirst => return self.check_solvable(),
            Method::TransferMatrix => self.limiting_option(),
            Method::Sets => self.root_option(),
            _ => None,
        };
        match excluded {
            Some(option) => Err(AnalysisError::ByMethod { method, option }),
            None => Ok(()),
        }
    }

    /// The game begun in the root, solved by the method of the request.
    fn game(&self) -> Result<BritishSquare, AnalysisError> {
        let game = BritishSquare::new(self.rules.clone())?;
        Ok(match (&self.root, self.method) {
            (Some(root), _) => game.begun_in(root.position),
            (None, Some(Method::DepthFirst)) => game.depth_first(),
            _ => game,
        })
    }

    /// The method of counting states: that of the request, or the fastest one that supports it.
    fn count_method(&self) -> Method {
        let is_large = self.rules.board.cells() > FEW_CELLS && self.rules.pieces.is_none();
        self.method.unwrap_or(match self.root {
            Some(_) if self.rules.board.cells() <= MAX_SOLVED_CELLS => Method::DepthFirst,
            Some(_) => Method::Explorer,
            None if is_large => Method::TransferMatrix,
            None => Method::Sets,
        })
    }

    /// The seconds of a job that visits so many states in a second, of which there are at most those
    /// of the board.
    fn visiting(&self, states_per_second: f64) -> f64 {
        states_at_most(&self.rules.board) as f64 / states_per_second
    }

    /// The seconds of [`state_counts`](Asked::state_counts), measured on boards of 25 to 48 cells.
    fn counting_states(&self) -> f64 {
        let board = &self.rules.board;
        match self.count_method() {
            Method::Explorer => self.visiting(1e5),
            Method::DepthFirst => self.visiting(3e6),
            Method::TransferMatrix => {
                // As much memory is taken without any counts.
                let counts = transfer_matrix::memory_of(board).saturating_sub(10 << 20);
                0.2 + counts as f64 / 6e6 + fixed_sets(board) / 3e7
            }
            _ => doubling(board, 0.7, 25.0, 1.0),
        }
    }

    /// The seconds of counting playouts by the closed form, measured on boards of 25 to 49 cells.
    fn counting_playouts(&self) -> f64 {
        doubling(&self.rules.board, 0.03, 25.0, 4.0)
    }

    /// The seconds of [`openings`](Asked::openings): those of a search on small boards, and of a
    /// strong solution with a limit on pieces.
    fn valuing_openings(&self) -> Option<f64> {
        let is_small = self.rules.board.cells() <= 36;
        match self.rules.pieces {
            Some(_) => Some(self.visiting(3e6)),
            None => is_small.then_some(0.05),
        }
    }

    /// Counts states.
    fn state_counts(&self, monitor: &Monitor) -> Result<StateCounts, AnalysisError> {
        let rules = &self.rules;
        match self.count_method() {
            Method::Explorer => {
                let Census { levels, scores } = self.explored(&self.start(), monitor)?;
                let terminals = scores.into_iter().map(|(lead, count)| (lead, count.terminals));
                Ok(StateCounts { levels, terminals: terminals.collect() })
            }
            Method::DepthFirst => Ok(depth_first::count_states(&self.game()?, monitor)?),
            Method::TransferMatrix => {
                transfer_matrix::count_states(rules, monitor).map_err(AnalysisError::TransferMatrix)
            }
            _ => {
                note_time(rules, Part::ALL, monitor);
                Ok(sets::count_states(rules, monitor)?)
            }
        }
    }

    /// Counts states and playouts.
    fn census(&self, monitor: &Monitor) -> Result<Census, AnalysisError> {
        if self.count_method() == Method::Explorer {
            return self.explored(&self.start(), monitor);
        }
        let playouts = playouts::by_lead(self, monitor)?;
        Ok(Census::new(self.state_counts(monitor)?, playouts))
    }

    /// Counts states and playouts from a position on by visiting every position.
    fn explored(&self, start: &Position, monitor: &Monitor) -> Result<Census, AnalysisError> {
        let limits = Limits { memory: monitor.room(), merging: Merging::All };
        Ok(explorer::census_from(&self.rules, start, limits, monitor)?)
    }

    /// Returns the score under perfect play, and that after a move on each cell; `None` where it is
    /// not legal.
    fn openings(&self, monitor: &Monitor) -> Result<(i32, Vec<Option<i32>>), AnalysisError> {
        let rules = &self.rules;
        let evaluator = Evaluator::new(rules, monitor.room())?;
        let found = evaluator.evaluate(&self.start(), Detail::Moves, monitor)?;
        let mut values = vec![None; rules.board.cells()];
        for evaluated in found.moves.iter().flatten() {
            if let Move::Place(cell) = evaluated.mv {
                values[cell] = evaluated.points();
            }
        }
        Ok((found.points().unwrap_or_default(), values))
    }
}

/// Seconds that are `seconds` on boards of so many cells, and double every few cells.
fn doubling(board: &Board, seconds: f64, cells: f64, every: f64) -> f64 {
    seconds * ((board.cells() as f64 - cells) / every).exp2()
}

/// The number of sets of cells that the symmetry with the most of them leaves unchanged, each of which
/// the transfer matrix visits.
fn fixed_sets(board: &Board) -> f64 {
    let (rows, cols) = (board.rows(), board.cols());
    let left_right = if cols > 1 { rows * cols.div_ceil(2) } else { 0 };
    let up_down = if rows > 1 { rows.div_ceil(2) * cols } else { 0 };
    (left_right.max(up_down) as f64).exp2()
}

/// Values every state, in pieces, bias not subtracted.
fn solve(game: &BritishSquare, monitor: &Monitor) -> Result<Solved, AnalysisError> {
    Ok(strong::solve(game, &game.root(), monitor)?)
}

/// Every board of up to the given number of cells with no more rows than columns, ordered
/// by cells and rows.
fn boards_up_to(cells: usize) -> Vec<Board> {
    let sides = (1..=cells).flat_map(|rows| (rows..=cells / rows).map(move |cols| (rows, cols)));
    let mut boards: Vec<Board> = sides.filter_map(|(r, c)| Board::new(r, c).ok()).collect();
    boards.sort_by_key(|board| (board.cells(), board.rows()));
    boards
}

/// Describes a rule set in a few words, such as `5x5 standard`, `5x5 centre allowed`,
/// `4x5 bias 2, 11 pieces`.
///
/// ```
/// use bsq_games::british_square::Rules;
/// let rules = Rules { bias: 2, ..Rules::standard(5, 5).unwrap() };
/// assert_eq!(bsq_analyses::rules_label(&rules), "5x5 bias 2");
/// ```
pub fn rules_label(rules: &Rules) -> String {
    let mut words = Vec::new();
    if rules.center_allowed {
        words.push("centre allowed".to_string());
    }
    if rules.bias != 0 {
        words.push(format!("bias {}", rules.bias));
    }
    if let Some(pieces) = rules.pieces {
        words.push(format!("{pieces} pieces"));
    }
    if words.is_empty() {
        format!("{} standard", rules.board)
    } else {
        format!("{} {}", rules.board, words.join(", "))
    }
}

/// The rules as they are presented with results.
pub fn described(rules: &Rules) -> Described {
    Described { label: rules_label(rules), fields: rules_fields(rules) }
}

/// The rules as fields of a manifest or an answer.
pub fn rules_fields(rules: &Rules) -> Value {
    json!({
        "board": rules.board.to_string(),
        "center_allowed": rules.center_allowed,
        "bias": rules.bias,
        "pieces": rules.pieces,
    })
}

//! British Square: states, playouts, perfect play, rule variants and heuristics.

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
pub mod states;
pub mod terminals;
pub mod variants;

use crate::{Analysis, AnalysisError, Compute, Method, Request, RequestOption, Takes};
use bsq_engine::evaluate::{Detail, Evaluator as _};
use bsq_engine::explore::Limits;
use bsq_engine::monitor::Monitor;
use bsq_engine::strong::{self, Solved};
use bsq_engine::text::thousands;
use bsq_games::british_square::count::sets::Part;
use bsq_games::british_square::count::{
    Census, StateCounts, closed_form, explorer, sets, transfer_matrix,
};
use bsq_games::british_square::{Board, BritishSquare, Evaluator, Move, NAME, Rules};
use serde_json::{Value, json};

/// The methods of visiting every decision with the values of its moves.
const DECISIONS: &[Method] = &[Method::Retrograde, Method::DepthFirst];

/// The methods of counting states.
const COUNTS: &[Method] = &[Method::Sets, Method::TransferMatrix, Method::Explorer];

/// The largest number of cells of a board on which the sets of pieces are faster than the transfer
/// matrix.
const FEW_CELLS: usize = 25;

/// The descriptions of the columns with the board of a row, of no more rows than columns.
const ROWS: &str = "the shorter side";
const COLS: &str = "the longer side";
const CELLS: &str = "rows times columns";

/// The description of the column with the rules of a row.
const RULES: &str = "the rule set in words";

/// An analysis of rules under which every state can be valued.
const fn solving(name: &'static str, summary: &'static str, compute: Compute) -> Analysis {
    let analysis = Analysis::new(NAME, name, summary, Takes::SolvableRules, compute);
    Analysis { options: &[RequestOption::Pieces], ..analysis }
}

/// An analysis that only counts states.
const fn counting(name: &'static str, summary: &'static str, compute: Compute) -> Analysis {
    let analysis = Analysis::new(NAME, name, summary, Takes::ValidRules, compute);
    let options = &[RequestOption::Memory, RequestOption::Pieces];
    Analysis { methods: COUNTS, options, condition: check_counts, ..analysis }
}

/// Returns an error if retrograde analysis is asked for under rules that it does not support.
fn check_decisions(request: &Request) -> Result<(), AnalysisError> {
    if request.method == Some(Method::Retrograde) && request.rules()?.pieces.is_some() {
        let (method, option) = (Method::Retrograde, RequestOption::Pieces);
        return Err(AnalysisError::UnsupportedByMethod { method, option });
    }
    Ok(())
}

/// Returns an error if the method of counting states does not support the rules, or parts.
fn check_counts(request: &Request) -> Result<(), AnalysisError> {
    let method = request.count_method()?;
    let unsupported = |option| Err(AnalysisError::UnsupportedByMethod { method, option });
    if request.part.is_some() && request.method != Some(Method::Sets) {
        return unsupported(RequestOption::Part);
    }
    if method == Method::TransferMatrix && request.rules()?.pieces.is_some() {
        return unsupported(RequestOption::Pieces);
    }
    Ok(())
}

/// Reports how long a count of states from sets of pieces takes, if that is more than some seconds.
pub(crate) fn note_time(rules: &Rules, part: Part, monitor: &Monitor) {
    // Few cells take less than a second. The estimate needs a clock, which WebAssembly does not have.
    if rules.board.cells() <= FEW_CELLS || cfg!(target_family = "wasm") {
        return;
    }
    let seconds = sets::estimate(rules, part).as_secs();
    let time = match seconds {
        0..10 => return,
        10..120 => format!("{seconds} seconds"),
        120..7200 => format!("{} minutes", seconds / 60),
        7200..172_800 => format!("{} hours", seconds / 3600),
        _ => format!("{} days", thousands(seconds / 86400)),
    };
    let count = if part == Part::ALL { "the count".to_string() } else { format!("part {part}") };
    let threads = match rayon::current_num_threads() {
        1 => "1 thread".to_string(),
        threads => format!("{threads} threads"),
    };
    monitor.note(&format!("{count} takes about {time} on {threads}"));
}

impl Request<'_> {
    /// Returns the game of the rules.
    pub(crate) fn game(&self) -> Result<BritishSquare, AnalysisError> {
        let game = BritishSquare::new(self.rules()?.clone())?;
        Ok(if self.method == Some(Method::DepthFirst) { game.depth_first() } else { game })
    }

    /// The method of counting states: that of the request, or the fastest one that supports the
    /// rules.
    fn count_method(&self) -> Result<Method, AnalysisError> {
        let rules = self.rules()?;
        let is_large = rules.board.cells() > FEW_CELLS && rules.pieces.is_none();
        let fastest = if is_large { Method::TransferMatrix } else { Method::Sets };
        Ok(self.method.unwrap_or(fastest))
    }

    /// Counts states, or takes those that have been counted.
    fn state_counts(&self) -> Result<StateCounts, AnalysisError> {
        if let Some(counted) = self.counted {
            return Ok(counted.clone());
        }
        let rules = self.rules()?;
        match self.count_method()? {
            Method::Explorer => {
                let Census { levels, scores } = self.explored()?;
                let terminals = scores.into_iter().map(|(lead, count)| (lead, count.terminals));
                Ok(StateCounts { levels, terminals: terminals.collect() })
            }
            Method::TransferMatrix => {
                Ok(transfer_matrix::count_states(rules, self.memory, &self.monitor)?)
            }
            Method::Sets => {
                note_time(rules, Part::ALL, &self.monitor);
                Ok(sets::count_states(rules, &self.monitor)?)
            }
            method => unreachable!("{method:?} does not count states, which the check refuses"),
        }
    }

    /// Counts states and playouts.
    fn census(&self) -> Result<Census, AnalysisError> {
        if self.count_method()? == Method::Explorer {
            return self.explored();
        }
        let playouts = closed_form::playouts_by_score(self.rules()?, &self.monitor)?;
        Ok(Census::new(self.state_counts()?, playouts))
    }

    /// Counts states and playouts by visiting every position.
    fn explored(&self) -> Result<Census, AnalysisError> {
        let limits = Limits { memory: self.memory, ..Limits::default() };
        Ok(explorer::census(self.rules()?, limits, &self.monitor)?)
    }

    /// Returns the score under perfect play, and that after a first move on each cell; `None` where it
    /// is not legal.
    fn openings(&self) -> Result<(i32, Vec<Option<i32>>), AnalysisError> {
        let rules = self.rules()?;
        let evaluator = Evaluator::new(rules, None)?;
        let found = evaluator.evaluate(&rules.start(), Detail::Moves, &self.monitor)?;
        let mut values = vec![None; rules.board.cells()];
        for evaluated in found.moves.iter().flatten() {
            if let Move::Place(cell) = evaluated.mv {
                values[cell] = evaluated.points();
            }
        }
        Ok((found.points().unwrap_or_default(), values))
    }

    /// Values every state, in pieces, bias not subtracted.
    fn solve(&self, game: &BritishSquare) -> Result<Solved, AnalysisError> {
        Ok(strong::solve(game, &game.root(), &self.monitor)?)
    }
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
    match words.is_empty() {
        true => format!("{} standard", rules.board),
        false => format!("{} {}", rules.board, words.join(", ")),
    }
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

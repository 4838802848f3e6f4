//! Analyses and their requests.

use crate::Table;
use crate::chart::Chart;
use crate::error::AnalysisError;
use crate::options::{Method, RequestOption};
use crate::subject::{Subject, Takes};
use bsq_engine::monitor::Monitor;
use bsq_games::british_square::count::StateCounts;
use bsq_games::british_square::count::sets::Part;
use bsq_games::british_square::{BritishSquare, Rules, TooLarge};
use bsq_games::dots;
use bsq_games::dots::search::EveryError;
use bsq_games::rpsw::tablebase::Tablebase;

/// A question about a game that is answered with tables.
///
/// Analyses are declared as constants: [`Analysis::new`] sets the required fields, and further
/// fields are set by struct update syntax.
#[derive(Clone, Copy, Debug)]
pub struct Analysis {
    /// The game, one of [`GAMES`](bsq_games::GAMES).
    pub game: &'static str,
    /// The name: the word in the command, and the folder. Unique within the game.
    pub name: &'static str,
    /// A description of the tables, in a line. A word in braces names a parameter, such as
    /// `{board}`; `{parameters}` stands for all of them.
    pub summary: &'static str,
    /// Whether the analysis takes so long that it only runs on request by name.
    pub is_long: bool,
    /// The kind of subject that the analysis takes.
    pub takes: Takes,
    /// The methods, all of which give the same numbers. The first is the default under rules that
    /// it supports. Empty if there is only one.
    pub methods: &'static [Method],
    /// The options that the analysis supports.
    pub options: &'static [RequestOption],
    /// The chart of the main table, or of another one if that has none.
    pub chart: Option<&'static Chart<'static>>,
    /// A further condition on requests, checked after `takes` and `options`. Does no work.
    pub condition: fn(&Request) -> Result<(), AnalysisError>,
    /// Computes the tables of a valid request, the main one first.
    pub compute: Compute,
}

/// Computes the tables of an analysis.
pub type Compute = fn(&Request) -> Result<Vec<Table>, AnalysisError>;

impl Analysis {
    /// An analysis that is not long, supports no options and has no chart.
    pub const fn new(
        game: &'static str,
        name: &'static str,
        summary: &'static str,
        takes: Takes,
        compute: Compute,
    ) -> Analysis {
        let (is_long, methods, options, chart): (_, &[_], &[_], _) = (false, &[], &[], None);
        let condition = |_: &Request| Ok(());
        Analysis {
            game,
            name,
            summary,
            is_long,
            takes,
            methods,
            options,
            chart,
            condition,
            compute,
        }
    }

    /// Returns an error if the request has an option that the analysis does not support, or a
    /// subject that it does not take. Does no work.
    pub fn check(&self, request: &Request) -> Result<(), AnalysisError> {
        if let Some(method) = request.method.filter(|method| !self.methods.contains(method)) {
            return Err(AnalysisError::Method { analysis: self.name, method });
        }
        let unsupported = request.options().find(|option| !self.options.contains(option));
        if let Some(option) = unsupported {
            return Err(AnalysisError::Unsupported { analysis: self.name, option });
        }
        match self.takes {
            Takes::SolvableRules => drop(BritishSquare::new(request.rules()?.clone())?),
            Takes::ValidRules | Takes::Match => {
                request.rules()?.check().map_err(TooLarge::Rules)?
            }
            Takes::Board { most_lines } => {
                let board = request.board()?;
                if board.lines() > most_lines {
                    return Err(EveryError::TooLarge(board).into());
                }
            }
            Takes::Lines => drop(request.lines()?),
            Takes::Tablebase => drop(request.tablebase()?),
        }
        (self.condition)(request)
    }

    /// Computes the tables, the main one first.
    ///
    /// # Errors
    ///
    /// Fails if the request is invalid, and if the job fails or is stopped.
    pub fn run(&self, request: &Request) -> Result<Vec<Table>, AnalysisError> {
        self.check(request)?;
        (self.compute)(request)
    }
}

/// The input of an analysis.
#[derive(Clone)]
pub struct Request<'a> {
    /// The subject of the analysis.
    pub subject: Subject,
    /// The method; chosen by the analysis if `None`.
    pub method: Option<Method>,
    /// The memory that the analysis may take, in bytes. Analyses that do not support
    /// [`RequestOption::Memory`] take little.
    pub memory: Option<u64>,
    /// Whether that is a limit that the user has set, so that the analysis and its method must
    /// support it.
    pub is_memory_set: bool,
    /// The part of the count of states; all if `None`.
    pub part: Option<Part>,
    /// States under the same rules that have been counted, in parts.
    pub counted: Option<&'a StateCounts>,
    /// Progress and cancellation.
    pub monitor: Monitor<'a>,
}

impl<'a> Request<'a> {
    /// A request without options.
    pub fn new(subject: Subject) -> Request<'a> {
        Request {
            subject,
            method: None,
            memory: None,
            is_memory_set: false,
            part: None,
            counted: None,
            monitor: Monitor::default(),
        }
    }

    /// The options of the request.
    fn options(&self) -> impl Iterator<Item = RequestOption> {
        let has_pieces = self.rules().is_ok_and(|rules| rules.pieces.is_some());
        let options = [
            self.is_memory_set.then_some(RequestOption::Memory),
            self.part.map(|_| RequestOption::Part),
            has_pieces.then_some(RequestOption::Pieces),
        ];
        options.into_iter().flatten()
    }

    /// The rules of British Square that the request is about.
    pub(crate) fn rules(&self) -> Result<&Rules, AnalysisError> {
        self.subject.rules()
    }

    /// The board of Dots-and-Boxes that the request is about.
    pub(crate) fn board(&self) -> Result<dots::Board, AnalysisError> {
        self.subject.board()
    }

    /// The number of lines that the request is about.
    pub(crate) fn lines(&self) -> Result<usize, AnalysisError> {
        self.subject.lines()
    }

    /// The tablebase that the request is about.
    pub(crate) fn tablebase(&self) -> Result<&Tablebase, AnalysisError> {
        self.subject.tablebase()
    }
}

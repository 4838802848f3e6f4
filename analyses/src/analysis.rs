//! The interface of the analyses of all games.

use crate::british_square::Method;
use crate::chart::Chart;
use crate::error::{AnalysisError, Procedure};
use crate::table::Table;
use bsq_engine::levels::{Census, MemoryBudget};
use bsq_engine::monitor::Monitor;
use bsq_games::british_square::{BritishSquare, LevelGame128, Rules, TooLarge};
use bsq_games::dots::search::EveryError;
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::{british_square, dots, rpsw};

/// A question about a game that is answered with tables.
pub trait Analysis: Send + Sync {
    /// Returns the name of the analysis, its chart and what it takes.
    fn info(&self) -> Info;

    /// Returns an error if the request is invalid. Does no work.
    fn check(&self, request: &Request) -> Result<(), AnalysisError> {
        self.info().check(request)
    }

    /// Computes the tables, the main one first.
    ///
    /// # Errors
    ///
    /// Fails if the request is invalid, and if the job fails or is stopped.
    fn run(&self, request: &Request) -> Result<Vec<Table>, AnalysisError>;
}

/// The description of an analysis.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The game, one of [`GAMES`](bsq_games::GAMES).
    pub game: &'static str,
    /// The name: the word in the command, and the folder. Unique within the game.
    pub name: &'static str,
    /// What the tables show, in a line. A word in braces names a parameter, such as `{board}`;
    /// `{parameters}` stands for all of them.
    pub summary: &'static str,
    /// Whether the analysis takes so long that it only runs when it is asked for by name.
    pub is_long: bool,
    /// The kind of subject that the analysis takes.
    pub takes: Takes,
    /// The options that the analysis supports.
    pub options: &'static [Opt],
    /// The chart of the main table, or of another one if that has none.
    pub chart: Option<&'static Chart<'static>>,
}

impl Info {
    /// An analysis that is not long, supports no options and has no chart.
    pub(crate) const fn new(
        game: &'static str,
        name: &'static str,
        summary: &'static str,
        takes: Takes,
    ) -> Info {
        Info { game, name, summary, is_long: false, takes, options: &[], chart: None }
    }

    /// Returns an error if the request has an option that the analysis does not support, or a
    /// subject that it does not take.
    pub(crate) fn check(&self, request: &Request) -> Result<(), AnalysisError> {
        if let Some(option) = request.options().find(|option| !self.options.contains(option)) {
            return Err(AnalysisError::Unsupported { by: Procedure::Analysis(self.name), option });
        }
        match self.takes {
            Takes::SolvableRules => drop(BritishSquare::new(request.rules()?.clone())?),
            Takes::CountableRules => drop(LevelGame128::new(request.rules()?.clone())?),
            Takes::ValidRules => request.rules()?.check().map_err(TooLarge::Rules)?,
            Takes::Board { most_lines } => {
                let board = request.board()?;
                if board.lines() > most_lines {
                    return Err(EveryError::TooLarge(board).into());
                }
            }
            Takes::Lines => drop(request.lines()?),
            Takes::Tablebase => drop(request.tablebase()?),
        }
        Ok(())
    }
}

/// The kind of subject that an analysis takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Rules of British Square under which every state can be valued, see [`BritishSquare::new`].
    SolvableRules,
    /// Rules of British Square under which states can be counted, see [`LevelGame128::new`].
    CountableRules,
    /// Any valid rules of British Square.
    ValidRules,
    /// A board of Dots-and-Boxes.
    Board {
        /// The largest number of lines.
        most_lines: usize,
    },
    /// A number of lines of Dots-and-Boxes.
    Lines,
    /// A tablebase of rock-paper-scissors-well.
    Tablebase,
}

/// What an analysis is about.
#[derive(Clone)]
pub enum Subject<'a> {
    /// Rules of British Square.
    Rules(Rules),
    /// A board of Dots-and-Boxes.
    Board(dots::Board),
    /// All boards of Dots-and-Boxes with at most that many undrawn lines at the start, 1 to 64.
    Lines(usize),
    /// A tablebase of rock-paper-scissors-well.
    Tablebase(&'a Tablebase),
}

impl Subject<'_> {
    /// The game, one of [`GAMES`](bsq_games::GAMES).
    pub fn game(&self) -> &'static str {
        match self {
            Subject::Rules(_) => british_square::NAME,
            Subject::Board(_) | Subject::Lines(_) => dots::NAME,
            Subject::Tablebase(_) => rpsw::NAME,
        }
    }
}

/// An option that some analyses support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opt {
    /// A method of counting playouts.
    Method(Method),
    /// A memory limit.
    Memory,
    /// A scratch folder.
    Scratch,
    /// A limit on pieces, which is part of the rules.
    Pieces,
}

/// The limits that a caller sets on a count. A [`MemoryBudget`] has their values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Whether memory is limited.
    pub memory: bool,
    /// Whether there is a scratch folder.
    pub scratch: bool,
}

impl Limits {
    /// The limits that are set, as options.
    pub(crate) fn options(self) -> impl Iterator<Item = Opt> {
        let set = [self.scratch.then_some(Opt::Scratch), self.memory.then_some(Opt::Memory)];
        set.into_iter().flatten()
    }
}

/// The input of an analysis.
#[derive(Clone)]
pub struct Request<'a> {
    /// What the analysis is about.
    pub subject: Subject<'a>,
    /// How to count playouts; chosen by the analysis if `None`.
    pub method: Option<Method>,
    /// The limits that are set on a count, which is all that a check needs to know of them.
    pub limits: Limits,
    /// Memory and scratch folder of a count; no limit if `None`.
    pub budget: Option<&'a MemoryBudget>,
    /// A count of the same rules that is at hand already.
    pub census: Option<&'a Census>,
    /// Progress and cancellation.
    pub monitor: Monitor<'a>,
}

impl<'a> Request<'a> {
    /// A request without options.
    pub fn new(subject: Subject<'a>) -> Request<'a> {
        Request {
            subject,
            method: None,
            limits: Limits::default(),
            budget: None,
            census: None,
            monitor: Monitor::default(),
        }
    }

    /// The options that the request has.
    fn options(&self) -> impl Iterator<Item = Opt> {
        let has_pieces = matches!(&self.subject, Subject::Rules(rules) if rules.pieces.is_some());
        let pieces = has_pieces.then_some(Opt::Pieces);
        self.method.map(Opt::Method).into_iter().chain(self.limits.options()).chain(pieces)
    }

    /// The rules of British Square that the request is about.
    pub(crate) fn rules(&self) -> Result<&Rules, AnalysisError> {
        match &self.subject {
            Subject::Rules(rules) => Ok(rules),
            _ => Err(AnalysisError::Subject("rules of British Square")),
        }
    }

    /// The board of Dots-and-Boxes that the request is about.
    pub(crate) fn board(&self) -> Result<dots::Board, AnalysisError> {
        match self.subject {
            Subject::Board(board) => Ok(board),
            _ => Err(AnalysisError::Subject("a board of Dots-and-Boxes")),
        }
    }

    /// The number of lines that the request is about.
    pub(crate) fn lines(&self) -> Result<usize, AnalysisError> {
        match self.subject {
            Subject::Lines(lines) => Ok(lines),
            _ => Err(AnalysisError::Subject("a number of lines of Dots-and-Boxes")),
        }
    }

    /// The tablebase that the request is about.
    pub(crate) fn tablebase(&self) -> Result<&'a Tablebase, AnalysisError> {
        match self.subject {
            Subject::Tablebase(tablebase) => Ok(tablebase),
            _ => Err(AnalysisError::Subject("a tablebase of rock-paper-scissors-well")),
        }
    }
}

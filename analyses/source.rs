//! Where the positions of a game and their values come from.

use crate::options::{MOVES, POSITION, TABLEBASE};
use crate::{AnalysisError, OptionValues};
use bsq_engine::dataset::Collector;
use bsq_engine::explore::{Limits, Merging, explore_from};
use bsq_engine::game::Game;
use bsq_engine::monitor::Monitor;
use bsq_engine::options::RuleOption;
use bsq_engine::record::{GameRecord, Recorded};
use std::marker::PhantomData;
use std::path::Path;

/// A source of the positions of a game, with their values.
pub trait Source: Sized + Send + Sync + 'static {
    /// The rules.
    type Game: Recorded + Send + Sync + 'static;

    /// The options of a request besides those of the rules.
    const OPTIONS: &[RuleOption] = &[];

    /// The rules of a request, and a source that supports them. `default` are the rules with the
    /// default of every option. Does no work.
    ///
    /// # Errors
    ///
    /// If an option is invalid, or the source does not support the rules.
    fn open(
        request: &OptionValues,
        default: &Self::Game,
    ) -> Result<(Self::Game, Self), AnalysisError>;

    /// Whether the source knows after how many plies play reaches a position.
    fn knows_ply(&self) -> bool {
        true
    }

    /// Returns an error if the source does not support the rules with those that a root contains, or
    /// has no positions below one.
    fn check(&self, _: &Self::Game, _: Option<&Root<Self::Game>>) -> Result<(), AnalysisError> {
        Ok(())
    }

    /// The seconds that a visit takes on one thread; `None` if that is not known.
    fn estimate(&self, rules: &Self::Game) -> Option<f64>;

    /// Passes every position that play reaches from the root to a collector.
    fn collect<C: Collector<Self::Game>>(
        &self,
        visit: &Visit<Self::Game>,
        collector: C,
        monitor: &Monitor,
    ) -> Result<C, AnalysisError>;
}

/// A visit of positions.
#[derive(Clone, Debug)]
pub struct Visit<G: Game> {
    /// The rules.
    pub rules: G,
    /// The position in which it begins. `None` for the start of the game.
    pub root: Option<Root<G>>,
    /// Whether the order of the positions must be the same in every visit.
    pub is_ordered: bool,
}

impl<G: Game> Visit<G> {
    /// The position in which it begins, and the plies before it.
    pub fn start(&self) -> (G::Position, u32) {
        match &self.root {
            Some(root) => (root.position.clone(), root.ply),
            None => (self.rules.start(), 0),
        }
    }
}

/// The path of the tablebase that a request names, if it does, which then determines the rules.
/// `default` are the rules with the default of every option.
///
/// # Errors
///
/// If the request names rules as well.
pub fn tablebase_of<'a, G: Recorded>(
    request: &'a OptionValues,
    default: &G,
) -> Result<Option<&'a Path>, AnalysisError> {
    let Some(path) = request.given(&TABLEBASE.name) else { return Ok(None) };
    let options = &default.format().options;
    if let Some(option) = options.iter().find(|rule| request.given(&rule.name).is_some()) {
        let why = "the tablebase determines the rules; leave this out";
        return Err(AnalysisError::option(option.name.clone(), why));
    }
    Ok(Some(Path::new(path)))
}

/// A position in which a dataset begins.
#[derive(Clone, Debug)]
pub struct Root<G: Game> {
    /// The position.
    pub position: G::Position,
    /// The number of moves that led to it from the start of the game; 0 if that is not known.
    pub ply: u32,
    /// The name of the option that says so: `position`, or `moves` alone.
    pub option: &'static str,
}

impl<G: Recorded> Root<G> {
    /// The position of a request, and the rules with those that it contains. `None` if the request
    /// names no position and no moves.
    ///
    /// # Errors
    ///
    /// If the position is invalid, or a move is illegal.
    pub fn of(request: &OptionValues, rules: G) -> Result<(G, Option<Root<G>>), AnalysisError> {
        let (position, moves) = (request.given(&POSITION.name), request.given(&MOVES.name));
        if position.is_none() && moves.is_none() {
            return Ok((rules, None));
        }
        let mut record = match position {
            Some(text) => GameRecord::begun(rules, text, Recorded::parse_start)
                .map_err(|error| AnalysisError::option(POSITION.name, error.to_string()))?,
            None => GameRecord::new(rules),
        };
        record
            .play_all(moves.unwrap_or_default())
            .map_err(|error| AnalysisError::option(MOVES.name, error.to_string()))?;
        let option = if position.is_some() { "position" } else { "moves" };
        let (position, ply) = (record.position().clone(), record.at() as u32);
        let root = Root { position, ply, option };
        Ok((record.rules().clone(), Some(root)))
    }
}

/// The source of any game: its rules.
pub struct Explorer<G>(PhantomData<fn() -> G>);

impl<G: Recorded + Send + Sync + 'static> Source for Explorer<G> {
    type Game = G;

    fn open(request: &OptionValues, default: &G) -> Result<(G, Explorer<G>), AnalysisError> {
        Ok((request.rules(default.clone())?, Explorer(PhantomData)))
    }

    fn estimate(&self, rules: &G) -> Option<f64> {
        crate::any::estimate(rules)
    }

    fn collect<C: Collector<G>>(
        &self,
        visit: &Visit<G>,
        collector: C,
        monitor: &Monitor,
    ) -> Result<C, AnalysisError> {
        let (start, ply) = visit.start();
        let limits = Limits { memory: monitor.room(), merging: Merging::All };
        let explored = explore_from(visit.rules.clone(), &start, limits, monitor)?;
        Ok(explored.solve(monitor)?.collect(ply, collector, monitor)?)
    }
}

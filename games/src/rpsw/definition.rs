//! The game as front ends see it.

use super::evaluator::{Evaluation, Evaluator, EvaluatorError};
use super::retrograde::{Layout, solving_bytes};
use super::starts::{self, Start};
use super::tablebase::solution::Solution;
#[cfg(feature = "storage")]
use super::tablebase::{Tablebase, jobs};
use super::{Move, NAME, Piece, Position, Rules};
use bsq_engine::dataset::GameColumn;
#[cfg(feature = "storage")]
use bsq_engine::definition::Tablebases;
use bsq_engine::definition::{self, Info, Resources};
use bsq_engine::error::Error;
use bsq_engine::evaluate::{self, Cost, Detail, MoveEvaluation};
use bsq_engine::game::{Game as _, Player};
use bsq_engine::monitor::Monitor;
use parking_lot::Mutex;
use std::sync::OnceLock;

/// The least depth of the lost positions that a solution in memory keeps, in plies.
const LEAST_DEPTH: u32 = 2;

/// Rock-paper-scissors-well.
pub struct Definition;

impl definition::Definition for Definition {
    type Rules = Rules;
    type Evaluator = Probe;

    fn info(&self) -> &Info {
        static INFO: Info = Info::new(
            NAME,
            "Rock-paper-scissors-well",
            "Rock, paper, scissors and a well capture each other",
            "Each player has a rock, a paper, scissors and a well, which move like a chess king \
            and capture only the kinds that they beat. A player wins by reaching the opponent's \
            home row or by capturing the last piece.",
        );
        &INFO
    }

    #[cfg(feature = "storage")]
    fn tablebases(&self) -> Option<Tablebases<Rules>> {
        Some(jobs::tablebases())
    }

    fn rules(&self) -> Rules {
        Rules::standard()
    }

    /// The pieces of each player, and of each kind.
    fn columns(&self, _: &Rules) -> Vec<GameColumn<Rules>> {
        let players = Player::BOTH.into_iter().flat_map(|player| {
            let (name, side) = (player.name(), player.index());
            let all = GameColumn::number(
                format!("{name}_pieces"),
                format!("pieces of the {name} player"),
                move |position: &Position| {
                    Some(position.pieces[side].iter().flatten().count() as i64)
                },
            );
            let kinds = Piece::ALL.into_iter().map(move |piece| {
                let kind = piece.name();
                GameColumn::truth(
                    format!("{name}_{kind}"),
                    format!("whether the {name} player has {}", piece.with_article()),
                    move |position: &Position| position.pieces[side][piece.index()].is_some(),
                )
            });
            std::iter::once(all).chain(kinds)
        });
        players.collect()
    }

    fn evaluator(&self, rules: &Rules, resources: &Resources) -> Result<Probe, Error> {
        #[cfg(feature = "storage")]
        if let Some(path) = &resources.tablebase {
            let tablebase = Box::new(jobs::open(path, rules)?);
            let source = Source::Tablebase(tablebase);
            return Ok(Probe { rules: rules.clone(), source, has_stored: false });
        }
        // The layout of the whole game takes 30 ms to list, too long for each request of a cost.
        let bytes = solving_bytes(&Layout::new(rules.clone()));
        let source = Source::Memory {
            bytes,
            allowed: resources.memory,
            solution: Box::default(),
            solving: Mutex::default(),
        };
        let has_stored = resources.first_plies && *rules == Rules::standard();
        Ok(Probe { rules: rules.clone(), source, has_stored })
    }
}

/// Probes a tablebase, or a retrograde analysis in memory that the first evaluation makes.
pub struct Probe {
    rules: Rules,
    source: Source,
    /// Whether the values of starts are looked up in the stored table.
    has_stored: bool,
}

enum Source {
    #[cfg(feature = "storage")]
    Tablebase(Box<Tablebase>),
    /// Solving takes `bytes` of memory. One thread at a time solves the game.
    Memory { bytes: u64, allowed: u64, solution: Box<OnceLock<Solution>>, solving: Mutex<()> },
}

impl Probe {
    fn stored(&self, position: &Position) -> Option<&'static Start> {
        if self.has_stored { starts::of(position) } else { None }
    }

    fn evaluator(&self, monitor: &Monitor) -> Result<Evaluator<'_>, EvaluatorError> {
        match &self.source {
            #[cfg(feature = "storage")]
            Source::Tablebase(tablebase) => Ok(Evaluator::Tablebase(tablebase)),
            Source::Memory { bytes, allowed, solution, solving } => {
                let _solving = match solution.get() {
                    Some(solution) => return Ok(Evaluator::Solution(solution)),
                    None => solving.lock(),
                };
                if let Some(solution) = solution.get() {
                    return Ok(Evaluator::Solution(solution));
                }
                check_memory(*bytes, *allowed)?;
                let layout = Layout::new(self.rules.clone());
                let solved = Solution::solve(layout, LEAST_DEPTH, monitor)?;
                Ok(Evaluator::Solution(solution.get_or_init(|| solved)))
            }
        }
    }
}

/// A stored start as an evaluation: the best moves have its value, and those of the others are not known.
fn evaluation_of(start: &Start, rules: &Rules, position: &Position, detail: Detail) -> Evaluation {
    let evaluated = |mv: Move| {
        let value = start.best.contains(&mv).then_some(start.value);
        MoveEvaluation { mv, value, facts: () }
    };
    let moves = (detail == Detail::Moves).then(|| {
        let mut moves: Vec<_> = rules.moves(position).into_iter().map(evaluated).collect();
        moves.sort_by_key(|mv| mv.value.is_none());
        moves
    });
    Evaluation { value: Some(start.value), to_come: None, moves, facts: () }
}

/// Refuses to solve a game that does not fit in the memory allowed.
fn check_memory(bytes: u64, allowed: u64) -> Result<(), EvaluatorError> {
    if bytes > allowed {
        return Err(EvaluatorError::TooLarge { bytes, allowed });
    }
    Ok(())
}

impl evaluate::Evaluator for Probe {
    type Game = Rules;
    type Facts = ();
    type MoveFacts = ();
    type Error = EvaluatorError;

    fn game(&self) -> &Rules {
        &self.rules
    }

    fn cost(&self, position: &Position, _: Detail) -> Cost<EvaluatorError> {
        match &self.source {
            _ if self.stored(position).is_some() => Cost::LookUp,
            Source::Memory { bytes, allowed, solution, .. } if solution.get().is_none() => {
                check_memory(*bytes, *allowed).map_or_else(Cost::Refused, |()| Cost::Build)
            }
            _ => Cost::LookUp,
        }
    }

    fn evaluate(
        &self,
        position: &Position,
        detail: Detail,
        monitor: &Monitor,
    ) -> Result<Evaluation, EvaluatorError> {
        match self.stored(position) {
            Some(start) => Ok(evaluation_of(start, &self.rules, position, detail)),
            None => self.evaluator(monitor)?.evaluate(position, detail, monitor),
        }
    }

    /// From a stored start it has one move, because only that is known.
    fn principal_variation(
        &self,
        position: &Position,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Vec<Move>, EvaluatorError> {
        match self.stored(position) {
            Some(start) => Ok(start.best.iter().copied().take(limit.min(1)).collect()),
            None => evaluate::best_moves(self, position, limit, monitor),
        }
    }

    fn bytes(&self) -> u64 {
        match &self.source {
            #[cfg(feature = "storage")]
            Source::Tablebase(_) => 0,
            Source::Memory { bytes, solution, .. } => solution.get().map_or(0, |_| *bytes),
        }
    }
}

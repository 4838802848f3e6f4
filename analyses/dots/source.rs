//! The positions of Dots-and-Boxes: those that play reaches, with values by exploring them or from a
//! tablebase.

use crate::any::heuristic;
use crate::choices::Outside;
use crate::options::TABLEBASE;
use crate::source::{Explorer, Root, Source, Visit, tablebase_of};
use crate::{Analysis, AnalysisError, OptionValues, query, sample};
use bsq_engine::dataset::{self, Collector, Entry};
use bsq_engine::definition::Definition as _;
use bsq_engine::game::{Game as _, Notation as _, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::RuleOption;
use bsq_games::dots::tablebase::{Plan, Tablebase, TablebaseError, plan_of, rules_of};
use bsq_games::dots::{Definition, Lines, NAME, Position, Rules, lines_of};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The query over the positions, with values by exploring them or from a tablebase.
pub fn query() -> Analysis {
    let of_game = |rules: &Rules| Definition.columns(rules);
    query::analysis::<Positions>(NAME, &Definition.rules(), of_game)
}

/// The export of the same positions and their moves.
pub fn export() -> Analysis {
    let of_game = |rules: &Rules| Definition.columns(rules);
    query::export::<Positions>(NAME, &Definition.rules(), of_game)
}

/// Random positions: of playouts, or of the same positions.
pub fn sample() -> Analysis {
    sample::analysis::<Positions>(NAME, &Definition.rules())
}

/// The test of a heuristic, in the same positions.
pub fn heuristic_test() -> Analysis {
    heuristic::of_definition::<Positions, _>(&Arc::new(Definition), &Definition.rules())
}

/// The test of moves that somebody prefers outside the program, who is named, in the same positions.
pub fn outside_test(name: &str, outside: &Outside) -> Analysis {
    let (definition, default) = (Arc::new(Definition), Definition.rules());
    heuristic::of_outside::<Positions, _>(&definition, &default, name, outside)
}

/// The positions that play reaches.
pub enum Positions {
    /// With values from a tablebase of all of them, in the order of the sets of lines as numbers.
    OfTablebase {
        /// The folder of the tablebase.
        folder: PathBuf,
        /// Its plan.
        plan: Box<Plan>,
    },
    /// With values by exploring them.
    Explored(Explorer<Rules>),
}

/// The most open lines of a root: 2^48 sets of lines take months.
const MOST_OPEN: u32 = 48;

/// The number of sets of lines in a task, at least, and that of tasks, at most, as powers of two.
const SETS: u32 = 12;
const TASKS: u32 = 16;

impl Source for Positions {
    type Game = Rules;

    const OPTIONS: &[RuleOption] = &[TABLEBASE];

    fn open(request: &OptionValues, default: &Rules) -> Result<(Rules, Positions), AnalysisError> {
        let Some(path) = tablebase_of(request, default)? else {
            let (rules, explorer) = Explorer::open(request, default)?;
            return Ok((rules, Positions::Explored(explorer)));
        };
        let (folder, plan) = (path.to_path_buf(), Box::new(plan_of(path)?));
        Ok((rules_of(&plan), Positions::OfTablebase { folder, plan }))
    }

    fn check(&self, rules: &Rules, root: Option<&Root<Rules>>) -> Result<(), AnalysisError> {
        let Positions::OfTablebase { plan, .. } = self else { return Ok(()) };
        if plan.kept_lines() < plan.most_lines() {
            let kept = plan.kept_lines();
            let why = format!(
                "it keeps the positions with up to {kept} lines only; all of them are needed"
            );
            return Err(AnalysisError::option(&*TABLEBASE.name, why));
        }
        let start = root.map_or(rules.start().lines, |root| root.position.lines);
        let open = (rules.board.all() & !start).count_ones();
        if open > MOST_OPEN {
            let why = format!(
                "{open} lines are open, and {MOST_OPEN} at most can be; give a position with more lines"
            );
            return Err(AnalysisError::option(&*TABLEBASE.name, why));
        }
        if start & plan.from() != plan.from() {
            let from = rules.format_position(&Position::of_lines(plan.from()));
            let why = format!("it begins at '{from}'; give this position, or one below it");
            return Err(AnalysisError::option(&*TABLEBASE.name, why));
        }
        Ok(())
    }

    fn estimate(&self, rules: &Rules) -> Option<f64> {
        match self {
            Positions::OfTablebase { plan, .. } => {
                let lines = rules.board.lines() as i32 - plan.from().count_ones() as i32;
                Some(2f64.powi(lines) / 4e6)
            }
            Positions::Explored(explorer) => explorer.estimate(rules),
        }
    }

    fn collect<C: Collector<Rules>>(
        &self,
        visit: &Visit<Rules>,
        collector: C,
        monitor: &Monitor,
    ) -> Result<C, AnalysisError> {
        match self {
            Positions::OfTablebase { folder, .. } => {
                of_tablebase(folder, visit, collector, monitor)
            }
            Positions::Explored(explorer) => explorer.collect(visit, collector, monitor),
        }
    }
}

/// Passes every set of lines that contains those of the root to a collector, of those that are equal by
/// symmetry one.
fn of_tablebase<C: Collector<Rules>>(
    folder: &Path,
    visit: &Visit<Rules>,
    collector: C,
    monitor: &Monitor,
) -> Result<C, AnalysisError> {
    let rules = &visit.rules;
    let (start, first_ply) = visit.start();
    let values = Tablebase::in_memory(folder, monitor)?;
    let open = rules.board.all() & !start.lines;
    let is_fixed = rules.images(&Position::of_lines(start.lines)).len() == 1;
    // Of the images that contain the lines of the root, the least stands for all.
    let is_least = |lines: Lines| {
        let position = Position::of_lines(lines);
        if is_fixed {
            return rules.canonical(&position) == position;
        }
        let images = rules.images(&position);
        images.iter().all(|image| image.lines & start.lines != start.lines || image.lines >= lines)
    };
    let of_task = open.count_ones().saturating_sub(TASKS).max(SETS).min(open.count_ones());
    let tasks: Vec<u64> = (0..1u64 << (open.count_ones() - of_task)).collect();
    monitor.begin("sets of lines", 1 << open.count_ones());
    dataset::collect_parts(collector, &tasks, monitor, |seen: &mut C, task| {
        monitor.check()?;
        for index in task << of_task..(task + 1) << of_task {
            let lines = start.lines | spread(index, open);
            if !is_least(lines) {
                continue;
            }
            let position = Position::of_lines(lines);
            let ply = first_ply + (lines & !start.lines).count_ones();
            let entry =
                Probed { rules, values: &values, position, ply, failure: RefCell::default() };
            seen.see(&entry);
            if let Some(failure) = entry.failure.into_inner() {
                return Err(failure.into());
            }
        }
        monitor.advance(1 << of_task);
        Ok(())
    })
}

/// The bits of a number at the places of a set, the lowest first.
fn spread(mut number: u64, set: Lines) -> Lines {
    let mut spread = 0;
    for line in lines_of(set) {
        spread |= (number & 1) << line;
        number >>= 1;
    }
    spread
}

/// A position whose values are looked up when they are asked for.
struct Probed<'a> {
    rules: &'a Rules,
    values: &'a Tablebase,
    position: Position,
    ply: u32,
    /// Why the last look-up failed.
    failure: RefCell<Option<TablebaseError>>,
}

impl Probed<'_> {
    /// The points to come for the player to move; 0 if the look-up fails.
    fn to_come(&self, lines: Lines) -> i32 {
        match self.values.value(lines) {
            Ok(value) => value.expect("all positions below the start have values").into(),
            Err(error) => {
                self.failure.borrow_mut().get_or_insert(error);
                0
            }
        }
    }
}

impl Entry<Rules> for Probed<'_> {
    fn position(&self) -> &Position {
        &self.position
    }

    fn ply(&self) -> Option<u32> {
        Some(self.ply)
    }

    fn value(&self) -> Value {
        Value::of_score(self.to_come(self.position.lines).into())
    }

    fn orbit_size(&self) -> u64 {
        self.rules.orbit_size(&self.position)
    }

    fn legal_moves(&self) -> u32 {
        (self.rules.board.all() & !self.position.lines).count_ones()
    }

    fn each_move(&self, mut see: impl FnMut(&usize, Value)) {
        for line in self.rules.moves(&self.position) {
            let closed = self.rules.closes(self.position.lines, line).count_ones() as i32;
            let after = self.to_come(self.position.lines | 1 << line);
            let value = if closed > 0 { closed + after } else { -after };
            see(&line, Value::of_score(value.into()));
        }
    }
}

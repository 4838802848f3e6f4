//! Failures of rules of thumb over all positions of a board.
//!
//! Every set of lines with an undrawn line counts once. A mistake is possible if some line does not
//! keep the value.

use crate::chart::{Chart, Figure, Shown};
use crate::column::{Column, integer, label, share, text, truth};
use crate::ratio::ratio;
use crate::{Analysis, AnalysisError, Cell, Request, Table, Takes};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_games::dots::heuristic::guarantee::{Follower, Ties};
use bsq_games::dots::heuristic::{Layout, PositionKind, Rule};
use bsq_games::dots::search::Every;
use bsq_games::dots::{Board, Lines, NAME};
use rayon::prelude::*;

/// The kinds of positions in words.
const KINDS: &[Shown] = &[
    Shown::new("take", "a box to take"),
    Shown::new("safe", "a line that gives nothing away"),
    Shown::new("give", "only lines that give boxes away"),
];

/// How often each rule fails, by kind of position.
pub const CHART: Chart = Chart {
    x: "kind",
    y: &["fails_share"],
    by: Some("rule"),
    shown: KINDS,
    x_label: "what the position offers",
    y_label: "share of positions with a possible mistake",
    ..Chart::new("dots-rules", Figure::Bars, "How often does each rule of thumb allow a mistake?")
};

/// How often each rule fails, by lines drawn.
pub const BY_LINE_CHART: Chart = Chart {
    x: "drawn",
    y: &["fails_share"],
    by: Some("rule"),
    x_label: "lines drawn",
    y_label: "share of positions with a possible mistake",
    ..Chart::new(
        "dots-rules-by-line",
        Figure::Lines,
        "When does each rule of thumb allow a mistake?",
    )
};

/// The number of positions in a task of a thread.
const TASK_POSITIONS: u64 = 1 << 14;

/// The analysis `rules`. See the [module](self).
pub const ANALYSIS: Analysis = Analysis {
    chart: Some(&CHART),
    ..Analysis::new(
        NAME,
        "rules",
        "three rules of thumb against perfect play at every position of {board}",
        Takes::Board { most_lines: Every::MOST_LINES },
        run,
    )
};

fn run(request: &Request) -> Result<Vec<Table>, AnalysisError> {
    let (board, monitor) = (request.board()?, &request.monitor);
    let every = Every::new(board, monitor)?;
    let layout = Layout::new(board);
    let tally = count(&layout, &every, monitor)?;
    let from_start = from_start_table(&layout, &every, monitor)?;
    Ok(vec![kinds_table(&tally), lines_table(&board, &tally), from_start])
}

/// The failures of a rule at some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    positions: u64,
    /// Positions in which a mistake is possible.
    mistakable: u64,
    /// Positions in which the rule likes a line that is not perfect.
    fails: u64,
    /// Positions in which the rule likes no perfect line.
    badly: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.positions += other.positions;
        self.mistakable += other.mistakable;
        self.fails += other.fails;
        self.badly += other.badly;
    }

    fn cells(&self) -> [Cell; 6] {
        let counts = [self.positions, self.mistakable, self.fails, self.badly].map(Cell::from);
        let [positions, mistakable, fails, badly] = counts;
        let share = |part| Cell::from(ratio(part, self.mistakable));
        [positions, mistakable, fails, share(self.fails), badly, share(self.badly)]
    }
}

const COUNT_COLUMNS: [Column; 6] = [
    integer("positions", "sets of drawn lines with a line left to draw"),
    integer("mistakable", "of these, in which some line does not keep the value"),
    integer("fails", "of these, in which the rule likes some line that does not"),
    share("fails_share", "those among the mistakable ones; empty if there are none"),
    integer("fails_badly", "of these, in which it likes no line that does"),
    share("badly_share", "those among the mistakable ones; empty if there are none"),
];

/// The counts of a rule by kind of position and number of lines drawn.
type ByKind = [[Counts; Every::MOST_LINES]; 3];

/// The counts of all rules, in the order of [`Rule::ALL`].
#[derive(Clone, Default)]
struct Tally([ByKind; 3]);

impl Tally {
    fn add(&mut self, layout: &Layout, every: &Every, drawn: Lines) {
        let situation = layout.situation(drawn);
        let (kind, perfect) = (situation.kind(), every.perfect(drawn));
        let mistakable = perfect != situation.lines();
        for (by_kind, liked) in self.0.iter_mut().zip(situation.liked()) {
            by_kind[kind as usize][drawn.count_ones() as usize].add(Counts {
                positions: 1,
                mistakable: u64::from(mistakable),
                fails: u64::from(liked & !perfect != 0),
                badly: u64::from(liked & perfect == 0),
            });
        }
    }

    fn and(mut self, other: Tally) -> Tally {
        let counts = other.0.iter().flatten().flatten();
        self.0.iter_mut().flatten().flatten().zip(counts).for_each(|(sum, more)| sum.add(*more));
        self
    }

    /// The counts of a rule, summed over all kinds if `kind` is `None` and over all numbers of
    /// lines if `drawn` is.
    fn sum(&self, rule: Rule, kind: Option<PositionKind>, drawn: Option<usize>) -> Counts {
        let mut sum = Counts::default();
        for of in PositionKind::ALL.into_iter().filter(|&of| kind.is_none_or(|kind| kind == of)) {
            let counts = self.0[rule as usize][of as usize].iter().enumerate();
            let counts = counts.filter(|&(lines, _)| drawn.is_none_or(|drawn| drawn == lines));
            counts.for_each(|(_, counts)| sum.add(*counts));
        }
        sum
    }
}

fn count(layout: &Layout, every: &Every, monitor: &Monitor) -> Result<Tally, SolveError> {
    let positions = every.board().all();
    monitor.begin("positions", positions);
    let parts = (0..positions.div_ceil(TASK_POSITIONS)).into_par_iter();
    let tallies = parts.map(|part| -> Result<Tally, SolveError> {
        monitor.check()?;
        let first = part * TASK_POSITIONS;
        let end = positions.min(first + TASK_POSITIONS);
        let mut tally = Tally::default();
        (first..end).for_each(|drawn| tally.add(layout, every, drawn));
        monitor.advance(end - first);
        Ok(tally)
    });
    tallies.try_reduce(Tally::default, |a, b| Ok(a.and(b)))
}

fn kinds_table(tally: &Tally) -> Table {
    let mut columns = vec![
        text("rule", "the rule of thumb"),
        text(
            "kind",
            "take: boxes can be taken; safe: none can, nor after some line; give: every line gives some away; all: any",
        ),
    ];
    columns.extend(COUNT_COLUMNS);
    let mut table = Table::new(
        "dots-rules",
        "Rules of thumb against perfect play, by kind of position",
        &columns,
    );
    for rule in Rule::ALL {
        for kind in PositionKind::ALL.into_iter().map(Some).chain([None]) {
            let name = kind.map_or("all", PositionKind::name);
            let counts = tally.sum(rule, kind, None).cells();
            table.push([rule.name().into(), name.into()].into_iter().chain(counts).collect());
        }
    }
    table
}

fn lines_table(board: &Board, tally: &Tally) -> Table {
    let mut columns = vec![text("rule", "the rule of thumb"), label("drawn", "lines drawn")];
    columns.extend(COUNT_COLUMNS);
    let title = "Rules of thumb against perfect play, by number of lines drawn";
    let mut table = Table::new("dots-rules-by-line", title, &columns);
    for rule in Rule::ALL {
        for drawn in (0..board.lines()).map(Some).chain([None]) {
            let name = drawn.map_or("all".into(), Cell::from);
            let counts = tally.sum(rule, None, drawn).cells();
            table.push([rule.name().into(), name].into_iter().chain(counts).collect());
        }
    }
    table
}

fn from_start_table(
    layout: &Layout,
    every: &Every,
    monitor: &Monitor,
) -> Result<Table, SolveError> {
    let mut table = Table::new(
        "dots-rules-from-start",
        "What a player is sure of who follows a rule of thumb from the start",
        &[
            text("rule", "the rule of thumb"),
            text("player", "who follows it, against any replies"),
            integer("value", "first player's boxes minus second player's, both perfect"),
            integer(
                "guaranteed",
                "the same if the follower draws the worst line that the rule likes, and the opponent is perfect",
            ),
            truth("keeps", "whether that is the value"),
            integer(
                "best_ties",
                "the same if the follower draws the best line that the rule likes",
            ),
            truth("best_keeps", "whether that is the value"),
        ],
    );
    let value = every.value(0);
    for rule in Rule::ALL {
        let follower = |ties| Follower::new(layout, every, rule, ties, monitor);
        let (mut worst, mut best) = (follower(Ties::Worst), follower(Ties::Best));
        for (player, name) in [(Player::First, "first"), (Player::Second, "second")] {
            let mut row = vec![rule.name().into(), name.into(), value.into()];
            for score in [worst.score(player)?, best.score(player)?] {
                row.extend([score.into(), (score == value).into()]);
            }
            table.push(row);
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests;

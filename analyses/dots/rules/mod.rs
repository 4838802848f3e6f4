//! Failures of rules of thumb over all positions of a board.
//!
//! Every set of lines with an undrawn line counts once. A mistake is possible if some line does not
//! keep the value.

use crate::chart::{Chart, FOLLOWERS, Figure, Shown};
use crate::ratio::ratio;
use crate::{Analysis, AnalysisError, Table};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use bsq_engine::tabulate;
use bsq_games::dots::heuristic::guarantee::{Follower, Ties};
use bsq_games::dots::heuristic::{Layout, PositionKind, Rule};
use bsq_games::dots::search::Every;
use bsq_games::dots::{Board, Lines, Word};

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
    ..Chart::new(
        "dots-rules",
        Figure::Bars,
        "Rules of thumb allow a mistake in up to {most} of the positions ({most at}: {most series})",
    )
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
        "Rules of thumb allow a mistake in up to {most} of the positions (lines drawn: {most at})",
    )
};

/// The worst-case score of each rule, followed by either player.
pub const FROM_START_CHART: Chart = Chart {
    x: "rule",
    y: &["guaranteed"],
    by: Some("player"),
    shown: FOLLOWERS,
    x_label: "rule of thumb",
    y_label: "first player's lead at the end, ties broken for the worst",
    ..Chart::new(
        "dots-rules-from-start",
        Figure::Bars,
        "The first player's lead is {range of first} if the first player follows a rule, {range of second} if the second player does",
    )
};

/// The number of positions in a task of a thread.
const TASK_POSITIONS: u64 = 1 << 14;

/// The analysis `rules`. See the [module](self).
pub fn analysis() -> Analysis {
    let summary = "three rules of thumb against perfect play at every position of {board}";
    super::about_board("rules", summary, Every::MOST_LINES, estimate, run).with_charts(&[
        &CHART,
        &BY_LINE_CHART,
        &FROM_START_CHART,
    ])
}

/// All sets of lines are visited.
fn estimate(board: &Board) -> f64 {
    7.0 * (board.lines() as f64 - 24.0).exp2()
}

fn run(board: Board, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    if board.is_small() {
        tables(&Layout::<u64>::of(board), monitor)
    } else {
        tables(&Layout::<u128>::of(board), monitor)
    }
}

fn tables<W: Word>(layout: &Layout<W>, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
    let board = *layout.bitboard().board();
    let every = Every::new(board, monitor)?;
    let tally = count(layout, &every, monitor)?;
    let from_start = from_start_table(layout, &every, monitor)?;
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

    /// The share of a part among the positions in which a mistake is possible.
    fn share(&self, part: u64) -> Option<f64> {
        ratio(part, self.mistakable)
    }
}

const SHARE: &str = "those among the mistakable ones; empty if there are none";

/// The counts of a rule by kind of position and number of lines drawn.
type ByKind = [[Counts; Every::MOST_LINES]; 3];

/// The counts of all rules, in the order of [`Rule::ALL`].
#[derive(Clone, Default)]
struct Tally([ByKind; 3]);

impl Tally {
    fn add<W: Word>(&mut self, layout: &Layout<W>, every: &Every, drawn: Lines) {
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

fn count<W: Word>(
    layout: &Layout<W>,
    every: &Every,
    monitor: &Monitor,
) -> Result<Tally, SolveError> {
    let positions = every.board().all();
    monitor.begin("positions", positions);
    let parts = 0..positions.div_ceil(TASK_POSITIONS);
    let tallies = parallel::fold(parts, Tally::default, |tally, part| {
        monitor.check()?;
        let first = part * TASK_POSITIONS;
        let end = positions.min(first + TASK_POSITIONS);
        (first..end).for_each(|drawn| tally.add(layout, every, drawn));
        monitor.advance(end - first);
        Ok::<_, SolveError>(())
    })?;
    Ok(tallies.into_iter().fold(Tally::default(), Tally::and))
}

/// The rules by kind of position, with a total for each rule.
fn kinds_table(tally: &Tally) -> Table {
    let kinds = || PositionKind::ALL.into_iter().map(Some).chain([None]);
    let rows = Rule::ALL.into_iter().flat_map(|rule| kinds().map(move |kind| (rule, kind)));
    let rows: Vec<(Rule, Option<PositionKind>)> = rows.collect();
    let title = "Rules of thumb against perfect play, by kind of position";
    let table = tabulate!("dots-rules", title, for (rule, kind) in &rows => {
        "rule": text key, "the rule of thumb" => rule.name();
        "kind": text key, "take: boxes can be taken; safe: none can, nor after some line; give: \
            every line gives some away" => kind.map(PositionKind::name);
    });
    let counts = rows.into_iter().map(|(rule, kind)| tally.sum(rule, kind, None));
    table.beside(columns(counts)).total_over(&["kind"])
}

/// The rules by lines drawn. The totals are those of [`kinds_table`].
fn lines_table(board: &Board, tally: &Tally) -> Table {
    let lines = 0..board.lines();
    let rows = Rule::ALL.into_iter().flat_map(|rule| lines.clone().map(move |drawn| (rule, drawn)));
    let title = "Rules of thumb against perfect play, by number of lines drawn";
    let table = tabulate!("dots-rules-by-line", title, for (rule, drawn) in rows.clone() => {
        "rule": text key, "the rule of thumb" => rule.name();
        "drawn": integer key, "lines drawn" => drawn;
    });
    table.beside(columns(rows.map(|(rule, drawn)| tally.sum(rule, None, Some(drawn)))))
}

fn columns(rows: impl Iterator<Item = Counts>) -> Table {
    tabulate!("", "", for counts in rows => {
        "positions": integer, "sets of drawn lines with a line left to draw" => counts.positions;
        "mistakable": integer, "of these, in which some line does not keep the value"
            => counts.mistakable;
        "fails": integer, "of these, in which the rule likes some line that does not"
            => counts.fails;
        "fails_share": share, SHARE => counts.share(counts.fails);
        "fails_badly": integer, "of these, in which it likes no line that does" => counts.badly;
        "badly_share": share, SHARE => counts.share(counts.badly);
    })
}

fn from_start_table<W: Word>(
    layout: &Layout<W>,
    every: &Every,
    monitor: &Monitor,
) -> Result<Table, SolveError> {
    let value = every.value(0);
    let mut rows = Vec::new();
    for rule in Rule::ALL {
        let follower = |ties| Follower::new(layout, every, rule, ties, monitor);
        let (mut worst, mut best) = (follower(Ties::Worst), follower(Ties::Best));
        for player in Player::BOTH {
            rows.push((rule, player, worst.score(player)?, best.score(player)?));
        }
    }
    let title = "Worst-case values of rules of thumb from the start";
    Ok(tabulate!("dots-rules-from-start", title, for (rule, player, worst, best) in rows => {
        "rule": text key, "the rule of thumb" => rule.name();
        "player": text key, "who follows it, against any replies" => player.name();
        "value": integer, "first player's boxes minus second player's, both perfect" => value;
        "guaranteed": integer, "the same if the follower draws the worst line that the rule likes, \
            and the opponent is perfect" => worst;
        "keeps": truth, "whether that is the value" => worst == value;
        "best_ties": integer, "the same if the follower draws the best line that the rule likes"
            => best;
        "best_keeps": truth, "whether that is the value" => best == value;
    }))
}

#[cfg(test)]
mod tests;

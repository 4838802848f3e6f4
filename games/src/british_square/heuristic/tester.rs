//! Measures heuristics against perfect play, at every decision of a game.
//!
//! A decision is a state whose mover has at least one legal move. A heuristic **fails** there
//! if some move that it likes is not perfect (the article's test), and **fails badly** if none
//! is. Its **cost** is the mean, over the moves that it likes, of the points they give away.

use super::{Decision, Heuristic};
use crate::british_square::{BritishSquare, Cells, Move, Node, Position, TerritoryBoard, cells_of};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong::{Solved, Visitor, solve_visiting};
use dashmap::DashMap;
use std::sync::Arc;

/// The least common multiple of 1 to 25: costs are summed in these parts of a point.
const PARTS_OF_A_POINT: u64 = 26_771_144_400;

/// What a heuristic did at a set of decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many decisions.
    pub decisions: u64,
    /// Where a mistake is possible: some legal move is not perfect.
    pub risky: u64,
    /// Where some liked move is not perfect.
    pub fails: u64,
    /// Where no liked move is perfect.
    pub fails_badly: u64,
    /// The largest cost of a liked move, in points.
    pub worst: u32,
    cost: u128,
}

impl Counts {
    /// Points given away at a decision, on average; none where there is no decision.
    pub fn mean_cost(&self) -> Option<f64> {
        self.cost_over(self.decisions)
    }

    /// The same over the decisions where a mistake is possible.
    pub fn mean_risky_cost(&self) -> Option<f64> {
        self.cost_over(self.risky)
    }

    fn cost_over(&self, decisions: u64) -> Option<f64> {
        let points = self.cost as f64 / PARTS_OF_A_POINT as f64;
        (decisions > 0).then(|| points / decisions as f64)
    }

    /// Adds what happened at other decisions.
    pub fn absorb(&mut self, other: &Counts) {
        self.decisions += other.decisions;
        self.risky += other.risky;
        self.fails += other.fails;
        self.fails_badly += other.fails_badly;
        self.worst = self.worst.max(other.worst);
        self.cost += other.cost;
    }
}

/// What a heuristic did at all decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// By turn; index 0 is turn 1.
    pub by_turn: Vec<Counts>,
}

impl Report {
    /// All decisions of one player, or of both.
    pub fn total(&self, player: Option<Player>) -> Counts {
        let mut total = Counts::default();
        for (i, counts) in self.by_turn.iter().enumerate() {
            if player.is_none_or(|player| i % 2 == player.index()) {
                total.absorb(counts);
            }
        }
        total
    }

    fn turn(&mut self, turn: u32) -> &mut Counts {
        let index = turn as usize - 1;
        if self.by_turn.len() <= index {
            self.by_turn.resize(index + 1, Counts::default());
        }
        &mut self.by_turn[index]
    }
}

/// A decision where a heuristic fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where.
    pub position: Position,
    /// Score under perfect play, in pieces.
    pub value: i32,
    /// The moves that keep it.
    pub perfect: Cells,
    /// The moves that the heuristic likes.
    pub liked: Cells,
    /// The largest cost of a liked move, in points.
    pub worst: u32,
}

/// Measures several heuristics in one go, in the order given.
pub fn test(
    game: &BritishSquare,
    heuristics: &[Heuristic],
    monitor: &Monitor,
) -> Result<Vec<Report>, SolveError> {
    let visitor = Test::new(game, heuristics, false);
    let (_, seen) = solve_visiting(game, &game.root(), visitor, monitor)?;
    Ok(seen.reports)
}

/// Measures one heuristic and remembers where it failed.
pub fn test_with_failures<'a>(
    game: &'a BritishSquare,
    heuristic: &'a Heuristic,
    monitor: &Monitor,
) -> Result<(Report, Failures<'a>), SolveError> {
    let visitor = Test::new(game, std::slice::from_ref(heuristic), true);
    let (solved, seen) = solve_visiting(game, &game.root(), visitor, monitor)?;
    let Test { mut reports, mut failed, .. } = seen;
    failed.sort_unstable();
    Ok((reports.remove(0), Failures { game, heuristic, solved, keys: failed }))
}

/// Where a heuristic failed, by turn and then by pieces: the same order every time.
pub struct Failures<'a> {
    game: &'a BritishSquare,
    heuristic: &'a Heuristic,
    solved: Solved,
    keys: Vec<u64>,
}

impl Failures<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the heuristic is perfect.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Each of them, worked out again from its position.
    pub fn iter(&self) -> impl Iterator<Item = Failure> + '_ {
        self.keys.iter().map(|&key| {
            let position = self.game.position(key);
            let rules = self.game.rules();
            let moves = rules.legal(&position, position.to_move);
            let values: Vec<i8> = cells_of(moves)
                .map(|cell| {
                    let child = rules.play(&position, Move::Place(cell));
                    let key = self.game.node(&child).smallest();
                    self.solved.get(key).expect("every position was solved") as i8
                })
                .collect();
            let decision = Decision::new(self.game.rules(), self.game.reach(), &position, moves);
            let outcome = judge(&decision, self.heuristic, &values);
            Failure {
                position,
                value: outcome.value,
                perfect: outcome.perfect,
                liked: outcome.liked,
                worst: outcome.worst,
            }
        })
    }
}

/// What features of territory see of a decision: the same for those that they cannot tell apart.
///
/// Free cells change features for all moves alike, so how many there are matters only where
/// values are absolute, not counted from move to move, and to the cost, which liked moves share.
/// Whether there are any always does: they
/// are moves, all to the same effect.
#[derive(Clone, Copy)]
pub(super) struct TerritoryKey {
    /// What is not settled, and whether it is the first turn, when the rules may forbid what the
    /// territory allows.
    open: u64,
    /// How many cells are free, the mover's first.
    free: [u64; 2],
}

impl TerritoryKey {
    pub(super) fn new(
        game: &BritishSquare,
        field: &TerritoryBoard,
        position: &Position,
    ) -> TerritoryKey {
        let territory = field.territory(game.rules(), position);
        let (_, open) = territory.settle(field);
        let free = |all: Cells, open: Cells| u64::from((all & !open).count_ones());
        let free = [free(territory.own, open.own), free(territory.other, open.other)];
        let open = field.canonical(open);
        let first = u64::from(position.turn == 1) << 60;
        TerritoryKey { open: first | open.own << 25 | open.other, free }
    }

    /// The key in a word. Of whom the number of free cells matters, the mover first; of the other
    /// only whether there are any.
    pub(super) fn word(&self, counted: [bool; 2]) -> u64 {
        let number = |i: usize| if counted[i] { self.free[i] } else { self.free[i].min(1) };
        let [own, other] = [number(0), number(1)];
        self.open | own << 55 | other << 50
    }
}

/// One heuristic at one decision.
struct Outcome {
    value: i32,
    perfect: Cells,
    liked: Cells,
    /// Summed over the liked moves.
    cost: u32,
    worst: u32,
}

#[inline]
fn judge(decision: &Decision, heuristic: &Heuristic, values: &[i8]) -> Outcome {
    let liked = heuristic.liked(decision);
    let sign = decision.player.sign();
    let best = values.iter().map(|&value| sign * i32::from(value)).max().unwrap_or(0);
    let mut outcome = Outcome { value: sign * best, perfect: 0, liked, cost: 0, worst: 0 };
    for (cell, &value) in cells_of(decision.legal).zip(values) {
        let cost = (best - sign * i32::from(value)) as u32;
        let cost_if_liked = cost * (liked >> cell & 1) as u32;
        outcome.perfect |= Cells::from(cost == 0) << cell;
        outcome.cost += cost_if_liked;
        outcome.worst = outcome.worst.max(cost_if_liked);
    }
    outcome
}

/// Above this difficulty a list is asked once for all decisions alike.
const EASY: u32 = 4;

/// What came of the decisions that are alike.
type Known = Arc<DashMap<u64, Verdict>>;

/// What counts of an outcome.
#[derive(Clone, Copy, Default)]
struct Verdict {
    fails: bool,
    fails_badly: bool,
    worst: u32,
    /// In parts of a point.
    cost: u64,
}

impl Verdict {
    #[inline]
    fn of(outcome: &Outcome) -> Verdict {
        let share = PARTS_OF_A_POINT / u64::from(outcome.liked.count_ones());
        Verdict {
            fails: outcome.liked & !outcome.perfect != 0,
            fails_badly: outcome.liked & outcome.perfect == 0,
            worst: outcome.worst,
            cost: u64::from(outcome.cost) * share,
        }
    }
}

/// The visitor that does the counting.
struct Test<'a> {
    game: &'a BritishSquare,
    field: Arc<TerritoryBoard>,
    heuristics: &'a [Heuristic],
    /// For each heuristic that is hard to ask and looks at territory alone.
    known: Vec<Option<Known>>,
    reports: Vec<Report>,
    /// Keys of failed decisions, if wanted.
    failed: Vec<u64>,
    keep_failed: bool,
}

impl<'a> Test<'a> {
    fn new(game: &'a BritishSquare, heuristics: &'a [Heuristic], keep_failed: bool) -> Self {
        let known = |Heuristic { list, .. }: &Heuristic| {
            let alike = list.is_territorial() && game.rules().pieces.is_none();
            (alike && list.difficulty() > EASY).then(Known::default)
        };
        Test {
            game,
            field: Arc::new(TerritoryBoard::new(game.rules().board)),
            heuristics,
            known: heuristics.iter().map(known).collect(),
            reports: vec![Report::default(); heuristics.len()],
            failed: Vec::new(),
            keep_failed,
        }
    }
}

impl Visitor<Node> for Test<'_> {
    fn fresh(&self) -> Self {
        Test {
            field: self.field.clone(),
            known: self.known.clone(),
            reports: vec![Report::default(); self.heuristics.len()],
            failed: Vec::new(),
            ..*self
        }
    }

    fn visit(&mut self, node: &Node, moves: u64, values: &[i8]) {
        if moves == 0 {
            return;
        }
        let position = self.game.position(node.word());
        let decision = Decision::new(self.game.rules(), self.game.reach(), &position, moves);
        let risky = values.iter().any(|&value| value != values[0]);
        let key = self.known.iter().any(Option::is_some);
        let key = key.then(|| TerritoryKey::new(self.game, &self.field, &position));
        let asked = self.heuristics.iter().zip(&self.known).zip(&mut self.reports);
        for ((heuristic, known), report) in asked {
            let ask = || Verdict::of(&judge(&decision, heuristic, values));
            let verdict = match (known, key) {
                // Where all moves are perfect there is nothing to ask.
                _ if !risky => Verdict::default(),
                (Some(known), Some(key)) => {
                    // The mover's free cells may be liked, and share the cost.
                    let word = key.word([true, heuristic.list.is_absolute()]);
                    match known.get(&word).map(|verdict| *verdict) {
                        Some(verdict) => verdict,
                        None => *known.entry(word).or_insert_with(ask),
                    }
                }
                _ => ask(),
            };
            let counts = report.turn(position.turn);
            counts.decisions += 1;
            counts.risky += u64::from(risky);
            counts.fails += u64::from(verdict.fails);
            counts.fails_badly += u64::from(verdict.fails_badly);
            counts.worst = counts.worst.max(verdict.worst);
            counts.cost += u128::from(verdict.cost);
            if verdict.fails && self.keep_failed {
                self.failed.push(node.smallest());
            }
        }
    }

    fn absorb(&mut self, other: Self) {
        for (mine, theirs) in self.reports.iter_mut().zip(&other.reports) {
            for (i, counts) in theirs.by_turn.iter().enumerate() {
                mine.turn(i as u32 + 1).absorb(counts);
            }
        }
        self.failed.extend(other.failed);
    }
}

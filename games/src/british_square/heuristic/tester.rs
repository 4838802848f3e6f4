//! Compares heuristics with perfect play at every decision of a game.
//!
//! A decision is a state in which the player to move has a legal placement. A heuristic **fails**
//! at a decision if some liked move is not perfect (the article's test), and **fails badly** if no
//! liked move is. The **cost** of a move is the number of points it gives away; that of a decision
//! is the mean over the liked moves.

use super::decision::Decision;
use super::list::Heuristic;
use crate::british_square::{
    BritishSquare, Cells, MAX_SOLVED_CELLS, Move, Position, TerritoryBoard, cells_of,
};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong::{AcyclicGame as _, Solved, Visitor};
use dashmap::DashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The unit of summed costs is one point divided by this, the least common multiple of 1 to 25.
const PARTS_OF_A_POINT: u64 = 26_771_144_400;

/// By the number of liked moves, at least 1: the share of each in the mean cost, in parts of a point.
const SHARES: [u64; MAX_SOLVED_CELLS + 1] = {
    let mut shares = [0; MAX_SOLVED_CELLS + 1];
    let mut moves = 1;
    while moves < shares.len() {
        shares[moves] = PARTS_OF_A_POINT / moves as u64;
        moves += 1;
    }
    shares
};

/// The results of a heuristic at a set of decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of decisions.
    pub decisions: u64,
    /// Decisions at which some legal move is not perfect.
    pub risky: u64,
    /// Decisions at which some liked move is not perfect.
    pub fails: u64,
    /// Decisions at which no liked move is perfect.
    pub fails_badly: u64,
    /// The largest cost of a liked move, in points.
    pub worst: u32,
    cost: u128,
}

impl Counts {
    /// The mean cost of a decision, in points; `None` if there is no decision.
    pub fn mean_cost(&self) -> Option<f64> {
        self.cost_over(self.decisions)
    }

    /// The mean cost of a risky decision, in points; `None` if there is none.
    pub fn mean_risky_cost(&self) -> Option<f64> {
        self.cost_over(self.risky)
    }

    fn cost_over(&self, decisions: u64) -> Option<f64> {
        let points = self.cost as f64 / PARTS_OF_A_POINT as f64;
        (decisions > 0).then(|| points / decisions as f64)
    }

    /// Adds the result at a decision, which is counted elsewhere.
    #[inline]
    fn add(&mut self, summary: Summary) {
        self.fails += u64::from(summary.fails);
        self.fails_badly += u64::from(summary.fails_badly);
        self.worst = self.worst.max(summary.worst.into());
        self.cost += u128::from(summary.cost);
    }

    /// Adds the results at other decisions.
    pub fn absorb(&mut self, other: &Counts) {
        self.decisions += other.decisions;
        self.risky += other.risky;
        self.fails += other.fails;
        self.fails_badly += other.fails_badly;
        self.worst = self.worst.max(other.worst);
        self.cost += other.cost;
    }
}

/// The results of a heuristic at all decisions of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Results by turn; index 0 is turn 1.
    pub by_turn: Vec<Counts>,
}

impl Report {
    /// The results at all decisions of one player, or of both.
    pub fn total(&self, player: Option<Player>) -> Counts {
        let mut total = Counts::default();
        for (i, counts) in self.by_turn.iter().enumerate() {
            if player.is_none_or(|player| i % 2 == player.index()) {
                total.absorb(counts);
            }
        }
        total
    }

    /// Adds the results at other decisions.
    fn absorb(&mut self, other: &Report) {
        for (turn, counts) in (1u32..).zip(&other.by_turn) {
            self.turn(turn).absorb(counts);
        }
    }

    fn turn(&mut self, turn: u32) -> &mut Counts {
        let index = turn as usize - 1;
        if self.by_turn.len() <= index {
            self.by_turn.resize(index + 1, Counts::default());
        }
        &mut self.by_turn[index]
    }
}

/// A decision at which a heuristic fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The position.
    pub position: Position,
    /// The score under perfect play, in pieces without the bias.
    pub value: i32,
    /// The perfect moves.
    pub perfect: Cells,
    /// The liked moves.
    pub liked: Cells,
    /// The largest cost of a liked move, in points.
    pub worst: u32,
}

/// Tests several heuristics in one traversal of the game. The reports are in the order of the
/// heuristics. An eighth of the memory that the monitor allows is for results that occur again.
pub fn test(
    game: &BritishSquare,
    heuristics: &[Heuristic],
    monitor: &Monitor,
) -> Result<Vec<Report>, SolveError> {
    let room = monitor.room().map_or(u64::MAX, |bytes| bytes / 8);
    let visitor = Test::new(game, heuristics, false, room);
    let held = if visitor.groups.is_empty() || room == u64::MAX { 0 } else { room };
    Ok(game.visit_states(visitor, &monitor.holding(held))?.finish().0)
}

/// Tests one heuristic and collects the decisions at which it fails.
pub fn test_with_failures<'a>(
    game: &'a BritishSquare,
    heuristic: &'a Heuristic,
    monitor: &Monitor,
) -> Result<(Report, Failures<'a>), SolveError> {
    let visitor = Test::new(game, std::slice::from_ref(heuristic), true, 0);
    // A key for each decision at most, in lists of the threads and in one of all, with spare room.
    let failed = game.max_positions().saturating_mul(2 * size_of::<u64>() as u64);
    let (solved, seen) = game.solve_visiting(visitor, &monitor.holding(failed))?;
    let (mut reports, keys) = seen.finish();
    Ok((reports.remove(0), Failures { game, heuristic, solved, keys }))
}

/// The decisions at which a heuristic fails, sorted by turn and then by pieces.
pub struct Failures<'a> {
    game: &'a BritishSquare,
    heuristic: &'a Heuristic,
    solved: Solved,
    keys: Vec<u64>,
}

impl Failures<'_> {
    /// The number of failures.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the heuristic never fails.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Iterates over the failures, which are recomputed from their positions.
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
            let outcome = evaluate(&decision, self.heuristic, &values);
            let Outcome { value, perfect, liked, worst, .. } = outcome;
            Failure { position, value, perfect, liked, worst }
        })
    }
}

/// A key of a decision, equal for decisions that features of territory do not distinguish.
///
/// The number of free cells changes the features of all moves by the same amount, so it only
/// affects absolute values and the mean cost over all liked moves. Whether there are any free cells
/// always matters, because they are moves, all with the same effect.
#[derive(Clone, Copy)]
pub(super) struct TerritoryKey {
    /// The contested cells, and whether it is the first turn, on which the rules may forbid a move
    /// that the territory allows.
    open: u64,
    /// Numbers of free cells, the mover's first.
    free: [u64; 2],
}

impl TerritoryKey {
    pub(super) fn new(
        game: &BritishSquare,
        board: &TerritoryBoard,
        position: &Position,
    ) -> TerritoryKey {
        let territory = board.territory(game.rules(), position);
        let (_, open) = territory.settle(board);
        let free = |all: Cells, open: Cells| u64::from((all & !open).count_ones());
        let free = [free(territory.own, open.own), free(territory.other, open.other)];
        let open = board.canonical(open);
        let first = u64::from(position.turn == 1) << 60;
        TerritoryKey { open: first | open.own << 25 | open.other, free }
    }

    /// The key as a word. For each player, the mover first, `counted` is set if the number of free
    /// cells matters, and not only whether there are any.
    pub(super) fn word(&self, counted: [bool; 2]) -> u64 {
        let number = |i: usize| if counted[i] { self.free[i] } else { self.free[i].min(1) };
        let [own, other] = [number(0), number(1)];
        self.open | own << 55 | other << 50
    }
}

/// The result of one heuristic at one decision.
struct Outcome {
    value: i32,
    perfect: Cells,
    liked: Cells,
    /// The sum of the costs of the liked moves.
    cost: u32,
    worst: u32,
}

#[inline]
fn evaluate(decision: &Decision, heuristic: &Heuristic, values: &[i8]) -> Outcome {
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

/// If some list is above this difficulty, lists are evaluated once for all decisions with the same
/// key.
const EASY: u32 = 4;

/// The part of an outcome that is counted.
#[derive(Clone, Copy, Default)]
struct Summary {
    fails: bool,
    fails_badly: bool,
    worst: u8,
    /// In units of `1 / PARTS_OF_A_POINT` point.
    cost: u64,
}

impl Summary {
    #[inline]
    fn of(outcome: &Outcome) -> Summary {
        Summary {
            fails: outcome.liked & !outcome.perfect != 0,
            fails_badly: outcome.liked & outcome.perfect == 0,
            worst: outcome.worst as u8,
            cost: u64::from(outcome.cost) * SHARES[outcome.liked.count_ones() as usize],
        }
    }
}

/// Heuristics that only use features of territory, evaluated once for all decisions with the same
/// key.
#[derive(Clone)]
struct Group {
    /// Their indices.
    members: Vec<usize>,
    /// Whether the number of the opponent's free cells matters.
    absolute: bool,
    /// Their results by key of the decision.
    known: Arc<DashMap<u64, Box<[Summary]>>>,
    /// How many more results may be stored.
    room: Arc<AtomicU64>,
}

impl Group {
    /// About how many bytes a stored result takes.
    fn bytes(members: usize) -> u64 {
        (64 + 16 + members * size_of::<Summary>()) as u64
    }

    /// Stores results if there is room.
    fn keep(&self, word: u64, summaries: Box<[Summary]>) {
        let one_less = |room: u64| room.checked_sub(1);
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok() {
            self.known.insert(word, summaries);
        }
    }
}

/// The visitor that counts.
struct Test<'a> {
    game: &'a BritishSquare,
    board: Arc<TerritoryBoard>,
    heuristics: &'a [Heuristic],
    groups: Vec<Group>,
    /// The indices of the heuristics that are in no group.
    others: Vec<usize>,
    /// The numbers of decisions.
    decisions: Report,
    /// The other results of each heuristic.
    reports: Vec<Report>,
    /// Keys of the decisions at which a heuristic fails, if `keep_failed` is set.
    failed: Vec<u64>,
    keep_failed: bool,
}

impl<'a> Test<'a> {
    fn new(
        game: &'a BritishSquare,
        heuristics: &'a [Heuristic],
        keep_failed: bool,
        room: u64,
    ) -> Self {
        let all = 0..heuristics.len();
        let group = |absolute: bool| -> Option<Group> {
            let is_member = |&i: &usize| {
                let list = &heuristics[i].list;
                list.is_territorial() && list.is_absolute() == absolute
            };
            let members: Vec<usize> = all.clone().filter(is_member).collect();
            let is_worth_it = members.iter().any(|&i| heuristics[i].list.difficulty() > EASY)
                && game.rules().pieces.is_none();
            is_worth_it.then(|| {
                let room = room / 2 / Group::bytes(members.len());
                Group { members, absolute, known: Arc::default(), room: Arc::new(room.into()) }
            })
        };
        let groups: Vec<Group> = [false, true].into_iter().filter_map(group).collect();
        let is_grouped = |i: &usize| groups.iter().any(|group| group.members.contains(i));
        let others = all.filter(|i| !is_grouped(i)).collect();
        Test {
            game,
            board: Arc::new(TerritoryBoard::new(game.rules().board)),
            heuristics,
            groups,
            others,
            decisions: Report::default(),
            reports: vec![Report::default(); heuristics.len()],
            failed: Vec::new(),
            keep_failed,
        }
    }

    /// The reports of the heuristics, and the sorted keys of the decisions at which one fails.
    fn finish(mut self) -> (Vec<Report>, Vec<u64>) {
        for report in &mut self.reports {
            report.absorb(&self.decisions);
        }
        self.failed.sort_unstable();
        (self.reports, self.failed)
    }
}

impl Visitor<Position> for Test<'_> {
    fn fresh(&self) -> Self {
        Test {
            board: self.board.clone(),
            groups: self.groups.clone(),
            others: self.others.clone(),
            decisions: Report::default(),
            reports: vec![Report::default(); self.heuristics.len()],
            failed: Vec::new(),
            ..*self
        }
    }

    fn visit(&mut self, position: &Position, moves: u64, values: &[i8]) {
        if moves == 0 {
            return;
        }
        let counts = self.decisions.turn(position.turn);
        counts.decisions += 1;
        // If all moves are perfect, no heuristic fails.
        if values.iter().all(|&value| value == values[0]) {
            return;
        }
        counts.risky += 1;
        let decision = Decision::new(self.game.rules(), self.game.reach(), position, moves);
        let ask = |&i: &usize| Summary::of(&evaluate(&decision, &self.heuristics[i], values));
        let mut fails = false;
        let mut count = |&i: &usize, summary: Summary| {
            self.reports[i].turn(position.turn).add(summary);
            fails |= summary.fails;
        };
        for i in &self.others {
            count(i, ask(i));
        }
        if !self.groups.is_empty() {
            let key = TerritoryKey::new(self.game, &self.board, position);
            for group @ Group { members, absolute, known, .. } in &self.groups {
                // The number of the mover's free cells affects the mean cost.
                let word = key.word([true, *absolute]);
                if let Some(summaries) = known.get(&word) {
                    members.iter().zip(&**summaries).for_each(|(i, &summary)| count(i, summary));
                    continue;
                }
                let summaries: Box<[Summary]> = members.iter().map(ask).collect();
                members.iter().zip(&summaries).for_each(|(i, &summary)| count(i, summary));
                group.keep(word, summaries);
            }
        }
        if fails && self.keep_failed {
            self.failed.push(self.game.node(position).smallest());
        }
    }

    fn absorb(&mut self, other: Self) {
        self.decisions.absorb(&other.decisions);
        for (mine, theirs) in self.reports.iter_mut().zip(&other.reports) {
            mine.absorb(theirs);
        }
        self.failed.extend(other.failed);
    }
}

//! Evaluators against brute force and against the explorer: the values of positions and moves, and
//! principal variations.

use bsq_engine::conformance::check_solution;
use bsq_engine::definition::{Definition, Resources, Workload};
use bsq_engine::evaluate::{Cost, Detail, EvaluationOf, Evaluator};
use bsq_engine::explore::{Explored, Limits, Merging, Solution, explore_from};
use bsq_engine::game::{Game, Outcome, Value};
use bsq_engine::monitor::{Monitor, Progress};
use bsq_games::{british_square, dots, mnk, rpsw};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};

/// The positions of an evaluator's game.
type PositionOf<E> = <<E as Evaluator>::Game as Game>::Position;

/// Values by plain recursion over the rules.
type Values<P> = HashMap<P, Value>;

fn brute_force<G: Game>(
    game: &G,
    position: &G::Position,
    known: &mut Values<G::Position>,
) -> Value {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let value = game.result(position).unwrap_or_else(|| {
        let moves = game.moves(position).into_iter();
        let after = moves.map(|mv| brute_force(game, &game.play(position, mv), known));
        let player = game.to_move(position);
        after.max_by_key(|value| value.rank(player)).expect("play goes on")
    });
    known.insert(position.clone(), value);
    value
}

/// All reachable positions, in the order of their discovery.
fn reachable<G: Game>(game: &G) -> Vec<G::Position> {
    let (mut found, mut seen) = (vec![game.start()], HashSet::from([game.start()]));
    let mut at = 0;
    while at < found.len() {
        for mv in game.moves(&found[at]) {
            let next = game.play(&found[at], mv);
            if seen.insert(next.clone()) {
                found.push(next);
            }
        }
        at += 1;
    }
    found
}

/// The values of these positions in a game that may be endless, by plain iteration until nothing
/// changes. Undecided positions are draws.
fn fixed_point<G: Game>(game: &G, positions: &[G::Position]) -> Values<G::Position> {
    let mut known: Values<G::Position> = positions
        .iter()
        .map(|position| (position.clone(), game.result(position).unwrap_or(Value::DRAW)))
        .collect();
    loop {
        let mut changes = Vec::new();
        for position in positions.iter().filter(|position| game.result(position).is_none()) {
            let later = |mv| match known[&game.play(position, mv)] {
                Value { plies: Some(plies), outcome, .. } => {
                    Value { plies: Some(plies + 1), outcome, score: None }
                }
                draw => draw,
            };
            let player = game.to_move(position);
            let after = game.moves(position).into_iter().map(later);
            let value = after.max_by_key(|value| value.rank(player)).expect("play goes on");
            if value != known[position] {
                changes.push((position.clone(), value));
            }
        }
        if changes.is_empty() {
            return known;
        }
        known.extend(changes);
    }
}

/// Compares every `stride`th position of a game that always ends.
fn check<E: Evaluator>(evaluator: &E, stride: usize)
where
    E::Game: Debug,
    E::Error: Debug,
{
    let (game, mut known) = (evaluator.game(), Values::new());
    for position in reachable(game).iter().step_by(stride) {
        check_position(evaluator, position, &mut |at| brute_force(game, at, &mut known));
    }
}

/// Compares every `stride`th position of a game that may be endless with each evaluator.
fn check_by_iteration<E: Evaluator>(evaluators: &[E], stride: usize)
where
    E::Game: Debug,
    E::Error: Debug,
{
    let positions = reachable(evaluators[0].game());
    let known = fixed_point(evaluators[0].game(), &positions);
    for evaluator in evaluators {
        for position in positions.iter().step_by(stride) {
            check_position(evaluator, position, &mut |at| known[at]);
        }
    }
}

/// Accepts units of work only after a name for them.
#[derive(Default)]
struct Named(AtomicBool);

impl Progress for Named {
    fn begin(&self, _: &str, _: u64) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn advance(&self, _: u64) {
        assert!(self.0.load(Ordering::Relaxed), "work without a name");
    }
}

/// Compares a position, its moves and its principal variation.
fn check_position<E: Evaluator>(
    evaluator: &E,
    position: &PositionOf<E>,
    value_of: &mut dyn FnMut(&PositionOf<E>) -> Value,
) where
    E::Game: Debug,
    E::Error: Debug,
{
    let (game, value) = (evaluator.game(), value_of(position));
    let says = format!("{game:?} {position:?}");
    assert!(!matches!(evaluator.cost(position, Detail::Moves), Cost::Refused(_)), "{says}");
    let evaluate = |detail| -> EvaluationOf<E> {
        let monitor = Monitor { progress: Some(&Named::default()), ..Monitor::default() };
        evaluator.evaluate(position, detail, &monitor).unwrap()
    };
    assert_eq!(evaluate(Detail::Value).value, Some(value), "{says}");
    let found = evaluate(Detail::Moves);
    assert_eq!(found.value, Some(value), "{says}");
    if game.result(position).is_none() {
        let so_far = game.score(position);
        assert_eq!(found.to_come, value.score.map(|score| score - so_far), "{says}");
    }
    let best: Vec<_> = found.best().collect();
    let moves = found.moves.unwrap();
    assert_eq!(moves.len(), game.moves(position).len(), "{says}");
    let player = game.to_move(position);
    let ranks = moves.iter().map(|evaluated| evaluated.value.unwrap().rank(player));
    assert!(ranks.rev().is_sorted(), "best first: {says}");
    for evaluated in &moves {
        let mut after = value_of(&game.play(position, evaluated.mv.clone()));
        after.plies = after.plies.map(|plies| plies + 1);
        assert_eq!(evaluated.value, Some(after), "{:?} {says}", evaluated.mv);
        assert_eq!(best.contains(&evaluated.mv), after == value, "{:?} {says}", evaluated.mv);
    }
    const LIMIT: usize = 200;
    let line = evaluator.principal_variation(position, LIMIT, &Monitor::default()).unwrap();
    let (mut last, mut before) = (position.clone(), Vec::new());
    for mv in &line {
        assert!(game.moves(&last).contains(mv), "{says}");
        let next = game.play(&last, mv.clone());
        before.push(std::mem::replace(&mut last, next));
    }
    match (value.outcome, value.plies) {
        (_, Some(plies)) => {
            assert_eq!(line.len(), plies as usize, "{says}");
            assert_eq!(game.result(&last).map(|end| end.outcome), Some(value.outcome), "{says}");
        }
        (Outcome::Draw, _) if line.len() == LIMIT => assert_eq!(game.result(&last), None, "{says}"),
        // Without an end, the line ends with the first repetition.
        (Outcome::Draw, _) if game.result(&last).is_none() => {
            assert!(before.contains(&last), "{says}");
        }
        _ => assert_eq!(game.result(&last), Some(value), "{says}"),
    }
}

#[test]
fn evaluators_of_british_square_agree_with_brute_force() {
    use british_square::{Evaluator, Rules};
    let standard = |rows, cols| Rules::standard(rows, cols).unwrap();
    let mut games = vec![standard(1, 1), standard(3, 4), standard(1, 9)];
    games.push(Rules { bias: 2, ..standard(3, 3) });
    games.push(Rules { center_allowed: true, ..standard(3, 3) });
    for rules in &games {
        check(&Evaluator::new(rules, None).unwrap(), 7);
        check(&Evaluator::with_table(rules, 1 << 20).unwrap(), 3);
    }
    let limited = Rules { pieces: Some(2), bias: -1, ..standard(3, 3) };
    check(&Evaluator::new(&limited, None).unwrap(), 7);
}

#[test]
fn evaluators_of_dots_and_boxes_agree_with_brute_force() {
    use dots::tablebase::{Limits, Plan, Tablebase, build};
    use dots::{Board, Evaluator, Rules, Variant};
    for (rows, cols, penalty) in [(1, 1, 0), (1, 2, -3), (2, 2, 0), (2, 2, -1), (2, 2, 2)] {
        let board = Board::new(rows, cols).unwrap();
        let rules = Rules { board, variant: Variant::Standard, penalty: penalty.into() };
        check(&Evaluator::new(rules, None, 1 << 20, u32::MAX), 101);
        // A complete tablebase, and one without some positions.
        for most in [None, Some(4)] {
            let folder = tempfile::tempdir().unwrap();
            let plan = Plan::new(&board, 0, penalty, most, &Limits::default()).unwrap();
            build(&plan, folder.path(), &Monitor::default()).unwrap();
            let tablebase = Tablebase::open(folder.path()).unwrap();
            check(&Evaluator::new(rules, Some(tablebase), 1 << 20, u32::MAX), 101);
        }
    }
}

#[test]
fn evaluators_of_rock_paper_scissors_well_agree_with_brute_force() {
    use rpsw::tablebase::{Tablebase, solution::Solution};
    use rpsw::{Evaluator, Rules, retrograde::Layout};
    let rules = |cols, rows| Rules::standard().on_board(cols, rows).unwrap();
    let games = [rules(3, 4), rules(2, 5), rules(1, 4), rules(4, 3)];
    for rules in games.map(|rules| rules.with_pieces(2).unwrap()) {
        let monitor = Monitor::default();
        let solve = |from| Solution::solve(Layout::new(rules.clone()), from, &monitor).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tablebase");
        let file = std::fs::File::create(&path).unwrap();
        solve(4).into_rows(&monitor).unwrap().write(file, &monitor).unwrap();
        let (tablebase, solution) = (Tablebase::open(&path).unwrap(), solve(2));
        let evaluators = [Evaluator::Tablebase(&tablebase), Evaluator::Solution(&solution)];
        check_by_iteration(&evaluators, 23);
    }
}

/// The strong solution from a position on, by the explorer.
fn solved<G: Game>(game: G, start: &G::Position) -> Solution<G> {
    let monitor = Monitor::default();
    let limits = Limits { merging: Merging::All, ..Limits::default() };
    explore_from(game, start, limits, &monitor).unwrap().solve(&monitor).unwrap()
}

/// Compares every position of a solution, and its moves.
fn agrees<E: Evaluator>(evaluator: &E, solution: &Solution<E::Game>) {
    check_solution(evaluator, solution).unwrap_or_else(|violation| panic!("{violation}"));
}

#[test]
fn every_position_of_british_square_agrees_with_the_explorer() {
    use british_square::{Evaluator, Rules};
    let standard = |rows, cols| Rules::standard(rows, cols).unwrap();
    let mut games = vec![standard(3, 4), standard(4, 4), standard(3, 5)];
    games.push(Rules { bias: 2, center_allowed: true, ..standard(3, 3) });
    games.push(Rules { pieces: Some(3), ..standard(3, 4) });
    for rules in games {
        let solution = solved(rules.clone(), &rules.start());
        agrees(&Evaluator::new(&rules, None).unwrap(), &solution);
    }
}

/// Some 400,000 positions.
#[test]
fn every_position_of_british_square_on_4x5_agrees_with_the_explorer() {
    let rules = british_square::Rules::standard(4, 5).unwrap();
    let solution = solved(rules.clone(), &rules.start());
    agrees(&british_square::Evaluator::with_table(&rules, 1 << 28).unwrap(), &solution);
}

/// Compares the points to come after each move, which are known although the owners of boxes are
/// not.
fn points_of_moves_agree(evaluator: &dots::Evaluator, solution: &Solution<dots::Rules>) {
    let differs = |_, position: &dots::Position| {
        let found = evaluator.evaluate(position, Detail::Moves, &Monitor::default()).unwrap();
        let moves = solution.moves(position).unwrap();
        let of = |mv| moves.iter().find(|(own, _)| *own == mv).and_then(|(_, value)| value.score);
        let mut evaluated = found.moves.unwrap().into_iter();
        evaluated.any(|found| found.facts.to_come != of(found.mv)).then_some(*position)
    };
    assert_eq!(solution.count_by(&Monitor::default(), differs), Ok(HashMap::new()));
}

#[test]
fn every_position_of_dots_and_boxes_agrees_with_the_explorer() {
    use dots::{Board, Evaluator, Position, Rules, Variant};
    let rules = |rows, cols, penalty: i32| {
        let board = Board::new(rows, cols).unwrap();
        Rules { board, variant: Variant::Standard, penalty: penalty.into() }
    };
    for rules in [rules(1, 3, 0), rules(2, 2, -1), rules(2, 3, 0)] {
        let solution = solved(rules, &rules.start());
        let sets = 1 << rules.board.lines();
        assert_eq!(solution.count().positions, sets, "a position is a set of lines");
        let evaluator = Evaluator::new(rules, None, 1 << 20, u32::MAX);
        agrees(&evaluator, &solution);
        points_of_moves_agree(&evaluator, &solution);
    }
    // 3x3 with ten lines drawn.
    let rules = rules(3, 3, 0);
    for seed in [1u64, 2] {
        let mut lines = 0u64;
        let mut random = seed;
        while lines.count_ones() < 10 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            lines |= 1 << ((random >> 33) % rules.board.lines() as u64);
        }
        let solution = solved(rules, &Position::of_lines(lines));
        let evaluator = Evaluator::new(rules, None, 1 << 20, u32::MAX);
        agrees(&evaluator, &solution);
        points_of_moves_agree(&evaluator, &solution);
    }
}

fn rock_paper_scissors_well_agrees_with_the_explorer(rules: rpsw::Rules) {
    use rpsw::{Evaluator, retrograde::Layout, tablebase::solution::Solution};
    let own = Solution::solve(Layout::new(rules.clone()), 2, &Monitor::default()).unwrap();
    let solution = solved(rules.clone(), &rules.start());
    assert!(!solution.is_acyclic());
    agrees(&Evaluator::Solution(&own), &solution);
}

#[test]
fn every_position_of_rock_paper_scissors_well_on_4x5_agrees_with_the_explorer() {
    let rules = rpsw::Rules::standard().on_board(4, 5).unwrap();
    rock_paper_scissors_well_agrees_with_the_explorer(rules.with_pieces(2).unwrap());
}

#[test]
#[ignore = "takes half a minute: cargo test --release -p bsq-games --test evaluators -- --ignored"]
fn every_position_of_rock_paper_scissors_well_agrees_with_the_explorer() {
    let rules = rpsw::Rules::standard().with_pieces(2).unwrap();
    rock_paper_scissors_well_agrees_with_the_explorer(rules);
}

fn explored<G: Game>(game: G) -> Explored<G> {
    Explored::new(game, Limits::default(), &Monitor::default()).unwrap()
}

#[test]
fn explored_games_agree_with_brute_force() {
    for (rows, cols, k) in [(3, 3, 3), (2, 5, 3), (3, 4, 3)] {
        check_by_iteration(&[explored(mnk::Rules::new(rows, cols, k).unwrap())], 37);
    }
    check(&explored(british_square::Rules::standard(3, 4).unwrap()), 7);
    let board = dots::Board::new(2, 2).unwrap();
    check(&explored(dots::Rules { penalty: (-1).into(), ..dots::Rules::standard(board) }), 101);
    let rules = rpsw::Rules::standard().on_board(3, 4).unwrap().with_pieces(2).unwrap();
    check_by_iteration(&[explored(rules)], 23);
}

/// The bytes of the tables of a search with a checkpoint, as large as they may become.
fn most_bytes<D: Definition>(game: D, rules: &D::Rules, memory: u64) -> u64 {
    let resources = Resources { workload: Workload::Checkpoint, ..Resources::new(memory) };
    game.evaluator(rules, &resources).unwrap().most_bytes()
}

#[test]
fn a_long_search_uses_the_memory_that_it_is_given() {
    let board = dots::Board::new(4, 5).unwrap();
    assert_eq!(most_bytes(dots::Definition, &dots::Rules::standard(board), 2 << 30), 2 << 30);
    let rules = british_square::Rules::standard(7, 8).unwrap();
    assert_eq!(most_bytes(british_square::Definition, &rules, 5 << 30), 5 << 30);
}

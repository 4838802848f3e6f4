//! Random graphs as games, against attractors computed from their definition.

use super::*;
use crate::evaluate::{Detail, Evaluator};
use crate::game::{Game, Outcome, Player, Value};
use crate::monitor::{Monitor, SolveError};
use crate::nim::{Heaps, Nim};
use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// A game on a graph. A position is a vertex.
#[derive(Clone, Debug)]
struct Graph {
    vertices: Vec<Vertex>,
}

#[derive(Clone, Debug)]
struct Vertex {
    to_move: Player,
    next: Vec<usize>,
    /// The result of a vertex without successors.
    result: Value,
}

impl Game for Graph {
    type Position = usize;
    type Move = usize;

    fn start(&self) -> usize {
        0
    }

    fn to_move(&self, &at: &usize) -> Player {
        self.vertices[at].to_move
    }

    /// A move is the index of a successor.
    fn moves(&self, &at: &usize) -> Vec<usize> {
        (0..self.vertices[at].next.len()).collect()
    }

    fn play(&self, &at: &usize, mv: usize) -> usize {
        self.vertices[at].next[mv]
    }

    fn score(&self, at: &usize) -> i32 {
        self.result(at).and_then(|result| result.points()).unwrap_or(0)
    }

    fn result(&self, &at: &usize) -> Option<Value> {
        let vertex = &self.vertices[at];
        vertex.next.is_empty().then_some(vertex.result)
    }
}

impl Graph {
    /// The number of rounds after which a player can force a terminal vertex with a wanted result.
    fn attractor(&self, player: Player, wanted: impl Fn(Value) -> bool) -> Vec<Option<u32>> {
        let mut rounds: Vec<Option<u32>> = vec![None; self.vertices.len()];
        for round in 0..=self.vertices.len() as u32 {
            let earlier = rounds.clone();
            for (at, vertex) in
                self.vertices.iter().enumerate().filter(|(at, _)| earlier[*at].is_none())
            {
                let mut next = vertex.next.iter();
                let forced = if vertex.next.is_empty() {
                    wanted(vertex.result)
                } else if vertex.to_move == player {
                    next.any(|&to| earlier[to].is_some())
                } else {
                    next.all(|&to| earlier[to].is_some())
                };
                rounds[at] = forced.then_some(round);
            }
        }
        rounds
    }

    /// The values by definition.
    fn values(&self) -> Vec<Value> {
        let mut values = vec![Value::DRAW; self.vertices.len()];
        let winner = |result: Value| result.winner();
        let wins = Player::BOTH
            .map(|player| self.attractor(player, |result| winner(result) == Some(player)));
        // Where nobody wins, an end with equal points is as good as a draw for both players, and
        // reached wherever the player to move can.
        let undecided = |at: usize| wins.iter().all(|wins| wins[at].is_none());
        for _ in 0..self.vertices.len() {
            for (at, vertex) in self.vertices.iter().enumerate().filter(|(at, _)| undecided(*at)) {
                let is_tie = |value: Value| value.outcome == Outcome::Tie;
                if vertex.next.is_empty() && is_tie(vertex.result) {
                    values[at] = vertex.result;
                }
                let ties = vertex.next.iter().map(|&to| values[to]);
                values[at] = ties.into_iter().find(|&value| is_tie(value)).unwrap_or(values[at]);
            }
        }
        for (player, wins) in Player::BOTH.into_iter().zip(&wins) {
            for (at, plies) in wins.iter().enumerate() {
                if let Some(plies) = plies {
                    values[at] = Value::win(player, *plies);
                }
            }
        }
        let scores = self.vertices.iter().filter_map(|vertex| vertex.result.points());
        let most = scores.map(i32::abs).max().unwrap_or(0);
        for points in 1..=most {
            for player in Player::BOTH {
                let enough =
                    |result: Value| result.points().is_some_and(|p| p * player.sign() >= points);
                for (at, forced) in self.attractor(player, enough).into_iter().enumerate() {
                    if forced.is_some() {
                        values[at] = Value::of_score((points * player.sign()).into());
                    }
                }
            }
        }
        values
    }

    /// The playouts of each result from a vertex, by plain recursion.
    fn playouts(&self, at: usize, found: &mut HashMap<Value, u64>) {
        if let Some(result) = self.result(&at) {
            *found.entry(result).or_default() += 1;
        }
        self.vertices[at].next.iter().for_each(|&to| self.playouts(to, found));
    }
}

fn vertex(most: usize, has_points: bool) -> impl Strategy<Value = Vertex> {
    let result = (-3..=3i32).prop_map(move |points| match points {
        points if has_points => Value::of_score(points.into()),
        0 => Value::DRAW,
        1 => Value::TIE,
        points => Value::win(if points > 0 { Player::First } else { Player::Second }, 0),
    });
    let next = prop_oneof![Just(Vec::new()), vec(0..most, 1..4)];
    (any::<bool>(), next, result).prop_map(|(first, next, result)| {
        let to_move = if first { Player::First } else { Player::Second };
        Vertex { to_move, next, result }
    })
}

const MOST: usize = 14;

fn graph() -> impl Strategy<Value = Graph> {
    any::<bool>().prop_flat_map(|has_points| {
        vec(vertex(MOST, has_points), MOST).prop_map(|vertices| Graph { vertices })
    })
}

fn explored(graph: &Graph) -> Exploration<Graph> {
    explore(graph.clone(), Limits::default(), &Monitor::default()).unwrap()
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_are_those_that_players_can_force(graph in graph()) {
        let solution = explored(&graph).solve(&Monitor::default()).unwrap();
        let values = graph.values();
        let mut found = 0;
        for (at, wanted) in values.iter().enumerate() {
            let Some(value) = solution.value(&at) else { continue };
            prop_assert_eq!(value, *wanted, "vertex {} of {:?}", at, graph);
            found += 1;
            for (mv, value) in solution.moves(&at).unwrap() {
                let after = values[graph.play(&at, mv)];
                prop_assert_eq!(value, Value { plies: after.plies.map(|plies| plies + 1), ..after });
            }
        }
        prop_assert_eq!(found, solution.count().canonical);
    }

    /// Edges of the graph lead to higher vertices, so every game ends.
    #[test]
    fn playouts_are_those_of_plain_recursion(mut graph in graph()) {
        for (at, vertex) in graph.vertices.iter_mut().enumerate() {
            vertex.next.retain(|&to| to > at);
        }
        let explored = explored(&graph);
        prop_assert!(explored.is_acyclic());
        let mut wanted = HashMap::new();
        graph.playouts(0, &mut wanted);
        let playouts = explored.playouts(&Monitor::default()).unwrap();
        let found = playouts.by_result.iter().map(|(result, count)| (result.unwrap(), count.clone()));
        let wanted: HashMap<Value, BigUint> = wanted.into_iter().map(|(r, n)| (r, n.into())).collect();
        prop_assert_eq!(found.collect::<HashMap<_, _>>(), wanted);
        prop_assert_eq!(playouts.by_length.iter().sum::<BigUint>(), playouts.total());
    }

    #[test]
    fn exactly_games_that_can_repeat_positions_have_cycles(graph in graph()) {
        // A vertex is on a cycle if some walk of as many steps as there are vertices exists.
        let mut walks: Vec<bool> = vec![true; MOST];
        for _ in 0..MOST {
            walks = graph.vertices.iter().map(|v| v.next.iter().any(|&to| walks[to])).collect();
        }
        let explored = explored(&graph);
        prop_assert_eq!(explored.is_acyclic(), !walks[0]);
        if walks[0] {
            prop_assert_eq!(explored.playouts(&Monitor::default()), Err(ExploreError::Endless));
        }
    }
}

/// A chain of that many vertices, with two moves in each but the last.
fn chain(length: usize, result: Value) -> Graph {
    let next = |at: usize| if at + 1 < length { vec![at + 1; 2] } else { Vec::new() };
    let vertex =
        |at: usize| Vertex { to_move: Player::on_turn(at as u32 + 1), next: next(at), result };
    Graph { vertices: (0..length).map(vertex).collect() }
}

#[test]
fn numbers_of_playouts_have_no_limit() {
    let explored = explored(&chain(201, Value::DRAW));
    let playouts = explored.playouts(&Monitor::default()).unwrap();
    assert_eq!(playouts.total(), BigUint::from(1u32) << 200);
    let counts = perft(explored.game(), 130, Limits::default(), &Monitor::default()).unwrap();
    assert_eq!(counts[130], BigUint::from(1u32) << 130);
}

#[test]
fn results_of_nim_do_not_depend_on_threads_or_the_numbering() {
    let monitor = Monitor::default();
    let nim = Nim([5, 6, 7]);
    let explored = |threads| {
        on_threads(threads, || explore(nim.clone(), Limits::default(), &monitor).unwrap())
    };
    let order = |explored: &Exploration<Nim>| -> Vec<Heaps> {
        let mut positions = Vec::new();
        for ply in 0..explored.plies().len() {
            for chunk in explored.store.chunks(ply) {
                explored.store.each(&chunk, |_, position| positions.push(*position));
            }
        }
        positions
    };
    let (one, three) = (explored(1), explored(3));
    assert_eq!(order(&one), order(&three));
    assert_eq!(one.playouts(&monitor), three.playouts(&monitor));

    let positions = order(&one);
    let one = one.solve(&monitor).unwrap();
    for position in &positions {
        let winner = match position.nim_sum() {
            0 => nim.to_move(position).other(),
            _ => nim.to_move(position),
        };
        assert_eq!(one.value(position).unwrap().winner(), Some(winner), "{position:?}");
    }
    let by_value = |solution: &Solution<Nim>| {
        let key = |ply, position: &Heaps| Some((ply, solution.value(position)?.winner()));
        solution.count_by(&monitor, key).unwrap()
    };
    let sum: u64 = by_value(&one).values().map(|count| count.canonical).sum();
    assert_eq!(sum, positions.len() as u64);
    assert_eq!(by_value(&one), on_threads(3, || by_value(&one)));
}

#[test]
fn limits_are_respected_and_their_errors_say_what_is_missing() {
    let monitor = Monitor::default();
    let nim = Nim([15, 15, 15]);
    let all = explore(nim.clone(), Limits::default(), &monitor).unwrap();
    let positions = all.count().canonical;
    assert!(all.bytes() <= bytes_for::<Nim>(positions), "{} for {positions}", all.bytes());

    let within = |memory| Limits { memory: Some(memory), ..Limits::default() };
    assert!(explore(nim.clone(), within(bytes_for::<Nim>(positions)), &monitor).is_ok());
    let least = bytes_for::<Nim>(positions) - 1;
    let refused = explore(nim.clone(), within(least), &monitor).err();
    assert_eq!(refused, Some(ExploreError::OverLimit { positions, bytes: least }));
    let playouts = perft(&nim, 20, within(1 << 12), &monitor);
    assert!(matches!(playouts, Err(ExploreError::OverLimit { .. })), "{playouts:?}");

    let stop = AtomicBool::new(true);
    let stopped = Monitor { stop: Some(&stop), ..Monitor::default() };
    let cancelled = Err(ExploreError::Solve(SolveError::Stopped));
    assert_eq!(explore(nim.clone(), Limits::default(), &stopped).map(drop), cancelled);
    assert_eq!(all.playouts(&stopped).map(drop), cancelled);
    assert_eq!(all.count_by(&stopped, |_, _| Some(())).map(drop), cancelled);
    assert_eq!(all.solve(&stopped).map(drop), cancelled);
}

#[test]
fn contradictory_and_unsuitable_games_are_refused() {
    let mut mixed = chain(1, Value::DRAW);
    mixed.vertices[0].next = vec![1, 2];
    mixed.vertices.extend(chain(1, Value::DRAW).vertices);
    mixed.vertices.extend(chain(1, Value::of_score(2.into())).vertices);
    let error = |graph: Graph| {
        let explored = explore(graph, Limits::default(), &Monitor::default());
        explored.and_then(|explored| explored.solve(&Monitor::default())).err()
    };
    assert_eq!(error(mixed), Some(ExploreError::MixedResults));
    let half = crate::score::Score::new(1, 2);
    let explored = explore(chain(3, Value::of_score(half)), Limits::default(), &Monitor::default());
    assert_eq!(explored.err(), Some(ExploreError::Fraction(half)));
    // Integers that are found after it, some of them in the same shard, do not hide it.
    let mut both = chain(1, Value::DRAW);
    both.vertices[0].next = (1..1000).collect();
    both.vertices.extend(chain(1, Value::of_score(half)).vertices);
    let integer = chain(1, Value::of_score(2.into())).vertices.remove(0);
    both.vertices.resize(1000, integer);
    let explored = explore(both, Limits::default(), &Monitor::default());
    assert_eq!(explored.err(), Some(ExploreError::Fraction(half)));
    let late = Value::win(Player::First, 1 << 30);
    assert_eq!(error(chain(3, late)), Some(ExploreError::OutOfRange { most: (1 << 30) - 1 }));
    // A win in 2^30 - 1 plies fits, one more does not.
    let late = Value::win(Player::First, (1 << 30) - 2);
    assert_eq!(error(chain(2, late)), None);
    assert_eq!(error(chain(3, late)), Some(ExploreError::OutOfRange { most: (1 << 30) - 1 }));
}

/// Each move makes a point, and ends the game if wanted. A position is the number of points, and
/// whether the game is over.
struct Endless;

impl Game for Endless {
    type Position = (i32, bool);
    type Move = bool;

    fn start(&self) -> (i32, bool) {
        (0, false)
    }

    fn to_move(&self, _: &(i32, bool)) -> Player {
        Player::First
    }

    fn moves(&self, &(_, is_over): &(i32, bool)) -> Vec<bool> {
        if is_over { Vec::new() } else { vec![false, true] }
    }

    fn play(&self, (points, _): &(i32, bool), ends: bool) -> (i32, bool) {
        (points + 1, ends)
    }

    fn score(&self, (points, _): &(i32, bool)) -> i32 {
        *points
    }

    fn result(&self, _: &(i32, bool)) -> Option<Value> {
        None
    }

    fn reduced(&self, &(_, is_over): &(i32, bool)) -> (i32, bool) {
        (0, is_over)
    }
}

#[test]
fn points_that_can_be_made_for_ever_have_no_sum() {
    let explored = explore(Endless, Limits::default(), &Monitor::default()).unwrap();
    assert_eq!(explored.count(), Count { positions: 2, canonical: 2 });
    assert!(!explored.is_acyclic());
    let error = explored.solve(&Monitor::default()).err();
    assert_eq!(error, Some(ExploreError::PointsRecur));
    let counts = perft(&Endless, 3, Limits::default(), &Monitor::default()).unwrap();
    assert_eq!(counts, [1u32, 2, 2, 2].map(Into::into));
}

#[test]
fn positions_that_play_does_not_reach_are_not_evaluated() {
    let nim = Explored::new(Nim([1, 2, 3]), Limits::default(), &Monitor::default()).unwrap();
    let other = Heaps { heaps: [4, 0, 0], moves: 0 };
    let refused = nim.evaluate(&other, Detail::Value, &Monitor::default());
    let text = "Heaps { heaps: [4, 0, 0], moves: 0 }".to_string();
    assert_eq!(refused.unwrap_err(), ExploreError::Unreached(text));
    assert_eq!(nim.solution().moves(&other), None);
    assert_eq!(nim.solution().principal_variation(&other, 9), []);
    assert!(nim.principal_variation(&other, 9, &Monitor::default()).is_err());
    // More objects were taken than two moves can take.
    let other = Heaps { heaps: [0, 3, 0], moves: 2 };
    let solution = nim.solution();
    assert_eq!((solution.value(&other), solution.moves(&other)), (None, None));
}

/// The first player can end the game with a point or put that off.
#[test]
fn a_line_that_puts_off_the_end_stops_before_it_repeats_a_position() {
    let vertex = |to_move, next: &[usize], points: i32| {
        let result = Value::of_score(points.into());
        Vertex { to_move, next: next.to_vec(), result }
    };
    let vertices = vec![
        vertex(Player::First, &[1, 2], 0),
        vertex(Player::Second, &[0], 0),
        vertex(Player::First, &[], 1),
    ];
    let solution = explored(&Graph { vertices }).solve(&Monitor::default()).unwrap();
    assert_eq!(solution.value(&0), Some(Value::of_score(1.into())));
    assert_eq!(solution.principal_variation(&0, usize::MAX), [0, 0]);
}

#[test]
fn counts_by_ply_add_up() {
    let explored = explore(Nim([2, 2, 2]), Limits::default(), &Monitor::default()).unwrap();
    let key = |ply, _: &Heaps| Some(ply);
    let by_ply = explored.count_by(&Monitor::default(), key).unwrap();
    let wanted: HashMap<usize, Count> =
        explored.plies().iter().map(|ply| ply.all).enumerate().collect();
    assert_eq!(by_ply, wanted);
    let ends: u64 = explored.terminals().iter().map(|(_, count)| count.positions).sum();
    assert_eq!(ends, 4); // after 3 to 6 moves
}

//! Tests the strong solution of `bsq_engine::strong` on British Square and Nim.

use bsq_engine::game::{Game, Player};
use bsq_engine::monitor::{Monitor, Progress, SolveError};
use bsq_engine::nim::Nim;
use bsq_engine::strong::{AcyclicGame, Edges, States, Visitor, solve, solve_visiting};
use bsq_engine::table::ShardFull;
use bsq_games::british_square::{BritishSquare, Move, Node, Rules, cells_of};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(work)
}

fn game() -> BritishSquare {
    BritishSquare::new(Rules::standard(4, 5).unwrap()).unwrap()
}

/// A visitor that panics in the middle of a search.
struct Faulty {
    visits: u32,
}

impl Visitor<Node> for Faulty {
    fn fresh(&self) -> Faulty {
        Faulty { visits: 0 }
    }

    fn visit(&mut self, _node: &Node, _moves: u64, _values: &[i8]) {
        self.visits += 1;
        assert!(self.visits < 50, "faulty");
    }

    fn absorb(&mut self, _other: Faulty) {}
}

#[test]
fn a_panic_in_one_thread_ends_the_search() {
    let game = game();
    let search = || solve_visiting(&game, &game.root(), Faulty { visits: 0 }, &Monitor::default());
    let ended = std::panic::catch_unwind(|| on_threads(4, || search().is_ok()));
    assert!(ended.is_err());
}

/// A game that understates its number of positions.
struct Understated(BritishSquare);

impl AcyclicGame for Understated {
    type Node = Node;

    fn key(&self, node: &Node) -> u64 {
        self.0.key(node)
    }

    fn to_move(&self, node: &Node) -> Player {
        self.0.to_move(node)
    }

    fn expand(&self, node: &Node, edges: &mut Edges) {
        self.0.expand(node, edges);
    }

    fn child(&self, node: &Node, mv: Option<u8>) -> Node {
        self.0.child(node, mv)
    }

    fn max_moves(&self) -> usize {
        self.0.max_moves()
    }

    fn max_positions(&self) -> u64 {
        20_000
    }
}

#[test]
fn a_full_shard_is_what_the_caller_hears_of() {
    let game = Understated(game());
    for _ in 0..10 {
        let ended = on_threads(4, || solve(&game, &game.0.root(), &Monitor::default()).err());
        assert!(matches!(ended, Some(SolveError::Full(ShardFull { .. }))), "{ended:?}");
    }
}

#[test]
fn a_search_stops_in_the_middle() {
    let game = game();
    let stop = AtomicBool::new(false);
    /// Cancels the search after it has begun.
    struct After<'a>(&'a AtomicBool);
    impl Progress for After<'_> {
        fn begin(&self, _what: &str, _units: u64) {}
        fn advance(&self, _units: u64) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let after = After(&stop);
    let monitor = Monitor { progress: Some(&after), stop: Some(&stop), ..Monitor::default() };
    let ended = on_threads(3, || solve(&game, &game.root(), &monitor).err());
    assert_eq!(ended, Some(SolveError::Stopped));
}

#[test]
fn every_state_comes_once_with_the_value_of_each_move() {
    let game = BritishSquare::new(Rules::standard(4, 4).unwrap()).unwrap();
    let solved = solve(&game, &game.root(), &Monitor::default()).unwrap();
    let known: std::collections::BTreeMap<u64, i32> = solved.iter().collect();
    let states = States::of(solved, &Monitor::default()).unwrap();
    let (rules, mut seen) = (game.rules(), Vec::new());
    // Ranges of states, one empty, one shorter than a batch.
    for places in [0..1, 1..1, 1..70, 70..states.len()] {
        states.show(&game, places, |state| {
            let position = game.position(state.key);
            let child = |mv| known[&game.node(&rules.play(&position, mv)).smallest()] as i8;
            let values: Vec<i8> = match state.moves {
                0 => rules.moves(&position).into_iter().map(child).collect(),
                cells => cells_of(cells).map(|cell| child(Move::Place(cell))).collect(),
            };
            assert_eq!(state.values, values, "{position:?}");
            assert_eq!(state.moves, rules.legal(&position, position.to_move));
            let best = match position.to_move {
                Player::First => values.iter().max(),
                Player::Second => values.iter().min(),
            };
            let best = best.map_or(position.lead(), |&best| i32::from(best));
            assert_eq!(state.value, best, "{position:?}");
            seen.push((state.key, state.value));
        });
    }
    assert!(seen.into_iter().eq(known));
}

/// The number of positions seen, and a sum of hashes of each with its values.
struct Digest<'a, G> {
    game: &'a G,
    positions: u64,
    hashes: u64,
}

impl<G: AcyclicGame> Visitor<G::Node> for Digest<'_, G> {
    fn fresh(&self) -> Self {
        Digest { game: self.game, positions: 0, hashes: 0 }
    }

    fn visit(&mut self, node: &G::Node, moves: u64, values: &[i8]) {
        let mut values = values.to_vec();
        values.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (self.game.key(node), moves.count_ones(), values).hash(&mut hasher);
        self.positions += 1;
        self.hashes = self.hashes.wrapping_add(hasher.finish());
    }

    fn absorb(&mut self, other: Self) {
        self.positions += other.positions;
        self.hashes = self.hashes.wrapping_add(other.hashes);
    }
}

fn the_threads_change_nothing<G: AcyclicGame>(game: &G, root: &G::Node) {
    let on = |threads| {
        let visitor = Digest { game, positions: 0, hashes: 0 };
        let solve = || solve_visiting(game, root, visitor, &Monitor::default()).unwrap();
        let (solved, seen) = on_threads(threads, solve);
        let mut values: Vec<(u64, i32)> = solved.iter().collect();
        values.sort_unstable();
        assert_eq!(solved.positions(), seen.positions);
        assert_eq!(solved.positions(), values.len() as u64);
        (solved, values, seen.hashes)
    };
    let (alone, values, hashes) = on(1);
    assert_eq!(alone.stolen_tasks(), 0);
    assert!(alone.tasks() > 1);
    for threads in [1, 2, 4, 7] {
        let (solved, other_values, other_hashes) = on(threads);
        assert_eq!(solved.value(), alone.value());
        assert_eq!((&other_values, other_hashes), (&values, hashes));
        // Which of its parents divides its budget for a position depends on the threads.
        if threads == 1 {
            assert_eq!(solved.tasks(), alone.tasks());
        } else {
            assert!((alone.tasks() / 2..=2 * alone.tasks()).contains(&solved.tasks()));
        }
    }
}

#[test]
fn results_do_not_depend_on_the_threads() {
    for (rows, cols) in [(4, 4), (3, 5)] {
        let game = BritishSquare::new(Rules::standard(rows, cols).unwrap()).unwrap();
        the_threads_change_nothing(&game, &game.root());
    }
    for heaps in [[1, 0, 0], [3, 5, 7], [6, 9, 8]] {
        the_threads_change_nothing(&Nim(heaps), &Nim(heaps).start());
    }
}

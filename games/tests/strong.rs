//! Tests the strong solution of `bsq_engine::strong` on British Square.

use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, Progress, SolveError};
use bsq_engine::strong::{AcyclicGame, Edges, States, Visitor, solve, solve_visiting};
use bsq_engine::table::ShardFull;
use bsq_games::british_square::{BritishSquare, Move, Node, Rules, cells_of};
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
    let monitor = Monitor { progress: Some(&after), stop: Some(&stop) };
    let ended = on_threads(3, || solve(&game, &game.root(), &monitor).err());
    assert_eq!(ended, Some(SolveError::Stopped));
}

#[test]
fn every_state_comes_once_with_the_value_of_each_move() {
    let game = BritishSquare::new(Rules::standard(4, 4).unwrap()).unwrap();
    let solved = solve(&game, &game.root(), &Monitor::default()).unwrap();
    let known: std::collections::BTreeMap<u64, i32> = solved.iter().collect();
    let states = States::of(solved).unwrap();
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

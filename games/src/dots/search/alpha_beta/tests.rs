use super::*;
use crate::dots::Board;
use crate::dots::search::{Reductions, Solver};
use bsq_engine::monitor::{Monitor, Progress};
use std::sync::Mutex;

/// The state of a search on 2x2.
fn two_by_two() -> Shared {
    let board = Board::new(2, 2).unwrap();
    let encoding = Encoding { marks: false };
    let generator = MoveGenerator::new(board, 0, encoding, Reductions::ALL);
    Shared::new(generator, 0, 1 << 20).unwrap()
}

/// The node with the lines between some pairs of boxes drawn.
fn node(shared: &Shared, pairs: &[[usize; 2]]) -> Node {
    let bitboard = &shared.generator.bitboard;
    let sides = |cell| bitboard.board().sides(cell);
    let drawn = pairs.iter().fold(0, |drawn, pair| drawn | sides(pair[0]) & sides(pair[1]));
    shared.generator.node(bitboard.open(drawn), 0)
}

/// The rank of every first move for `beta` 1, and whether its line is between two boxes.
fn ranks(shared: &Shared) -> Vec<(i32, bool)> {
    let root = node(shared, &[]);
    let mut replies = Vec::new();
    push_replies(shared, &root, 1, &mut replies);
    replies.iter_mut().for_each(|reply| reply.mv.rank = 0);
    rank_by_countermoves(shared, 1, &mut replies, &mut Vec::new());
    let is_inner = |reply: &Reply| {
        let line = root.open.without(reply.mv.node.open);
        shared.generator.bitboard.boxes_at(line).count_ones() == 2
    };
    replies.iter().map(|reply| (reply.mv.rank, is_inner(reply))).collect()
}

#[test]
fn moves_are_ranked_by_refuted_replies() {
    let shared = two_by_two();
    let unknown = ranks(&shared);
    assert_eq!((unknown.len(), unknown.iter().filter(|rank| rank.1).count()), (12, 4));
    assert!(unknown.iter().all(|&(rank, _)| rank == 0), "{unknown:?}");

    // All replies to inner lines are bad, therefore also inner lines as replies to others.
    shared.generator.moves(&node(&shared, &[[0, 1]]), |mv| {
        shared.state.table.put(&shared.slot(&mv.node), Bounds { lower: 2, upper: 4 }, 1);
    });
    for (rank, is_inner) in ranks(&shared) {
        if is_inner { assert_eq!(rank, -REFUTED) } else { assert_eq!(rank, -REFUTED * 4 / 11) }
    }
}

#[test]
fn moves_with_a_good_reply_are_last() {
    let shared = two_by_two();
    let parallel = node(&shared, &[[0, 1], [2, 3]]);
    shared.state.table.put(&shared.slot(&parallel), Bounds { lower: -4, upper: -2 }, 1);
    for (rank, is_inner) in ranks(&shared) {
        assert_eq!(rank, if is_inner { LAST } else { 0 });
    }
}

/// Collects the texts about the state of a search.
#[derive(Default)]
struct Statuses(Mutex<Vec<String>>);

impl Progress for Statuses {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn status(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_string());
    }
}

/// 3x4 is a tie. The proof that no first move wins refutes them one after the other.
#[test]
fn refuted_moves_are_counted() {
    let statuses = Statuses::default();
    let monitor = Monitor { progress: Some(&statuses), ..Monitor::default() };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    alone.install(|| {
        let solver = Solver::new(Board::new(3, 4).unwrap(), 0, 16 << 20).unwrap();
        assert_eq!(solver.value(0, &monitor), Ok(0));
    });
    let statuses = statuses.0.into_inner().unwrap();
    let counts = statuses.iter().filter_map(|text| text.split([';', ',']).nth(1));
    let counts = counts.filter_map(|text| text.trim().strip_suffix(" of 31 moves refuted"));
    let counts: Vec<usize> = counts.map(|count| count.parse().unwrap()).collect();
    assert!(counts.iter().all(|count| (0..=31).contains(count)), "{statuses:?}");
    assert!(counts.iter().max() > Some(&10), "{statuses:?}");
}

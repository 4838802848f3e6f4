//! A search checkpoint of arbitrary bytes is loaded completely or rejected with a message.

#![no_main]

use bsq_games::british_square::{Board, TerritoryBoard};
use bsq_engine::storage::checkpoint;
use bsq_games::british_square::territory::Solver;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

fuzz_target!(|bytes: &[u8]| {
    static SOLVER: OnceLock<Solver> = OnceLock::new();
    let solver = SOLVER.get_or_init(|| {
        let board = Board::new(5, 6).expect("a board");
        Solver::new(TerritoryBoard::new(board), 1 << 16).expect("a table")
    });
    // With a header, so that the rest is read too.
    let header = checkpoint::FORMAT.encode("0.1.0", &"5x6").expect("a string");
    let text = [header.as_bytes(), bytes].concat();
    for bytes in [bytes, &text] {
        if let Err(error) = checkpoint::load(&[solver], "5x6", &mut &*bytes) {
            assert!(!error.to_string().is_empty());
        }
    }
});

//! A position that parses can be formatted and parsed to the same; nothing panics or hangs.
//!
//! The first byte selects the rules, the rest is the text.

#![no_main]

use bsq_games::british_square::{Board, Rules};
use libfuzzer_sys::fuzz_target;

const BOARDS: [(usize, usize); 8] =
    [(5, 5), (3, 4), (1, 1), (1, 5), (5, 1), (4, 4), (1, 64), (8, 8)];

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (rows, cols) = BOARDS[usize::from(choice & 7)];
    let rules = Rules {
        board: Board::new(rows, cols).expect("a board"),
        center_allowed: choice & 8 != 0,
        bias: 0,
        pieces: (choice & 16 != 0).then_some(u32::from(choice >> 5) + 1),
    };
    if let Ok(position) = rules.parse_position(text) {
        let written = rules.format_position(&position);
        assert_eq!(rules.parse_position(&written), Ok(position), "{written}");
    }
});

//! Moves from the initial position: a move that parses can be formatted and parsed to the same, and
//! a move that is played leads to a position that parses.

#![no_main]

use bsq_engine::record::Recorded;
use bsq_games::british_square::Rules;
use libfuzzer_sys::fuzz_target;

const BOARDS: [(usize, usize); 4] = [(5, 5), (3, 4), (1, 5), (2, 30)];

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (rows, cols) = BOARDS[usize::from(choice & 3)];
    let rules = Rules::standard(rows, cols).expect("a board");
    let mut position = rules.start();
    for word in text.split(',') {
        let Ok(mv) = rules.parse_move(word) else { continue };
        assert_eq!(rules.parse_move(&rules.format_move(mv)), Ok(mv), "{word}");
        match rules.try_play(&position, mv) {
            Ok(next) => {
                let written = rules.format_position(&next);
                assert_eq!(rules.parse_position(&written), Ok(next), "{written}");
                position = next;
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});

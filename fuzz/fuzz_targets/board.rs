//! A board that parses can be formatted and parsed to the same, and all of its tiles have names.

#![no_main]

use bsq_games::british_square::Board;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Board::parse(text) {
        Ok(board) => {
            assert_eq!(Board::parse(&board.to_string()), Ok(board), "{text}");
            for cell in 0..board.cells() {
                assert_eq!(board.parse_cell(&board.coordinate(cell)), Ok(cell));
                assert_eq!(board.parse_cell(&board.tile(cell).to_string()), Ok(cell));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

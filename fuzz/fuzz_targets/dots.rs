//! A position of Dots-and-Boxes that parses can be formatted and parsed to the same, and so can a
//! move on its board; nothing panics or hangs.
//!
//! The first line is the position, the second one the move.

#![no_main]

use bsq_games::dots::{format_position, parse_position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (position, mv) = text.split_once('\n').unwrap_or((text, "a1-b1"));
    match parse_position(position) {
        Ok((board, position)) => {
            let written = format_position(&board, &position);
            assert_eq!(parse_position(&written), Ok((board, position)), "{text}");
            let drawn = board.labelled(&position, |line| Some(line.to_string()));
            assert!(drawn.lines().all(|line| line.len() <= 80), "{drawn}");
            match board.parse_line(mv) {
                Ok(line) => assert_eq!(board.parse_line(&board.line_name(line)), Ok(line), "{mv}"),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

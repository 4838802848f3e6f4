//! A game record that parses can be formatted and parsed to the same; nothing panics or hangs.

#![no_main]

use bsq_engine::record::{GameRecord, Recorded};
use bsq_games::{british_square, dots, rpsw};
use libfuzzer_sys::fuzz_target;
use std::fmt::Debug;

fuzz_target!(|text: &str| {
    comes_back(text, &british_square::Rules::standard(5, 5).expect("a board"));
    comes_back(text, &rpsw::Rules::standard());
    comes_back(text, &dots::Rules::standard(dots::Board::new(3, 3).expect("a board")));
});

fn comes_back<G: Recorded<MoveError: PartialEq> + Debug + PartialEq>(text: &str, rules: &G) {
    match GameRecord::parse(text, rules) {
        Ok(line) => assert_eq!(GameRecord::parse(&line.to_string(), rules), Ok(line), "{text}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

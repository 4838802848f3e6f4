//! A game that parses is written back and parsed to the same; nothing panics or hangs.

#![no_main]

use bsq_engine::game::british_square::Line;
use bsq_engine::game::rpsw;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Line::parse(text) {
        Ok(line) => assert_eq!(Line::parse(&line.to_string()), Ok(line), "{text}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let rules = rpsw::Rules::standard();
    match rpsw::Line::parse(text, &rules) {
        Ok(line) => assert_eq!(rpsw::Line::parse(&line.to_string(), &rules), Ok(line), "{text}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

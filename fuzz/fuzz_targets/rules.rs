//! A decision list that parses can be formatted and parsed to the same, alone and in a file of
//! lists.

#![no_main]

use bsq_games::british_square::heuristic::language;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match language::parse(text, &[]) {
        Ok(list) => assert_eq!(language::parse(&list.to_string(), &[]), Ok(list), "{text}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match language::parse_file(text) {
        Ok(lists) => {
            for heuristic in lists {
                let written = heuristic.list.to_string();
                assert_eq!(language::parse(&written, &[]), Ok(heuristic.list), "{text}");
            }
        }
        Err(error) => assert!(error.line.is_some_and(|line| line >= 1), "{text}"),
    }
});

//! A file of Wilson's analyser that parses can be formatted and parsed to the same; nothing panics
//! or hangs.

#![no_main]

use bsq_games::dots::BoardFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match BoardFile::parse(text) {
        Ok(file) => {
            let written = file.to_string();
            assert_eq!(BoardFile::parse(&written), Ok(file), "{text}");
        }
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1, "{error}");
            // An end that comes too early is named where the drawing would have gone on.
            assert!(error.line <= text.split('\n').count() + 2, "{error}");
        }
    }
});

//! Blocks of a tablebase of rock-paper-scissors-well: nothing panics, and every decoded entry is
//! found by a probe.

#![no_main]

use bsq_games::rpsw::tablebase::block::Shape;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (places, bytes) = (2 + usize::from(input.0) % 20, input.1);
    let shape = Shape::new(places);
    if let Ok(entries) = shape.decode(bytes) {
        for (code, symbol) in entries {
            assert_eq!(shape.find(bytes, code), Ok(Some(symbol)));
        }
    }
});

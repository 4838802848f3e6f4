#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| bsq_properties::check(env!("CARGO_BIN_NAME"), input));

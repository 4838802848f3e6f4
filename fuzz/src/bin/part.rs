#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| bsq_fuzz::check(env!("CARGO_BIN_NAME"), input));

//! The page of `bsq serve` in a real browser. It needs Chromium and chromedriver:
//! `cargo test --features full --test page -- --ignored`
#![cfg(feature = "full")]

mod browser;
mod dots;
mod looks;
mod play;
mod programs;
mod rpsw;
mod sharing;

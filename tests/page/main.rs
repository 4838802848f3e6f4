//! The page in a real browser. It needs Chromium and chromedriver, and the files of `web/build`:
//! `web/build && cargo test --features full --test page -- --ignored`
//! The test with axe needs `npm install --prefix target/axe axe-core` before.
#![cfg(feature = "full")]

mod browser;
mod every_choice;
mod every_game;
mod games;
mod learning;
mod looks;
mod pool;
mod programs;
mod sharing;
mod without_server;

/// A link to a small game of each kind.
const GAMES: [&str; 4] =
    ["?board=4x4", "?game=dots&board=2x2", "?game=rpsw&board=4x3&pieces=2", "?game=mnk"];

/// The game of a link, and the query of its rules.
fn parts(link: &str) -> (&str, &str) {
    match link.strip_prefix("?game=") {
        Some(rest) => rest.split_once('&').unwrap_or((rest, "")),
        None => ("british-square", link.trim_start_matches('?')),
    }
}

/// A link with further parameters.
fn with(link: &str, parameters: &str) -> String {
    format!("{link}{}{parameters}", if link.is_empty() { '?' } else { '&' })
}

//! A program with a single game: `cargo run -p hexapawn -- solve`.

use bsq::{Program, Registry};
use hexapawn::Hexapawn;
use std::process::ExitCode;

fn main() -> ExitCode {
    let games = Registry::empty().with(Hexapawn);
    Program::new("hexapawn", env!("CARGO_PKG_VERSION"), games)
        .with_about("Exact analysis of Hexapawn")
        .with_examples("  hexapawn solve --values --pv\n  hexapawn play --second perfect")
        .run(std::env::args_os())
}

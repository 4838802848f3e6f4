//! The command `bsq`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bsq::run(&bsq::Registry::standard(), std::env::args_os())
}

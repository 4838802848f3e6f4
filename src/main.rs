//! `bsq`: exact analysis of small two-player games.

mod advice;
mod args;
mod checkpoint;
#[cfg(feature = "cluster")]
mod cluster;
mod commands;
mod disk;
mod dots;
mod exit;
mod files;
mod lines;
mod lists;
mod memory;
mod output;
mod play;
mod plot;
mod progress;
mod run;
#[cfg(feature = "full")]
mod serve;
mod solution;
mod stop;
mod usage;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    exit::code(commands::dispatch(args))
}

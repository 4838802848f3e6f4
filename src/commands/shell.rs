//! `bsq completions` and `bsq man`.

use crate::args::Args;
use anyhow::Result;
use clap::CommandFactory;
use std::io::Write;

/// Prints the completions of a shell.
pub fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "bsq", &mut text);
    Ok(std::io::stdout().write_all(&text)?)
}

/// Prints the manual page.
pub fn man() -> Result<()> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Args::command()).render(&mut text)?;
    Ok(std::io::stdout().write_all(&text)?)
}

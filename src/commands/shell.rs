//! `bsq completions` and `bsq man`.

use crate::args::{Args, EXAMPLES, NOTES};
use anyhow::Result;
use clap::CommandFactory;
use std::io::Write;

/// Prints the completions of a shell.
pub fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "bsq", &mut text);
    Ok(std::io::stdout().write_all(&text)?)
}

/// Prints the manual page of the program, or of a subcommand.
pub fn man(subcommand: Option<&str>) -> Result<()> {
    let mut program = Args::command().after_help(clap::builder::Resettable::Reset);
    program.build();
    let command = match subcommand.and_then(|name| program.find_subcommand(name)) {
        Some(found) => found.clone(),
        None => program,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    if subcommand.is_none() {
        // Preformatted lines.
        writeln!(text, ".SH EXAMPLES\n.nf\n{EXAMPLES}\n.fi\n.SH NOTES\n{NOTES}")?;
    }
    Ok(std::io::stdout().write_all(&text)?)
}

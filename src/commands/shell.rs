//! `bsq completions` and `bsq man`.

use crate::cli;
use crate::cli::args::{EXAMPLES, NOTES};
use crate::usage::usage;
use anyhow::Result;
use bsq_api::Registry;
use std::io::Write;

/// Prints the completions of a shell.
pub fn completions(shell: clap_complete::Shell, registry: &Registry) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut cli::command(registry), "bsq", &mut text);
    Ok(std::io::stdout().write_all(&text)?)
}

/// Prints the manual page of the program, or of a subcommand given by its names.
pub fn man(names: &[String], registry: &Registry) -> Result<()> {
    let mut command = cli::command(registry).after_help(clap::builder::Resettable::Reset);
    command.build();
    // The default game is optional, as in other commands.
    let names = match names {
        [first, rest @ ..] if first == cli::DEFAULT_GAME => rest,
        names => names,
    };
    for name in names {
        let Some(found) = command.find_subcommand(name) else {
            let known = command.get_subcommands().map(|known| known.get_name());
            let known: Vec<&str> = known.filter(|known| *known != "help").collect();
            return Err(usage(match known.is_empty() {
                true => format!("'{}' has no subcommand '{name}'", command.get_name()),
                false => format!("there is no page for '{name}'; there are {}", known.join(", ")),
            }));
        };
        command = found.clone();
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    if names.is_empty() {
        // Preformatted lines.
        writeln!(text, ".SH EXAMPLES\n.nf\n{EXAMPLES}\n.fi\n.SH NOTES\n{NOTES}")?;
    }
    Ok(std::io::stdout().write_all(&text)?)
}

//! `bsq completions` and `bsq man`.

use crate::cli;
use crate::cli::args::{EXAMPLES, NOTES};
use crate::errors::usage;
use anyhow::Result;
use bsq_api::Registry;
use std::io::Write;
use std::path::Path;

/// Prints the completions of a shell.
pub fn completions(shell: clap_complete::Shell, registry: &Registry) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut cli::command(registry), "bsq", &mut text);
    Ok(std::io::stdout().write_all(&text)?)
}

/// Prints the manual page of the program, or of a subcommand given by its names; or writes all pages
/// to a folder.
pub fn man(names: &[String], out: Option<&Path>, registry: &Registry) -> Result<()> {
    let mut command = cli::command(registry).after_help(clap::builder::Resettable::Reset);
    command.build();
    if let Some(out) = out {
        std::fs::create_dir_all(out)?;
        clap_mangen::generate_to(command.clone(), out)?;
        return Ok(std::fs::write(out.join("bsq.1"), page(command, true)?)?);
    }
    // The default game is optional, as in other commands.
    let names = match names {
        [first, rest @ ..] if first == cli::DEFAULT_GAME => rest,
        names => names,
    };
    for name in names {
        let Some(found) = command.find_subcommand(name) else {
            let known = command.get_subcommands().map(|known| known.get_name());
            let known: Vec<&str> = known.filter(|known| *known != "help").collect();
            return Err(usage(if known.is_empty() {
                format!("'{}' has no subcommand '{name}'", command.get_name())
            } else {
                format!("there is no page for '{name}'; there are {}", known.join(", "))
            }));
        };
        command = found.clone();
    }
    Ok(std::io::stdout().write_all(&page(command, names.is_empty())?)?)
}

/// The page of a command, with the examples of the program if it is the overview.
fn page(command: clap::Command, is_overview: bool) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    if is_overview {
        // Preformatted lines.
        writeln!(text, ".SH EXAMPLES\n.nf\n{EXAMPLES}\n.fi\n.SH NOTES\n{NOTES}")?;
    }
    Ok(text)
}

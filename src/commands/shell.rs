//! `bsq completions` and `bsq man`.

use crate::Program;
use crate::cli;
use crate::errors::usage;
use anyhow::Result;
use std::io::Write;
use std::path::Path;

/// Prints the completions of a shell.
pub fn completions(program: &Program, shell: clap_complete::Shell) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut cli::command(program), &program.name, &mut text);
    Ok(std::io::stdout().write_all(&text)?)
}

/// Prints the manual page of the program, or of a subcommand given by its names; or writes all pages
/// to a folder.
pub fn man(program: &Program, names: &[String], out: Option<&Path>) -> Result<()> {
    let mut command = cli::command(program).after_help(clap::builder::Resettable::Reset);
    command.build();
    if let Some(out) = out {
        std::fs::create_dir_all(out)?;
        clap_mangen::generate_to(command.clone(), out)?;
        let overview = page(command, Some(program))?;
        return Ok(std::fs::write(out.join(format!("{}.1", program.name)), overview)?);
    }
    // The name of the game at the top level is optional, as in other commands.
    let top_level = program.top_level().map(|game| &game.info().name);
    let names = match names {
        [first, rest @ ..] if top_level.is_some_and(|name| first == name) => rest,
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
    let overview = names.is_empty().then_some(program);
    Ok(std::io::stdout().write_all(&page(command, overview)?)?)
}

/// The page of a command, with the examples of the program if it is the overview.
fn page(command: clap::Command, overview: Option<&Program>) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    if let Some(Program { examples, notes, .. }) = overview {
        if !examples.is_empty() {
            // Preformatted lines.
            writeln!(text, ".SH EXAMPLES\n.nf\n{examples}\n.fi")?;
        }
        if !notes.is_empty() {
            writeln!(text, ".SH NOTES\n{notes}")?;
        }
    }
    Ok(text)
}

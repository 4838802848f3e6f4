//! `bsq completions` and `bsq man`.

use crate::Program;
use crate::cli;
use crate::errors::usage;
use crate::new_file::NewFile;
use crate::output::StandardOutput;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::Path;

/// Prints the completions of a shell.
pub fn completions(program: &Program, shell: clap_complete::Shell) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut cli::command(program, |_| true), &program.name, &mut text);
    StandardOutput.print(&text)
}

/// Prints the manual page of the program, or of a subcommand given by its names; or writes all pages
/// to a folder.
pub fn man(program: &Program, names: &[String], out: Option<&Path>) -> Result<()> {
    let mut command = cli::command(program, |_| true).after_help(clap::builder::Resettable::Reset);
    command.build();
    if let Some(out) = out {
        std::fs::create_dir_all(out)
            .with_context(|| format!("cannot write into the folder {}", out.display()))?;
        return write_pages(command, Some(program), out);
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
    StandardOutput.print(&page(command, overview)?)
}

/// Writes the pages of a command and of its subcommands to a folder.
fn write_pages(command: clap::Command, overview: Option<&Program>, out: &Path) -> Result<()> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        // As clap_mangen does, `help` is left out.
        if inner.get_name() != "help" {
            write_pages(inner.clone(), None, out)?;
        }
    }
    let name = clap_mangen::Man::new(command.clone()).get_filename();
    let mut file = NewFile::begin(&out.join(name))?;
    file.write_all(&page(command, overview)?)?;
    file.finish()
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

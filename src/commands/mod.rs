//! The subcommands, one file each.

mod check;
pub mod game;
mod merge;
#[cfg(not(feature = "full"))]
mod no_plot;
#[cfg(feature = "full")]
mod plot;
mod search_heuristic;
mod shell;

#[cfg(not(feature = "full"))]
use no_plot as plot;

use crate::Program;
use crate::cli::Parsed;
use crate::cli::serve::Serve;
use crate::cli::subcommands::{BritishSquareCommand, Command};
use crate::errors::usage;
use crate::memory;
use crate::output::print_list;
#[cfg(feature = "full")]
use crate::serve::run as serve;
use anyhow::{Context, Result};
use bsq_api::Registry;
use bsq_games::graph::{self, Graph};
use bytesize::ByteSize;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Runs a subcommand.
pub fn dispatch(program: &Program, parsed: Parsed) -> Result<()> {
    let registry = &program.registry;
    match parsed {
        Parsed::Game(game, None, command) => game::run(game, *command),
        Parsed::Game(_, Some(file), command) => {
            let games = Registry::empty().with(read_graph(&file)?);
            game::run(&*games.find(graph::NAME)?, *command)
        }
        Parsed::BritishSquare(command) => match *command {
            BritishSquareCommand::Check(args) => check::run(registry, args),
            BritishSquareCommand::SearchHeuristic(args) => search_heuristic::run(args),
            BritishSquareCommand::Merge(args) => merge::run(registry, args),
        },
        Parsed::Other(command) => match *command {
            Command::Serve(args) => {
                // Before there are other threads, as mallopt requires.
                bsq_engine::heap::return_large_blocks();
                let memory = memory::limit(Some(args.memory.as_u64()), memory::Share::All);
                let games = registry.clone().without(graph::NAME);
                let games = match &args.graph {
                    Some(file) => games.with(read_graph(file)?),
                    None => games,
                };
                serve(&games, Serve { memory: ByteSize::b(memory), ..args })
            }
            Command::Plot(args) => plot::run(registry, args),
            Command::Games => print_list(registry.games().map(|game| {
                let info = game.info();
                (&*info.name, format!("{}: {}", info.title, info.summary))
            })),
            Command::Completions { shell } => shell::completions(program, shell),
            Command::Man { command, out } => shell::man(program, &command, out.as_deref()),
        },
    }
}

/// Reads a game that is given as a graph.
fn read_graph(file: &Path) -> Result<Graph> {
    let name = file.display();
    let content = File::open(file).with_context(|| format!("cannot read {name}"))?;
    let graph = Graph::read(&name.to_string(), BufReader::new(content));
    graph.map_err(|error| usage(format!("{name}: {error}")))
}

/// Returns an error that names the build with the server.
#[cfg(not(feature = "full"))]
fn serve(_: &Registry, _: Serve) -> Result<()> {
    use crate::errors::FULL_BUILD;
    Err(usage(format!("this build has no server; {FULL_BUILD}")))
}

//! The subcommands besides those of games.

use super::args::{Check, Merge, Plot, SearchHeuristic};
use super::serve::Serve;
use clap::{Subcommand, ValueHint};
use std::path::PathBuf;

/// The subcommands that every program has. Help lists them after those of games.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Draw a chart of a table that an analysis wrote
    #[command(display_order = 12)]
    Plot(Plot),
    /// Play and analyze in a browser, or through an HTTP API
    #[command(display_order = 13)]
    Serve(Serve),
    /// List the games
    #[command(display_order = 15)]
    Games,
    /// Print shell completions
    #[command(display_order = 16)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    #[command(display_order = 17)]
    Man {
        /// The page of a subcommand, such as 'solve' or 'rpsw solve', instead of the overview
        command: Vec<String>,
        /// Write all pages to this folder
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "command")]
        out: Option<PathBuf>,
    },
}

/// The subcommands of programs with British Square.
#[derive(Debug, Subcommand)]
pub enum BritishSquareCommand {
    /// Compare published numbers with those that are computed now
    #[command(display_order = 11)]
    Check(Check),
    /// Search for simple rule lists that are seldom wrong
    #[command(display_order = 11)]
    SearchHeuristic(SearchHeuristic),
    /// Add the parts of a count that 'analyze --part' wrote
    #[command(display_order = 14)]
    Merge(Merge),
}

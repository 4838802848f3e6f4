//! The command `bsq` as a function, so that programs can add games to it.
//!
//! ```no_run
//! // `bsq games` with the games of this program.
//! bsq::run(&bsq::Registry::standard(), ["bsq", "games"]);
//! ```

mod checkpoint;
mod choices;
mod cli;
mod commands;
mod errors;
mod inputs;
mod lines;
mod lists;
mod memory;
mod new_file;
mod output;
pub mod parsers;
mod play;
#[cfg(feature = "full")]
mod plot;
mod printable;
mod program;
mod progress;
mod published;
mod run;
#[cfg(feature = "full")]
mod serve;
mod words;

/// The examples of docs/library.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
mod library {}

pub use bsq_api::Registry;

pub use memory::{Share, limit as memory_limit};
pub use program::Program;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Runs the command `bsq` with the games of a registry and the arguments, the first of which is the
/// name of the program. A [`Program`] has a name of its own.
pub fn run<T>(registry: &Registry, args: impl IntoIterator<Item = T>) -> ExitCode
where
    T: Into<OsString> + Clone,
{
    Program::bsq(registry.clone(), None).run(args)
}

impl Program {
    /// Runs the command with its arguments, the first of which is the name of the program. Returns 0
    /// for success, 1 for a failed job, 2 for a usage error, and 130 after Ctrl-C. A process can run
    /// only one job, because the threads and the handler of Ctrl-C are global.
    pub fn run<T>(&self, args: impl IntoIterator<Item = T>) -> ExitCode
    where
        T: Into<OsString> + Clone,
    {
        memory::prepare_heap();
        self.set_globals();
        // A file that grows beyond the limit of the process is then an error of the write.
        #[cfg(unix)]
        let _ = signal_hook::flag::register(libc::SIGXFSZ, Default::default());
        let args: Vec<OsString> = args.into_iter().map(T::into).collect();
        match self.parsed(args) {
            Ok(parsed) => errors::exit_code(commands::dispatch(self, parsed)),
            Err(error) => {
                let printed = error.print().and_then(|()| std::io::stdout().flush());
                match printed {
                    // Help and the version are results.
                    Err(failed) if !error.use_stderr() => {
                        let failed = anyhow::Error::new(failed);
                        errors::exit_code(Err(failed.context("cannot write to standard output")))
                    }
                    // If standard error is closed, the exit code remains.
                    _ => ExitCode::from(error.exit_code() as u8),
                }
            }
        }
    }

    /// The job that the arguments describe.
    fn parsed(&self, args: Vec<OsString>) -> Result<cli::Parsed<'_>, clap::Error> {
        let words = args.clone();
        let build = || cli::command(self, |game| words.iter().any(|word| word == game));
        let command = build();
        let args = cli::ordered(self, &command, args);
        let matches = command.try_get_matches_from(args.clone());
        let matches = matches.map_err(|error| cli::refusal(build(), args, error))?;
        cli::parse(self, &matches)
    }
}

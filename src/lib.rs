//! The command `bsq` as a function, so that programs can add games to it.
//!
//! ```no_run
//! // `bsq games` with the games of this program.
//! bsq::run(&bsq::Registry::standard(), ["bsq", "games"]);
//! ```

mod advice;
mod checkpoint;
mod cli;
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

pub use bsq_api::Registry;

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command with its arguments, the first of which is the name of the program. Returns 0
/// for success, 1 for a failed job, 2 for a usage error, and 130 after Ctrl-C. A process can run one
/// job, because the threads and the handler of Ctrl-C are global.
pub fn run<T>(registry: &Registry, args: impl IntoIterator<Item = T>) -> ExitCode
where
    T: Into<OsString> + Clone,
{
    let mut args: Vec<OsString> = args.into_iter().map(T::into).collect();
    // The default game need not be named.
    if args.get(1).is_some_and(|word| word == cli::DEFAULT_GAME) {
        args.remove(1);
    }
    match parsed(registry, args) {
        Ok(job) => exit::code(job()),
        Err(error) => {
            // If standard output or standard error is closed, the exit code remains.
            let _ = error.print();
            ExitCode::from(error.exit_code() as u8)
        }
    }
}

/// The job that the arguments describe.
fn parsed(
    registry: &Registry,
    args: Vec<OsString>,
) -> Result<Box<dyn FnOnce() -> anyhow::Result<()> + '_>, clap::Error> {
    let matches = cli::command(registry).try_get_matches_from(args)?;
    let parsed = cli::parse(registry, &matches)?;
    Ok(Box::new(move || commands::dispatch(parsed, registry)))
}

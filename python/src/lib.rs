//! The part of the Python package that calls the Rust library. Its interface is stated in
//! `bsq/_bsq.pyi`; what users see is written in Python, in `bsq/`.

mod game;
mod job;
mod table;

use git_version::git_version;
use pyo3::prelude::*;

#[pymodule]
mod _bsq {
    #[pymodule_export]
    use super::game::{Engine, Game};
    #[pymodule_export]
    use super::table::{Stream, Table};
    use super::*;

    /// The version of the library.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name is that of Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// The names of the games, each with a title.
    #[pyfunction]
    fn games() -> Vec<(&'static str, &'static str)> {
        let games = game::REGISTRY.games().map(|game| game.info());
        games.map(|info| (&*info.name, &*info.title)).collect()
    }

    /// The tables of a count whose parts are given, each with a name and as the content of its file.
    #[pyfunction]
    fn merge(py: Python<'_>, parts: Vec<(String, String)>) -> PyResult<Vec<Py<Table>>> {
        game::merged(py, &parts)
    }

    /// Runs the command with its arguments, the first of which is the name of the program, and
    /// returns its exit code.
    #[pyfunction]
    fn run_command(py: Python<'_>, args: Vec<std::ffi::OsString>) -> u8 {
        let commit = git_version!(args = ["--always", "--abbrev=12", "--dirty=+"], fallback = "");
        let commit = Some(commit).filter(|commit| !commit.is_empty());
        let program = bsq::Program::bsq(game::REGISTRY.clone(), commit);
        let code = py.detach(|| program.run(args));
        (0..=u8::MAX).find(|&number| code == number.into()).unwrap_or(1)
    }
}

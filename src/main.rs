//! The command `bsq`.

use git_version::git_version;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The commit is part of this small file so that a new one does not compile the library again.
    let commit = git_version!(args = ["--always", "--abbrev=12", "--dirty=+"], fallback = "");
    bsq::Program::bsq(bsq::Registry::standard(), Some(commit).filter(|commit| !commit.is_empty()))
        .run(std::env::args_os())
}

//! The release: its archive, and the files that repeat its version.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    output
}

fn text(command: &mut Command) -> String {
    String::from_utf8(run(command).stdout).unwrap()
}

/// Builds the archive with the program of the tests and unpacks it.
fn unpacked(folder: &Path) -> PathBuf {
    let mut build = Command::new(format!("{ROOT}/release/build"));
    build.arg(folder).env("BSQ", env!("CARGO_BIN_EXE_bsq"));
    let archive = text(&mut build).trim_end().to_string();
    run(Command::new("sha256sum")
        .arg("--check")
        .arg(format!("{archive}.sha256"))
        .current_dir(folder));
    run(Command::new("tar").args(["-xzf", &archive, "-C"]).arg(folder));
    let name = Path::new(&archive).file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(&format!("bsq-{VERSION}-")), "{name}");
    folder.join(name.trim_end_matches(".tar.gz"))
}

#[test]
fn the_archive_can_be_unpacked_checked_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let content = unpacked(folder.path());
    run(Command::new("sha256sum")
        .args(["--check", "--quiet", "SHA256SUMS.txt"])
        .current_dir(&content));
    let sums = std::fs::read_to_string(content.join("SHA256SUMS.txt")).unwrap();
    for part in [
        "./bsq\n",
        "./man/bsq-rpsw-solve.1\n",
        "./completions/bsq.zsh\n",
        "./results/playouts.csv\n",
    ] {
        assert!(sums.contains(part), "{part} is missing in\n{sums}");
    }
    let bsq = || Command::new(content.join("bsq"));
    assert!(text(bsq().arg("--version")).starts_with(&format!("bsq {VERSION} (commit ")));
    let playouts = text(bsq().args(["analyze", "playouts", "--format", "csv"]));
    assert_eq!(playouts, std::fs::read_to_string(content.join("results/playouts.csv")).unwrap());
    let overview = std::fs::read_to_string(content.join("man/bsq.1")).unwrap();
    assert_eq!(overview, text(bsq().arg("man")));
}

#[test]
fn citations_name_the_version() {
    let file = |name: &str| std::fs::read_to_string(format!("{ROOT}/{name}")).unwrap();
    assert!(file("CITATION.cff").contains(&format!("\nversion: {VERSION}\n")));
    let codemeta: serde_json::Value = serde_json::from_str(&file("codemeta.json")).unwrap();
    assert_eq!(codemeta["version"], VERSION);
}

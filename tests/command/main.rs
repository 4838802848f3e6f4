//! Tests of the command: arguments, output and files.
//!
//! Most tests use small boards, which keeps the suite fast. After an intended change of the output,
//! accept the new snapshots with `INSTA_UPDATE=always cargo test --test command`, and read the
//! difference before committing it.

mod any_game;
mod batches;
mod check;
mod choices;
mod corpus;
mod damage;
mod dots;
mod dots_analyze;
mod errors;
mod export;
mod exports;
mod graph;
mod hangs;
mod heuristics;
mod inputs;
mod larger;
mod options;
mod parts;
mod play;
mod playing;
#[cfg(feature = "full")]
mod plot;
mod query;
mod roots;
mod rule_lists;
mod sample;
mod screens;
mod streams;
mod tablebase;

use assert_cmd::Command;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The result of a finished command.
struct Ran {
    out: String,
    err: String,
    code: i32,
}

/// A row of a table by the names of its columns.
type Row = BTreeMap<String, String>;

/// The words of a line as a shell would split it; single quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(i, part)| match i % 2 {
        0 => part.split_whitespace().map(String::from).collect(),
        _ => vec![part.to_string()],
    });
    words.collect()
}

/// The command with its arguments. Its output does not depend on the caller's terminal.
fn bsq(line: &str) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("bsq");
    command.args(words(line)).env_remove("COLUMNS").env_remove("CLICOLOR_FORCE");
    command
}

fn finish(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran {
        out: text(output.stdout),
        err: text(output.stderr),
        code: output.status.code().expect("no signal"),
    }
}

fn run(line: &str) -> Ran {
    finish(bsq(line))
}

/// Standard output of a command that must succeed.
fn out(line: &str) -> String {
    let ran = run(line);
    assert_eq!(ran.code, 0, "bsq {line}\n{}", ran.err);
    ran.out
}

fn json(line: &str) -> Value {
    serde_json::from_str(&out(&format!("{line} --format json"))).unwrap()
}

fn rows(csv: &str) -> Vec<Row> {
    csv::Reader::from_reader(csv.as_bytes()).into_deserialize().map(Result::unwrap).collect()
}

fn table(line: &str) -> Vec<Row> {
    rows(&out(&format!("{line} --format csv")))
}

/// The first words of a list that the command prints.
fn names(line: &str) -> Vec<String> {
    let list = out(line);
    let names = list.lines().map(|line| line.split_whitespace().next().unwrap().to_string());
    names.collect()
}

fn analyses() -> Vec<String> {
    names("analyze list")
}

/// Analyses that `analyze all` leaves out, because they take long.
fn long_analyses() -> Vec<String> {
    let list = out("analyze list");
    let long = list.lines().filter(|line| line.ends_with("only by name)"));
    long.map(|line| line.split_whitespace().next().unwrap().to_string()).collect()
}

/// The names of the files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn words_are_split_as_in_a_shell() {
    assert_eq!(words("solve 'a b' --board 3x4"), ["solve", "a b", "--board", "3x4"]);
    assert_eq!(words("solve '' x"), ["solve", "", "x"]);
}

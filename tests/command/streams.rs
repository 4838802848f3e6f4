//! Tests standard output and error, pipes, the log, and exit codes.

use super::errors::refused;
use super::{bsq, files, finish, json, out, read, run, table, words};
use serde_json::json;
use std::process::{Command, Stdio};

#[test]
fn in_a_pipe_the_default_is_csv() {
    for line in ["solve --board 3x4", "test-heuristic greedy --board 3x4"] {
        assert_eq!(out(line), out(&format!("{line} --format csv")));
    }
    for analysis in super::analyses() {
        let line = format!("analyze {analysis} --board 3x3");
        assert_eq!(out(&line), out(&format!("{line} --format csv")));
    }
}

#[test]
fn csv_is_plain_lines_of_as_many_fields_as_the_header() {
    for analysis in super::analyses() {
        let text = out(&format!("analyze {analysis} --board 3x4 --format csv"));
        assert!(text.ends_with('\n') && !text.contains('\r'), "{analysis}");
        let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(text.as_bytes());
        for name in reader.headers().unwrap() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(!name.is_empty() && name.chars().all(plain), "{analysis} {name}");
        }
        assert!(reader.records().all(|record| record.is_ok()), "{analysis}");
    }
}

#[test]
fn what_is_not_printed_is_mentioned_on_standard_error() {
    let ran = run("analyze states --board 3x3");
    assert_eq!(
        ran.err,
        "also computed: 3 more tables; --table NAME prints one, --out DIR writes everything\n"
    );
    let table = run("analyze states --board 3x3 --format table");
    assert_eq!(
        table.err,
        "also computed: 2 more tables; --table NAME prints one, --out DIR writes everything\n"
    );
    let scores = run("analyze scores --board 3x3");
    let it = "also computed: scores_total; --table scores_total prints it, --out DIR writes everything\n";
    assert_eq!(scores.err, it);
    let one = run("analyze playouts --board 3x3");
    assert_eq!(one.err, "");
    let everything = run("analyze states --board 3x3 --format json");
    assert_eq!(everything.err, "");
}

/// Totals and secondary tables are printed alone, in every format, and nothing else is mentioned.
#[test]
fn a_table_of_several_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    for (choice, name) in
        [("--table total", "states_total"), ("--table states_by_moves", "states_by_moves")]
    {
        let ran = run(&format!("analyze states --board 3x3 {choice}"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let path = folder.path().display();
        assert_eq!(run(&format!("analyze states --board 3x3 --quiet --out {path}")).code, 0);
        assert_eq!(ran.out, read(folder.path(), &format!("{name}.csv")), "{choice}");
        let tables = &json(&format!("analyze states --board 3x3 {choice}"))["tables"];
        assert_eq!((tables.as_array().unwrap().len(), &tables[0]["name"]), (1, &json!(name)));
        let shown = out(&format!("analyze states --board 3x3 {choice} --format table"));
        assert!(
            shown.contains(if name == "states_total" { "in total" } else { "moves" }),
            "{shown}"
        );
    }
    let total = table("test-heuristic greedy --board 3x3 --table total");
    let decisions = &json("test-heuristic greedy --board 3x3")["tables"][0]["total"]["decisions"];
    assert_eq!((total.len(), &total[0]["decisions"]), (1, &decisions.to_string()));
    refused(
        "analyze states --board 3x3 --table turns",
        &["'turns'; there are states, states_total, "],
    );
    refused(
        "analyze openings --board 3x3 --table total",
        &["there is no table 'total'; there are openings"],
    );
}

/// The known numbers of positions and of playouts of tic-tac-toe.
#[test]
fn totals_of_any_game_are_the_known_numbers() {
    for (analysis, known) in [
        ("positions", json!({ "positions": 5478, "canonical": 765, "terminal": 138 })),
        ("playouts", json!({ "playouts": 255_168 })),
        ("depths", json!({ "positions": 5478, "canonical": 765 })),
    ] {
        let total = json(&format!("mnk analyze {analysis}"))["tables"][0]["total"].clone();
        for (column, number) in known.as_object().unwrap() {
            assert_eq!(total[column], *number, "{analysis} {column}");
        }
    }
    let by_ply = table("mnk analyze only-moves");
    let total = &table("mnk analyze only-moves --table total")[0];
    for (column, sum) in total {
        let sums: u64 = by_ply.iter().map(|row| row[column].parse::<u64>().unwrap()).sum();
        assert_eq!(sum, &sums.to_string(), "{column}");
    }
}

#[test]
fn quiet_leaves_standard_error_empty() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    for line in [
        "analyze states --board 3x4".to_string(),
        format!("analyze all --board 3x4 --out '{path}'"),
        format!("analyze all --board 3x4 --format table -q --log '{path}/log'"),
        format!("test-heuristic greedy --board 3x4 --failures '{path}/failures.csv'"),
        format!("solve --board 3x4 --out '{path}'"),
    ] {
        let quiet = if line.contains(" -q") { "" } else { "--quiet" };
        let ran = run(&format!("{line} {quiet}"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "bsq {line}");
        assert_eq!(ran.out, out(&line), "bsq {line}");
    }
}

#[test]
fn what_varies_goes_to_the_log() {
    for line in [
        "solve --board 3x4",
        "analyze all --board 3x4 --format json",
        "test-heuristic greedy --board 3x4",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let logged = out(&format!("{line} --threads 2 --log '{}'", path.display()));
        assert_eq!(logged, out(line));
        assert_eq!(files(folder.path()), ["log"]);
        let log = read(folder.path(), "log");
        assert!(!log.contains('\u{1b}'), "{log}");
        let value = |key: &str| -> f64 {
            let text = log.split_whitespace().find_map(|word| word.strip_prefix(key)).unwrap();
            text.parse().unwrap()
        };
        assert!(value("seconds=") > 0.0, "{log}");
        assert_eq!(value("threads="), 2.0, "{log}");
        if cfg!(target_os = "linux") {
            assert!(value("peak_kib=") > 100.0, "{log}");
        }
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    for line in
        ["analyze all --board 4x4", "solve --board 4x4", "test-heuristic greedy --board 4x4"]
    {
        let [one, three] = [1, 3].map(|threads| json(&format!("{line} --threads {threads}")));
        assert_eq!(one, three, "bsq {line}");
    }
}

#[test]
fn a_pipe_closed_before_the_first_line_ends_quietly() {
    for line in [
        "solve --board 3x4",
        "solve --board 3x4 --format table",
        "solve --board 3x4 --format json",
        "analyze states --board 3x4 --format csv",
        "analyze states --board 3x4 --format table",
        "analyze all --board 3x4 --format json",
        "analyze list",
        "test-heuristic greedy --board 3x4",
        "completions bash",
        "man",
        "help",
    ] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        command.args(words(line)).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "bsq {line}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "bsq {line}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_closed_after_the_first_line_ends_quietly() {
    let script =
        r#"("$0" analyze states --board 4x4 --format csv --quiet; echo "$?" >&2) | head -1"#;
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(assert_cmd::cargo::cargo_bin!("bsq"));
    let output = command.output().unwrap();
    let line = String::from_utf8(output.stdout).unwrap();
    assert!(line.starts_with("turn,player,states,"), "{line}");
    assert_eq!(line.lines().count(), 1);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "0\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for line in [
        "solve --board 3x4",
        "solve --board 3x4 --format json",
        "analyze states --board 3x4 --format table",
        "analyze list",
        "man",
        "completions bash",
        "help",
        "play 3x3 --plain --first random --second random",
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        let output = command.args(words(line)).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "bsq {line}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with("error: ") && error.contains("No space left"), "{error}");
        assert!(error.contains("cannot write to standard output"), "bsq {line}: {error}");
    }
}

/// A file that may not grow, as on a full disk, is named by the error, and nothing is left of it.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_is_named() {
    let mut jobs = vec![
        ("solve --board 6x7 --memory 32MiB --checkpoint FILE", "checkpoint"),
        ("solve --board 6x7 --memory 32MiB --format csv --checkpoint FILE", "checkpoint"),
        ("export states --board 4x4 --out DIR", "all_states.csv"),
        ("test-heuristic greedy --board 4x4 --failures FILE", "checkpoint"),
        ("analyze heuristics --board 3x4 --out DIR", "heuristics"),
        ("analyze heuristics --board 3x4 --format json -o FILE", "checkpoint"),
        ("man --out DIR", ".1"),
    ];
    if cfg!(feature = "full") {
        jobs.push(("export states --board 4x4 --format parquet --out DIR", "all_states.parquet"));
        jobs.push(("analyze scores --board 4x4 --plot FILE.svg", "checkpoint.svg"));
    }
    for (line, name) in jobs {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("checkpoint");
        let line = line.replace("FILE", &file.display().to_string());
        let line = line.replace("DIR", &folder.path().display().to_string());
        let quiet = if line.starts_with("man") { "" } else { "--quiet" };
        let script = format!("ulimit -f 4; exec \"$0\" {line} {quiet}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).arg(assert_cmd::cargo::cargo_bin!("bsq"));
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "bsq {line}\n{error}");
        assert!(error.contains("cannot write ") && error.contains(name), "bsq {line}\n{error}");
        assert_eq!(error.matches("cannot write").count(), 1, "bsq {line}\n{error}");
        let left: Vec<String> = files(folder.path());
        let is_left = |left: &String| left.starts_with('.') || left.starts_with("checkpoint");
        assert!(!left.iter().any(is_left), "bsq {line}: {left:?}");
    }
}

/// The answer of a search is printed although its state cannot be saved.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_without_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let script = r#"ulimit -f 4; exec "$0" solve 5x6 --checkpoint "$1""#;
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(assert_cmd::cargo::cargo_bin!("bsq")).arg(&path);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), out("solve 5x6"));
}

/// Two jobs with one checkpoint would overwrite what the other one has saved.
#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_belongs_to_one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let line = format!("solve --board 7x9 --memory 64MiB --checkpoint {}", path.display());
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    command.args(words(&line)).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until_it_listens(child.id());
    let (lock, began) = (folder.path().join(".checkpoint.lock"), std::time::Instant::now());
    while !lock.exists() {
        assert!(began.elapsed() < std::time::Duration::from_secs(20), "there is no lock");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let rounds = format!("search-heuristic --board 3x3 --checkpoint {}", path.display());
    for second in [&line, &rounds] {
        let ran = run(second);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("checkpoint is in use by another process"), "{}", ran.err);
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!(files(folder.path()), ["checkpoint"]);
}

/// After Ctrl-C the command leaves no files and ends with exit code 130.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_leaves_nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    for line in [
        format!("analyze blunders --out '{path}'"),
        format!("analyze playouts --method explorer --out '{path}'"),
        format!("solve --quiet --board 7x9 --memory 64MiB --out '{path}'"),
        format!("test-heuristic greedy --out '{path}'"),
        format!("test-heuristic greedy --failures '{path}/failures.csv'"),
    ] {
        // A long job, which is stopped as soon as its handler is installed.
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        command.args(words(&line)).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        wait_until_it_listens(child.id());
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "bsq {line}\n{error}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "bsq {line}");
        assert!(error.starts_with("error: ") && error.lines().count() == 1, "{error}");
        assert_eq!(files(folder.path()), [""; 0], "bsq {line}");
    }
}

/// Waits until the process has installed its handler of Ctrl-C, before the job begins.
#[cfg(target_os = "linux")]
pub fn wait_until_it_listens(process: u32) {
    for _ in 0..10_000 {
        if bsq_test_support::signals::listens(process) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("no handler for Ctrl-C within ten seconds");
}

#[test]
fn completions_know_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&format!("completions {shell}"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shell}");
        for word in ["solve", "analyze", "test-heuristic", "center-allowed"] {
            assert!(ran.out.contains(word), "{shell} {word}");
        }
        let has_values = ["bash", "zsh", "fish"].contains(&shell);
        assert!(!has_values || ran.out.contains("mistakes-25"), "{shell}");
    }
}

#[cfg(unix)]
#[test]
fn completions_for_the_shells_at_hand_are_valid() {
    for shell in ["bash", "zsh", "fish"] {
        let mut script = tempfile::NamedTempFile::new().unwrap();
        let text = out(&format!("completions {shell}"));
        std::io::Write::write_all(&mut script, text.as_bytes()).unwrap();
        match Command::new(shell).arg("-n").arg(script.path()).output() {
            Ok(output) => assert!(output.status.success(), "{shell}: {output:?}"),
            Err(error) => eprintln!("{shell} is not installed: {error}"),
        }
    }
}

#[test]
fn the_manual_page_is_roff_and_names_every_subcommand() {
    let page = out("man");
    assert!(page.contains(".TH bsq 1"), "{page}");
    for word in ["solve", "analyze", "test\\-heuristic", "EXAMPLES"] {
        assert!(page.contains(word), "{word}: {page}");
    }
}

#[test]
fn standard_input_is_only_read_when_asked_for() {
    let mut command = bsq("solve --board 3x4");
    command.write_stdin("nonsense");
    assert_eq!(finish(command).out, out("solve --board 3x4"));
}

/// Starts a job and stops it with a signal once its checkpoint has at least `size` bytes. Returns
/// the exit code, if there is one, and the message.
#[cfg(target_os = "linux")]
pub fn stop(
    line: &str,
    folder: &std::path::Path,
    signal: &str,
    size: u64,
) -> (Option<i32>, String) {
    use std::time::{Duration, Instant};
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
    command.args(words(line)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let checkpoint = folder.join("checkpoint");
    let began = Instant::now();
    while std::fs::metadata(&checkpoint).map_or(0, |file| file.len()) < size {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint");
        std::thread::sleep(Duration::from_millis(1));
    }
    if signal == "-INT" {
        // A resumed job has a checkpoint before its signal handler is installed.
        wait_until_it_listens(child.id());
    }
    let began = Instant::now();
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(output.stdout, b"", "{line}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

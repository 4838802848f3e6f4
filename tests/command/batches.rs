//! Values of many positions: formats, tables as input, and what does not depend on their number.

use super::{Row, bsq, finish, rows};
use serde_json::Value;
use std::path::Path;

/// Positions and moves of every game, with errors.
const INPUTS: [(&str, &str); 4] = [
    ("solve - --board 3x4", "..../..../.... X\n\nno\nb1 d3 # moves\nX.../..../...O X\n"),
    ("dots solve - --board 2x2 --penalty -1/2 --loony", "../...../../...../.. A\n-\na1-a2,c3-c2\n"),
    ("mnk solve -", "b2\nXX./OO./...\nb2 b2\nXXX/OO./...\n"),
    ("rpsw solve - --board 4x3 --pieces 2", ".sw/.../.../PR. first\n...\n"),
];

/// The answers to typed inputs.
fn answers(line: &str, typed: impl Into<Vec<u8>>) -> String {
    let mut command = bsq(line);
    command.write_stdin(typed);
    finish(command).out
}

/// A value of JSON as it stands in CSV.
fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[test]
fn csv_and_json_lines_have_the_same_rows() {
    for (line, typed) in INPUTS {
        for flags in ["", "--values", "--values --pv"] {
            let line = format!("{line} {flags}");
            let csv = rows(&answers(&line, typed));
            let json = answers(&format!("{line} --format jsonl"), typed);
            let json = json.lines().map(|row| {
                let row: serde_json::Map<String, Value> = serde_json::from_str(row).unwrap();
                row.iter().map(|(name, value)| (name.clone(), field(value))).collect::<Row>()
            });
            assert_eq!(json.collect::<Vec<_>>(), csv, "{line}");
            let errors = csv.iter().filter(|row| !row["error"].is_empty());
            assert_eq!(errors.count(), 1, "{line}");
        }
    }
}

/// A size, with which `solve` begins a game, is not a position.
#[test]
fn a_size_is_not_a_line() {
    for (game, size) in [("", "5x5"), ("dots ", "3x3"), ("rpsw ", "6x4"), ("mnk ", "3 x 3")] {
        let found = rows(&answers(&format!("{game}solve -"), format!("{size}\n")));
        let says = format!("'{size}' is a size and not a position");
        assert!(found[0]["error"].starts_with(&says), "{game}{:?}", found[0]);
    }
}

/// The columns that every game has come first.
#[test]
fn the_first_columns_are_those_of_every_game() {
    for (line, typed) in INPUTS {
        let header = |flags: &str| {
            answers(&format!("{line} {flags}"), typed).lines().next().unwrap().to_string()
        };
        let positions = "line,position,outcome,score,score_min,score_max,proved,plies,best,error";
        assert!(header("").starts_with(positions), "{line}");
        let moves = "line,position,move,outcome,score,cost,best,error";
        assert!(header("--values").starts_with(moves), "{line}");
    }
}

/// The best move of a position is one of those that `--values` marks, and has its value.
#[test]
fn the_best_move_is_best() {
    for (line, typed) in INPUTS {
        let moves = rows(&answers(&format!("{line} --values"), typed));
        for position in rows(&answers(line, typed)).iter().filter(|row| !row["best"].is_empty()) {
            let same = |mv: &&Row| mv["line"] == position["line"] && mv["move"] == position["best"];
            let mv = moves.iter().find(same).unwrap();
            assert_eq!(mv["best"], "true", "{line}: {position:?}");
            for column in ["position", "outcome", "score"] {
                assert_eq!(mv[column], position[column], "{line}");
            }
        }
    }
}

/// The command reads the tables that it writes.
#[test]
fn tables_are_inputs() {
    let folder = tempfile::tempdir().unwrap();
    for (line, typed) in INPUTS {
        let line = line.replace(" --loony", "");
        let expected = rows(&answers(&line, typed));
        let known: Vec<&Row> = expected.iter().filter(|row| row["error"].is_empty()).collect();
        let files: &[&str] =
            if cfg!(feature = "full") { &["a.csv", "a.parquet"] } else { &["a.csv"] };
        for name in files {
            let path = folder.path().join(name);
            answers(&format!("{line} -o '{}'", path.display()), typed);
            let table = std::fs::read(&path).unwrap();
            let found = rows(&answers(&line, table));
            let (wrong, right): (Vec<&Row>, Vec<&Row>) =
                found.iter().partition(|row| row["position"].is_empty());
            assert_eq!(wrong.len(), 1, "{line} {name}");
            assert_eq!(wrong[0]["error"], "the column 'position' is empty");
            assert_eq!(right.len(), known.len());
            for (found, known) in right.iter().zip(&known) {
                for column in ["position", "outcome", "score", "plies", "best"] {
                    assert_eq!(found[column], known[column], "{line} {name}");
                }
            }
        }
    }
}

#[test]
fn columns_of_csv_are_found_by_their_name() {
    let typed = "\u{feff}# a comment\r\nname, position ,x\r\none,X../.../...,\"a, b\"\r\n\r\n\
                 \"one, two\",\"b2,a1\",3\r\nshort\r\n";
    let found = rows(&answers("mnk solve -", typed));
    let found: Vec<[&str; 3]> =
        found.iter().map(|row| [&*row["line"], &*row["position"], &*row["error"]]).collect();
    let missing = "the column 'position' is empty";
    assert_eq!(found, [["3", "X../.../...", ""], ["5", "O../.X./...", ""], ["6", "", missing]]);
}

/// Files are described by a manifest, and appear together.
#[test]
fn rows_are_written_to_a_folder_and_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (out, file) = (folder.path().join("out"), folder.path().join("rows.jsonl"));
    for (line, typed) in INPUTS {
        let to = format!("--values --out '{}' -o '{}'", out.display(), file.display());
        assert_eq!(answers(&format!("{line} {to}"), typed), "");
        assert_eq!(read(&out.join("solve.csv")), answers(&format!("{line} --values"), typed));
        let json = answers(&format!("{line} --values --format jsonl"), typed);
        assert_eq!(read(&file), json);
        let manifest: Value = serde_json::from_str(&read(&out.join("datapackage.json"))).unwrap();
        let entry = &manifest["resources"][0];
        assert_eq!(entry["rows"], json.lines().count());
        let command = entry["command"].as_str().unwrap();
        assert!(command.contains("solve - ") && command.contains(" --values"), "{command}");
        let fields = entry["schema"]["fields"].as_array().unwrap();
        let names: Vec<&str> = fields.iter().map(|field| field["name"].as_str().unwrap()).collect();
        assert_eq!(names.join(","), read(&out.join("solve.csv")).lines().next().unwrap());
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// There is a row for every line, in their order, and the memory does not depend on their number.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_depend_on_the_number_of_lines() {
    let lines = ["..../..../.... X", "no position", "X.../..../...O X", "b1 d3", ""];
    let peak = |count: usize| {
        let typed: String = (0..count).map(|at| format!("{}\n", lines[at % lines.len()])).collect();
        let mut command = bsq("solve - --board 3x4 --verbose");
        command.write_stdin(typed);
        let ran = finish(command);
        let expected = (1..=count).filter(|line| line % lines.len() != 0);
        let found = ran.out.lines().skip(1).map(|row| row.split(',').next().unwrap());
        assert!(found.eq(expected.map(|line| line.to_string())));
        let of_memory = ran.err.split(" of memory at most").next().unwrap();
        let words: Vec<&str> = of_memory.split_whitespace().rev().take(2).collect();
        assert_eq!(words[0], "MiB", "{}", ran.err);
        words[1].parse::<f64>().unwrap()
    };
    let (few, many) = (peak(20_000), peak(300_000));
    assert!(many < few + 8.0, "{few} and {many} MiB");
}

/// Binary formats have integers as integers, fractions as text, and gaps.
#[cfg(feature = "full")]
mod columns {
    use super::{INPUTS, answers, bsq, finish, rows};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    /// A damaged file is an error or has other rows, and never a panic.
    #[test]
    fn damaged_parquet_is_read_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        answers(&format!("mnk solve - -o '{}'", path.display()), "b2\nXX./OO./...\nb2 a1\n");
        let whole = std::fs::read(&path).unwrap();
        let mut state = 1978u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..60 {
            let mut damaged = whole.clone();
            damaged[4 + random(whole.len() - 4)] ^= 1 << random(8);
            damaged.truncate(if random(5) == 0 {
                4 + random(whole.len() - 4)
            } else {
                whole.len()
            });
            let mut command = bsq("mnk solve -");
            command.write_stdin(damaged);
            let ran = finish(command);
            assert!((0..=2).contains(&ran.code), "{}", ran.code);
            let is_panic = ran.err.contains("panicked");
            assert!(
                !is_panic || ran.err.contains("the table of Parquet is damaged"),
                "{}",
                ran.err
            );
        }
    }

    #[test]
    fn parquet_has_the_rows_of_csv_with_exact_types() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        for (line, typed) in INPUTS {
            for flags in ["", "--values"] {
                let line = format!("{line} {flags}");
                answers(&format!("{line} -o '{}'", path.display()), typed);
                let csv = rows(&answers(&line, typed));
                let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
                let found: Vec<_> = file.get_row_iter(None).unwrap().map(Result::unwrap).collect();
                assert_eq!(found.len(), csv.len());
                for (row, expected) in found.iter().zip(&csv) {
                    for (name, field) in row.get_column_iter() {
                        let text = match field {
                            Field::Null => String::new(),
                            Field::Long(number) => number.to_string(),
                            Field::Int(number) => number.to_string(),
                            Field::Bool(truth) => truth.to_string(),
                            Field::Str(text) => text.clone(),
                            other => panic!("{other}"),
                        };
                        assert_eq!(text, expected[name], "{line} {name}");
                        let has_fractions = line.contains("-1/2");
                        let is_text = matches!(field, Field::Str(_));
                        if ["score", "cost", "to_come"].contains(&&**name) && !text.is_empty() {
                            assert_eq!(is_text, has_fractions, "{line} {name}");
                        }
                    }
                }
            }
        }
    }
}

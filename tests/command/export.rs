//! Tests exports of whole tables with their manifest.

use super::errors::refused;
use super::{Row, files, names, out, read, rows, run, words};
use assert_cmd::Command;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;

/// Runs an export into the folder, which must print nothing.
fn export(line: &str, folder: &Path) {
    let ran = run(&format!("export {line} --quiet --out '{}'", folder.display()));
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""), "bsq export {line}");
}

fn resources(folder: &Path) -> Vec<Value> {
    let manifest: Value = serde_json::from_str(&read(folder, "datapackage.json")).unwrap();
    manifest["resources"].as_array().unwrap().clone()
}

/// Returns the only entry of the manifest, after comparing it with its file.
fn checked_entry(folder: &Path) -> Value {
    let [entry] = &resources(folder)[..] else { panic!("one entry") };
    check(folder, entry);
    entry.clone()
}

fn check(folder: &Path, entry: &Value) {
    let bytes = std::fs::read(folder.join(entry["path"].as_str().unwrap())).unwrap();
    let is_csv = entry["format"] == "csv";
    let length = if is_csv { bytes.len().into() } else { Value::Null };
    assert_eq!(entry["bytes"], length);
    let hex: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(entry["hash"], format!("sha256:{hex}"));
    let command = entry["command"].as_str().unwrap();
    assert!(command.starts_with("bsq export states --board "), "{command}");
    assert!(command.ends_with(if is_csv { " --out ." } else { " --format parquet --out ." }));
    assert_eq!(entry["version"], env!("CARGO_PKG_VERSION"));
    for field in entry["schema"]["fields"].as_array().unwrap() {
        assert!(field["description"].as_str().unwrap().len() > 3, "{field}");
    }
}

fn states(folder: &Path) -> Vec<Row> {
    rows(&read(folder, "all_states.csv"))
}

#[test]
fn every_state_is_a_line_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    export("states --board 3x3 --bias 1", folder.path());
    assert_eq!(files(folder.path()), ["all_states.csv", "datapackage.json"]);
    let entry = checked_entry(folder.path());
    assert_eq!((&entry["rows"], &entry["rules"]["bias"]), (&74.into(), &1.into()));
    assert_eq!([&entry["format"], &entry["mediatype"]], ["csv", "text/csv"]);
    let text = read(folder.path(), "all_states.csv");
    let lines: Vec<&str> = text.lines().take(3).collect();
    let wanted = [
        "turn,player,first_cells,second_cells,value,moves,move_cells,perfect,perfect_cells,pass,over,position",
        "1,first,0,0,0,8,495,4,325,false,false,.../.../... X",
        "2,second,1,0,0,6,500,1,16,false,false,X../.../... O",
    ];
    assert_eq!(lines, wanted);
    let head: Vec<&str> = wanted[0].split(',').collect();
    let fields = entry["schema"]["fields"].as_array().unwrap();
    assert!(fields.iter().map(|field| field["name"].as_str().unwrap()).eq(head));
    let found = states(folder.path());
    assert_eq!(found.len(), 74);
    let of_type = |kind: &str, text: &str| match kind {
        "integer" => text.parse::<i32>().is_ok(),
        "boolean" => text == "true" || text == "false",
        kind => kind == "string" && !text.is_empty(),
    };
    for (row, field) in found.iter().flat_map(|row| fields.iter().map(move |f| (row, f))) {
        let text = &row[field["name"].as_str().unwrap()];
        assert!(of_type(field["type"].as_str().unwrap(), text), "{field}: {text}");
    }
}

/// Compares rows of the export with `bsq solve`.
#[test]
fn rows_agree_with_the_search_by_territory() {
    let folder = tempfile::tempdir().unwrap();
    export("states --board 3x4", folder.path());
    for row in states(folder.path()).iter().step_by(29) {
        let solved = super::json(&format!("solve --board 3x4 '{}'", row["position"]));
        assert_eq!(solved["value"]["score"].to_string(), row["value"], "{row:?}");
        let moves = solved["moves"].as_array().unwrap().iter();
        let best = moves.filter(|mv| mv["class"] == "best");
        let tiles = best.filter_map(|mv| mv["move"].as_str()?.parse::<u32>().ok()); // no pass
        let cells: u64 = tiles.map(|tile| 1 << (tile - 1)).sum();
        assert_eq!(cells.to_string(), row["perfect_cells"], "{row:?}");
    }
}

#[test]
fn one_thread_and_three_write_the_same_bytes() {
    for format in formats() {
        let [one, three] = [1, 3].map(|threads| {
            let folder = tempfile::tempdir().unwrap();
            let line = format!("states --board 4x4 --format {format} --threads {threads}");
            export(&line, folder.path());
            folder
        });
        assert_eq!(files(one.path()), files(three.path()));
        for name in files(one.path()) {
            let [one, three] = [&one, &three].map(|f| std::fs::read(f.path().join(&name)).unwrap());
            assert!(one == three, "{name}");
        }
    }
}

/// Formats that this build writes.
fn formats() -> &'static [&'static str] {
    if cfg!(feature = "full") { &["csv", "parquet"] } else { &["csv"] }
}

#[test]
fn other_entries_of_a_folder_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    out(&format!("analyze states --board 3x3 --quiet --out '{path}'"));
    let before = resources(folder.path());
    for board in ["3x4", "3x3"] {
        for format in formats() {
            export(&format!("states --board {board} --format {format}"), folder.path());
        }
    }
    let is_ours =
        |entry: &Value| entry["command"].as_str().unwrap().starts_with("bsq export states ");
    let (ours, others): (Vec<Value>, Vec<Value>) =
        resources(folder.path()).into_iter().partition(is_ours);
    assert_eq!(others, before);
    assert_eq!(ours.len(), formats().len());
    for entry in ours {
        check(folder.path(), &entry);
        assert_eq!(entry["rules"]["board"], "3x3");
    }
}

#[test]
fn progress_is_told_unless_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&format!("export states --board 3x3 --out '{}'", folder.path().display()));
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let lines: Vec<&str> = ran.err.lines().collect();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with("wrote ")), "{lines:?}");
}

#[test]
fn the_list_names_what_there_is() {
    assert_eq!(names("export list"), ["states", "positions", "moves"]);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let to = format!("--out '{}'", folder.path().join("new").display());
    refused("export", &["<TABLE>", "Usage: bsq export"]);
    refused(&format!("export state {to}"), &["'state'", "a similar value exists: 'states'"]);
    refused(
        &format!("export everything {to}"),
        &["'everything'", "states, positions, moves, list"],
    );
    refused("export states --board 3x3", &["which folder", "--out DIR"]);
    refused(
        &format!("export states --format xlsx {to}"),
        &["'xlsx'", "csv, jsonl, parquet, arrow"],
    );
    for board in ["2x13", "5x6", "8x8"] {
        let says = [&format!("a {board} board has "), "up to 25 cells"];
        refused(&format!("export states --board {board} {to}"), &says);
    }
    refused(&format!("export states --board 3x3 --bias 65 {to}"), &["-64 to 64"]);
    refused(&format!("export states --board 3x3 --pieces 0 {to}"), &["from 1 to 64"]);
    assert_eq!(files(folder.path()), [""; 0]);
}

#[cfg(not(feature = "full"))]
#[test]
fn parquet_is_in_full_builds() {
    let folder = tempfile::tempdir().unwrap();
    for line in ["export states", "analyze playouts"] {
        let line = format!("{line} --format parquet --out '{}'", folder.path().display());
        refused(&line, &["no Parquet", "--format csv", "--features full"]);
    }
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_manifest_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("datapackage.json"), "{}").unwrap();
    let line = format!("export states --board 3x3 --out '{}'", folder.path().display());
    refused(&line, &["datapackage.json is not a manifest of this program"]);
    assert_eq!(files(folder.path()), ["datapackage.json"]);
    assert_eq!(read(folder.path(), "datapackage.json"), "{}");
}

/// A limit on file sizes simulates a full disk; existing files remain.
#[cfg(target_os = "linux")]
#[test]
fn without_room_nothing_is_left() {
    for format in formats() {
        let folder = tempfile::tempdir().unwrap();
        export(&format!("states --board 3x3 --format {format}"), folder.path());
        let before: Vec<Vec<u8>> = contents(folder.path());
        let line = format!("export states --board 4x4 --format {format} --quiet --out");
        let script = r#"trap '' XFSZ; ulimit -f 8; exec "$0" "$@""#;
        let mut command = Command::new("bash");
        command.args(["-c", script]).arg(assert_cmd::cargo::cargo_bin!("bsq"));
        let output = command.args(words(&line)).arg(folder.path()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        let name = format!("all_states.{format}");
        assert!(error.starts_with("error: cannot write ") && error.contains(&name), "{error}");
        assert!(error.contains("File too large") && error.lines().count() == 1, "{error}");
        assert_eq!(contents(folder.path()), before, "{format}");
    }
}

/// The bytes of all files of a folder.
#[cfg(target_os = "linux")]
fn contents(folder: &Path) -> Vec<Vec<u8>> {
    files(folder).iter().map(|name| std::fs::read(folder.join(name)).unwrap()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_export_leaves_nothing() {
    use std::process::Stdio;
    for format in formats() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bsq"));
        let line = format!("export states --format {format} --out '{}'", folder.path().display());
        command.args(words(&line)).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        // Rows are being written once there is a file, which still has a temporary name.
        super::streams::wait_until_it_listens(child.id());
        let begun = std::time::Instant::now();
        while files(folder.path()).is_empty() && begun.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let process = child.id().to_string();
        let kill = std::process::Command::new("kill").args(["-INT", &process]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{error}");
        assert!(error.contains("stopped before the end"), "{error}");
        assert_eq!(files(folder.path()), [""; 0]);
    }
}

/// Helpers that read Parquet files.
#[cfg(feature = "full")]
mod parquet_files {
    use super::*;
    use parquet::basic::Compression;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::statistics::Statistics;
    use parquet::record::Field;

    fn open(folder: &Path) -> SerializedFileReader<std::fs::File> {
        let file = std::fs::File::open(folder.join("all_states.parquet")).unwrap();
        SerializedFileReader::new(file).unwrap()
    }

    fn text(field: &Field) -> String {
        match field {
            Field::Byte(n) => n.to_string(),
            Field::Int(n) => n.to_string(),
            Field::Bool(yes) => yes.to_string(),
            Field::Str(text) => text.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn parquet_says_what_csv_says() {
        for line in
            ["--board 3x3 --center-allowed", "--board 4x4 --bias -2", "--board 3x4 --pieces 2"]
        {
            let folder = tempfile::tempdir().unwrap();
            for format in formats() {
                export(&format!("states {line} --format {format}"), folder.path());
            }
            let [csv, parquet] = &resources(folder.path())[..] else { panic!("two entries") };
            assert_eq!([&csv["name"], &parquet["name"]], ["all-states", "all-states-parquet"]);
            for key in ["rows", "schema", "rules", "title", "description"] {
                assert_eq!(csv[key], parquet[key], "{key}");
            }
            check(folder.path(), csv);
            check(folder.path(), parquet);
            assert_eq!(parquet["format"], "parquet");
            assert_eq!(parquet.get("encoding"), None);

            let wanted = states(folder.path());
            let found = open(folder.path());
            assert_eq!(found.metadata().file_metadata().num_rows(), wanted.len() as i64);
            for (row, wanted) in found.get_row_iter(None).unwrap().zip(&wanted) {
                let row = row.unwrap();
                let row: Row =
                    row.get_column_iter().map(|(name, f)| (name.clone(), text(f))).collect();
                assert_eq!(&row, wanted);
            }
        }
    }

    #[test]
    fn any_table_is_written_as_parquet_with_exact_types() {
        let types = |line: &str| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("table.parquet");
            out(&format!("{line} -o '{}'", path.display()));
            let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
            let schema = file.metadata().file_metadata().schema_descr();
            let of = |c: &parquet::schema::types::ColumnDescPtr| {
                let is_optional = if c.max_def_level() > 0 { "?" } else { "" };
                format!("{}{is_optional} {}", c.name(), c.physical_type())
            };
            let types: Vec<String> = schema.columns().iter().map(of).collect();
            let rows = file.get_row_iter(None).unwrap();
            let rows = rows.map(|row| {
                let row = row.unwrap();
                row.get_column_iter().map(|(_, field)| field.to_string()).collect::<Vec<_>>()
            });
            (types.join(", "), rows.collect::<Vec<_>>())
        };
        let (columns, rows) = types("dots analyze rules --board 1x1");
        let shares = "fails_share? DOUBLE, fails_badly INT64, badly_share? DOUBLE";
        let wanted =
            "rule BYTE_ARRAY, kind BYTE_ARRAY, positions INT64, mistakable INT64, fails INT64";
        assert_eq!(columns, format!("{wanted}, {shares}"));
        assert!(rows.iter().any(|row| row[5] == "null"), "{rows:?}");
        for (board, kind) in [
            ("3x3", "INT64"),
            ("5x5", "INT64"),
            ("6x6", "FIXED_LEN_BYTE_ARRAY"),
            ("4x15", "BYTE_ARRAY"),
        ] {
            let line = format!("analyze playouts --board {board}");
            let (columns, rows) = types(&line);
            assert!(
                columns.starts_with(&format!("rules BYTE_ARRAY, playouts {kind}, ")),
                "{columns}"
            );
            let wanted = &super::super::table(&line)[0]["playouts"];
            assert_eq!(rows[0][1].trim_matches('"').trim_end_matches('.'), wanted.as_str());
        }
        let (columns, _) = types("analyze boards --board 1x3");
        assert!(columns.contains("center_allowed BOOLEAN, value INT64"), "{columns}");
    }

    #[test]
    fn a_folder_of_parquet_is_described_like_one_of_csv() {
        let folder = tempfile::tempdir().unwrap();
        for format in ["csv", "parquet"] {
            let quiet = "--quiet --format";
            let to = folder.path().display();
            let line = format!("analyze states --board 3x3 {quiet} {format} --out '{to}'");
            let printed = out(&line);
            assert_eq!(printed.is_empty(), format == "parquet", "{printed}");
        }
        let entries = resources(folder.path());
        assert_eq!(entries.len(), 8);
        for csv in entries.iter().filter(|entry| entry["format"] == "csv") {
            let name = format!("{}-parquet", csv["name"].as_str().unwrap());
            let parquet = entries.iter().find(|entry| entry["name"] == name).unwrap();
            for key in ["rows", "schema", "rules", "title", "description"] {
                assert_eq!(csv[key], parquet[key], "{key}");
            }
        }
        let large = "analyze playouts --board 4x15 --quiet --format parquet";
        out(&format!("{large} --out '{}'", folder.path().display()));
        let entries = resources(folder.path());
        let field = &entries[0]["schema"]["fields"][1];
        assert_eq!((&field["name"], &field["type"]), (&"playouts".into(), &"string".into()));
        assert!(field["description"].as_str().unwrap().contains("more than 38 digits"));
    }

    #[test]
    fn parquet_needs_a_file() {
        refused("analyze playouts --format parquet", &["-o FILE or --out DIR"]);
        refused("analyze all --format parquet -o x.parquet", &["do not fit one Parquet file"]);
        refused("solve - --format parquet", &["-o FILE or --out DIR"]);
    }

    #[test]
    fn columns_are_typed_compressed_and_have_statistics() {
        let folder = tempfile::tempdir().unwrap();
        export("states --board 4x5 --format parquet", folder.path());
        let file = open(folder.path());
        let schema = file.metadata().file_metadata().schema_descr();
        let types: Vec<String> = schema
            .columns()
            .iter()
            .map(|c| format!("{} {}", c.name(), c.physical_type()))
            .collect();
        let wanted = [
            "turn INT32",
            "player BYTE_ARRAY",
            "first_cells INT32",
            "second_cells INT32",
            "value INT32",
            "moves INT32",
            "move_cells INT32",
            "perfect INT32",
            "perfect_cells INT32",
            "pass BOOLEAN",
            "over BOOLEAN",
            "position BYTE_ARRAY",
        ];
        assert_eq!(types, wanted);
        let groups = file.metadata().row_groups();
        assert!(groups.len() > 1, "more than a group, so that readers can skip some");
        for column in groups.iter().flat_map(|group| group.columns()) {
            assert!(matches!(column.compression(), Compression::ZSTD(_)));
            assert!(column.statistics().is_some());
        }
        // Small integers are also stored with a sign, in the full width of the column.
        let values = groups.iter().map(|group| match group.column(4).statistics().unwrap() {
            Statistics::Int32(values) => [*values.min_opt().unwrap(), *values.max_opt().unwrap()],
            other => panic!("{other:?}"),
        });
        let values: Vec<[i32; 2]> = values.collect();
        let ends = (values.iter().map(|v| v[0]).min(), values.iter().map(|v| v[1]).max());
        let scores = super::super::table("analyze scores --board 4x5");
        let scores = scores.iter().map(|row| row["score"].parse::<i32>().unwrap());
        let scores: Vec<i32> = scores.collect();
        assert_eq!(ends, (scores.iter().min().copied(), scores.iter().max().copied()));
    }
}

//! `bsq dots`.

use super::errors::{fails, refused};
use super::{files, json, out, run, table};

#[test]
fn every_position_of_a_small_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("2x3").display().to_string();
    let line = format!("dots enumerate 2x3 --out {path}");
    let rows = table(&line);
    assert_eq!((rows[0]["value"].as_str(), rows[0]["book"].as_str()), ("-2", "17"));
    refused(&line, &["holds a run of 2x3 in rows of", "--resume"]);
    refused(&format!("{line} --penalty -1 --resume"), &["not of 2x3 with a penalty of -1"]);
    assert_eq!(table(&format!("{line} --resume")), rows);
    let verified = table(&format!("dots verify {path}"));
    assert_eq!(verified[2]["count"], rows[0]["positions"]);
    let file = format!("{path}/layer-00");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[7] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    fails(1, &format!("dots verify {path}"), &["layer-00 is damaged: its checksum is wrong"]);
}

#[test]
fn a_book_of_a_variant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book").display().to_string();
    let line = format!("dots enumerate 3x3 --variant swedish --book 15 --out {path} --quiet");
    let answer = json(&line);
    assert_eq!(answer["rules"]["start"], "swedish");
    let stored = answer["tables"][1]["rows"].as_array().unwrap();
    // The 12 lines along the border are drawn at the start, and up to three of the 12 others later.
    let lines: Vec<u64> = stored.iter().map(|row| row["lines"].as_u64().unwrap()).collect();
    assert_eq!(lines, [12, 13, 14, 15]);
    assert!(out(&format!("dots verify {path} --format table")).contains("3x3 swedish"));
}

#[test]
fn chains_of_the_start_are_one_line_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chains").display().to_string();
    // Three boxes along the top, with four lines, and the middle one below, with two.
    let start = "---/......./---/......./.../..|.|../...";
    let line = format!("dots enumerate --from {start} --out {path}");
    let ran = run(&line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for text in ["2 chains of the start count as one line each", "12 lines to draw, not 16"] {
        assert!(ran.err.contains(text), "{}", ran.err);
    }
    let rows = table(&format!("{line} --resume"));
    assert_eq!((rows[0]["chains"].as_str(), rows[0]["book"].as_str()), ("2", "20"));
    let verified = table(&format!("dots verify {path}"));
    assert_eq!(verified[3]["count"], "10000");
    // After a chain is opened in the middle, all values are known.
    for drawn in [start, "---/..|..../---/......./.../..|.|../..."] {
        let found = run(&format!("dots probe {path} {drawn} --format csv"));
        assert_eq!((found.code, found.err.as_str()), (0, ""), "{drawn}");
        let searched = json(&format!("dots solve {drawn} --moves --no-line"));
        let value = searched["value"].as_i64();
        let probed = table(&format!("dots probe {path} {drawn}"));
        assert_eq!(probed[0]["score"].parse().ok(), value, "{drawn}");
    }
}

#[test]
fn runs_that_there_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run").display().to_string();
    refused(&format!("dots enumerate 0x3 --out {path}"), &["at least one row"]);
    refused(&format!("dots enumerate wide --out {path}"), &["'wide' is no board"]);
    refused(&format!("dots enumerate 2x2 --penalty 1 --out {path}"), &["from -123 to 0"]);
    refused(&format!("dots enumerate 2x2 --out {path} --resume"), &["holds no run"]);
    refused(&format!("dots enumerate 3x4 --out {path} --memory 1MiB"), &["of memory is too small"]);
    refused(&format!("dots enumerate 3x4 --out {path} --disk 50MiB"), &["this takes 177"]);
    refused(&format!("dots enumerate 5x5 --out {path}"), &["positions are too many"]);
    refused(&format!("dots verify {path}"), &["holds no run"]);
    assert!(files(folder.path()).is_empty());
    assert_eq!(run(&format!("dots enumerate 1x1 --out {path} --quiet")).code, 0);
}

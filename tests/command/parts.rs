//! Tests of counts in parts, and of memory limits of counts.

use super::errors::{COUNTING, fails, refused};
use super::{files, out, read, run};
use std::path::Path;

/// Counts parts of an analysis into files of a folder, `1.part` and so on.
fn count_parts(folder: &Path, analysis: &str, parts: u64) {
    for part in 1..=parts {
        let path = folder.join(format!("{part}.part")).display().to_string();
        let ran =
            run(&format!("analyze {analysis} --method sets --part {part}/{parts} -o '{path}'"));
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        assert_eq!(ran.err, format!("wrote {path}\n"));
    }
}

/// The command that merges files of a folder.
fn merge(folder: &Path, names: &[&str]) -> String {
    let names = names.iter().map(|name| format!(" '{}'", folder.join(name).display()));
    format!("merge{}", names.collect::<String>())
}

#[test]
fn merged_parts_are_the_undivided_count() {
    for (analysis, parts) in [
        ("states --board 4x5", 3),
        ("states --board 3x5 --center-allowed --bias 2", 1),
        ("terminals --board 3x5 --pieces 3", 7),
        ("terminals --board 1x1", 2),
    ] {
        let folder = tempfile::tempdir().unwrap();
        count_parts(folder.path(), analysis, parts);
        let mut names = files(folder.path());
        names.reverse();
        names.rotate_left(parts as usize / 2);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let merge = merge(folder.path(), &names);
        for format in ["table", "csv", "json"] {
            let whole = run(&format!("analyze {analysis} --format {format}"));
            let merged = run(&format!("{merge} --format {format}"));
            assert_eq!((merged.out, merged.err), (whole.out, whole.err), "{analysis} {format}");
        }
        let [merged, whole] = ["merged", "whole"].map(|name| folder.path().join(name));
        out(&format!("{merge} --quiet --out '{}'", merged.display()));
        out(&format!("analyze {analysis} --quiet --out '{}'", whole.display()));
        assert_eq!(files(&merged), files(&whole));
        for name in files(&whole) {
            assert_eq!(read(&merged, &name), read(&whole, &name), "{analysis} {name}");
        }
    }
}

#[test]
fn parts_that_do_not_make_up_a_count_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    count_parts(folder, "states --board 3x4", 3);
    let all = merge(folder, &["1.part", "2.part", "3.part"]);
    out(&all);
    let says = ["of 3 parts of 'states' of 3x4 standard, these are missing: 2-3"];
    refused(&merge(folder, &["1.part"]), &says);
    refused(&merge(folder, &["1.part", "3.part"]), &["these are missing: 2"]);
    refused(&format!("{all} '{}'", folder.join("2.part").display()), &["are both part 2/3"]);
    for (other, found) in [
        ("terminals --board 3x4", "4.part is one of 3 parts of 'terminals' of 3x4 standard"),
        ("states --board 3x4 --bias 1", "4.part is one of 3 parts of 'states' of 3x4 bias 1"),
    ] {
        let path = folder.join("4.part").display().to_string();
        out(&format!("analyze {other} --method sets --part 2/3 -o '{path}'"));
        let says = [found, "1.part is one of 3 parts of 'states' of 3x4 standard"];
        refused(&merge(folder, &["1.part", "4.part", "3.part"]), &says);
    }
    let path = folder.join("5.part").display().to_string();
    out(&format!("analyze states --board 3x4 --method sets --part 2/4 -o '{path}'"));
    let says = ["5.part is one of 4 parts"];
    refused(&merge(folder, &["1.part", "5.part", "3.part"]), &says);
    fails(1, &merge(folder, &["6.part"]), &["cannot read", "6.part"]);
    refused("merge README.md", &["README.md is not a part of a count"]);
    refused("merge", &["<FILES>"]);
}

/// Every file is put in the place of every other one, of the same count and of another.
#[test]
fn moved_parts_are_refused() {
    let folders = ["states --board 3x3", "terminals --board 3x3"].map(|analysis| {
        let folder = tempfile::tempdir().unwrap();
        count_parts(folder.path(), analysis, 3);
        folder
    });
    let paths = folders.each_ref().map(|folder| {
        (1..=3).map(|part| folder.path().join(format!("{part}.part"))).collect::<Vec<_>>()
    });
    for own in &paths {
        for place in own {
            let bytes = std::fs::read(place).unwrap();
            for other in paths.iter().flatten() {
                std::fs::write(place, std::fs::read(other).unwrap()).unwrap();
                let merged = bsq_analyses::parts::merge(own);
                assert_eq!(merged.is_ok(), place == other, "{}", other.display());
                std::fs::write(place, &bytes).unwrap();
            }
        }
    }
}

/// No change of a byte goes unnoticed.
#[test]
fn damaged_parts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    count_parts(folder.path(), "states --board 2x2", 1);
    let path = folder.path().join("1.part");
    let whole = std::fs::read(&path).unwrap();
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        bsq_analyses::parts::CountedPart::read(&path)
    };
    read(&whole).unwrap();
    for at in 0..whole.len() {
        for change in [1, 0x20, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            let error = read(&bytes).expect_err("a byte was changed").to_string();
            assert!(error.contains("1.part"), "{at}: {error}");
        }
        read(&whole[..at]).expect_err("the end is missing");
    }
    read(&[&whole[..], b"\n"].concat()).expect_err("something follows");
    let text = String::from_utf8(whole).unwrap();
    let newer = text.replacen("version 1", "version 2", 1);
    std::fs::write(&path, newer).unwrap();
    let says = [
        "1.part is of version 2 of the format, and this program reads version 1",
        "run the command that made it again",
    ];
    refused(&merge(folder.path(), &["1.part"]), &says);
}

/// A file with a right checksum whose numbers were made up.
#[test]
fn parts_with_impossible_numbers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.part");
    let huge = u128::MAX.to_string();
    for (number, parts, states, terminals) in [
        ("1", "1", huge.as_str(), "0"),
        ("2", "1", "1", "0"),
        ("1", "1", "1", "5"),
        ("0", "0", "1", "0"),
    ] {
        let json = format!(
            r#"{{"program":"x","metadata":{{"analysis":"states","rules":{{"board":"2x2"}},"part":{number},"parts":{parts},"counts":{{"levels":[{{"by_moves":[{states}],"terminals":{terminals}}}],"terminals":{{}}}}}}}}"#
        );
        std::fs::write(&path, bsq_analyses::parts::FORMAT.seal(&json)).unwrap();
        fails(1, &merge(folder.path(), &["1.part"]), &["1.part is damaged: "]);
    }
}

#[test]
fn parts_are_for_a_count_from_sets_of_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.part").display().to_string();
    for method in ["", "--method explorer"] {
        let line = format!("analyze states --board 3x3 {method} --part 1/2 -o '{path}'");
        refused(&line, &["--part needs --method sets"]);
    }
    refused("analyze states --method sets --part 1/2", &["--output <FILE>"]);
    let line = format!("analyze playouts --board 3x3 --part 1/2 -o '{path}'");
    refused(&line, &["--part is for one of states, terminals"]);
    let line = format!("mnk analyze positions --part 1/2 -o '{path}'");
    refused(&line, &["unexpected argument '--part'"]);
    let line = format!("analyze all --board 3x3 --part 1/2 -o '{path}' --format json");
    refused(&line, &["--part is for one analysis"]);
    for part in ["0/2", "3/2", "1", "1/0", "a/b", "-1/2", "1/99999999999999999999"] {
        let line = format!("analyze states --method sets --board 3x3 -o '{path}' --part={part}");
        refused(&line, &[&format!("'{part}' is not a part"), "such as 3/64"]);
    }
    for flags in ["--format csv", "--out ."] {
        let line =
            format!("analyze states --method sets --board 3x3 --part 1/2 -o '{path}' {flags}");
        refused(&line, &["a part is a file of its own format"]);
    }
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_long_part_says_how_long_it_takes() {
    let ran = super::finish({
        let mut command = super::bsq(
            "analyze states --method sets --board 8x8 --part 1/1000 -o /dev/null/x.part",
        );
        command.timeout(std::time::Duration::from_secs(60));
        command
    });
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("cannot write /dev/null/x.part"), "{}", ran.err);
}

#[test]
fn results_do_not_depend_on_memory() {
    for analysis in COUNTING {
        for board in ["--board 3x4", "--board 3x3 --center-allowed --bias 2 --pieces 3"] {
            let line = format!("analyze {analysis} {board} --format json --threads 2");
            assert_eq!(out(&format!("{line} --memory 1G")), out(&line), "{line}");
        }
    }
}

#[test]
fn a_count_by_territory_takes_a_memory_limit() {
    let line = "analyze playouts --board 3x4 --format json";
    assert_eq!(out(&format!("{line} --method territory --memory 1MiB")), out(line));
}

#[test]
fn sizes_that_are_none() {
    for size in ["", "much", "8GiBs", "-1G", "GiB", "8 apples"] {
        let says = ["is not a size", "8GiB, 500MB or 2G"];
        refused(&format!("analyze states --memory='{size}'"), &says);
    }
}

#[test]
fn too_little_memory() {
    let line = "--board 4x5 --method explorer --memory 1MiB";
    let says = ["the limit of 1.0 MiB does not suffice for the positions"];
    for analysis in ["states", "terminals", "scores", "playouts"] {
        fails(1, &format!("analyze {analysis} {line}"), &says);
    }
}

#[test]
fn every_analysis_takes_memory() {
    for analysis in super::analyses() {
        let line = format!("analyze {analysis} --board 3x3 --format json");
        assert_eq!(out(&format!("{line} --memory 1G")), out(&line), "{line}");
    }
}

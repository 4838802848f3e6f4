//! Options that every verb has.

use super::errors::refused;
use super::{out, read, run, table};

#[test]
fn common_options_may_come_before_the_verb() {
    let expected = out("mnk solve 3x3 --format json --quiet --threads 1");
    for line in [
        "-f json -q -j 1 mnk solve 3x3",
        "-fjson mnk -q --threads=1 solve 3x3",
        "mnk --format=json -q -j1 solve 3x3",
    ] {
        assert_eq!(out(line), expected, "{line}");
    }
    let default = out("solve 3x3 -f json");
    assert_eq!(out("-f json british-square solve 3x3"), default);
    assert_eq!(out("british-square -f json solve 3x3"), default);
    refused("-f xml solve 3x3", &["'xml'", "table, csv, json"]);
    refused("-q", &["Usage"]);
}

#[test]
fn a_result_is_printed_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for (name, format) in
        [("a.json", "json"), ("a.txt", "table"), ("a.csv", "csv"), ("another", "csv")]
    {
        let path = folder.path().join(name);
        for line in ["mnk solve 3x3", "analyze states --board 3x3"] {
            let ran = run(&format!("{line} -o '{}'", path.display()));
            assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
            assert_eq!(read(folder.path(), name), out(&format!("{line} -f {format}")), "{line}");
        }
    }
    let file = folder.path().join("none").join("a.csv");
    let ran = run(&format!("analyze states --board 3x3 -o '{}'", file.display()));
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("there is no folder"), "{}", ran.err);
}

#[test]
fn the_version_names_the_commit_and_the_features() {
    let version = out("--version");
    let begin = concat!("bsq ", env!("CARGO_PKG_VERSION"), " (commit ");
    assert!(version.starts_with(begin), "{version}");
    let commit = version[begin.len()..].split(',').next().unwrap().trim_end_matches('+');
    assert!(commit == "unknown" || commit.len() >= 7, "{version}");
    assert_eq!(version.contains("full"), cfg!(feature = "full"), "{version}");
    assert_eq!(version, out("-V"));
}

#[test]
fn details_are_told_on_request() {
    let ran = run("-v mnk solve 3x3");
    assert!(ran.err.contains(" s on ") && ran.err.contains(" of memory"), "{}", ran.err);
    let visited = run("-v solve 3x4 --pieces 3 -j 2").err;
    assert!(visited.contains(" positions visited in "), "{visited}");
    assert!(visited.contains(" s on 2 threads"), "{visited}");
    assert_eq!(ran.out, out("mnk solve 3x3"));
    refused("solve 3x3 -v -q", &["cannot be used with"]);
}

/// `--describe` explains every column of every table.
#[test]
fn columns_are_explained() {
    for analysis in super::analyses() {
        let line = format!("analyze {analysis} --board 3x4");
        let explained = out(&format!("{line} --describe -q"));
        let header = out(&format!("{line} --format csv -q"));
        assert!(explained.starts_with(&format!("{analysis}: ")), "{explained}");
        for column in header.lines().next().unwrap().split(',') {
            let start = format!("\n  {column} ");
            assert!(explained.contains(&start), "{analysis}: {column} in {explained}");
        }
        assert!(explained.lines().all(|line| line.chars().count() <= 80), "{explained}");
    }
    assert!(out("mnk query true --by ply --describe").contains("  ply "));
}

/// `--compare` makes each row a column, as many as fit.
#[test]
fn rows_are_compared() {
    insta::assert_snapshot!("compared_rules", out("analyze variants --board 3x3 --compare"));
    for analysis in super::analyses() {
        let compared = out(&format!("analyze {analysis} --board 3x4 --compare -q"));
        assert!(compared.lines().all(|line| line.chars().count() <= 80), "{compared}");
        let rows = table(&format!("analyze {analysis} --board 3x4 -q")).len();
        let header = compared.split("\n\n").find(|block| block.starts_with(' ')).unwrap();
        let columns = header.lines().next().unwrap().split("  ").filter(|word| !word.is_empty());
        assert!((2..=rows + 1).contains(&columns.count()), "{analysis}: {compared}");
    }
    refused("analyze variants --compare --format json", &["'--compare' cannot be used with"]);
    refused("analyze variants --compare -o rules.csv", &["'--compare' cannot be used with"]);
}

//! Damaged files of every format. The exit codes are those of the table in `docs/reliability.md`.

use super::errors::{fails, refused};
use super::{out, run};
use bsq_engine::monitor::Monitor;
use bsq_games::rpsw::retrograde::Layout;
use bsq_games::rpsw::tablebase::checkpoint::Checkpoint;
use bsq_games::rpsw::tablebase::solution::Solution;
use std::fs;
use std::path::{Path, PathBuf};

/// A file, and the commands that read it.
struct Kept {
    file: PathBuf,
    readers: Vec<String>,
    /// What to do with a file of another version; `None` if the file has no header.
    remedy: Option<&'static str>,
}

/// A file of each format in a folder.
fn all_formats(folder: &Path) -> Vec<Kept> {
    let path = |name: &str| folder.join(name).display().to_string();
    let kept = |name: &str, readers: Vec<String>, remedy| Kept {
        file: folder.join(name),
        readers,
        remedy,
    };
    let (dots, rpsw, part, scratch) = (path("dots"), path("rpsw"), path("part"), path("scratch"));
    let search = format!("solve 4x5 --checkpoint '{}'", path("search"));
    let heuristics = "search-heuristic local --rounds 1 --steps 9 --board 2x3";
    let heuristics = format!("{heuristics} --checkpoint '{}'", path("heuristics"));
    for line in [
        &format!("dots tablebase build '{dots}' --board 2x2"),
        &format!("rpsw tablebase build '{rpsw}' --board 4x3 --pieces 1"),
        &format!("analyze states --board 2x3 --method sets --part 1/1 -o '{part}'"),
        &search,
        &heuristics,
    ] {
        out(&format!("{line} --quiet"));
    }
    let rules = bsq_games::rpsw::Rules::standard().on_board(3, 4).unwrap().with_pieces(2).unwrap();
    let mut checkpoint = Checkpoint::open(&folder.join("scratch"), &rules).unwrap();
    Solution::solve_with(Layout::new(rules), &mut checkpoint, &Monitor::default()).unwrap();
    drop(checkpoint);
    let resumed = format!(
        "rpsw tablebase build '{}' --board 4x3 --pieces 2 --scratch '{scratch}' --quiet",
        path("resumed")
    );
    let tablebase = |game: &str, path: &str| {
        ["tablebase probe", "tablebase verify", "solve --tablebase"]
            .map(|verb| format!("{game} {verb} '{path}'"))
            .to_vec()
    };
    let again = Some("remove it, and run the command that made it again");
    let start = Some("remove this one to start again");
    vec![
        kept("dots/manifest", tablebase("dots", &dots), again),
        kept("dots/layer-00", tablebase("dots", &dots), None),
        kept("rpsw", tablebase("rpsw", &rpsw), again),
        kept("search", vec![search], start),
        kept("heuristics", vec![heuristics], start),
        kept("scratch/checkpoint", vec![resumed.clone()], again),
        kept("scratch/lost-in-4", vec![resumed], None),
        kept("part", vec![format!("merge '{part}'")], again),
    ]
}

#[test]
fn damage_is_a_failure_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for Kept { file, readers, remedy } in all_formats(folder.path()) {
        let whole = fs::read(&file).unwrap();
        let lines = if remedy.is_some() { 2 } else { 0 };
        let ends =
            whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let header = std::iter::once(0).chain(ends).nth(lines).unwrap();
        let mut damaged = vec![whole[..whole.len() - 1].to_vec()];
        if remedy.is_some() {
            let mut changed = whole.clone();
            changed[header - 9] ^= 1;
            damaged.push(changed);
            damaged.push([&whole[..header], b"more", &whole[header..]].concat());
        }
        if header < whole.len() {
            let mut changed = whole.clone();
            changed[header..].iter_mut().for_each(|byte| *byte ^= 0x10);
            damaged.push(changed);
        }
        for bytes in damaged {
            fs::write(&file, &bytes).unwrap();
            for reader in &readers {
                fails(1, reader, &[&file.display().to_string()]);
            }
            assert_eq!(fs::read(&file).unwrap(), bytes, "a refused file is left alone");
        }
        fs::write(&file, whole).unwrap();
    }
}

#[test]
fn files_of_another_version_or_kind_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for Kept { file, readers, remedy } in all_formats(folder.path()) {
        let Some(remedy) = remedy else { continue };
        let whole = fs::read(&file).unwrap();
        let name = file.display().to_string();
        let version = whole.windows(8).position(|bytes| bytes == b"version ").unwrap() + 8;
        let mut other = whole.clone();
        other[version] = b'0';
        fs::write(&file, &other).unwrap();
        for reader in &readers {
            refused(reader, &[&name, "is of version 0 of the format", remedy]);
        }
        fs::write(&file, "something else\n").unwrap();
        for reader in &readers {
            refused(reader, &[&name, " is not a "]);
        }
        fs::write(&file, whole).unwrap();
    }
}

#[test]
fn files_of_other_rules_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let all = all_formats(folder.path());
    let path = |name: &str| folder.path().join(name).display().to_string();
    for line in [
        format!("dots solve 2x2 --penalty -1 --tablebase '{}'", path("dots")),
        format!("dots tablebase build '{}' --board 2x3", path("dots")),
        format!("rpsw solve --pieces 2 --tablebase '{}'", path("rpsw")),
        format!("rpsw tablebase build '{}' --board 4x3 --pieces 2", path("rpsw")),
        format!(
            "rpsw tablebase build '{}' --pieces 1 --scratch '{}' --quiet",
            path("x"),
            path("scratch")
        ),
        format!("solve 4x5 --bias 1 --checkpoint '{}'", path("search")),
        format!("search-heuristic beam --board 2x3 --checkpoint '{}'", path("heuristics")),
        format!("merge '{0}' '{0}'", path("part")),
    ] {
        refused(&line, &[]);
    }
    for Kept { readers, .. } in &all {
        readers.iter().filter(|line| !line.contains("scratch")).for_each(|line| drop(out(line)));
    }
}

#[test]
fn limits_are_failures() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let rpsw = path("rpsw");
    out(&format!("rpsw tablebase build '{rpsw}' --board 4x3 --pieces 1 --quiet"));
    for line in [
        format!("dots tablebase build '{}' --board 3x4 --memory 1MiB", path("dots")),
        format!("dots tablebase build '{}' --board 3x4 --disk 50MiB", path("dots")),
        format!("rpsw tablebase build '{}' --memory 1MiB", path("large")),
        format!("rpsw tablebase verify '{rpsw}' --full --memory 1KiB"),
        "analyze states --board 4x5 --method explorer --memory 1MiB".to_string(),
        "solve --memory 0".to_string(),
    ] {
        fails(1, &line, &[]);
    }
}

/// Intact layers and rows in the wrong place.
#[test]
fn moved_layers_are_found_by_a_probe() {
    let folder = tempfile::tempdir().unwrap();
    let tablebase = folder.path().join("3x3");
    let path = tablebase.display().to_string();
    out(&format!("dots tablebase build '{path}' --board 3x3 --quiet"));
    let [two, four, six] = ["layer-02", "layer-04", "layer-06"].map(|name| tablebase.join(name));
    // The positions after two, four and six moves along the border.
    let moves = ["a1-b1", "b1-c1", "c1-d1", "d1-d2", "d2-d3", "d3-d4", "a4-b4", "b4-c4"];
    let probes = || {
        let lines = (0..=moves.len()).flat_map(|count| {
            let moves = moves[..count].join(" ");
            ["tablebase probe", "solve --tablebase"]
                .map(|verb| format!("dots {verb} '{path}' --moves '{moves}'"))
        });
        lines.map(|line| run(&line)).collect::<Vec<_>>()
    };
    let right = probes();
    assert!(right.iter().all(|ran| ran.code == 0));
    let check = |name: &str| {
        let mut failed = 0;
        for (ran, right) in probes().into_iter().zip(&right) {
            if ran.code == 0 {
                assert_eq!(ran.out, right.out);
            } else {
                assert_eq!((ran.code, ran.out.as_str()), (1, ""));
                assert!(ran.err.contains(name), "{}", ran.err);
                failed += 1;
            }
        }
        assert!(failed > 0, "{name}");
    };
    let exchange = || {
        let bytes = [&two, &six].map(|path| fs::read(path).unwrap());
        fs::write(&two, &bytes[1]).unwrap();
        fs::write(&six, &bytes[0]).unwrap();
    };
    exchange();
    check("layer-0");
    exchange();
    let own = fs::read(&four).unwrap();
    let manifest = fs::read_to_string(tablebase.join("manifest")).unwrap();
    let manifest: serde_json::Value =
        serde_json::from_str(manifest.lines().nth(1).unwrap()).unwrap();
    let row = manifest["metadata"]["row"].as_u64().unwrap() as usize;
    // Every row, with its checksum, is that of the next one.
    let mut moved = own.clone();
    let (rows, checksums) = moved.split_at_mut(own.len() / (row + 4) * row);
    rows.rotate_left(row);
    checksums.rotate_left(4);
    fs::write(&four, moved).unwrap();
    check("layer-04");
    fs::write(&four, own).unwrap();
}

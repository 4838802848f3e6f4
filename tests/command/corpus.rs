//! The inputs of `tests/inputs/inputs.jsonl` as the command reads them.

use super::{bsq, finish};
use serde_json::Value;

const INPUTS: &str = include_str!("../inputs/inputs.jsonl");

#[test]
fn inputs_that_people_have_are_read_or_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut wrong = Vec::new();
    for line in INPUTS.lines() {
        let input: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| input[name].as_str();
        let game = text("game").unwrap();
        let verb =
            if game == "british-square" { "solve".to_string() } else { format!("{game} solve") };
        let mut command = bsq(&format!("{verb} --format json --time 100ms"));
        for (name, value) in input["rules"].as_object().unwrap() {
            command.arg(format!("--{name}")).arg(value.as_str().unwrap());
        }
        if input["file"] == true {
            std::fs::write(&path, text("text").unwrap()).unwrap();
            command.arg(&path);
        } else {
            command.arg("--").arg(text("text").unwrap());
        }
        let ran = finish(command);
        let is_right = match (text("position"), text("error")) {
            (Some(position), _) => {
                let answer: Value = serde_json::from_str(&ran.out).unwrap_or_default();
                ran.code == 0 && answer["position"] == position
            }
            (_, Some(said)) => ran.code == 2 && ran.err.contains(said),
            _ => false,
        };
        if !is_right {
            wrong.push(format!("{line}: {} {}", ran.code, ran.err));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Comments, blank lines, line ends and byte order marks do not matter, but lines count.
#[test]
fn lines_are_positions_or_moves_with_comments() {
    let mut command = bsq("mnk solve - --format csv");
    command.write_stdin("\u{feff}b2 a1\r\n# a comment\r\n\r\nO../.X./... # the same\r\n5,1");
    let ran = finish(command);
    let rows: Vec<&str> = ran.out.lines().skip(1).collect();
    let answer = "O../.X./...,tie,,,,true,,b1,,";
    assert_eq!(rows, [1, 4, 5].map(|line| format!("{line},{answer}")), "{}", ran.err);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

//! `bsq rpsw`.

use super::errors::refused;
use super::{json, out, table};

#[test]
fn the_game_with_one_piece_each() {
    insta::assert_snapshot!(out("rpsw solve --pieces 1 --format table"));
}

#[test]
fn what_is_decided_and_drawn_is_everything() {
    let line = "rpsw solve --board 3x4 --pieces 2";
    let rows = table(line);
    let count = |row: &super::Row| row["positions"].parse::<u64>().unwrap();
    let (totals, plies): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row["plies"] == "all");
    assert_eq!((totals[0]["result"].as_str(), totals[1]["result"].as_str()), ("drawn", "all"));
    let decided: u64 = plies.iter().map(|row| count(row)).sum();
    assert_eq!(decided + count(totals[0]), count(totals[1]));
    let tables = json(line)["tables"].clone();
    let is_material = |table: &&serde_json::Value| table["name"] == "rpsw-material";
    let material = tables.as_array().unwrap().iter().find(is_material).unwrap();
    let material = material["rows"].as_array().unwrap();
    let all = material.last().unwrap();
    assert_eq!(all["positions"], count(totals[1]));
    assert_eq!(all["drawn"], count(totals[0]));
    // Kinds are not alike: rock against well is another game than well against rock.
    assert_eq!(material.len(), 10 * 10 + 1);
}

#[test]
fn threads_change_nothing() {
    let line = "rpsw solve --board 4x5 --pieces 2 --format json --threads";
    assert_eq!(out(&format!("{line} 1")), out(&format!("{line} 3")));
}

#[test]
fn games_that_there_are_not() {
    refused("rpsw solve --pieces 0", &["0 pieces a player are out of range; give 1 to 4"]);
    refused("rpsw solve --pieces 5", &["5 pieces a player are out of range"]);
    refused("rpsw solve --board 5x6", &["a board of 5x6 is out of range; it has 1 to 4 columns"]);
    refused("rpsw solve --board wide", &["'wide' is not a board; write columns x rows"]);
}

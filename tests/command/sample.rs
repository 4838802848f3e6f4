//! Tests `bsq sample`.

use super::{json, out, run, table};

#[test]
fn positions_are_drawn() {
    let drawn = table("sample 100 --board 4x4 --seed 7 -q");
    assert_eq!(drawn.len(), 100);
    assert_eq!(table("sample 100 --board 4x4 --seed 7 -q -j 1"), drawn);
    assert_ne!(table("sample 100 --board 4x4 --seed 8 -q"), drawn);
    // Each is a position, in which the player is to move.
    for row in &drawn[..10] {
        let answer = json(&format!("solve --board 4x4 '{}' -q", row["position"]));
        assert_eq!(answer["to_move"], row["player"].as_str());
    }
    let states = table("sample 5 --board 4x4 --from states -q");
    assert_eq!(table("sample 3 --board 4x4 --from states -q"), states[..3]);
    let folder = tempfile::tempdir().unwrap();
    out(&format!("mnk sample 20 --moves b2 --out '{}' -q", folder.path().display()));
    let manifest = std::fs::read_to_string(folder.path().join("datapackage.json")).unwrap();
    assert!(manifest.contains("bsq mnk sample 20 --moves b2"), "{manifest}");
}

#[test]
fn what_cannot_be_drawn() {
    let refused = |line: &str, why: &str| {
        let ran = run(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line}");
        assert!(ran.err.contains(why), "{}", ran.err);
    };
    refused("sample 0", "error: '0' is not an integer from 1 to 10000000");
    refused("sample many", "'many' is not an integer");
    refused("sample", "<N>");
    refused("sample 5 --from games", "[possible values: playouts, states]");
    refused("sample 5 --seed x", "--seed");
    refused("rpsw sample 5 --board 4x3 --pieces 1", "positions can repeat, so play need not end");
    let large = run("sample 5 --board 6x6 --memory 50MB");
    assert_eq!(large.code, 1);
    assert!(large.err.contains("raise --memory"), "{}", large.err);
}

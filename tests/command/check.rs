//! Tests `bsq check`.

use super::{out, rows, run};

#[test]
fn published_numbers_are_computed_again() {
    let compared = rows(&out("check -q -f csv"));
    assert_eq!(compared.len(), 82);
    assert!(
        compared.iter().all(|row| row["agrees"] == "true" && row["published"] == row["computed"])
    );
    let of = |game: &str, what: &str| -> Vec<&str> {
        let rows = compared.iter().filter(|row| row["game"] == game && row["what"] == what);
        rows.map(|row| row["computed"].as_str()).collect()
    };
    assert_eq!(of("british-square", "playouts"), ["4233789642926592"]);
    assert_eq!(of("dots", "value"), ["0", "2", "-2", "-3"]);
    assert_eq!(of("mnk", "value").iter().filter(|value| **value == "first").count(), 11);
}

#[test]
fn they_are_listed_by_source() {
    let shown = out("check -q -f table");
    assert!(shown.starts_with("Chris Wellons, I Solved British Square"), "{shown}");
    assert!(
        shown.contains("\n\nAll 82 published numbers agree with those computed now."),
        "{shown}"
    );
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert!(!shown.contains('✗'));
}

/// What cannot be computed does not agree.
#[test]
fn a_missing_tablebase_is_no_agreement() {
    let ran = run("check -q -f csv --tablebase missing.db");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("62 of 144 published numbers differ"), "{}", ran.err);
    assert!(ran.out.contains("missing.db"), "{}", ran.out);
}

//! Heuristics on the standard board against golden numbers.

use super::*;

fn records() -> Vec<HashMap<String, String>> {
    let path: std::path::PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "tests", "golden", "heuristics.csv"].iter().collect();
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

fn found(counts: &Counts, quantity: &str) -> u64 {
    match quantity {
        "decisions" => counts.decisions,
        "risky" => counts.risky,
        "fails" => counts.fails,
        "fails_badly" => counts.fails_badly,
        other => panic!("what is {other}?"),
    }
}

#[test]
fn heuristics_on_5x5() {
    let game = BritishSquare::new(Rules::standard(5, 5).unwrap()).unwrap();
    let records = records();
    let named = |h: &&Heuristic| records.iter().any(|record| record["heuristic"] == h.label());
    let heuristics: Vec<Heuristic> = ALL.iter().filter(named).cloned().collect();
    let reports = tester::test(&game, &heuristics, &Monitor::default()).unwrap();
    let totals = heuristics.iter().zip(&reports).map(|(h, report)| (h.label(), report.total(None)));
    let totals: HashMap<String, Counts> = totals.collect();
    for record in records {
        let (name, quantity) = (record["heuristic"].as_str(), record["quantity"].as_str());
        assert_eq!(record["rules"], "5x5");
        let number = found(&totals[name], quantity).to_string();
        assert_eq!(number, record["number"], "{quantity} of {name}");
    }
}

//! The best decision lists that a search has found.

use crate::ratio::ratio;
use crate::{Kind, Table};
use bsq_games::british_square::heuristic::corpus::Corpus;
use bsq_games::british_square::heuristic::search::Front;

const COLUMNS: [(&str, Kind, &str); 9] = [
    ("difficulty", Kind::Integer, "how hard it is for a person: see the README of the analysis"),
    ("rules", Kind::Text, "its rules, in order of importance"),
    ("decisions", Kind::Integer, "states whose mover has a legal move"),
    ("risky", Kind::Integer, "of these, where a mistake is possible: some move is not perfect"),
    ("fails", Kind::Integer, "decisions where some liked move is not perfect"),
    ("fails_share", Kind::Share, "of the decisions"),
    ("fails_share_risky", Kind::Share, "of the risky decisions"),
    ("fails_badly", Kind::Integer, "decisions where no liked move is perfect"),
    ("fails_badly_share", Kind::Share, "of the decisions"),
];

/// Returns a row for each list of the front, easiest first.
pub fn table(corpus: &Corpus, front: &Front) -> Table {
    let mut table = Table::new("heuristic_front", "Easy or seldom wrong: the best found", &COLUMNS);
    table.screen = ["difficulty", "rules", "fails_share", "fails_badly_share"].to_vec();
    let (decisions, risky) = (corpus.decisions(), corpus.risky());
    for found in front.lists() {
        table.push(vec![
            found.difficulty.into(),
            found.list.to_string().into(),
            decisions.into(),
            risky.into(),
            found.fails.into(),
            ratio(found.fails, decisions).into(),
            ratio(found.fails, risky).into(),
            found.fails_badly.into(),
            ratio(found.fails_badly, decisions).into(),
        ]);
    }
    table.note = Some(format!("Over all {decisions} decisions; a mistake is possible at {risky}."));
    table
}

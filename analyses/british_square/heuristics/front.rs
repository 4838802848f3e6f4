//! The best decision lists found by a search.

use crate::Table;
use crate::column::{Column, integer, share, text};
use crate::ratio::ratio;
use bsq_games::british_square::heuristic::corpus::Corpus;
use bsq_games::british_square::heuristic::search::Front;

const COLUMNS: [Column; 9] = [
    integer("difficulty", "how hard it is for a person: see the README of the analysis"),
    text("rules", "its rules, in order of importance"),
    integer("decisions", "states whose mover has a legal move"),
    integer("risky", "of these, where a mistake is possible: some move is not perfect"),
    integer("fails", "decisions where some liked move is not perfect"),
    share("fails_share", "of the decisions"),
    share("fails_share_risky", "of the risky decisions"),
    integer("fails_badly", "decisions where no liked move is perfect"),
    share("fails_badly_share", "of the decisions"),
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

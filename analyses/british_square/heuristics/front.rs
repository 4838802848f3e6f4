//! The best decision lists found by a search.

use crate::Table;
use crate::column::Column;
use crate::ratio::ratio;
use bsq_games::british_square::heuristic::corpus::Corpus;
use bsq_games::british_square::heuristic::search::Front;

/// Columns of the table of all heuristics.
const COLUMNS: [Column; 9] = {
    let [_, rules, difficulty, _, _, decisions, risky, counts @ ..] = super::COLUMNS;
    let [fails, fails_share, fails_share_risky, fails_badly, fails_badly_share, ..] = counts;
    [
        difficulty,
        rules,
        decisions,
        risky,
        fails,
        fails_share,
        fails_share_risky,
        fails_badly,
        fails_badly_share,
    ]
};

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

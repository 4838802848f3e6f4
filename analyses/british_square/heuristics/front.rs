//! The best decision lists found by a search.

use crate::Table;
use crate::any::heuristic::{
    DECISIONS, DIFFICULTY, FAILS, FAILS_BADLY, OF_DECISIONS, OF_RISKY, RISKY, RULES,
};
use crate::chart::{Chart, Figure};
use crate::ratio::ratio;
use bsq_engine::tabulate;
use bsq_games::british_square::heuristic::corpus::Corpus;
use bsq_games::british_square::heuristic::search::Front;

/// How seldom a list fails, by difficulty.
pub const CHART: Chart = Chart {
    x: "difficulty",
    y: &["fails_share"],
    name: Some("rules"),
    log_y: true,
    x_label: "difficulty: effort of a person for all its rules",
    y_label: "share of decisions at which it may fail",
    ..Chart::new(
        "heuristic_front",
        Figure::Points,
        "Failures fall from {most} of the decisions ({most at}) to {least} ({least at})",
    )
};

/// Returns a row for each list of the front, easiest first.
pub fn table(corpus: &Corpus, front: &Front) -> Table {
    let (decisions, risky) = (corpus.decisions(), corpus.risky());
    let title = "Easy or seldom wrong: the best found";
    let mut table = tabulate!("heuristic_front", title, for found in front.lists() => {
        "difficulty": integer key, DIFFICULTY => found.difficulty;
        "rules": text, RULES => found.list.to_string();
        "decisions": integer, DECISIONS => decisions;
        "risky": integer, RISKY => risky;
        "fails": integer, FAILS => found.fails;
        "fails_share": share, OF_DECISIONS => ratio(found.fails, decisions);
        "fails_share_risky": share, OF_RISKY => ratio(found.fails, risky);
        "fails_badly": integer, FAILS_BADLY => found.fails_badly;
        "fails_badly_share": share, OF_DECISIONS => ratio(found.fails_badly, decisions);
    });
    table.set_main_columns(["difficulty", "rules", "fails_share", "fails_badly_share"]);
    table.note = Some(format!("Over all {decisions} decisions; a mistake is possible at {risky}."));
    table
}

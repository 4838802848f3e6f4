//! One heuristic against perfect play.

use super::{from_start, report_tables};
use crate::any;
use crate::british_square::{Asked, DECISIONS, rule_options};
use crate::options::{HEURISTIC, METHOD, MOVES, POSITION, method};
use crate::{Analysis, AnalysisError, Described, Job, Table};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_games::british_square::BritishSquare;
use bsq_games::british_square::heuristic::{Heuristic, by_name, language, tester};
use std::sync::Arc;

/// The option of a game that is followed from the start.
pub const FROM_START: RuleOption = RuleOption::new(
    "from start",
    OptionKind::Truth,
    Some("no"),
    "Find the worst-case score instead, for a player who follows the heuristic from the start",
);

/// The analysis `test-heuristic` of British Square.
pub fn analysis() -> Analysis {
    let summary = "a heuristic against perfect play, at every decision";
    let own = [HEURISTIC, FROM_START].into_iter();
    let options = own.chain(rule_options()).chain([method(DECISIONS), POSITION, MOVES]);
    let analysis = Analysis::new("test-heuristic", summary, options, |request| {
        let heuristic = parse(request.given(&HEURISTIC.name).unwrap_or_default())?;
        let asked = Arc::new(Asked::of(request)?);
        let is_from_start = request.value(&FROM_START.name) == Some("yes");
        asked.check_decisions()?;
        if is_from_start && asked.method.is_some() {
            let why = "a heuristic that is followed from the start is tested in one way only";
            return Err(AnalysisError::option(METHOD, why));
        }
        let estimated = Arc::clone(&asked);
        let job = Job::new(asked.described(), move |monitor| {
            run(&asked, &heuristic, is_from_start, monitor)
        });
        Ok(job.with_estimate(move || Some(estimated.visiting(5e4))))
    });
    analysis.with_charts(&[&any::heuristic::CHART, &from_start::ONE_CHART])
}

/// The game of a request about a heuristic, begun in its root, with the rules as they are presented.
///
/// # Errors
///
/// If the request is invalid.
pub fn tested_game(given: &[(&str, &str)]) -> Result<(BritishSquare, Described), AnalysisError> {
    let asked = Asked::of(&analysis().request(given)?)?;
    Ok((asked.game()?, asked.described()))
}

/// The heuristic of a name, a decision list, or one with a name of its own: `mine = most claim`.
fn parse(text: &str) -> Result<Heuristic, AnalysisError> {
    if let Some(known) = by_name(text) {
        return Ok(known.clone());
    }
    let invalid =
        |error: language::ParseError| AnalysisError::option(&*HEURISTIC.name, error.to_string());
    let is_name = |name: &str| !name.trim().is_empty() && !name.trim().contains(' ');
    match text.split_once('=') {
        Some((name, _)) if is_name(name) => {
            let lists = language::parse_file(text).map_err(invalid)?;
            let list = lists.into_iter().next_back();
            list.ok_or_else(|| AnalysisError::option(&*HEURISTIC.name, "there is no list"))
        }
        _ => {
            let list = language::parse(text, &[]).map_err(invalid)?;
            Ok(Heuristic { name: None, summary: String::new(), list })
        }
    }
}

fn run(
    asked: &Asked,
    heuristic: &Heuristic,
    is_from_start: bool,
    monitor: &Monitor,
) -> Result<Vec<Table>, AnalysisError> {
    let (game, one) = (asked.game()?, std::slice::from_ref(heuristic));
    if is_from_start {
        return Ok(vec![from_start::table(&game, one, monitor)?]);
    }
    let report = tester::test(&game, one, monitor)?.remove(0);
    Ok(report_tables(heuristic, &report))
}

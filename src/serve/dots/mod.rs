//! Dots-and-Boxes over HTTP: values from a tablebase, or from a search if few enough lines are
//! open.

mod answer;
mod question;

use super::answers::Unanswered;
use super::api::{AN_HOUR, parse};
use super::lane::Lane;
use super::refusal::Refusal;
use crate::dots::{Scores, find as find_scores, is_stored};
use anyhow::{Context, Result, anyhow};
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use bsq_engine::evaluate::Evaluator as _;
use bsq_games::dots::tablebase::Tablebase;
use bsq_games::dots::{Board, Evaluator, EvaluatorError, Lines, Rules};
use question::Question;
use quick_cache::sync::Cache;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The number of answers in the cache, some ten megabytes.
const ANSWERS_KEPT: usize = 10_000;
/// Positions with more open lines are not searched.
const MOST_OPEN: u32 = 32;
/// The largest table of a search, in bytes; more does not make such small searches faster.
const MOST_TABLE: u64 = 64 << 20;
/// The number of simultaneous look-ups; some wait for the disk.
const LOOK_UPS: usize = 8;

/// The key of an answer: board, penalty and lines.
type Key = (Board, i32, Lines);

/// The tablebase, if there is one, the cache of answers, and limits.
pub struct Dots {
    /// The evaluator with the tablebase.
    stored: Option<Arc<Evaluator>>,
    /// The evaluator of the last search.
    searched: Mutex<Option<Arc<Evaluator>>>,
    known: Cache<Key, Arc<Scores>>,
    time: Duration,
    table_bytes: u64,
    looks: Arc<Lane>,
    /// One search at a time, on all threads.
    searches: Arc<Lane>,
}

impl Dots {
    /// Opens the tablebase; fails if it is damaged or missing.
    pub fn open(path: Option<&Path>, time: Duration, table_bytes: u64) -> Result<Dots> {
        let open = |path: &Path| {
            let opened = Tablebase::open(path);
            opened.with_context(|| format!("cannot play from the folder {}", path.display()))
        };
        let stored = path.map(open).transpose()?.map(|tablebase| {
            let plan = tablebase.plan();
            let rules = Rules { penalty: plan.penalty().into(), ..Rules::standard(*plan.board()) };
            Arc::new(Evaluator::new(rules, Some(tablebase), 0, 0))
        });
        Ok(Dots {
            stored,
            searched: Mutex::default(),
            known: Cache::new(ANSWERS_KEPT),
            time,
            table_bytes: table_bytes.min(MOST_TABLE),
            looks: Lane::new(LOOK_UPS, 1),
            searches: Lane::new(1, rayon::current_num_threads()),
        })
    }

    /// The scores of a position, within the time limit.
    async fn scores(&self, rules: &Rules, lines: Lines) -> Result<Arc<Scores>, Refusal> {
        let in_folder = self.stored.as_ref().filter(|stored| {
            let known = stored.game();
            (known.board, known.penalty) == (rules.board, rules.penalty) && is_stored(stored, lines)
        });
        let open = (rules.board.all() & !lines).count_ones();
        if in_folder.is_none() && open > MOST_OPEN {
            return Err(Refusal::beyond(format!(
                "{open} lines are open; this server searches positions with up to {MOST_OPEN}; ask with values=false"
            )));
        }
        let key = (rules.board, rules.penalty.floor(), lines);
        let found = self.known.get_or_insert_async(&key, async {
            match in_folder {
                Some(stored) => find(Arc::clone(stored), &self.looks, lines).await,
                None => find(self.searched(rules), &self.searches, lines).await,
            }
        });
        let too_long = Unanswered::TooLong(self.time.as_secs());
        let found = tokio::time::timeout(self.time, found).await;
        Ok(found.unwrap_or(Err(too_long))?)
    }

    /// An evaluator that searches; the last one, with its tables, if the rules are the same.
    fn searched(&self, rules: &Rules) -> Arc<Evaluator> {
        let mut last = self.searched.lock().unwrap_or_else(PoisonError::into_inner);
        let (board, penalty) = (rules.board, rules.penalty);
        let known = last.as_ref().filter(|evaluator| {
            (evaluator.game().board, evaluator.game().penalty) == (board, penalty)
        });
        match known {
            Some(evaluator) => Arc::clone(evaluator),
            None => {
                let rules = Rules { penalty, ..Rules::standard(board) };
                let evaluator = Arc::new(Evaluator::new(rules, None, self.table_bytes, MOST_OPEN));
                Arc::clone(last.insert(evaluator))
            }
        }
    }
}

/// Computes scores. The search is cancelled soon after the request is dropped.
async fn find(
    evaluator: Arc<Evaluator>,
    lane: &Arc<Lane>,
    lines: Lines,
) -> Result<Arc<Scores>, Unanswered> {
    let found = lane.search(move |monitor| find_scores(&evaluator, lines, monitor)).await;
    let found = found.and_then(|found| found).map_err(nameless).map_err(Unanswered::Failed)?;
    Ok(Arc::new(found))
}

/// An error that does not reveal the path of the tablebase to clients.
fn nameless(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(EvaluatorError::Tablebase(_)) => {
            anyhow!("the folder of positions cannot be read; 'bsq dots tablebase verify' says why")
        }
        _ => error,
    }
}

/// The path below `/api`.
pub fn routes(dots: Arc<Dots>) -> Router {
    Router::new().route("/dots", get(position)).with_state(dots)
}

async fn position(
    State(dots): State<Arc<Dots>>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let question = Question::read(&parse(query, &question::NAMES)?)?;
    let scores = match question.with_values {
        true => Some(dots.scores(&question.rules, question.position.lines).await?),
        false => None,
    };
    Ok(([AN_HOUR], Json(answer::json(&question, scores.as_deref()))).into_response())
}

//! Dots-and-Boxes over HTTP: values from a folder of all positions, or from a search if few enough
//! lines are open.

mod answer;
mod question;

use super::answers::{SetOnDrop, Unanswered};
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
use bsq_engine::monitor::Monitor;
use bsq_games::dots::tablebase::Tablebase;
use bsq_games::dots::{Board, Evaluator, EvaluatorError, Lines, Rules};
use question::Question;
use quick_cache::sync::Cache;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::spawn_blocking;

/// Answers kept: some ten megabytes.
const ANSWERS_KEPT: usize = 10_000;
/// Positions with more open lines are not searched.
const MOST_OPEN: u32 = 32;
/// The most memory for the table of a search; more does not make such small ones faster.
const MOST_TABLE: u64 = 64 << 20;
/// Answers that are looked up at a time; some wait for the disk.
const LOOK_UPS: usize = 8;

/// What an answer depends on.
type Key = (Board, i32, Lines);

/// The folder, if there is one, what is known, and what an answer may take.
pub struct Dots {
    /// All that is asked of the folder goes through this.
    stored: Option<Arc<Evaluator>>,
    /// The board and penalty searched last, with what was learned.
    searched: Mutex<Option<Arc<Evaluator>>>,
    known: Cache<Key, Arc<Scores>>,
    time: Duration,
    table_bytes: u64,
    looks: Arc<Lane>,
    /// One at a time, on all threads.
    searches: Arc<Lane>,
}

impl Dots {
    /// Opens the folder; fails if it is damaged or not there.
    pub fn open(path: Option<&Path>, time: Duration, table_bytes: u64) -> Result<Dots> {
        let open = |path: &Path| {
            let opened = Tablebase::open(path);
            opened.with_context(|| format!("cannot play from the folder {}", path.display()))
        };
        let stored = path.map(open).transpose()?.map(|book| {
            let plan = book.plan();
            let rules = Rules { penalty: plan.penalty(), ..Rules::standard(*plan.board()) };
            Arc::new(Evaluator::new(rules, Some(book), 0, 0))
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

    /// What a position is worth, within the limit of time.
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
        let key = (rules.board, rules.penalty, lines);
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

    /// A search of a board with what was learned of it, if it was the last one.
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

/// Ends soon after nobody waits for it any more.
async fn find(
    evaluator: Arc<Evaluator>,
    lane: &Arc<Lane>,
    lines: Lines,
) -> Result<Arc<Scores>, Unanswered> {
    let place = lane.enter().await;
    let lane = Arc::clone(lane);
    let nobody_waits = SetOnDrop::default();
    let stop = nobody_waits.flag();
    let search = spawn_blocking(move || {
        let monitor = Monitor { progress: None, stop: Some(&stop) };
        let found = lane.run(&place, || find_scores(&evaluator, lines, &monitor));
        let found = found.and_then(|found| found).map_err(nameless);
        found.map(|found| Arc::new(found.scores)).map_err(Unanswered::Failed)
    });
    search.await.unwrap_or_else(|panic| Err(Unanswered::Failed(panic.into())))
}

/// An error that does not tell a client where on this machine the folder is.
fn nameless(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(EvaluatorError::Tablebase(_)) => {
            anyhow!("the folder of positions cannot be read; 'bsq dots verify' says why")
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

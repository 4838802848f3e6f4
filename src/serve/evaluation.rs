//! Answers about positions for concurrent requests, within a time limit.
//!
//! Equal requests are coalesced and wait for the same answer. All waiting is asynchronous, so a
//! cancelled request leaves no waiting thread behind, and its evaluation stops unless another
//! request waits for it.

use super::engines::{Engines, Key, Slot};
use super::lane::Lane;
use bsq_api::{Answer, Code, Cost, Error, Game, Monitor, Request, Session};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// The share of the memory budget that answers take.
const SHARE: u64 = 8;
/// About the memory of a move or a place of an answer, in bytes.
const PART_BYTES: u64 = 250;
/// The number of simultaneous look-ups; some wait for the disk.
const LOOK_UPS: usize = 8;

/// A position that a request is about.
#[derive(Clone)]
pub struct Subject<'a> {
    /// The game.
    pub game: &'a dyn Game,
    /// Names and values of options of the rules.
    pub rules: Vec<(&'static str, String)>,
    /// The first position; the start of the game if it is left out.
    pub position: Option<String>,
    /// Moves to play from there.
    pub moves: String,
}

impl Subject<'_> {
    fn given(&self) -> Vec<(&'static str, &str)> {
        self.rules.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }
}

/// A request without the moves that led to its position: game and rules, position, and what is
/// requested.
type Question = (Key, String, Request);

/// The size of an answer in the cache.
#[derive(Clone)]
struct Size;

impl Weighter<Arc<Question>, Arc<Answer>> for Size {
    fn weight(&self, _: &Arc<Question>, answer: &Arc<Answer>) -> u64 {
        (4 + answer.moves.len() + answer.scene.places.len()) as u64 * PART_BYTES
    }
}

/// Finds and caches answers.
pub struct Answers {
    /// The engines.
    pub engines: Arc<Engines>,
    known: Cache<Arc<Question>, Arc<Answer>, Size>,
    look_ups: Arc<Lane>,
    time: Duration,
}

impl Answers {
    /// Creates an empty cache. `budget` are the bytes of all tables and answers, `time` is the limit
    /// of a request.
    pub fn new(engines: Engines, budget: u64, time: Duration) -> Answers {
        let bytes = budget / SHARE;
        let items = (bytes / PART_BYTES / 50) as usize;
        let known = Cache::with_weighter(items, bytes, Size);
        Answers { engines: Arc::new(engines), known, look_ups: Lane::new(LOOK_UPS, 0), time }
    }

    /// The time at which a request that arrives now is refused.
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.time
    }

    /// The answers found in the cache and those that were not.
    pub fn hits_and_misses(&self) -> (u64, u64) {
        (self.known.hits(), self.known.misses())
    }

    /// A game in progress, with its rules and the engine that evaluates it.
    pub async fn session(
        &self,
        subject: &Subject<'_>,
    ) -> Result<(Key, Arc<Slot>, Box<dyn Session>), Error> {
        let rules = subject.game.rules_at(&subject.given(), subject.position.as_deref())?;
        let key = Key { game: subject.game.info().name, rules };
        let (slot, engine) = self.engines.engine(&key).await?;
        let mut session = engine.session(subject.position.as_deref())?;
        session.play(&subject.moves)?;
        Ok((key, slot, session))
    }

    /// Answers a request, or refuses it at the deadline.
    pub async fn answer(
        &self,
        subject: &Subject<'_>,
        request: Request,
        deadline: Instant,
    ) -> Result<Answer, Error> {
        let found = timeout_at(deadline, self.find(subject, request)).await;
        found.unwrap_or_else(|_| {
            let seconds = self.time.as_secs();
            Err(Error::of(Code::Stopped, format!(
                "no answer was found within {seconds} s, waiting included; ask again later, or with values=no"
            )))
        })
    }

    async fn find(&self, subject: &Subject<'_>, request: Request) -> Result<Answer, Error> {
        let (key, slot, session) = self.session(subject).await?;
        let position = session.answer(Request::default(), &Monitor::default())?;
        if request == Request::default() {
            return Ok(position);
        }
        let Answer { position, played, cost, .. } = position;
        let question = Arc::new((key, position, request));
        let found = self.evaluate(&question.0, slot, session, request, cost);
        let found = self.known.get_or_insert_async(&question, found).await?;
        Ok(Answer { played, ..Answer::clone(&found) })
    }

    async fn evaluate(
        &self,
        key: &Key,
        slot: Arc<Slot>,
        session: Box<dyn Session>,
        request: Request,
        mut cost: Cost,
    ) -> Result<Arc<Answer>, Error> {
        let mut turn = None;
        if matches!(cost, Cost::Search | Cost::Build) {
            turn = Some(Arc::clone(&slot.turn).lock_owned().await);
            // The evaluation before this one may have built the table.
            cost = session.answer(Request::default(), &Monitor::default())?.cost;
        }
        let lane = match cost {
            Cost::Search => self.engines.lane(key.game, false),
            Cost::Build => self.engines.lane(key.game, true),
            Cost::LookUp | Cost::Refused { .. } => {
                turn = None;
                &self.look_ups
            }
        };
        let engines = Arc::clone(&self.engines);
        let found = lane.search(move |monitor| {
            let found = session.answer(request, monitor);
            if let Some(turn) = turn {
                engines.evict();
                drop(turn);
            }
            found
        });
        found.await.map_err(|error| Error::of(Code::Failed, error))?.map(Arc::new)
    }
}

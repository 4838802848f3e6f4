//! Answers about positions for concurrent requests, within a time limit.
//!
//! Equal requests are coalesced and wait for the same answer. All waiting is asynchronous, so a
//! cancelled request leaves no waiting thread behind, and its evaluation stops unless another
//! request waits for it.

use super::engines::{ANSWERS, Engines, Key, Slot};
use super::lane::Lane;
use bsq_api::requests::{AnalysisRequest, Ask, Reply, Subject, TablesAnswer};
use bsq_api::{Answer, Cost, Error, Kind, Monitor, Request, Session};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// The time limit for building a table, as a multiple of that of a request.
const BUILD_TIMES: u32 = 3;
/// About the memory of a move or a place of an answer, in bytes.
const PART_BYTES: u64 = 250;
/// What a client can do whose request for values takes too long.
const WITHOUT_VALUES: &str = ", or with values=no";
/// The number of simultaneous look-ups; some wait for the disk.
const LOOK_UPS: usize = 8;

/// A request without the moves that led to its position: game and rules, position, and what is
/// requested.
type CacheKey = (Key, String, Request);

/// A game in progress, with its rules and the engine that evaluates it.
struct Opened {
    key: Key,
    slot: Arc<Slot>,
    session: Box<dyn Session>,
}

/// The size of an answer in the cache.
#[derive(Clone)]
struct Size;

impl Weighter<Arc<CacheKey>, Arc<Answer>> for Size {
    fn weight(&self, _: &Arc<CacheKey>, answer: &Arc<Answer>) -> u64 {
        (4 + answer.moves.len() + answer.scene.places.len()) as u64 * PART_BYTES
    }
}

/// Finds and caches answers.
pub struct AnswerCache {
    /// The engines.
    pub engines: Arc<Engines>,
    known: Cache<Arc<CacheKey>, Arc<Answer>, Size>,
    look_ups: Arc<Lane>,
    time: Duration,
}

impl AnswerCache {
    /// Creates an empty cache. `budget` are the bytes of all tables and answers, `time` is the limit
    /// of a request.
    pub fn new(engines: Engines, budget: u64, time: Duration) -> AnswerCache {
        let bytes = budget / ANSWERS;
        let items = (bytes / PART_BYTES / 50) as usize;
        let known = Cache::with_weighter(items, bytes, Size);
        AnswerCache { engines: Arc::new(engines), known, look_ups: Lane::new(LOOK_UPS, 0), time }
    }

    /// The time at which a request that arrives now is refused.
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.time
    }

    /// The answers found in the cache and those that were not.
    pub fn hits_and_misses(&self) -> (u64, u64) {
        (self.known.hits(), self.known.misses())
    }

    /// Answers a request, or refuses it at the deadline.
    pub async fn answer(
        &self,
        subject: &Subject<'_>,
        request: Request,
        deadline: Instant,
    ) -> Result<Answer, Error> {
        let work = async { self.find(self.open(subject).await?, request).await };
        self.within(deadline, WITHOUT_VALUES, work).await
    }

    /// Replies to a question about a position, or refuses it at the deadline.
    pub async fn reply(
        &self,
        subject: &Subject<'_>,
        ask: Ask,
        deadline: Instant,
    ) -> Result<Reply, Error> {
        let hint = if matches!(ask, Ask::Answer(_)) { WITHOUT_VALUES } else { "" };
        self.within(deadline, hint, async {
            let opened = self.open(subject).await?;
            if let Ask::Answer(request) = ask {
                Ok(Reply::Answer(Box::new(self.find(opened, request).await?)))
            } else if let Some(request) = ask.request() {
                let answer = self.find(opened, request).await?;
                // Opened again, because a session that waits would keep an engine in memory.
                ask.made_from(answer, self.open(subject).await?.session.as_ref())
            } else if ask.needs_values(opened.session.as_ref())? {
                let work =
                    move |session: &dyn Session, monitor: &Monitor| ask.reply(session, monitor);
                self.evaluate(opened, work).await
            } else {
                ask.reply(opened.session.as_ref(), &Monitor::default())
            }
        })
        .await
    }

    async fn within<T>(
        &self,
        deadline: Instant,
        hint: &str,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        timeout_at(deadline, work).await.unwrap_or_else(|_| {
            let seconds = self.time.as_secs();
            Err(Error::of(Kind::Stopped, format!(
                "no answer was found within {seconds} s, waiting included; ask again later{hint}"
            )))
        })
    }

    /// The answer, from the cache if it is there.
    async fn find(&self, opened: Opened, request: Request) -> Result<Answer, Error> {
        if request == Request::default() {
            return opened.session.answer(request, &Monitor::default());
        }
        let mut played = opened.session.moves();
        played.truncate(opened.session.at());
        let question = Arc::new((opened.key.clone(), opened.session.position(), request));
        let found = async {
            let work =
                move |session: &dyn Session, monitor: &Monitor| session.answer(request, monitor);
            self.evaluate(opened, work).await.map(Arc::new)
        };
        let found = self.known.get_or_insert_async(&question, found).await?;
        Ok(Answer { played, ..Answer::clone(&found) })
    }

    /// The tables of an analysis, or an error at the deadline.
    pub async fn analyze(
        &self,
        request: AnalysisRequest,
        deadline: Instant,
    ) -> Result<TablesAnswer, Error> {
        let memory = self.engines.resources().memory;
        let lane = &self.engines.lanes(request.game()).short;
        self.within(deadline, "", async {
            let turn = lane.place().await.map_err(failed)?;
            let work = move |monitor: &Monitor| request.answer(memory, monitor);
            lane.search(turn, work).await.map_err(failed)?
        })
        .await
    }

    /// A game in progress at the position of a request, with the engine that evaluates it.
    async fn open(&self, subject: &Subject<'_>) -> Result<Opened, Error> {
        let key = Key { game: subject.game.info().name.clone(), rules: subject.all_rules()? };
        let mut opened = self.open_at(key, subject.position.as_deref()).await?;
        opened.session.play(&subject.moves)?;
        Ok(opened)
    }

    /// A game in progress from a position.
    async fn open_at(&self, key: Key, position: Option<&str>) -> Result<Opened, Error> {
        let (slot, engine) = self.engines.engine(&key).await?;
        Ok(Opened { session: engine.session(position)?, key, slot })
    }

    /// Evaluates a position when its turn has come.
    async fn evaluate<T: Send + 'static>(
        &self,
        opened: Opened,
        work: impl FnOnce(&dyn Session, &Monitor) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        if is_known(&opened.session.cost()) {
            return self.look_up(opened.session, work).await;
        }
        // An engine that an evaluation waits for may be evicted, and is created again. What is
        // asked does not depend on the moves that led to the position.
        let (key, position) = (opened.key, opened.session.position());
        let turn = Arc::clone(&opened.slot.turn);
        drop((opened.session, opened.slot));
        let turn = turn.lock_owned().await;
        // The evaluation before this one may have built the table.
        let Opened { key, slot, session } = self.open_at(key, Some(&position)).await?;
        let now = session.cost();
        if is_known(&now) {
            drop(turn);
            return self.look_up(session, work).await;
        }
        if let (Cost::Build, Some(refused)) = (&now, slot.refused()) {
            return Err(refused);
        }
        let lane = match now {
            Cost::Search => &self.engines.lanes(&key.game).search,
            _ => &self.engines.lanes(&key.game).short,
        };
        let bytes = self.engines.wanted(&key, &now, session.as_ref());
        drop((slot, session));
        let lane_turn = lane.place().await.map_err(failed)?;
        let reserved = self.engines.reserve(&now, bytes).await.map_err(failed)?;
        let Opened { key, slot, session } = self.open_at(key, Some(&position)).await?;
        let running = self.engines.begin(&key, Arc::clone(&slot), reserved);
        let work = move |monitor: &Monitor| {
            let found = work(session.as_ref(), monitor);
            // An engine that is evicted now leaves the memory.
            drop(session);
            drop(running);
            drop(turn);
            found
        };
        if now != Cost::Build {
            return lane.search(lane_turn, work).await.map_err(failed)?;
        }
        // Others can use the table, so it is finished even if its client has gone.
        let (lane, limit) = (Arc::clone(lane), BUILD_TIMES * self.time);
        let build = async move {
            let built = match timeout(limit, lane.search(lane_turn, work)).await {
                Ok(built) => built.map_err(failed)?,
                Err(_) => Err(Error::of(
                    Kind::Stopped,
                    "the table takes too long to build; ask again in a minute",
                )),
            };
            if let Err(error) = &built {
                slot.refuse(error);
            }
            built
        };
        tokio::spawn(build).await.map_err(failed)?
    }

    /// Evaluates a position that is in a table, or refuses it.
    async fn look_up<T: Send + 'static>(
        &self,
        session: Box<dyn Session>,
        work: impl FnOnce(&dyn Session, &Monitor) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let place = self.look_ups.place().await.map_err(failed)?;
        let work = move |monitor: &Monitor| work(session.as_ref(), monitor);
        self.look_ups.search(place, work).await.map_err(failed)?
    }
}

/// Whether an evaluation neither searches nor builds a table.
fn is_known(cost: &Cost) -> bool {
    matches!(cost, Cost::LookUp | Cost::Refused { .. })
}

fn failed(error: impl ToString) -> Error {
    Error::of(Kind::Failed, error)
}

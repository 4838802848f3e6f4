//! Answers about positions for concurrent requests, within a time limit.
//!
//! Equal requests are coalesced and wait for the same answer. All waiting is asynchronous, so a
//! cancelled request leaves no waiting thread behind, and its evaluation stops unless another
//! request waits for it.

use super::engines::{ANSWERS, Engines, Key, Slot};
use super::lane::Lane;
use bsq_api::requests::{AnalysisRequest, Chosen, Subject, TablesAnswer};
use bsq_api::{Answer, Cost, Error, Kind, Monitor, Puzzle, Request, Session, Wanted};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// The time limit for building a table, as a multiple of that of a request.
const BUILD_TIMES: u32 = 3;
/// About the memory of a move or a place of an answer, in bytes.
const PART_BYTES: u64 = 250;
/// The number of simultaneous look-ups; some wait for the disk.
const LOOK_UPS: usize = 8;

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
        let bytes = budget / ANSWERS;
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
        let key = Key { game: subject.game.info().name, rules: subject.all_rules()? };
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
        self.within(deadline, self.find(subject, request)).await
    }

    async fn within<T>(
        &self,
        deadline: Instant,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        timeout_at(deadline, work).await.unwrap_or_else(|_| {
            let seconds = self.time.as_secs();
            Err(Error::of(Kind::Stopped, format!(
                "no answer was found within {seconds} s, waiting included; ask again later, or with values=no"
            )))
        })
    }

    async fn find(&self, subject: &Subject<'_>, request: Request) -> Result<Answer, Error> {
        let (key, _, session) = self.session(subject).await?;
        let position = session.answer(Request::default(), &Monitor::default())?;
        if request == Request::default() {
            return Ok(position);
        }
        drop(session);
        let Answer { position, played, .. } = position;
        let question = Arc::new((key, position, request));
        let found = async {
            let work =
                move |session: &dyn Session, monitor: &Monitor| session.answer(request, monitor);
            self.evaluate(subject, work).await.map(Arc::new)
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
        self.within(deadline, async {
            let place = lane.place().await.map_err(failed)?;
            let work = move |monitor: &Monitor| request.answer(memory, monitor);
            lane.search(place, work).await.map_err(failed)?
        })
        .await
    }

    /// A puzzle, or an error at the deadline.
    pub async fn puzzle(
        &self,
        subject: &Subject<'_>,
        wanted: Wanted,
        deadline: Instant,
    ) -> Result<Puzzle, Error> {
        let work = move |session: &dyn Session, monitor: &Monitor| session.puzzle(&wanted, monitor);
        self.within(deadline, self.evaluate(subject, work)).await
    }

    /// The move of an agent, or an error at the deadline.
    pub async fn choose(
        &self,
        subject: &Subject<'_>,
        agent: String,
        seed: u64,
        deadline: Instant,
    ) -> Result<Chosen, Error> {
        self.within(deadline, async {
            let session = self.session(subject).await?.2;
            let needs_values = session.needs_values(&agent)?;
            let work = move |session: &dyn Session, monitor: &Monitor| {
                Chosen::of(session, &agent, seed, monitor)
            };
            match needs_values {
                true => {
                    drop(session);
                    self.evaluate(subject, work).await
                }
                false => work(session.as_ref(), &Monitor::default()),
            }
        })
        .await
    }

    /// Evaluates a position when its turn has come.
    async fn evaluate<T: Send + 'static>(
        &self,
        subject: &Subject<'_>,
        work: impl FnOnce(&dyn Session, &Monitor) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (_, slot, session) = self.session(subject).await?;
        if is_known(&cost(session.as_ref())?) {
            return self.look_up(session, work).await;
        }
        // An engine that an evaluation waits for may be evicted, and is created again.
        let turn = Arc::clone(&slot.turn);
        drop((slot, session));
        let turn = turn.lock_owned().await;
        // The evaluation before this one may have built the table.
        let (key, slot, session) = self.session(subject).await?;
        let now = cost(session.as_ref())?;
        if is_known(&now) {
            drop(turn);
            return self.look_up(session, work).await;
        }
        if let (Cost::Build, Some(refused)) = (&now, slot.refused()) {
            return Err(refused);
        }
        let lane = match now {
            Cost::Search => &self.engines.lanes(key.game).search,
            _ => &self.engines.lanes(key.game).short,
        };
        let bytes = self.engines.wanted(&key, &now, session.as_ref());
        drop((slot, session));
        let place = lane.place().await.map_err(failed)?;
        let reserved = self.engines.reserve(&now, bytes).await.map_err(failed)?;
        let (key, slot, session) = self.session(subject).await?;
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
            return lane.search(place, work).await.map_err(failed)?;
        }
        // Others can use the table, so it is finished even if its client has gone.
        let (lane, limit) = (Arc::clone(lane), BUILD_TIMES * self.time);
        let build = async move {
            let built = match timeout(limit, lane.search(place, work)).await {
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

/// The cost of evaluating the current position of a session.
fn cost(session: &dyn Session) -> Result<Cost, Error> {
    session.answer(Request::default(), &Monitor::default()).map(|answer| answer.cost)
}

/// Whether an evaluation neither searches nor builds a table.
fn is_known(cost: &Cost) -> bool {
    matches!(cost, Cost::LookUp | Cost::Refused { .. })
}

fn failed(error: impl ToString) -> Error {
    Error::of(Kind::Failed, error)
}

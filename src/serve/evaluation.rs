//! Answers about positions for concurrent requests, within a time limit.
//!
//! Clients take turns, and evaluations of an engine run one after another, so equal requests are
//! evaluated once. All waiting is asynchronous: a cancelled request leaves no waiting thread behind,
//! and its evaluation stops.

use super::engines::{Engines, SEARCHES, Slot};
use super::fair::Place;
use super::lane::{Lane, Threads};
use super::reply::Encoded;
use bsq_api::requests::{AnalysisRequest, Ask, EngineKey, Subject};
use bsq_api::{Answer, Cost, Error, Kind, Monitor, Request, Session};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// The time limit for building a table, as a multiple of that of a request.
const BUILD_TIMES: u32 = 3;
/// About the memory of a move or a place of an answer, in bytes.
const PART_BYTES: u64 = 250;
/// The time before the deadline at which an evaluation ends that has a time.
const LATE: Duration = Duration::from_millis(500);
/// What a client can do whose request for values takes too long.
const WITHOUT_VALUES: &str =
    ", with values=no, or with a time such as time=5 for what is proved by then";
/// The number of simultaneous look-ups, some of which wait for the disk, and the most of a client.
const LOOK_UPS: (usize, u64) = (8, 3);
/// The number of simultaneous analyses, and the most of a client.
const ANALYSES: (usize, u64) = (4, 1);

/// A request without the moves that led to its position: game and rules, position, and what is
/// requested.
type CacheKey = (EngineKey, String, Request);

/// A game in progress, with its rules and the engine that evaluates it.
struct Opened {
    key: EngineKey,
    slot: Arc<Slot>,
    session: Box<dyn Session>,
}

/// The size of an answer in the cache.
#[derive(Clone)]
struct Size;

impl Weighter<CacheKey, Arc<Answer>> for Size {
    fn weight(&self, _: &CacheKey, answer: &Arc<Answer>) -> u64 {
        (4 + answer.moves.len() + answer.scene.places.len()) as u64 * PART_BYTES
    }
}

/// The client of a request, and its deadline.
#[derive(Clone, Copy)]
pub struct Call {
    /// The address of the client.
    pub client: IpAddr,
    /// The time at which the request is refused.
    pub deadline: Instant,
}

impl Call {
    /// The time for an evaluation that has to be answered before the deadline.
    fn left(&self) -> Duration {
        (self.deadline - LATE).saturating_duration_since(Instant::now())
    }
}

/// Finds and caches answers.
pub struct AnswerCache {
    /// The engines.
    pub engines: Arc<Engines>,
    known: Arc<Cache<CacheKey, Arc<Answer>, Size>>,
    look_ups: Arc<Lane>,
    searches: Arc<Lane>,
    analyses: Arc<Lane>,
    time: Duration,
}

impl AnswerCache {
    /// Creates an empty cache of at most `bytes`. `time` is the limit of a request.
    pub fn new(engines: Engines, bytes: u64, time: Duration) -> AnswerCache {
        let items = (bytes / PART_BYTES / 50) as usize;
        let known = Arc::new(Cache::with_weighter(items, bytes, Size));
        let lane = |(places, most): (usize, u64), threads| Lane::new(places, most, threads);
        AnswerCache {
            engines: Arc::new(engines),
            known,
            look_ups: lane(LOOK_UPS, Threads::One),
            searches: lane((SEARCHES, SEARCHES as u64), Threads::InTheBackground),
            analyses: lane(ANALYSES, Threads::All),
            time,
        }
    }

    /// A request of a client that arrives now.
    pub fn call(&self, client: IpAddr) -> Call {
        Call { client, deadline: Instant::now() + self.time }
    }

    /// The answers found in the cache and those that were not.
    pub fn hits_and_misses(&self) -> (u64, u64) {
        (self.known.hits(), self.known.misses())
    }

    /// Does work that takes longer than a millisecond on a thread of its own, when the client has
    /// its turn.
    pub async fn aside<T: Send + 'static>(
        &self,
        call: Call,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.within(call, "", async {
            self.look_ups.search_next(call.client, |_| work()).await.map_err(failed)
        })
        .await
    }

    /// Answers a request, or refuses it at the deadline.
    pub async fn answer(
        &self,
        subject: &Subject,
        request: Request,
        call: Call,
    ) -> Result<Answer, Error> {
        self.within(call, WITHOUT_VALUES, async {
            let place = self.look_ups.place(call.client).await;
            let opened = self.open(subject).await?;
            if !request.needs_values() {
                return opened.session.answer(request, &Monitor::default());
            }
            drop(place);
            self.find(opened, request, call).await
        })
        .await
    }

    /// Replies to a question about a position, or refuses it at the deadline.
    pub async fn reply(&self, subject: &Subject, ask: Ask, call: Call) -> Result<Encoded, Error> {
        if let Ask::Answer(request) = ask {
            return Encoded::of(&self.answer(subject, request, call).await?);
        }
        self.within(call, "", async {
            let place = self.look_ups.place(call.client).await;
            let opened = self.open(subject).await?;
            if !ask.needs_values(opened.session.as_ref())? {
                return Encoded::of(&ask.reply(opened.session.as_ref(), &Monitor::default())?);
            }
            drop(place);
            let Some(request) = ask.request() else {
                let work = move |session: &dyn Session, monitor: &Monitor| {
                    Encoded::of(&ask.clone().within(call.left()).reply(session, monitor)?)
                };
                return self.evaluate(opened, call, work).await;
            };
            let answer = self.find(opened, request, call).await?;
            // Opened again, because a session that waits would keep an engine in memory.
            let session = self.open(subject).await?.session;
            let work = move |_: &Monitor| Encoded::of(&ask.made_from(answer, session.as_ref())?);
            self.look_ups.search_next(call.client, work).await.map_err(failed)?
        })
        .await
    }

    /// The tables of an analysis, or an error at the deadline.
    pub async fn analyze(&self, request: AnalysisRequest, call: Call) -> Result<Encoded, Error> {
        let memory = self.engines.for_analyses() / ANALYSES.0 as u64;
        self.within(call, "", async {
            let work = move |monitor: &Monitor| Encoded::of(&request.answer(memory, monitor)?);
            self.analyses.search_next(call.client, work).await.map_err(failed)?
        })
        .await
    }

    async fn within<T>(
        &self,
        call: Call,
        hint: &str,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let late = || {
            let seconds = self.time.as_secs();
            Err(Error::of(
                Kind::Stopped,
                format!(
                    "no answer was found within {seconds} s, waiting included; ask again later{hint}"
                ),
            ))
        };
        // Work that would be cancelled at once is not begun.
        if Instant::now() >= call.deadline {
            return late();
        }
        timeout_at(call.deadline, work).await.unwrap_or_else(|_| late())
    }

    /// The answer, from the cache if it is there. That to a request with a time is found by then.
    async fn find(&self, opened: Opened, request: Request, call: Call) -> Result<Answer, Error> {
        let mut played = opened.session.moves();
        played.truncate(opened.session.at());
        let (key, position) = (opened.key.clone(), opened.session.position());
        let ends = request.time.map(|time| Instant::now() + time.min(call.left()));
        let request = Request { time: None, ..request };
        let question = (key.clone(), position.clone(), request);
        let found = if let Some(found) = self.known.get(&question) {
            found
        } else {
            let known = Arc::clone(&self.known);
            let work = move |session: &dyn Session, monitor: &Monitor| {
                // An equal request may have been answered while this one waited.
                if let Some(found) = known.peek(&question) {
                    return Ok(found);
                }
                // A table is built to its end, because later requests can use it.
                let is_limited = session.cost() != Cost::Build;
                let time = ends.filter(|_| is_limited);
                let time = time.map(|ends| ends.saturating_duration_since(Instant::now()));
                let found = Arc::new(session.answer(Request { time, ..request }, monitor)?);
                if found.is_complete {
                    known.insert(question.clone(), Arc::clone(&found));
                }
                Ok(found)
            };
            let evaluated = self.evaluate(opened, call, work);
            match ends {
                None => evaluated.await?,
                Some(ends) => match timeout_at(ends + LATE / 2, evaluated).await {
                    Ok(found) => found?,
                    // It waited for a place all the time, or a table is being built.
                    Err(_) => Arc::new(self.open_at(key, Some(&position)).await?.session.so_far()),
                },
            }
        };
        Ok(Answer { played, ..Answer::clone(&found) })
    }

    /// A game in progress at the position of a request, with the engine that evaluates it.
    async fn open(&self, subject: &Subject) -> Result<Opened, Error> {
        let mut opened = self.open_at(subject.engine_key()?, subject.position.as_deref()).await?;
        opened.session.play(&subject.moves)?;
        Ok(opened)
    }

    /// A game in progress from a position.
    async fn open_at(&self, key: EngineKey, position: Option<&str>) -> Result<Opened, Error> {
        let (slot, engine) = self.engines.engine(&key).await?;
        Ok(Opened { session: engine.session(position)?, key, slot })
    }

    /// Evaluates a position when its turn has come. A search that makes room for that of another
    /// client goes on later, with what the tables of its engine still know.
    async fn evaluate<T: Send + 'static>(
        &self,
        opened: Opened,
        call: Call,
        work: impl Fn(&dyn Session, &Monitor) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<T, Error> {
        let work = Arc::new(work);
        if is_known(&opened.session.cost()) {
            return self.look_up(opened.session, call, work).await;
        }
        // An engine that an evaluation waits for may be evicted, and is created again. What is
        // asked does not depend on the moves that led to the position.
        let (key, position) = (opened.key, opened.session.position());
        let turns = Arc::clone(&opened.slot.turn);
        drop((opened.session, opened.slot));
        loop {
            let turn = turns.place(call.client).await;
            // The evaluation before this one may have built the table.
            let Opened { slot, session, .. } = self.open_at(key.clone(), Some(&position)).await?;
            let mut now = session.cost();
            if is_known(&now) {
                drop(turn);
                return self.look_up(session, call, work).await;
            }
            if let (Cost::Build, Some(refused)) = (&now, slot.refused()) {
                return Err(refused);
            }
            // A short evaluation whose engine has no table yet reserves memory, as a search.
            if now == Cost::Quick && slot.table_bytes() == 0 {
                now = Cost::Search;
            }
            let lanes = self.engines.lanes(&key.game);
            let lane = match now {
                Cost::Search => &self.searches,
                Cost::Build => &lanes.build,
                _ => &lanes.short,
            };
            let bytes = self.engines.wanted(&key, &now, session.as_ref());
            drop((slot, session));
            let ready = async {
                let place = lane.place(call.client).await;
                (place, self.engines.reserve(&now, bytes).await)
            };
            let (place, reserved) = tokio::select! {
                ready = ready => ready,
                // Another client may use the engine while this one waits.
                () = turns.until_wanted(call.client) => continue,
            };
            let reserved = reserved.map_err(failed)?;
            let Opened { slot, session, .. } = self.open_at(key.clone(), Some(&position)).await?;
            let running = self.engines.begin(&key, Arc::clone(&slot), reserved);
            let work = Arc::clone(&work);
            let work = move |monitor: &Monitor| {
                let found = work(session.as_ref(), monitor);
                // An engine that is evicted now leaves the memory.
                drop(session);
                drop(running);
                drop(turn);
                found
            };
            match now {
                Cost::Search => {
                    let search = lane.search_in_turn(place, &turns, call.client, work);
                    let searched = search.await.map_err(failed)?;
                    let is_stopped = |error: &Error| error.kind == Kind::Stopped;
                    if !(searched.made_room && searched.found.as_ref().is_err_and(is_stopped)) {
                        return searched.found;
                    }
                }
                Cost::Build => return self.build(Arc::clone(lane), place, slot, work).await,
                _ => return lane.search(place, work).await.map_err(failed)?,
            }
        }
    }

    /// Runs an evaluation that builds a table. Others can use the table, so it is finished even if
    /// its client has gone.
    async fn build<T: Send + 'static>(
        &self,
        lane: Arc<Lane>,
        place: Place,
        slot: Arc<Slot>,
        work: impl FnOnce(&Monitor) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let limit = BUILD_TIMES * self.time;
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
        call: Call,
        work: Arc<impl Fn(&dyn Session, &Monitor) -> Result<T, Error> + Send + Sync + 'static>,
    ) -> Result<T, Error> {
        let work = move |monitor: &Monitor| work(session.as_ref(), monitor);
        self.look_ups.search_next(call.client, work).await.map_err(failed)?
    }
}

/// Whether an evaluation neither searches nor builds a table.
fn is_known(cost: &Cost) -> bool {
    matches!(cost, Cost::LookUp | Cost::Refused { .. })
}

fn failed(error: impl ToString) -> Error {
    Error::of(Kind::Failed, error)
}

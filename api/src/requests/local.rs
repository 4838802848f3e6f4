//! Answers to requests without a server.

use super::{AnalysesAnswer, Ask, EngineKey, Games, Loaded, Query, Reply, Subject, options_of};
use crate::{Engine, Error, Game, Kind, Monitor, Registry, Resources, Session, Workload};
use std::collections::VecDeque;
use std::sync::Arc;

/// The share of the memory that the tables of one engine may take.
const SHARE: u64 = 2;

/// Answers requests one after another. Keeps the engines of the last rules, within a limit of
/// memory.
///
/// ```
/// use bsq_api::requests::Local;
/// use bsq_api::{Monitor, Registry};
///
/// let mut local = Local::new(Registry::standard(), 64 << 20);
/// let answer = local.answer("mnk/position?moves=b2,a2", None, &Monitor::default()).unwrap();
/// let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
/// assert_eq!((&answer["position"], &answer["value"]["outcome"]), (&".../OX./...".into(), &"first".into()));
///
/// let error = local.answer("mnk/position?moves=z9", None, &Monitor::default()).unwrap_err();
/// assert_eq!(error.location.as_deref(), Some("moves"));
/// ```
pub struct Local {
    registry: Registry,
    engines: Engines,
}

/// The engines in memory, the last used one at the end.
struct Engines {
    kept: VecDeque<(Key, Arc<dyn Engine>)>,
    memory: u64,
}

/// What an engine is for. A search answers one position sooner than a table of the whole board, which a
/// puzzle needs.
type Key = (EngineKey, Workload);

impl Local {
    /// Creates an empty cache of engines, whose tables take about `memory` bytes.
    pub fn new(registry: Registry, memory: u64) -> Local {
        Local { registry, engines: Engines { kept: VecDeque::new(), memory } }
    }

    /// Answers the request of a path with its query, such as `mnk/position?moves=b2`, as JSON. A
    /// `body` is a batch of positions, or a record.
    ///
    /// # Errors
    ///
    /// If there is no such path, if a parameter or the body is invalid, if the values cannot be
    /// found, or if the monitor stops the job.
    pub fn answer(
        &mut self,
        path: &str,
        body: Option<&str>,
        monitor: &Monitor,
    ) -> Result<String, Error> {
        self.find(path, body, monitor).map_err(Error::of_parameter)
    }

    fn find(&mut self, path: &str, body: Option<&str>, monitor: &Monitor) -> Result<String, Error> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let query = Query::parse(&self.registry, path, query, body.map(str::as_bytes))?;
        let engines = &mut self.engines;
        let reply = match query {
            Query::Games => Reply::Games(Games::of(&self.registry, |_| Vec::new())),
            Query::Analyses(game) => Reply::Analyses(AnalysesAnswer::of(game.as_ref())),
            Query::Analysis(request) => {
                Reply::Tables(request.answer(engines.memory / SHARE, monitor)?)
            }
            Query::Position(subject, ask) => engines.reply(&subject, &ask, monitor)?,
            Query::Positions(subjects, request, form) => {
                let mut answer = |subject: Subject| {
                    engines.session(&subject, Workload::One)?.answer(request, monitor)
                };
                let parts = (1..).zip(subjects).map(|(number, subject)| {
                    let found = subject.and_then(&mut answer).map_err(Error::of_parameter);
                    form.part(number, found).map(|part| String::from_utf8_lossy(&part).into_owned())
                });
                let parts = parts.collect::<Result<Vec<_>, _>>();
                let parts = parts.map_err(|error| Error::of(Kind::Failed, error))?;
                let [begin, end] = form.frame();
                return Ok(format!("{begin}{}{end}", parts.join(",")));
            }
            Query::Load(game, record) => {
                let session = game.load(&record, &[], &engines.resources(Workload::One))?;
                Reply::Loaded(Loaded::of(session)?)
            }
        };
        serde_json::to_string(&reply).map_err(|error| Error::of(Kind::Failed, error))
    }
}

impl Engines {
    fn resources(&self, workload: Workload) -> Resources {
        Resources { workload, first_plies: true, ..Resources::new(self.memory / SHARE) }
    }

    fn reply(&mut self, subject: &Subject, ask: &Ask, monitor: &Monitor) -> Result<Reply, Error> {
        let session = self.session(subject, ask.workload())?;
        ask.reply(session.as_ref(), monitor)
    }

    /// A game in progress at the position of a request.
    fn session(
        &mut self,
        subject: &Subject,
        workload: Workload,
    ) -> Result<Box<dyn Session>, Error> {
        let key = (subject.engine_key()?, workload);
        let mut session =
            self.engine(subject.game.as_ref(), key)?.session(subject.position.as_deref())?;
        session.play(&subject.moves)?;
        Ok(session)
    }

    /// The engine of some rules. Those that were not used for the longest time make room for it.
    fn engine(&mut self, game: &dyn Game, key: Key) -> Result<Arc<dyn Engine>, Error> {
        let same = |(other, _): &(Key, _)| *other == key;
        let entry = if let Some(entry) =
            self.kept.iter().position(same).and_then(|at| self.kept.remove(at))
        {
            entry
        } else {
            let (EngineKey { rules, facts, .. }, workload) = &key;
            let resources = Resources { facts: facts.clone(), ..self.resources(*workload) };
            let engine = game.engine(&options_of(game, rules), &resources)?;
            (key, engine)
        };
        let engine = Arc::clone(&entry.1);
        self.kept.push_back(entry);
        let total = |kept: &VecDeque<(Key, Arc<dyn Engine>)>| -> u64 {
            kept.iter().map(|(_, engine)| engine.bytes()).sum()
        };
        while self.kept.len() > 1 && total(&self.kept) > self.memory {
            self.kept.pop_front();
        }
        Ok(engine)
    }
}

//! Answers to requests without a server.

use super::{
    AGENT, AnalysesAnswer, AnalysisRequest, Answers, Batch, Chosen, DEFAULT_AGENT, DEFAULT_LINE,
    Games, LONGEST_LINE, Loaded, POSITION, PUZZLE, Parameters, RECORD, Record, Subject, VARIATION,
    Variation, options_of,
};
use crate::{
    Answer, Engine, Error, Game, Kind, Monitor, Registry, Request, Resources, RulesAnswer, Session,
    Workload,
};
use serde::Serialize;
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
/// assert_eq!((&answer["position"], &answer["value"]["winner"]), (&".../OX./...".into(), &"first".into()));
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

/// The name of a game, its rules, and what the engine is for: a search answers one position sooner
/// than a table of the whole board, which a puzzle needs.
type Key = (&'static str, RulesAnswer, Workload);

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
        if path == "games" {
            Parameters::parse(query, &[], None)?;
            return json(&Games::of(&self.registry, |_| Vec::new()));
        }
        let (name, kind) = path.split_once('/').unwrap_or((path, ""));
        let (game, engines) = (self.registry.find(name)?, &mut self.engines);
        let parsed = |names: &[&str]| match body {
            None => Parameters::parse(query, names, Some(game)),
            Some(_) => Parameters::parse(query, &[], None),
        };
        if let (Some(analysis), None) = (kind.strip_prefix("analyses/"), body) {
            let request = AnalysisRequest::parse(game, analysis, query)?;
            return json(&request.answer(engines.memory / SHARE, monitor)?);
        }
        match (kind, body) {
            ("analyses", None) => {
                Parameters::parse(query, &[], None)?;
                json(&AnalysesAnswer::of(game))
            }
            ("position", None) => {
                let query = parsed(&POSITION)?;
                json(&engines.answer(&query.subject(game), query.request()?, monitor)?)
            }
            ("position", Some(body)) => {
                parsed(&[])?;
                let batch = Batch::parse(body.as_bytes())?;
                let request = batch.request()?;
                let subjects = batch.subjects(game)?;
                let mut answer = |subject: Subject| engines.answer(&subject, request, monitor);
                let found = subjects.map(|subject| {
                    subject.and_then(&mut answer).map_err(Error::of_parameter).into()
                });
                json(&Answers { answers: found.collect() })
            }
            ("line", None) => {
                let query = parsed(&VARIATION)?;
                let limit = query.number("limit", LONGEST_LINE as u64)?;
                let line = limit.map_or(DEFAULT_LINE, |limit| limit as usize);
                let subject = query.subject(game);
                let found = engines.answer(&subject, Request { detail: None, line }, monitor)?;
                let moves = found.principal_variation.unwrap_or_default();
                json(&Variation::of(engines.session(&subject)?, moves)?)
            }
            ("move", None) => {
                let query = parsed(&AGENT)?;
                let agent = query.text("agent").unwrap_or(DEFAULT_AGENT);
                let seed = query.number("seed", u64::MAX)?.unwrap_or(0);
                let session = engines.session(&query.subject(game))?;
                json(&Chosen::of(session.as_ref(), agent, seed, monitor)?)
            }
            ("puzzle", None) => {
                let query = parsed(&PUZZLE)?;
                let session = engines.session_for(&query.subject(game), Workload::Many)?;
                json(&session.puzzle(&query.puzzle()?, monitor)?)
            }
            ("record", None) => {
                let session = engines.session(&parsed(&RECORD)?.subject(game))?;
                json(&Record { record: session.record() })
            }
            ("record", Some(body)) => {
                parsed(&[])?;
                json(&Loaded::of(game.load(body, &engines.resources(Workload::One))?)?)
            }
            _ => Err(Error::of(Kind::Usage, format!("there is no {path}"))),
        }
    }
}

impl Engines {
    fn resources(&self, workload: Workload) -> Resources {
        Resources { workload, ..Resources::new(self.memory / SHARE) }
    }

    fn answer(
        &mut self,
        subject: &Subject,
        request: Request,
        monitor: &Monitor,
    ) -> Result<Answer, Error> {
        self.session(subject)?.answer(request, monitor)
    }

    /// A game in progress at the position of a request.
    fn session(&mut self, subject: &Subject) -> Result<Box<dyn Session>, Error> {
        self.session_for(subject, Workload::One)
    }

    fn session_for(
        &mut self,
        subject: &Subject,
        workload: Workload,
    ) -> Result<Box<dyn Session>, Error> {
        let key = (subject.game.info().name, subject.all_rules()?, workload);
        let mut session = self.engine(subject.game, key)?.session(subject.position.as_deref())?;
        session.play(&subject.moves)?;
        Ok(session)
    }

    /// The engine of some rules. Those that were not used for the longest time make room for it.
    fn engine(&mut self, game: &dyn Game, key: Key) -> Result<Arc<dyn Engine>, Error> {
        let same = |(other, _): &(Key, _)| *other == key;
        let entry = match self.kept.iter().position(same).and_then(|at| self.kept.remove(at)) {
            Some(entry) => entry,
            None => {
                let engine = game.engine(&options_of(game, &key.1), &self.resources(key.2))?;
                (key, engine)
            }
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

fn json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::of(Kind::Failed, error))
}

//! The engines in memory, within a budget of bytes.

use super::lane::Lanes;
use anyhow::{Result, anyhow};
use bsq_api::{Code, Engine, Error, Game, Registry, Resources, RulesAnswer};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

/// The share of the budget that the tables of one engine may take.
const SHARE: u64 = 4;
/// About the memory of an engine besides its tables, in bytes.
const LEAST_BYTES: u64 = 1 << 20;

/// The rules of a game, by the names of their parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The name of the game.
    pub game: &'static str,
    /// Every option with its value.
    pub rules: RulesAnswer,
}

/// An engine, which its first user creates.
pub struct Slot {
    engine: OnceCell<Arc<dyn Engine>>,
    /// Held by the only evaluation that is not a look-up: threads of two would wait for each other
    /// and could not be cancelled meanwhile.
    pub turn: Arc<tokio::sync::Mutex<()>>,
    /// The engine of the default rules is never evicted.
    is_standard: bool,
    last_use: AtomicU64,
}

/// A tablebase with the game that it belongs to.
pub struct Tablebase {
    /// The name of the game.
    pub game: &'static str,
    /// The rules of the tablebase.
    pub rules: RulesAnswer,
    path: PathBuf,
}

/// The engines.
pub struct Engines {
    /// The games.
    pub registry: Registry,
    /// The tablebases, in the order in which they are tried.
    pub tablebases: Vec<Tablebase>,
    lanes: HashMap<&'static str, Lanes>,
    budget: u64,
    slots: Mutex<HashMap<Key, Arc<Slot>>>,
    clock: AtomicU64,
}

impl Engines {
    /// Opens the tablebases. Fails if one of them cannot be used.
    pub fn new(registry: Registry, paths: Vec<PathBuf>, budget: u64) -> Result<Engines> {
        let find = |path: PathBuf| {
            let mut why = Vec::new();
            for game in registry.games().filter(|game| game.tablebases().is_some()) {
                match game.tablebase_rules(&path) {
                    Ok(rules) => return Ok(Tablebase { game: game.info().name, rules, path }),
                    Err(error) => why.push(format!("{}: {error}", game.info().name)),
                }
            }
            Err(anyhow!("{} is not a tablebase ({})", path.display(), why.join("; ")))
        };
        let tablebases = paths.into_iter().map(find).collect::<Result<_>>()?;
        let lanes = registry.games().map(|game| (game.info().name, Lanes::new())).collect();
        let (slots, clock) = (Mutex::default(), AtomicU64::new(0));
        Ok(Engines { registry, tablebases, lanes, budget, slots, clock })
    }

    /// The lanes of a game.
    pub fn lanes(&self, game: &str) -> &Lanes {
        &self.lanes[game]
    }

    /// The engine of some rules, created if necessary.
    pub async fn engine(
        self: &Arc<Engines>,
        key: &Key,
    ) -> Result<(Arc<Slot>, Arc<dyn Engine>), Error> {
        let slot = self.slot(key);
        let create = async || {
            let (engines, key) = (Arc::clone(self), key.clone());
            let created = spawn_blocking(move || engines.create(&key)).await;
            created.map_err(|error| Error::of(Code::Failed, error))?
        };
        let engine = match slot.engine.get() {
            Some(engine) => Arc::clone(engine),
            None => {
                let engine = Arc::clone(slot.engine.get_or_try_init(create).await?);
                self.evict();
                engine
            }
        };
        Ok((slot, engine))
    }

    fn slot(&self, key: &Key) -> Arc<Slot> {
        let now = self.clock.fetch_add(1, Ordering::Relaxed);
        let mut slots = self.slots();
        let slot = slots.entry(key.clone()).or_insert_with(|| {
            let standard = self.registry.get(key.game).map(|game| game.rules(&[]));
            let is_standard = standard.is_some_and(|rules| rules.as_ref() == Ok(&key.rules));
            let (turn, last_use) = (Arc::default(), AtomicU64::new(now));
            Arc::new(Slot { engine: OnceCell::new(), turn, is_standard, last_use })
        });
        slot.last_use.store(now, Ordering::Relaxed);
        Arc::clone(slot)
    }

    /// Creates an engine, with a tablebase if one has these rules.
    fn create(&self, key: &Key) -> Result<Arc<dyn Engine>, Error> {
        let game = self.registry.get(key.game);
        let game = game.ok_or_else(|| Error::of(Code::Invalid, "unknown game"))?;
        let given = given(game, &key.rules);
        let open = |tablebase| game.engine(&given, &Resources { tablebase, ..self.resources() });
        let own = self.tablebases.iter().filter(|tablebase| tablebase.game == key.game);
        let found = own.map(|tablebase| open(Some(tablebase.path.clone()))).find_map(Result::ok);
        found.map_or_else(|| open(None), Ok)
    }

    /// What an engine without a tablebase may use.
    pub fn resources(&self) -> Resources {
        Resources::new(self.budget / SHARE)
    }

    /// Evicts the least recently used engines until the others fit in the budget.
    pub fn evict(&self) {
        let mut slots = self.slots();
        let mut total = total(&slots);
        while total > self.budget {
            let evictable = slots.iter().filter(|(_, slot)| !slot.is_standard);
            let oldest = evictable.min_by_key(|(_, slot)| slot.last_use.load(Ordering::Relaxed));
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { return };
            total -= slots.remove(&oldest).map_or(0, |slot| slot.bytes());
        }
    }

    /// The number of engines, and the size of their tables in bytes.
    pub fn size(&self) -> (usize, u64) {
        let slots = self.slots();
        (slots.len(), total(&slots))
    }

    /// A message without the paths of tablebases, which are not revealed to clients.
    pub fn without_paths(&self, message: &str) -> String {
        self.tablebases.iter().fold(message.to_string(), |message, tablebase| {
            message.replace(&*tablebase.path.to_string_lossy(), "the tablebase")
        })
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<Key, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    fn bytes(&self) -> u64 {
        LEAST_BYTES + self.engine.get().map_or(0, |engine| engine.bytes())
    }
}

fn total(slots: &HashMap<Key, Arc<Slot>>) -> u64 {
    slots.values().map(|slot| slot.bytes()).sum()
}

/// The rules by the names of their options.
pub fn given<'a>(game: &dyn Game, rules: &'a RulesAnswer) -> Vec<(&'static str, &'a str)> {
    let value = |name: &str| rules.get(name)?.as_deref();
    let options = game.options().iter();
    options.filter_map(|option| Some((option.name, value(&option.parameter())?))).collect()
}

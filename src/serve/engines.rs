//! The engines in memory, within a budget of bytes.

use super::fair::Fair;
use super::lane::Lanes;
use crate::errors::usage;
use anyhow::Result;
use bsq_api::requests::{EngineKey, options_of};
use bsq_api::{Cost, Engine, Error, Kind, Registry, Resources, RulesAnswer, Session};
use parking_lot::Mutex;
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

/// The share of the budget that the tables of one engine may take.
const SHARE: u64 = 4;
/// The number of simultaneous searches of all games. Each takes at most a [`SHARE`] of the budget.
pub const SEARCHES: usize = 2;
/// The share of the budget that answers take, in the cache and in transit, which is not available
/// for tables.
pub const ANSWERS: u64 = 8;
/// The share of the budget that analyses take, which is not available for tables.
const ANALYSES: u64 = 8;
/// The number of tables whose sizes are remembered.
const MOST_SIZES: usize = 1000;
/// The memory for building a table, as a multiple of its size.
const BUILD_PEAK: u64 = 2;
/// The time until a table that took too long is built again.
const BREAK: Duration = Duration::from_secs(60);
/// About the memory of an engine besides its tables, in bytes.
const LEAST_BYTES: u64 = 1 << 20;

/// An engine, which its first user creates.
pub struct Slot {
    engine: OnceCell<Arc<dyn Engine>>,
    /// The place of the only evaluation that is not a look-up: threads of two would wait for each
    /// other and could not be cancelled meanwhile.
    pub turn: Arc<Fair>,
    /// Why the table could not be built, and until when that is not tried again.
    refused: Mutex<Option<(Error, Option<Instant>)>>,
    /// The bytes that the evaluation in progress may take; 0 if there is none.
    reserved: AtomicU64,
    /// The engine of the default rules is never evicted.
    is_standard: bool,
    last_use: AtomicU64,
}

/// A tablebase with the game that it belongs to.
pub struct Tablebase {
    /// The name of the game.
    pub game: Cow<'static, str>,
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
    lanes: HashMap<Cow<'static, str>, Lanes>,
    budget: u64,
    slots: Mutex<HashMap<EngineKey, Arc<Slot>>>,
    /// The turns of engines, and of those that were evicted while evaluations wait for them.
    turns: Mutex<HashMap<EngineKey, Weak<Fair>>>,
    /// The sizes in bytes of tables that were built, some of which were evicted.
    sizes: Mutex<HashMap<EngineKey, u64>>,
    clock: AtomicU64,
    /// Memory for building tables.
    builds: Room,
}

/// Memory that evaluations share, in units of [`LEAST_BYTES`].
struct Room {
    free: Arc<Semaphore>,
    units: u32,
}

impl Room {
    fn new(bytes: u64) -> Room {
        let units = u32::try_from(bytes / LEAST_BYTES).unwrap_or(u32::MAX).max(1);
        Room { free: Arc::new(Semaphore::new(units as usize)), units }
    }

    /// Waits for memory: all of it if more is wanted.
    async fn take(&self, bytes: u64) -> Result<OwnedSemaphorePermit> {
        let units = bytes.div_ceil(LEAST_BYTES).min(self.units.into());
        Ok(Arc::clone(&self.free).acquire_many_owned(units as u32).await?)
    }
}

/// Memory for an evaluation.
pub struct Reserved {
    bytes: u64,
    _permit: Option<OwnedSemaphorePermit>,
}

/// An evaluation in progress. Its engine is not evicted until this is dropped.
pub struct Running {
    engines: Arc<Engines>,
    key: EngineKey,
    slot: Arc<Slot>,
    _reserved: Reserved,
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut sizes = self.engines.sizes.lock();
        if sizes.len() >= MOST_SIZES {
            sizes.clear();
        }
        sizes.insert(self.key.clone(), self.slot.table_bytes());
        drop(sizes);
        self.slot.reserved.store(0, Ordering::Relaxed);
        self.engines.evict();
    }
}

impl Engines {
    /// Opens the tablebases. Fails if one of them cannot be used.
    pub fn new(registry: Registry, paths: Vec<PathBuf>, budget: u64) -> Result<Engines> {
        let find = |path: PathBuf| {
            if !path.exists() {
                return Err(usage(format!("there is no tablebase {}", path.display())));
            }
            let (mut why, mut kind) = (Vec::new(), Kind::Usage);
            for game in registry.games().filter(|game| game.tablebases().is_some()) {
                match game.tablebase_rules(&path) {
                    Ok(rules) => {
                        return Ok(Tablebase { game: game.info().name.clone(), rules, path });
                    }
                    Err(error) => {
                        why.push(format!("{}: {error}", game.info().name));
                        if error.kind == Kind::Failed {
                            kind = Kind::Failed;
                        }
                    }
                }
            }
            let why = why.join("; ");
            Err(Error::of(kind, format!("cannot use {} as a tablebase ({why})", path.display()))
                .into())
        };
        let tablebases = paths.into_iter().map(find).collect::<Result<_>>()?;
        let lanes = registry.games().map(|game| (game.info().name.clone(), Lanes::new())).collect();
        Ok(Engines {
            registry,
            tablebases,
            lanes,
            budget,
            slots: Mutex::default(),
            turns: Mutex::default(),
            sizes: Mutex::default(),
            clock: AtomicU64::new(0),
            builds: Room::new(budget / SHARE),
        })
    }

    /// The lanes of a game.
    pub fn lanes(&self, game: &str) -> &Lanes {
        &self.lanes[game]
    }

    /// The engine of some rules, created if necessary.
    pub async fn engine(
        self: &Arc<Engines>,
        key: &EngineKey,
    ) -> Result<(Arc<Slot>, Arc<dyn Engine>), Error> {
        let slot = self.slot(key);
        let create = async || {
            let (engines, key) = (Arc::clone(self), key.clone());
            let created = spawn_blocking(move || engines.create(&key)).await;
            created.map_err(|error| Error::of(Kind::Failed, error))?
        };
        let engine = if let Some(engine) = slot.engine.get() {
            Arc::clone(engine)
        } else {
            let engine = Arc::clone(slot.engine.get_or_try_init(create).await?);
            self.evict();
            engine
        };
        Ok((slot, engine))
    }

    fn slot(&self, key: &EngineKey) -> Arc<Slot> {
        let now = self.clock.fetch_add(1, Ordering::Relaxed);
        let mut slots = self.slots.lock();
        let slot = slots.entry(key.clone()).or_insert_with(|| {
            let standard = self.registry.get(&key.game).map(|game| game.rules(&[]));
            let is_standard = standard.is_some_and(|rules| rules.as_ref() == Ok(&key.rules))
                && key.facts.is_empty();
            Arc::new(Slot {
                engine: OnceCell::new(),
                turn: self.turn(key),
                refused: Mutex::default(),
                reserved: AtomicU64::new(0),
                is_standard,
                last_use: AtomicU64::new(now),
            })
        });
        slot.last_use.store(now, Ordering::Relaxed);
        Arc::clone(slot)
    }

    fn turn(&self, key: &EngineKey) -> Arc<Fair> {
        let mut turns = self.turns.lock();
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = turns.get(key).and_then(Weak::upgrade).unwrap_or_else(|| Fair::new(1, 1));
        turns.insert(key.clone(), Arc::downgrade(&turn));
        turn
    }

    /// The bytes that tables may take during an evaluation.
    pub fn wanted(&self, key: &EngineKey, cost: &Cost, session: &dyn Session) -> u64 {
        let share = self.budget / SHARE;
        match cost {
            Cost::Search => match session.most_bytes() {
                0 => share,
                bytes => bytes,
            },
            Cost::Build => {
                let size = self.sizes.lock().get(key).copied().filter(|&size| size > 0);
                size.map_or(share, |size| share.min(BUILD_PEAK * size))
            }
            Cost::Quick | Cost::LookUp | Cost::Refused { .. } => 0,
        }
    }

    /// Waits until there is memory for an evaluation.
    pub async fn reserve(&self, cost: &Cost, bytes: u64) -> Result<Reserved> {
        let permit = match cost {
            Cost::Build => Some(self.builds.take(bytes).await?),
            // All searches together fit.
            Cost::Search | Cost::Quick | Cost::LookUp | Cost::Refused { .. } => None,
        };
        Ok(Reserved { bytes: bytes.max(1), _permit: permit })
    }

    /// Begins an evaluation. Other engines are evicted if they take the memory that it needs.
    pub fn begin(
        self: &Arc<Engines>,
        key: &EngineKey,
        slot: Arc<Slot>,
        reserved: Reserved,
    ) -> Running {
        {
            let mut slots = self.slots.lock();
            slot.reserved.store(reserved.bytes, Ordering::Relaxed);
            // It may just have been evicted.
            slots.insert(key.clone(), Arc::clone(&slot));
        }
        self.evict();
        Running { engines: Arc::clone(self), key: key.clone(), slot, _reserved: reserved }
    }

    /// Creates an engine, with a tablebase if one has these rules.
    fn create(&self, key: &EngineKey) -> Result<Arc<dyn Engine>, Error> {
        let game = self.registry.get(&key.game);
        let game = game.ok_or_else(|| Error::of(Kind::Usage, "unknown game"))?;
        let given = options_of(game, &key.rules);
        let resources = Resources { facts: key.facts.clone(), ..self.resources() };
        let open = |tablebase| game.engine(&given, &Resources { tablebase, ..resources.clone() });
        let own = self.tablebases.iter().filter(|tablebase| tablebase.game == key.game);
        let found = own.map(|tablebase| open(Some(tablebase.path.clone()))).find_map(Result::ok);
        found.map_or_else(|| open(None), Ok)
    }

    /// What an engine without a tablebase may use.
    pub fn resources(&self) -> Resources {
        Resources { first_plies: true, ..Resources::new(self.budget / SHARE) }
    }

    /// The bytes that all analyses may take.
    pub fn for_analyses(&self) -> u64 {
        self.budget / ANALYSES
    }

    /// Evicts the least recently used engines until the others fit in the budget. Those of
    /// evaluations in progress stay.
    fn evict(&self) {
        let mut slots = self.slots.lock();
        let mut total = total(&slots);
        while total > self.budget - self.budget / ANSWERS - self.budget / ANALYSES {
            let is_idle = |slot: &Slot| slot.reserved.load(Ordering::Relaxed) == 0;
            let evictable = slots.iter().filter(|(_, slot)| !slot.is_standard && is_idle(slot));
            let oldest = evictable.min_by_key(|(_, slot)| slot.last_use.load(Ordering::Relaxed));
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { return };
            total -= slots.remove(&oldest).map_or(0, |slot| slot.bytes());
        }
    }

    /// The number of engines, and the bytes that their tables take or are about to take.
    pub fn size(&self) -> (usize, u64) {
        let slots = self.slots.lock();
        (slots.len(), total(&slots))
    }

    /// A message without the paths of tablebases, which are not revealed to clients.
    pub fn without_paths(&self, message: &str) -> String {
        self.tablebases.iter().fold(message.to_string(), |message, tablebase| {
            message.replace(&*tablebase.path.to_string_lossy(), "the tablebase")
        })
    }
}

impl Slot {
    /// Why the table was not built before, unless it should be tried again.
    pub fn refused(&self) -> Option<Error> {
        let refused = self.refused.lock();
        let (error, until) = refused.as_ref()?;
        until.is_none_or(|until| Instant::now() < until).then(|| error.clone())
    }

    /// Remembers that the table cannot be built. One that takes too long may be built when the
    /// machine is less busy.
    pub fn refuse(&self, error: &Error) {
        let until = match error.kind {
            Kind::Refused => None,
            Kind::Stopped => Some(Instant::now() + BREAK),
            Kind::Usage | Kind::Failed => return,
        };
        let mut refused = self.refused.lock();
        *refused = Some((error.clone(), until));
    }

    fn bytes(&self) -> u64 {
        let reserved = self.reserved.load(Ordering::Relaxed);
        LEAST_BYTES + self.table_bytes().max(reserved)
    }

    /// The bytes of the tables.
    pub fn table_bytes(&self) -> u64 {
        self.engine.get().map_or(0, |engine| engine.bytes())
    }
}

fn total(slots: &HashMap<EngineKey, Arc<Slot>>) -> u64 {
    slots.values().map(|slot| slot.bytes()).sum()
}

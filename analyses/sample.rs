//! Random positions: a ply of a playout, or a state, each with equal probability.

use crate::any::limits;
use crate::options::{MOVES, POSITION};
use crate::query::keeps_player;
use crate::source::{Root, Source, Visit};
use crate::{Analysis, AnalysisError, Job, Table};
use bsq_engine::dataset::{Collector, Entry};
use bsq_engine::explore::{PlayoutSampler, explore_from};
use bsq_engine::game::Player;
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::parallel;
use bsq_engine::random::Random;
use bsq_engine::record::Recorded;
use bsq_engine::tabulate;
use std::collections::BinaryHeap;

/// The options of a sample, besides those of the rules.
pub const NUMBER: RuleOption = RuleOption::new(
    "number",
    OptionKind::Integer { least: 1, most: 10_000_000 },
    None,
    "How many positions to draw",
);
const SEED: RuleOption = RuleOption::new("seed", OptionKind::Seed, Some("1"), "The random seed");
const FROM: RuleOption = RuleOption::new(
    "from",
    OptionKind::Choice { values: std::borrow::Cow::Borrowed(&FROMS) },
    Some(PLAYOUTS),
    "What is drawn with equal probability: a playout and a ply of it, or a state, up to symmetry and at \
     most once",
);
const PLAYOUTS: &str = "playouts";
const STATES: &str = "states";
const FROMS: [std::borrow::Cow<'static, str>; 2] =
    [std::borrow::Cow::Borrowed(PLAYOUTS), std::borrow::Cow::Borrowed(STATES)];

/// The number of playouts in a task of a thread.
const CHUNK: u64 = 64;

/// A position that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Drawn {
    position: String,
    ply: Option<u32>,
    player: Option<Player>,
}

/// The sample of a game by its name, over a source of its positions.
pub fn analysis<S: Source>(game: &str, default: &S::Game) -> Analysis {
    let (game, default) = (game.to_string(), default.clone());
    let own = [NUMBER, SEED, FROM, POSITION, MOVES];
    let rules = default.format().options.iter();
    let options: Vec<RuleOption> = own.iter().chain(S::OPTIONS).chain(rules).cloned().collect();
    let summary = "random positions: of playouts, or of all states";
    Analysis::new("sample", summary, options, move |request| {
        let (rules, source) = S::open(request, &default)?;
        let (rules, root) = Root::of(request, rules)?;
        let number: u64 = request.integer(&NUMBER.name)?;
        let seed: u64 = request.integer(&SEED.name)?;
        let mut described = crate::any::described(&game, &rules, root.as_ref());
        described.fields["seed"] = seed.into();
        if request.value(&FROM.name) == Some(STATES) {
            source.check(&rules, root.as_ref())?;
            let visit = Visit { rules, root, is_ordered: false };
            return Ok(Job::new(described, move |monitor| {
                let drawing = States::new(&visit.rules, number, seed);
                let drawn = source.collect(&visit, drawing, monitor)?.least.into_sorted_vec();
                Ok(vec![table("a state", drawn.into_iter().map(|(_, drawn)| drawn))])
            }));
        }
        Ok(Job::new(described, move |monitor| {
            let drawn = of_playouts(&rules, root.as_ref(), number, seed, monitor)?;
            Ok(vec![table("a ply of a playout", drawn)])
        }))
    })
}

/// The table of positions.
fn table(each: &str, drawn: impl IntoIterator<Item = Drawn>) -> Table {
    let title = format!("Random positions, each {each}");
    let table = tabulate!("sample", &title, for (at, drawn) in (1u64..).zip(drawn) => {
        "sample": integer key, "the number of the draw, from 1" => at;
        "position": text, "the position as text, in the notation of the game" => drawn.position;
        "ply": integer, "plies before the position, passes included; empty where they are unknown"
            => drawn.ply;
        "player": text, "who is to move; empty where positions do not tell"
            => drawn.player.map(Player::name);
    });
    table.without_empty_columns()
}

/// Draws positions of playouts.
fn of_playouts<G: Recorded + Send + Sync + 'static>(
    rules: &G,
    root: Option<&Root<G>>,
    number: u64,
    seed: u64,
    monitor: &Monitor,
) -> Result<Vec<Drawn>, AnalysisError> {
    let start = root.map_or_else(|| rules.start(), |root| root.position.clone());
    let first_ply = root.map_or(0, |root| root.ply);
    let ends = rules.remaining(&start).is_some()
        || explore_from(rules.clone(), &start, limits(monitor), monitor)?.is_acyclic();
    if !ends {
        return Err(AnalysisError::Recurring);
    }
    let sampler = PlayoutSampler::new(rules, &start, limits(monitor), monitor)?;
    monitor.begin("playouts", number);
    let draw = |at: u64| {
        let mut random = Random::of(seed, &format!("playout {at}"));
        let mut playout = sampler.draw(&mut random);
        let ply = random.below(playout.len());
        let position = playout.swap_remove(ply);
        Drawn {
            position: rules.format_position(&position),
            ply: Some(first_ply + ply as u32),
            player: Some(rules.to_move(&position)),
        }
    };
    let parts: Vec<u64> = (0..number).step_by(CHUNK as usize).collect();
    let drawn = parallel::try_map(parts, |begin| {
        monitor.check()?;
        let drawn: Vec<Drawn> = (begin..number.min(begin + CHUNK)).map(draw).collect();
        monitor.advance(drawn.len() as u64);
        Ok::<_, AnalysisError>(drawn)
    })?;
    Ok(drawn.into_iter().flatten().collect())
}

/// Draws states: those with the least of the pseudo-random numbers that the seed and the text of a state
/// determine. So the draw depends neither on the order of the states nor on the threads.
struct States<'a, G> {
    game: &'a G,
    number: u64,
    seed: u64,
    keeps_player: bool,
    least: BinaryHeap<(u64, Drawn)>,
}

impl<'a, G: Recorded> States<'a, G> {
    fn new(game: &'a G, number: u64, seed: u64) -> States<'a, G> {
        let (keeps_player, least) = (keeps_player(game), BinaryHeap::new());
        States { game, number, seed, keeps_player, least }
    }

    fn add(&mut self, drawn: (u64, Drawn)) {
        if (self.least.len() as u64) < self.number {
            self.least.push(drawn);
        } else if let Some(mut greatest) = self.least.peek_mut()
            && drawn < *greatest
        {
            *greatest = drawn;
        }
    }
}

impl<G: Recorded> Collector<G> for States<'_, G> {
    fn fresh(&self) -> Self {
        States { least: BinaryHeap::new(), ..*self }
    }

    fn see(&mut self, entry: &impl Entry<G>) {
        let position = self.game.canonical(entry.position());
        let text = self.game.format_position(&position);
        let priority = Random::of(self.seed, &text).bits();
        let player = self.keeps_player.then(|| self.game.to_move(&position));
        self.add((priority, Drawn { position: text, ply: entry.ply(), player }));
    }

    fn absorb(&mut self, later: Self) {
        later.least.into_iter().for_each(|drawn| self.add(drawn));
    }
}

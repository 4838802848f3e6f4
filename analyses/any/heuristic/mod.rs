//! A heuristic against perfect play, at every decision of a game.
//!
//! A decision is a position with a legal move that is not a pass. A move is **perfect** if it keeps
//! the outcome and, in games with points, the score. A heuristic **fails** at a decision if some
//! move that it prefers is not perfect, and **fails badly** if none is. The **cost** of a move is
//! the number of points it gives away; that of a decision is the mean over the preferred moves.

mod batches;

use super::described;
use crate::chart::{Chart, Figure};
use crate::choices::{ChoiceRows, Choices, Outside, Preference};
use crate::options::{HEURISTIC, MOVES, POSITION};
use crate::query::options::ALL_SHOWN;
use crate::query::{self, Batch, keeps_player};
use crate::ratio::ratio;
use crate::source::{Root, Source, Visit};
use crate::{Analysis, AnalysisError, Described, Job, OptionValues, Table};
use batches::Batches;
use bsq_engine::dataset::{Collector, Entry};
use bsq_engine::definition::{Definition, Heuristic};
use bsq_engine::game::{Game, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::RuleOption;
use bsq_engine::record::Recorded;
use bsq_engine::tabulate;
use bsq_engine::text::thousands;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What identifies a heuristic in tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name, or its rules if it has none.
    pub label: String,
    /// Its name in those of tables, of letters, digits and `_`.
    pub file_name: String,
    /// How it chooses.
    pub rules: String,
    /// How hard it is for a person, where that is known.
    pub difficulty: Option<u32>,
}

impl Named {
    /// Somebody outside the program.
    fn outside(name: &str, file_name: &str) -> Named {
        let (label, file_name) = (name.to_string(), file_name.to_string());
        Named { label, file_name, rules: String::new(), difficulty: None }
    }
}

/// What a heuristic does at some decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Results {
    /// The number of decisions.
    pub decisions: u64,
    /// Decisions at which some legal move is not perfect.
    pub risky: u64,
    /// Decisions at which some preferred move is not perfect.
    pub fails: u64,
    /// Decisions at which no preferred move is perfect.
    pub fails_badly: u64,
    /// The mean cost of a decision, in points. `None` without decisions, or in games without points.
    pub cost_mean: Option<f64>,
    /// The mean cost of a risky decision, in points. `None` without any, or in games without points.
    pub cost_mean_risky: Option<f64>,
    /// The largest cost of a preferred move, in points. `None` in games without points.
    pub cost_most: Option<u32>,
}

/// The results of a heuristic at all decisions of a game.
pub struct Tested {
    /// By turn, counted from 1, with the player to move where that is known.
    pub by_turn: Vec<(u32, Option<Player>, Results)>,
    /// By player, where the player to move is known.
    pub by_player: Vec<(Player, Results)>,
    /// At all decisions.
    pub total: Results,
}

/// How often one heuristic fails, by turn.
pub const CHART: Chart = Chart {
    x: "turn",
    y: &["fails_share"],
    by: Some("heuristic"),
    x_label: "turn",
    y_label: "share of the decisions of the turn at which it may fail",
    ..Chart::new(
        "heuristic_*",
        Figure::Bars,
        "{most series} may fail at up to {most} of the decisions of a turn (turn {most at})",
    )
};

/// The analysis of a game by its name over a source of its positions. `parse` finds a heuristic by its
/// name, or parses one.
pub fn analysis<S: Source, E: std::fmt::Display>(
    game: &str,
    default: &S::Game,
    parse: impl Fn(&S::Game, &str) -> Result<Heuristic<S::Game>, E> + Send + Sync + 'static,
) -> Analysis {
    let summary = "a heuristic against perfect play, at every decision";
    about_decisions::<S>(summary, &[HEURISTIC], game, default, move |asked, described| {
        let Asked { request, rules, .. } = asked;
        let text = request.given(&HEURISTIC.name).unwrap_or_default();
        let heuristic = parse(rules, text)
            .map_err(|error| AnalysisError::option(&*HEURISTIC.name, error.to_string()))?;
        described.fields["heuristic"] = heuristic.name.clone().into();
        Ok(Box::new(move |test: Test<S>, monitor: &Monitor| {
            let (report, _) = test.report(&heuristic.preferred, monitor)?;
            let named = Named {
                label: heuristic.name.clone(),
                file_name: file_name(&heuristic.name),
                rules: heuristic.summary.clone(),
                difficulty: None,
            };
            Ok(tables(&named, &report))
        }))
    })
}

/// The analysis of the heuristics of a game over a source of its positions.
pub fn of_definition<S, D>(definition: &Arc<D>, default: &D::Rules) -> Analysis
where
    S: Source<Game = D::Rules>,
    D: Definition,
{
    let (game, definition) = (definition.info().name.clone(), Arc::clone(definition));
    let default_rules = default.clone();
    analysis::<S, String>(&game, default, move |rules, text| {
        definition.parse_heuristic(rules, text).map_err(|error| {
            let named = definition.heuristics(&default_rules).into_iter().map(|it| it.name);
            let named: Vec<String> = named.collect();
            let known = if named.is_empty() { "none".to_string() } else { named.join(", ") };
            format!("{error}; there are {known}")
        })
    })
}

/// The analysis of moves that are preferred outside the program, by somebody who is named. Decisions
/// without a choice do not count; where there is only one legal move, it is played.
pub fn of_outside<S, D>(
    definition: &Arc<D>,
    default: &D::Rules,
    name: &str,
    outside: &Outside,
) -> Analysis
where
    S: Source<Game = D::Rules>,
    D: Definition,
{
    match outside {
        Outside::Choices(rows) => of_choices::<S>(&definition.info().name, default, name, rows),
        Outside::Function(function) => of_function::<S, D>(definition, default, name, function),
    }
}

/// The analysis of choices that were made elsewhere, such as by a program.
fn of_choices<S: Source>(
    game: &str,
    default: &S::Game,
    name: &str,
    rows: &Arc<ChoiceRows>,
) -> Analysis {
    let summary = "choices made elsewhere against perfect play, at every decision that they cover";
    let (name, rows) = (name.to_string(), Arc::clone(rows));
    about_decisions::<S>(summary, &[], game, default, move |_, described| {
        described.fields["heuristic"] = name.clone().into();
        let (name, rows) = (name.clone(), Arc::clone(&rows));
        Ok(Box::new(move |test: Test<S>, monitor: &Monitor| {
            let rules = &test.visit.rules;
            let choices = Choices::read(rules, &rows, monitor)?;
            let preferred = |position: &PositionOf<S>| choices.preferred(rules, position);
            let (report, coverage) = test.report(&preferred, monitor)?;
            let mut tables = tables(&Named::outside(&name, "choices"), &report);
            tables[0].note = Some(coverage.sentence(choices.len() as u64));
            Ok(tables)
        }))
    })
}

/// The analysis of a function of the moves.
fn of_function<S, D>(
    definition: &Arc<D>,
    default: &D::Rules,
    name: &str,
    function: &Arc<Preference>,
) -> Analysis
where
    S: Source<Game = D::Rules>,
    D: Definition,
{
    let summary = "a function of the moves against perfect play, at every decision";
    let (name, function) = (name.to_string(), Arc::clone(function));
    let (game, definition) = (definition.info().name.clone(), Arc::clone(definition));
    about_decisions::<S>(summary, &[ALL_SHOWN], &game, default, move |asked, described| {
        described.fields["heuristic"] = name.clone().into();
        let Asked { request, rules, source } = asked;
        let known = query::columns(rules, source.knows_ply(), definition.columns(rules));
        let shown = match request.given(&ALL_SHOWN.name) {
            Some(list) => query::shown(list, &known)?,
            None => (0..known.len()).filter(|&at| !known[at].is_of_values()).collect(),
        };
        if let Some(column) = shown.iter().map(|&at| &known[at]).find(|it| it.is_of_values()) {
            let name = column.name();
            let why = format!("'{name}' follows from the solution, which a function does not get");
            return Err(AnalysisError::option(&*ALL_SHOWN.name, why));
        }
        let (name, function) = (name.clone(), Arc::clone(&function));
        Ok(Box::new(move |test: Test<S>, monitor: &Monitor| {
            // So that the function gets the same batches every time.
            let visit = Visit { is_ordered: true, ..test.visit.clone() };
            let batches = Batches::new(&visit.rules, Batch::new(&known, &shown), &*function);
            let report = test.source.collect(&visit, batches, monitor)?.finish()?;
            Ok(tables(&Named::outside(&name, "function"), &report))
        }))
    })
}

type PositionOf<S> = <<S as Source>::Game as Game>::Position;

/// Computes the tables of a test.
type Compute<S> = Box<dyn Fn(Test<S>, &Monitor) -> Result<Vec<Table>, AnalysisError> + Send + Sync>;

/// An analysis of the decisions of a source.
fn about_decisions<S: Source>(
    summary: &'static str,
    own: &[RuleOption],
    game: &str,
    default: &S::Game,
    prepare: impl Fn(Asked<S>, &mut Described) -> Result<Compute<S>, AnalysisError>
    + Send
    + Sync
    + 'static,
) -> Analysis {
    let (game, default) = (game.to_string(), default.clone());
    let rules = default.format().options.iter();
    let options = rules.chain(own).chain(S::OPTIONS).cloned().chain([POSITION, MOVES]);
    let options: Vec<RuleOption> = options.collect();
    let analysis = Analysis::new("test-heuristic", summary, options, move |request| {
        let (rules, source) = S::open(request, &default)?;
        let (rules, root) = Root::of(request, rules)?;
        source.check(&rules, root.as_ref())?;
        let mut described = described(&game, &rules, root.as_ref());
        let asked = Asked { request, rules: &rules, source: &source };
        let compute = prepare(asked, &mut described)?;
        let source = Arc::new(source);
        let visit = Visit { rules, root, is_ordered: false };
        let (estimated, of) = (Arc::clone(&source), visit.rules.clone());
        let job = Job::new(described, move |monitor| {
            compute(Test { source: &source, visit: &visit }, monitor)
        });
        Ok(job.with_estimate(move || estimated.estimate(&of)))
    });
    analysis.with_charts(&[&CHART])
}

/// A request about the decisions of a source.
struct Asked<'a, S: Source> {
    request: &'a OptionValues<'a>,
    rules: &'a S::Game,
    source: &'a S,
}

/// A test of the decisions of a source.
#[derive(Clone, Copy)]
pub struct Test<'a, S: Source> {
    source: &'a S,
    visit: &'a Visit<S::Game>,
}

/// How many decisions were tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Coverage {
    /// Decisions with a choice between several moves.
    chosen: u64,
    /// Decisions between several moves without a choice.
    open: u64,
}

impl Coverage {
    /// The coverage of choices in so many positions, in words.
    fn sentence(&self, choices: u64) -> String {
        let Coverage { chosen, open } = *self;
        let all = chosen + open;
        let share = ratio(chosen, all).unwrap_or(0.0) * 100.0;
        let mut sentence = format!(
            "Of {} positions with several legal moves, up to symmetry, {} ({share:.2} %) have a \
             choice; the others do not count.",
            thousands(all),
            thousands(chosen),
        );
        if choices > chosen {
            let others = thousands(choices - chosen);
            sentence += &format!(
                " Choices in {others} other positions are not used: there is a single legal move, or \
                 play does not reach them."
            );
        }
        sentence
    }
}

/// The name of a heuristic for files: `list` for one that is given by its rules.
fn file_name(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if is_plain { name.replace('-', "_") } else { "list".to_string() }
}

/// The number of decisions of a kind, by what they have in common.
type Key = (Option<u32>, Option<Player>, Decision);

/// The number of decisions of each kind.
type Counts = HashMap<Key, u64>;

/// A decision, as far as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Decision {
    is_risky: bool,
    fails: bool,
    fails_badly: bool,
    /// The number of preferred moves.
    preferred: u32,
    /// The points that the preferred moves give away together, and that the worst of them does, in
    /// games with points.
    cost: Option<(u32, u32)>,
}

impl<S: Source> Test<'_, S> {
    /// The results of moves that are preferred, at all decisions at which there are some.
    fn report(
        &self,
        preferred: &Preferred<'_, S::Game>,
        monitor: &Monitor,
    ) -> Result<(Tested, Coverage), AnalysisError> {
        let rules = &self.visit.rules;
        let keeps_player = keeps_player(rules);
        let (counts, coverage) = (HashMap::new(), Coverage::default());
        let tester = Tester { game: rules, preferred, keeps_player, counts, coverage };
        let Tester { counts, coverage, .. } = self.source.collect(self.visit, tester, monitor)?;
        Ok((tested(counts, keeps_player), coverage))
    }
}

/// Returns the legal moves that are preferred in a position.
type Preferred<'a, G> = dyn Fn(&<G as Game>::Position) -> Vec<<G as Game>::Move> + Send + Sync + 'a;

/// Whether a position with so many legal moves is a decision.
fn is_decision<G: Recorded>(game: &G, position: &G::Position, moves: usize) -> bool {
    match moves {
        0 => false,
        1 => game.forced_pass(position).is_none(),
        _ => true,
    }
}

/// Collects decisions.
struct Tester<'a, G: Game> {
    game: &'a G,
    preferred: &'a Preferred<'a, G>,
    keeps_player: bool,
    counts: Counts,
    coverage: Coverage,
}

impl<G: Recorded> Collector<G> for Tester<'_, G> {
    fn fresh(&self) -> Self {
        Tester { counts: HashMap::new(), coverage: Coverage::default(), ..*self }
    }

    fn see(&mut self, entry: &impl Entry<G>) {
        let (game, position) = (self.game, entry.position());
        let mut moves = Vec::new();
        entry.each_move(|mv, value| moves.push((mv.clone(), value)));
        if !is_decision(game, position, moves.len()) {
            return;
        }
        let mut preferred = (self.preferred)(position);
        if let [(only, _)] = &moves[..] {
            preferred = vec![only.clone()];
        } else if preferred.is_empty() {
            self.coverage.open += 1;
            return;
        } else {
            self.coverage.chosen += 1;
        }
        let player = game.to_move(position);
        let merits = merits(moves.iter().map(|(_, value)| *value), player);
        let liked = |at: usize| preferred.contains(&moves[at].0);
        let Some(decision) = decide(&merits, liked) else { return };
        let turn = entry.ply().map(|ply| ply + 1);
        let key = (turn, self.keeps_player.then_some(player), decision);
        *self.counts.entry(key).or_default() += 1;
    }

    fn absorb(&mut self, later: Self) {
        for (key, count) in later.counts {
            *self.counts.entry(key).or_default() += count;
        }
        self.coverage.chosen += later.coverage.chosen;
        self.coverage.open += later.coverage.open;
    }
}

/// The results of counted decisions.
fn tested(counts: Counts, keeps_player: bool) -> Tested {
    let counts: BTreeMap<Key, u64> = counts.into_iter().collect();
    let sum = |is: &dyn Fn(Option<u32>, Option<Player>) -> bool| {
        Results::of(counts.iter().filter(|((turn, player, _), _)| is(*turn, *player)))
    };
    let mut turns: Vec<(Option<u32>, Option<Player>)> =
        counts.keys().map(|&(turn, player, _)| (turn, player)).collect();
    turns.dedup();
    let by_turn = turns.into_iter().filter_map(|(turn, player)| {
        let results = sum(&|other, mover| (other, mover) == (turn, player));
        Some((turn?, player, results))
    });
    let players = Player::BOTH.into_iter().filter(|_| keeps_player);
    Tested {
        by_turn: by_turn.collect(),
        by_player: players.map(|player| (player, sum(&|_, mover| mover == Some(player)))).collect(),
        total: sum(&|_, _| true),
    }
}

/// What a move is worth, compared with the best one.
#[derive(Clone, Copy, Debug)]
struct Merit {
    is_perfect: bool,
    /// The points that it gives away, in games with points.
    cost: Option<u32>,
}

/// The merits of all moves of a position, which have these values.
fn merits(values: impl Iterator<Item = Value> + Clone, player: Player) -> Vec<Merit> {
    let Some(best) = values.clone().max_by_key(|value| value.rank(player)) else {
        return Vec::new();
    };
    let merit = |value: Value| Merit {
        is_perfect: (value.outcome, value.score) == (best.outcome, best.score),
        cost: best
            .points()
            .zip(value.points())
            .and_then(|(best, points)| u32::try_from(player.sign() * (best - points)).ok()),
    };
    values.map(merit).collect()
}

/// The decision between moves, some of which are liked. `None` if none is.
fn decide(moves: &[Merit], is_liked: impl Fn(usize) -> bool) -> Option<Decision> {
    let mut decision = Decision {
        is_risky: !moves.iter().all(|merit| merit.is_perfect),
        fails: false,
        fails_badly: true,
        preferred: 0,
        cost: Some((0, 0)),
    };
    for (_, merit) in moves.iter().enumerate().filter(|(at, _)| is_liked(*at)) {
        decision.fails |= !merit.is_perfect;
        decision.fails_badly &= !merit.is_perfect;
        decision.preferred += 1;
        let together = |(sum, worst): (u32, u32)| {
            let cost = merit.cost?;
            Some((sum + cost, worst.max(cost)))
        };
        decision.cost = decision.cost.and_then(together);
    }
    (decision.preferred > 0).then_some(decision)
}

impl Results {
    fn of<'a>(counts: impl Iterator<Item = (&'a Key, &'a u64)>) -> Results {
        let mut results = Results::default();
        // By the number of preferred moves, so that only the last step rounds.
        let mut costs: BTreeMap<u32, u64> = BTreeMap::new();
        let mut has_points = true;
        for ((.., decision), &count) in counts {
            results.decisions += count;
            results.risky += count * u64::from(decision.is_risky);
            results.fails += count * u64::from(decision.fails);
            results.fails_badly += count * u64::from(decision.fails_badly);
            if let Some((sum, worst)) = decision.cost {
                *costs.entry(decision.preferred.max(1)).or_default() += count * u64::from(sum);
                results.cost_most = results.cost_most.max(Some(worst));
            } else {
                has_points = false;
            }
        }
        let total: f64 = costs.iter().map(|(moves, sum)| *sum as f64 / f64::from(*moves)).sum();
        let over = |count: u64| (has_points && count > 0).then(|| total / count as f64);
        results.cost_most = results.cost_most.filter(|_| has_points);
        results.cost_mean = over(results.decisions);
        results.cost_mean_risky = over(results.risky);
        results
    }
}

/// The columns that matter most.
pub(crate) const MAIN_COLUMNS: [&str; 7] = [
    "turn",
    "player",
    "decisions",
    "fails_share",
    "fails_share_risky",
    "fails_badly_share",
    "cost_mean",
];

pub(crate) const RULES: &str = "its rules, in order of importance";
pub(crate) const DIFFICULTY: &str = "how hard it is for a person: see the README of the analysis";
pub(crate) const DECISIONS: &str = "states whose mover has a legal move";
pub(crate) const RISKY: &str = "of these, where a mistake is possible: some move is not perfect";
pub(crate) const OF_DECISIONS: &str = "of the decisions; empty without decisions";
pub(crate) const OF_RISKY: &str = "of the risky decisions; empty without any";
pub(crate) const FAILS: &str = "decisions where some liked move is not perfect";
pub(crate) const FAILS_BADLY: &str = "decisions where no liked move is perfect";

/// The tables of one heuristic: by turn with a total, and by player if players are known.
pub fn tables(heuristic: &Named, report: &Tested) -> Vec<Table> {
    let name = format!("heuristic_{}", heuristic.file_name);
    let title = format!("{} against perfect play", heuristic.label);
    let one = [(heuristic, report)];
    let mut tables = vec![by_turn(&name, &title, &one)];
    let has = |column: &&str| tables[0].columns.iter().any(|known| known.name == *column);
    let shown: Vec<&str> = MAIN_COLUMNS.into_iter().filter(has).collect();
    tables[0].set_main_columns(shown);
    if !heuristic.rules.is_empty() {
        tables[0].note = Some(format!("Rules: {}.", heuristic.rules));
    }
    if !report.by_player.is_empty() {
        let title = format!("{title}, by player");
        tables.push(by_player(&format!("{name}_by_player"), &title, &one));
    }
    tables
}

/// The results by turn, and of a single heuristic in total.
pub(crate) fn by_turn(name: &str, title: &str, reports: &[(&Named, &Tested)]) -> Table {
    let with_total = reports.len() == 1;
    let rows = reports.iter().flat_map(|&(heuristic, report)| {
        let turns = report.by_turn.iter().filter(|(.., results)| results.decisions > 0);
        let turns = turns.map(|&(turn, player, results)| (Some(turn), player, results));
        let total = with_total.then_some((None, None, report.total));
        turns.chain(total).map(move |(turn, player, results)| (heuristic, turn, player, results))
    });
    let rows: Vec<(&Named, Option<u32>, Option<Player>, Results)> = rows.collect();
    let turns = tabulate!("", "", for (_, turn, player, _) in &rows => {
        "turn": integer key, "number of the turn, from 1" => *turn;
        "player": text, "who is to move" => player.map(Player::name);
    });
    let table = named(name, title, rows.iter().map(|(heuristic, ..)| *heuristic)).beside(turns);
    let table = table.beside(columns(rows.iter().map(|(.., results)| *results)));
    let table = table.without_columns(&absent(reports));
    if with_total { table.total_over(&["turn", "player"]) } else { table }
}

/// The columns that do not apply to any of the heuristics or to the game.
fn absent(reports: &[(&Named, &Tested)]) -> Vec<&'static str> {
    let mut absent = Vec::new();
    if reports.iter().all(|(heuristic, _)| heuristic.difficulty.is_none()) {
        absent.push("difficulty");
    }
    if reports.iter().all(|(_, report)| report.by_player.is_empty()) {
        absent.push("player");
    }
    if reports.iter().all(|(_, report)| report.total.cost_most.is_none()) {
        absent.extend(["cost_mean", "cost_mean_risky", "cost_most"]);
    }
    absent
}

/// The results by player.
pub(crate) fn by_player(name: &str, title: &str, reports: &[(&Named, &Tested)]) -> Table {
    let rows = reports.iter().flat_map(|&(heuristic, report)| {
        report.by_player.iter().map(move |&(player, results)| (heuristic, player, results))
    });
    let rows: Vec<(&Named, Player, Results)> = rows.collect();
    let players = tabulate!("", "", for (_, player, _) in &rows => {
        "player": text key, "who is to move" => player.name();
    });
    let table = named(name, title, rows.iter().map(|(heuristic, ..)| *heuristic)).beside(players);
    let table = table.beside(columns(rows.iter().map(|(.., results)| *results)));
    table.without_columns(&absent(reports))
}

/// The columns that say which heuristic a row is about. It is a part of the key if there are several.
pub(crate) fn named<'a>(name: &str, title: &str, rows: impl Iterator<Item = &'a Named>) -> Table {
    let mut table = tabulate!(name, title, for heuristic in rows => {
        "heuristic": text, "its name, or its rules if it has none" => heuristic.label.clone();
        "rules": text, RULES => heuristic.rules.clone();
        "difficulty": integer, DIFFICULTY => heuristic.difficulty;
    });
    table.columns[0].is_key = table.rows.iter().any(|row| row[0] != table.rows[0][0]);
    table
}

/// The columns of results.
pub(crate) fn columns(rows: impl Iterator<Item = Results>) -> Table {
    tabulate!("", "", for results in rows => {
        let Results { decisions, risky, fails, fails_badly, .. } = results;
        "decisions": integer, DECISIONS => decisions;
        "risky": integer, RISKY => risky;
        "fails": integer, FAILS => fails;
        "fails_share": share, OF_DECISIONS => ratio(fails, decisions);
        "fails_share_risky": share, OF_RISKY => ratio(fails, risky);
        "fails_badly": integer, FAILS_BADLY => fails_badly;
        "fails_badly_share": share, OF_DECISIONS => ratio(fails_badly, decisions);
        "fails_badly_share_risky": share, OF_RISKY => ratio(fails_badly, risky);
        "cost_mean": real(6), "points given away at a decision, mean over the liked moves; empty \
            without decisions" => results.cost_mean;
        "cost_mean_risky": real(6), "the same at a risky decision; empty without any"
            => results.cost_mean_risky;
        "cost_most": integer, "points that the worst liked move gives away" => results.cost_most;
    })
}

//! Play as statistics: how two agents fare against each other.
//!
//! Both choose uniformly among the moves they like, so the result of a game is random. Its distribution
//! is computed, not sampled: probabilities flow from the position where play begins along all moves.

use super::{OUTCOME, SCORE, described, outcome, score};
use crate::agent::Agent;
use crate::chart::{Chart, Figure};
use crate::options::{MOVES, POSITION};
use crate::ratio::ratio;
use crate::source::Root;
use crate::{Analysis, AnalysisError, Job, Table};
use bsq_engine::definition::Definition;
use bsq_engine::explore::{
    ExploreError, Fixed, Limits, Merging, Probability, by_result, chances, explore_from,
};
use bsq_engine::game::{Game, Player, Value};
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::Recorded;
use bsq_engine::tabulate;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero as _;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The name of the analysis.
pub const NAME: &str = "agents";

/// The first player of a request.
pub const FIRST: RuleOption = agent(
    "first",
    "The first player: perfect, random, mistakes-25, or another agent; 'list' lists them",
);
/// The second player.
pub const SECOND: RuleOption = agent("second", "The second player");

/// Whether probabilities are fractions.
const EXACT: RuleOption = RuleOption::new(
    "exact",
    OptionKind::Truth,
    None,
    "Compute with fractions of any size, for small boards, and print them too",
);

const fn agent(name: &'static str, help: &'static str) -> RuleOption {
    RuleOption::new(name, OptionKind::Text { form: Cow::Borrowed("AGENT") }, None, help)
}

/// The chart of the results of one pair of agents, in games with points.
pub const SCORES: Chart = Chart { x: "score", x_label: super::SCORE, ..OUTCOMES_OF_PAIR };

/// The same in other games.
pub const OUTCOMES_OF_PAIR: Chart = Chart {
    x: "outcome",
    y: &["probability"],
    by: Some("outcome"),
    shown: super::OUTCOMES,
    x_label: "result",
    y_label: "probability",
    ..Chart::new(
        "agents_pair",
        Figure::Bars,
        "The first player wins {share of first} of the games, the second player {share of second}",
    )
};

/// The chart of all pairs.
pub const PAIRS: Chart = Chart {
    x: "second",
    y: &["first"],
    by: Some("first_wins"),
    x_label: "second player",
    rows_label: "first player",
    y_label: "probability that the first player wins",
    ..Chart::new(NAME, Figure::Map, "The first player wins {range} of the games of two agents")
};

/// Finds the legal moves of a position with their values.
pub type MoveValues<G> =
    dyn Fn(&<G as Game>::Position) -> Vec<(<G as Game>::Move, Value)> + Send + Sync;

/// Solves a game from a position on.
pub type Solve<G> =
    fn(&G, &<G as Game>::Position, &Monitor) -> Result<Box<MoveValues<G>>, AnalysisError>;

/// Solves any game by exploring it.
///
/// # Errors
///
/// If positions can recur, so that play need not end; also as for
/// [`explore_from`].
pub fn explored<G: Recorded + Send + Sync + 'static>(
    rules: &G,
    start: &G::Position,
    monitor: &Monitor,
) -> Result<Box<MoveValues<G>>, AnalysisError> {
    let limits = Limits { merging: Merging::All, ..super::limits(monitor) };
    let explored = explore_from(rules.clone(), start, limits, monitor)?;
    if !explored.is_acyclic() {
        return Err(AnalysisError::Recurring);
    }
    let solution = explored.solve(monitor)?;
    Ok(Box::new(move |position| solution.moves(position).expect("play reaches the position")))
}

/// The analysis of a game. Values that agents need are found by `solve`, which also finds out
/// whether play ends if the rules do not [say](Game::remaining) so.
pub fn analysis<D: Definition>(
    definition: &Arc<D>,
    default: &D::Rules,
    solve: Solve<D::Rules>,
    estimate: fn(&D::Rules) -> Option<f64>,
) -> Analysis {
    let (definition, default) = (Arc::clone(definition), default.clone());
    let own = [FIRST, SECOND, EXACT, POSITION, MOVES];
    let options: Vec<RuleOption> = default.format().options.iter().cloned().chain(own).collect();
    let summary = "how games between two agents end, and those of every pair of agents";
    let analysis = Analysis::new(NAME, summary, options, move |request| {
        let (rules, root) = Root::of(request, request.rules(default.clone())?)?;
        let mut described = described(&definition.info().name, &rules, root.as_ref());
        let mut chosen = |option: &RuleOption| -> Result<Vec<Agent<D::Rules>>, AnalysisError> {
            let Some(text) = request.given(&option.name) else {
                return Ok(Agent::all(&*definition, &rules));
            };
            described.fields[&*option.name] = text.into();
            let agent = Agent::parse(&*definition, &rules, text);
            Ok(vec![agent.map_err(|error| AnalysisError::option(&*option.name, error.message))?])
        };
        let [first, second] = [chosen(&FIRST)?, chosen(&SECOND)?];
        let is_exact = request.given(&EXACT.name).is_some();
        let start = root.map_or_else(|| rules.start(), |root| root.position);
        let probed = rules.clone();
        let job = Job::new(described, move |monitor| {
            let mut all = first.iter().chain(&second);
            let needs_solution = all.any(Agent::needs_values) || rules.remaining(&start).is_none();
            let solved = needs_solution.then(|| solve(&rules, &start, monitor)).transpose()?;
            let arena = Arena { game: &rules, start: &start, solved: solved.as_deref(), monitor };
            match (&first[..], &second[..]) {
                ([first], [second]) if is_exact => arena.pair::<Ratio<BigInt>>(first, second),
                ([first], [second]) => arena.pair::<Fixed>(first, second),
                (first, second) if is_exact => {
                    Ok(vec![arena.pairs::<Ratio<BigInt>>(first, second)?])
                }
                (first, second) => Ok(vec![arena.pairs::<Fixed>(first, second)?]),
            }
        });
        Ok(job.with_estimate(move || estimate(&probed)))
    });
    analysis.with_charts(&[&PAIRS, &SCORES, &OUTCOMES_OF_PAIR])
}

/// Where agents play: a position of a game, with the values that they need.
struct Arena<'a, G: Game> {
    game: &'a G,
    start: &'a G::Position,
    solved: Option<&'a MoveValues<G>>,
    monitor: &'a Monitor<'a>,
}

/// The probability of each result, the best for the first player first.
type Results<P> = Vec<(Option<Value>, P)>;

/// A move and those that are equal to it by symmetry.
struct Opening<G: Game> {
    /// The position after the move.
    after: G::Position,
    moves: Vec<G::Move>,
    /// The sum of the weights with which the moves are chosen.
    weight: u32,
}

impl<G: Recorded + Send + Sync + 'static> Arena<'_, G> {
    /// The moves that an agent may play, with their weights.
    fn choices(&self, agent: &Agent<G>, position: &G::Position) -> Vec<(G::Move, u32)> {
        agent.choices(self.game, position, |position| {
            self.solved.map_or_else(Vec::new, |values| values(position))
        })
    }

    /// The results of play from a position on.
    fn results<P: Probability>(
        &self,
        agents: [&Agent<G>; 2],
        from: &G::Position,
    ) -> Result<Results<P>, AnalysisError> {
        let choose = |position: &G::Position| {
            self.choices(agents[self.game.to_move(position).index()], position)
        };
        let results = chances(self.game, from, &choose, super::limits(self.monitor), self.monitor)?;
        let scores = results.iter().filter_map(|(result, _)| (*result)?.score);
        match scores.into_iter().find(|score| score.to_integer().is_none()) {
            Some(score) => Err(ExploreError::Fraction(score).into()),
            None => Ok(results),
        }
    }

    /// The legal moves up to symmetry, with the weights that an agent gives them.
    fn openings(&self, agent: &Agent<G>) -> Vec<Opening<G>> {
        let weights: HashMap<G::Move, u32> = self.choices(agent, self.start).into_iter().collect();
        let mut openings: Vec<Opening<G>> = Vec::new();
        for mv in self.game.moves(self.start) {
            let weight = weights.get(&mv).copied().unwrap_or(0);
            let after = self.game.canonical(&self.game.play(self.start, mv.clone()));
            match openings.iter_mut().find(|opening| opening.after == after) {
                Some(same) => {
                    same.moves.push(mv);
                    same.weight += weight;
                }
                None => openings.push(Opening { after, moves: vec![mv], weight }),
            }
        }
        openings
    }

    /// The tables of two agents: the distribution of the results, and a summary for each first move.
    fn pair<P: Exact>(
        &self,
        first: &Agent<G>,
        second: &Agent<G>,
    ) -> Result<Vec<Table>, AnalysisError> {
        let agents = [first, second];
        let openings = self.openings(agents[self.game.to_move(self.start).index()]);
        let sum = openings.iter().map(|opening| u64::from(opening.weight)).sum();
        let mut total: HashMap<Option<Value>, P> = HashMap::new();
        let mut rows = Vec::new();
        for opening in &openings {
            let results = self.results::<P>(agents, &opening.after)?;
            for (result, probability) in &results {
                *total.entry(*result).or_default() += probability.share(opening.weight, sum);
            }
            rows.push((opening, Summary::of(&results)));
        }
        let mut results = by_result(total);
        if openings.is_empty() {
            results = self.results(agents, self.start)?;
        }
        results.retain(|(_, probability)| !probability.is_zero());
        let title = format!("{} against {}", first.name(), second.name());
        let mut tables = vec![distribution(&title, results)];
        if !openings.is_empty() {
            let chosen = |opening: &Opening<G>| ratio(opening.weight, sum);
            let name = |mv: &G::Move| self.game.format_move(self.start, mv.clone());
            let title = format!("{title}, by first move");
            let name_of = "agents_by_first_move";
            let table = tabulate!(name_of, &title, for (opening, summary) in &rows => {
                "move": text key, "a first move" => name(&opening.moves[0]);
                "moves": integer, "the number of moves that are equal to it by symmetry, and it"
                    => opening.moves.len();
                "chosen": share, "the probability that one of them is played" => chosen(opening);
                "first_wins": share, FIRST_WINS => summary.first;
                "ties": share, TIES => summary.level;
                "second_wins": share, SECOND_WINS => summary.second;
                "score_mean": real(6), SCORE_MEAN => summary.score;
            });
            tables.push(table.without_empty_columns());
        }
        Ok(tables)
    }

    /// The table of all pairs of some agents.
    fn pairs<P: Exact>(
        &self,
        first: &[Agent<G>],
        second: &[Agent<G>],
    ) -> Result<Table, AnalysisError> {
        let mut rows = Vec::new();
        let pairs = first.iter().flat_map(|first| second.iter().map(move |second| [first, second]));
        for (at, agents) in pairs.enumerate() {
            let names = agents.map(Agent::name);
            let all = first.len() * second.len();
            self.monitor.status(&format!("pair {} of {all}: {}", at + 1, names.join(", ")));
            rows.push((names, Summary::of(&self.results::<P>(agents, self.start)?)));
        }
        let title = "Every agent against every other";
        let table = tabulate!(NAME, title, for ([first, second], summary) in rows => {
            let [first_fraction, tie_fraction, second_fraction] = summary.fractions;
            "first": text key, "the agent that moves first" => first;
            "second": text key, "the other agent" => second;
            "first_wins": share, FIRST_WINS => summary.first;
            "ties": share, TIES => summary.level;
            "second_wins": share, SECOND_WINS => summary.second;
            "score_mean": real(6), SCORE_MEAN => summary.score;
            "first_wins_fraction": text, "first_wins as a fraction" => first_fraction;
            "ties_fraction": text, "ties as a fraction" => tie_fraction;
            "second_wins_fraction": text, "second_wins as a fraction" => second_fraction;
        });
        Ok(table.without_empty_columns())
    }
}

const FIRST_WINS: &str = "the probability that the first player wins";
const TIES: &str = "the probability that nobody wins";
const SECOND_WINS: &str = "the probability that the second player wins";
const SCORE_MEAN: &str = "the mean of the first player's points minus the second player's";

/// A probability that may have an exact form.
trait Exact: Probability {
    /// The fraction, if it is one.
    fn fraction(&self) -> Option<String>;

    /// The product with a number of points as a fraction, if the probability is one.
    fn times(&self, points: i32) -> Option<Ratio<BigInt>>;
}

impl Exact for Fixed {
    fn fraction(&self) -> Option<String> {
        None
    }

    fn times(&self, _: i32) -> Option<Ratio<BigInt>> {
        None
    }
}

impl Exact for Ratio<BigInt> {
    fn fraction(&self) -> Option<String> {
        Some(self.to_string())
    }

    fn times(&self, points: i32) -> Option<Ratio<BigInt>> {
        Some(self * BigInt::from(points))
    }
}

const PROBABILITY: &str = "how probable it is";
const FRACTION: &str = "the same as a fraction";

/// The table of a distribution. Where there are scores, its total has the outcomes.
fn distribution<P: Exact>(title: &str, results: Results<P>) -> Table {
    let summary = Summary::of(&results);
    let mut sum = P::default();
    results.iter().for_each(|(_, probability)| sum += probability.clone());
    let mut table = tabulate!("agents_pair", title, for (result, probability) in results => {
        "outcome": text key, OUTCOME => result.map(outcome);
        "score": integer key, SCORE => result.map(score);
        "probability": real(15), PROBABILITY => probability.to_f64();
        "fraction": text, FRACTION => probability.fraction();
    });
    if summary.score.is_some() {
        let title = format!("{title}, by outcome");
        let shares = [summary.first, summary.level, summary.second].into_iter();
        let outcomes = ["first", "tie", "second"].into_iter().zip(shares).zip(&summary.fractions);
        let outcomes = outcomes.filter(|((_, share), _)| *share > 0.0);
        let total = tabulate!("agents_pair_total", &title, for ((outcome, share), fraction) in outcomes => {
            "outcome": text key, OUTCOME => outcome;
            "probability": real(15), PROBABILITY => share;
            "fraction": text, FRACTION => fraction.clone();
        });
        table.total = Some(Box::new(total.without_empty_columns()));
    }
    table.note = Some(summary.sentence(sum.lack()));
    table.without_empty_columns()
}

/// What a distribution says about who wins.
struct Summary {
    first: f64,
    level: f64,
    second: f64,
    /// The same as fractions, if they are known.
    fractions: [Option<String>; 3],
    /// The mean score, in games with points.
    score: Option<f64>,
    /// The same as a fraction, if it is known.
    score_fraction: Option<Ratio<BigInt>>,
}

impl Summary {
    fn of<P: Exact>(results: &[(Option<Value>, P)]) -> Summary {
        let mut sums = [(); 3].map(|()| P::default());
        let (mut score, mut exact) = (Some(0.0), Some(Ratio::zero()));
        for (result, probability) in results {
            let at = match result.and_then(|result| result.winner()) {
                Some(Player::First) => 0,
                None => 1,
                Some(Player::Second) => 2,
            };
            sums[at] += probability.clone();
            let points = result.and_then(|result| result.points());
            let of_result = points.map(|points| f64::from(points) * probability.to_f64());
            score = score.zip(of_result).map(|(sum, more)| sum + more);
            let of_result = points.and_then(|points| probability.times(points));
            exact = exact.zip(of_result).map(|(sum, more)| sum + more);
        }
        let [first, level, second] = [0, 1, 2].map(|at| sums[at].to_f64());
        let fractions = sums.map(|sum| sum.fraction());
        Summary { first, level, second, fractions, score, score_fraction: exact }
    }

    /// The summary in words, with the bound on what a probability lacks.
    fn sentence(&self, lack: f64) -> String {
        let percent = |share: f64| format!("{:.2} %", share * 100.0);
        let wins = |player: Player, share: f64| match share {
            1.0 => format!("The {player} player always wins."),
            share => format!("The {player} player wins {} of the games.", percent(share)),
        };
        let mut sentences =
            vec![wins(Player::First, self.first), wins(Player::Second, self.second)];
        sentences.push(match self.level {
            1.0 => "All games are ties.".to_string(),
            level => format!("Of the games, {} are ties.", percent(level)),
        });
        let shares = [self.first, self.second, self.level];
        let mut some = shares.iter().map(|&share| share > 0.0);
        sentences.retain(|_| some.next() == Some(true));
        if let Some(score) = self.score {
            let exactly = self.score_fraction.as_ref();
            let exactly = exactly.map_or_else(String::new, |exact| format!(", exactly {exact}"));
            sentences.push(format!("The mean score is {score:.4}{exactly}."));
        }
        if lack > 0.0 {
            sentences
                .push(format!("Before rounding, probabilities are exact to within {lack:.0e}."));
        }
        sentences.join(" ")
    }
}

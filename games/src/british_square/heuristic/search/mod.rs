//! The search for decision lists that are easy for a person and rarely fail.
//!
//! Lists are evaluated on all decisions of a [`Corpus`]. A search consists of rounds, and its
//! [`State`] after a round can be saved and resumed. The result depends on the [`Plan`], including
//! the random seed, but not on the number of threads or on interruptions.
//!
//! * `exhaustive`, `beam`, `local`: the three methods;
//! * `front`: the Pareto front of the lists found, by difficulty and failures;
//! * `state`: the state as JSON.

use super::corpus::{Corpus, Failures};
use super::features::Feature;
use super::list::{DecisionList, Rule, Sum, Test};
use bsq_engine::expression::Relation;
use bsq_engine::monitor::{Monitor, SolveError};

mod beam;
mod exhaustive;
mod front;
mod local;
mod state;

pub use front::{Found, Front};
pub use state::{FORMAT, Saved, State, StateError};

/// A search method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All lists of rules from the pool, by depth-first search with pruning. A round is a first
    /// rule.
    Exhaustive,
    /// Beam search: the best lists of each length are extended by every rule. A round is a length.
    Beam {
        /// The number of lists kept.
        width: usize,
    },
    /// Simulated annealing over lists, including their weights. A round is a fixed number of walks,
    /// each from a list on the front.
    Local {
        /// The number of rounds.
        rounds: u64,
        /// The number of changes tried in a walk.
        steps: u64,
    },
}

/// The parameters of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// The largest number of rules in a list, at least 1.
    pub rules: usize,
    /// The highest difficulty of a list.
    pub difficulty: u32,
    /// Lists put on the front at the start.
    pub start: Vec<DecisionList>,
    /// The random seed of local search.
    pub seed: u64,
}

/// A search on one corpus.
pub struct Search<'a> {
    corpus: &'a Corpus,
    plan: &'a Plan,
    pool: Vec<Rule>,
}

impl<'a> Search<'a> {
    /// Creates a search with the given parameters.
    pub fn new(corpus: &'a Corpus, plan: &'a Plan) -> Search<'a> {
        let pool = pool(corpus);
        Search { corpus, plan, pool }
    }

    /// The number of rounds.
    pub fn rounds(&self) -> u64 {
        match self.plan.method {
            Method::Exhaustive => self.pool.len() as u64,
            Method::Beam { .. } => self.plan.rules as u64,
            Method::Local { rounds, .. } => rounds,
        }
    }

    /// Runs the search from a state to the end. `save` is called with the state after each round;
    /// an error ends the search. If the search is cancelled within a round, that round is lost.
    pub fn run<E: From<SolveError>>(
        &self,
        mut state: State,
        monitor: &Monitor,
        mut save: impl FnMut(&State) -> Result<(), E>,
    ) -> Result<State, E> {
        if state.round == 0 {
            state.front = Front::default();
            state.front.add(self.judge(DecisionList::default()));
            for list in self.plan.start.iter().filter(|list| self.allows(list)) {
                state.front.add(self.judge(list.clone()));
            }
        }
        monitor.begin("rounds", self.rounds() - state.round.min(self.rounds()));
        while state.round < self.rounds() {
            monitor.status(&state.front.to_string());
            state = match self.plan.method {
                Method::Exhaustive => self.exhaustive_round(state, monitor)?,
                Method::Beam { width } => self.beam_round(state, width, monitor)?,
                Method::Local { steps, .. } => self.local_round(state, steps, monitor)?,
            };
            state.round += 1;
            monitor.advance(1);
            save(&state)?;
        }
        Ok(state)
    }

    /// Restores a saved state.
    ///
    /// # Errors
    ///
    /// [`StateError::Foreign`] if it contains a list that this search cannot find.
    pub fn resume(&self, saved: Saved) -> Result<State, StateError> {
        if let Some(list) = saved.front.iter().chain(&saved.lists).find(|list| !self.allows(list)) {
            return Err(StateError::Foreign(list.clone()));
        }
        let mut front = Front::default();
        saved.front.into_iter().for_each(|list| front.add(self.judge(list)));
        Ok(State { round: saved.round, front, lists: saved.lists })
    }

    /// Whether the search can find a list.
    pub fn allows(&self, list: &DecisionList) -> bool {
        list.difficulty() <= self.plan.difficulty
            && list.rules.len() <= self.plan.rules
            && list.size() <= super::language::MAX_SIZE
            && self.corpus.sees(list)
    }

    fn judge(&self, list: DecisionList) -> Found {
        let Failures { fails, fails_badly } = self.corpus.failures(&list);
        Found { difficulty: list.difficulty(), fails, fails_badly, list }
    }
}

/// The rules that exhaustive and beam search try: each feature maximized and minimized, after the
/// move and after the reply, without a condition and under every simple condition.
fn pool(corpus: &Corpus) -> Vec<Rule> {
    let signed =
        |of: fn(&'static Feature, i32) -> Sum, features: &[&'static Feature]| -> Vec<Sum> {
            features.iter().flat_map(|feature| [1, -1].map(|weight| of(feature, weight))).collect()
        };
    let mut aims = signed(Sum::of, corpus.features());
    aims.extend(signed(Sum::of_reply, corpus.after_replies()));
    let mut when: Vec<Vec<Test>> = vec![Vec::new()];
    let tests = corpus.conditions().iter().flat_map(|feature| simple_tests(feature));
    when.extend(tests.map(|test| vec![test]));
    let rule =
        |when: &Vec<Test>, aim: &Sum| Rule { when: when.clone(), ..Rule::always(aim.clone()) };
    when.iter().flat_map(|when| aims.iter().map(move |aim| rule(when, aim))).collect()
}

fn simple_tests(feature: &'static Feature) -> Vec<Test> {
    use Relation::{Equal, Even, More, Odd, Unequal};
    let tests = [(Equal, 0), (Unequal, 0), (More, 1), (Equal, 1), (Odd, 0), (Even, 0)];
    let test = |(relation, number)| Test { sum: Sum::of(feature, 1), relation, number };
    tests.into_iter().map(test).collect()
}

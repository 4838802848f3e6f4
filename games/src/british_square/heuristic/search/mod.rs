//! Looks for rule lists that are easy for a person and seldom wrong.
//!
//! Every list is tried on all decisions of a [`Corpus`]. A search goes in rounds; what is known
//! after a round is a [`State`], which can be written down and taken up again. The result depends
//! on the [`Plan`], seed included, never on the number of threads or on interruptions.

use super::corpus::{Corpus, Failures};
use super::features::Feature;
use super::list::{DecisionList, Relation, Rule, Sum, Test};
use bsq_engine::monitor::{Monitor, SolveError};

mod beam;
mod exhaustive;
mod front;
mod local;
mod state;

pub use front::{Found, Front};
pub use state::{Saved, State, StateError};

/// How to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every list of rules from the pool, up to the longest. A round is a first rule.
    Exhaustive,
    /// The best lists of each length are continued by every rule. A round is a length.
    Beam {
        /// How many lists are kept.
        width: usize,
    },
    /// Lists are changed at random, weights included, and the better one is kept more often. A
    /// round is a few walks, each from a good list.
    Local {
        /// How many rounds.
        rounds: u64,
        /// How many changes are tried in a walk.
        steps: u64,
    },
}

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How.
    pub method: Method,
    /// The most rules in a list, at least 1.
    pub rules: usize,
    /// The highest difficulty of a list.
    pub difficulty: u32,
    /// Where local search begins, besides the lists on the front.
    pub start: Vec<DecisionList>,
    /// What local search takes its random numbers from.
    pub seed: u64,
}

/// A search of one corpus.
pub struct Search<'a> {
    corpus: &'a Corpus,
    plan: &'a Plan,
    pool: Vec<Rule>,
}

impl<'a> Search<'a> {
    /// A search by that plan.
    pub fn new(corpus: &'a Corpus, plan: &'a Plan) -> Search<'a> {
        let pool = pool(corpus);
        Search { corpus, plan, pool }
    }

    /// How many rounds it has.
    pub fn rounds(&self) -> u64 {
        match self.plan.method {
            Method::Exhaustive => self.pool.len() as u64,
            Method::Beam { .. } => self.plan.rules as u64,
            Method::Local { rounds, .. } => rounds,
        }
    }

    /// Goes on from a state to the end. `save` gets the state after each round, and ends the search
    /// by an error. If it is stopped within a round, that round is lost.
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

    /// Takes up what was saved. Fails if there is a list in it that this search cannot find.
    pub fn resume(&self, saved: Saved) -> Result<State, StateError> {
        if let Some(list) = saved.front.iter().chain(&saved.lists).find(|list| !self.allows(list)) {
            return Err(StateError::Foreign(list.clone()));
        }
        let mut front = Front::default();
        saved.front.into_iter().for_each(|list| front.add(self.judge(list)));
        Ok(State { round: saved.round, front, lists: saved.lists })
    }

    /// Whether a list is among those that the search can find.
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

/// Every rule that exhaustive and beam search try: each feature highest and lowest, after the move
/// and after the reply, always and under every
/// simple condition.
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

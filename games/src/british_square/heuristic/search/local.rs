//! Local search: simulated annealing over lists (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi,
//! *Optimization by simulated annealing*, 1983).

use super::{DecisionList, Front, Relation, Rule, Search, State, Sum, Test};
use crate::british_square::heuristic::language::MAX_NUMBER;
use crate::british_square::heuristic::list::Term;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::{IndexedMutRandom, IndexedRandom};
use rand::{Rng, RngExt, SeedableRng};

/// The number of walks in a round. It does not depend on the number of threads, so results do not
/// either.
const WALKS: u64 = 8;
/// The initial temperature: the relative increase in failures accepted with probability 1/e. It
/// falls linearly to 0.
const HEAT: f64 = 0.01;

impl Search<'_> {
    /// Runs the walks of a round, each from a list on the front.
    pub(super) fn local_round(
        &self,
        mut state: State,
        steps: u64,
        monitor: &Monitor,
    ) -> Result<State, SolveError> {
        let walk = |walk: u64| {
            // Each walk of each round has its own random sequence.
            let number = state
                .round
                .wrapping_mul(WALKS)
                .wrapping_add(walk)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.plan.seed ^ number);
            self.walk(&state.front, &mut rng, steps, monitor)
        };
        let fronts = parallel::try_map(0..WALKS, walk)?;
        fronts.into_iter().for_each(|front| state.front.absorb(front));
        Ok(state)
    }

    fn walk(
        &self,
        start: &Front,
        rng: &mut impl Rng,
        steps: u64,
        monitor: &Monitor,
    ) -> Result<Front, SolveError> {
        let mut front = start.clone();
        // Half of the walks start from the best list, the others anywhere on the front.
        let lists = start.lists();
        let begin = if rng.random_bool(0.5) { lists.last() } else { lists.choose(rng) };
        let mut now = begin.cloned().unwrap_or_else(|| self.judge(DecisionList::default()));
        let room = rng.random_range(0..=self.plan.difficulty.saturating_sub(now.difficulty).min(8));
        let most = now.difficulty + room;
        for step in 0..steps {
            monitor.check()?;
            let Some(list) = self.changed(&now.list, rng) else { continue };
            if list.difficulty() > most {
                continue;
            }
            let next = self.judge(list);
            if front.admits(next.difficulty, next.fails) {
                front.add(next.clone());
            }
            let heat = HEAT * (1.0 - step as f64 / steps as f64);
            let worse = next.fails as f64 / now.fails.max(1) as f64 - 1.0;
            if worse <= 0.0 || heat > 0.0 && rng.random_bool((-worse / heat).exp()) {
                now = next;
            }
        }
        Ok(front)
    }

    /// The list with one or two random changes, or `None` if the result is not allowed.
    fn changed(&self, list: &DecisionList, rng: &mut impl Rng) -> Option<DecisionList> {
        let mut list = list.clone();
        let changes = if rng.random_bool(0.25) { 2 } else { 1 };
        for _ in 0..changes {
            match rng.random_range(0..12) {
                0 => list.rules.insert(rng.random_range(0..=list.rules.len()), self.any_rule(rng)?),
                1 if !list.rules.is_empty() => {
                    list.rules.remove(rng.random_range(0..list.rules.len()));
                }
                2 if list.rules.len() > 1 => {
                    let (a, b) = (
                        rng.random_range(0..list.rules.len()),
                        rng.random_range(0..list.rules.len()),
                    );
                    list.rules.swap(a, b);
                }
                3 if !self.corpus.conditions().is_empty() && !list.rules.is_empty() => {
                    let rule = rng.random_range(0..list.rules.len());
                    self.change_condition(&mut list.rules[rule], rng)?;
                }
                _ if list.rules.is_empty() => return None,
                4 if self.corpus.allows_limits() => {
                    let rule = list.rules.choose_mut(rng)?;
                    rule.enough = match rule.enough {
                        Some(_) if rng.random_bool(0.5) => None,
                        _ => Some(rng.random_range(-6..=6)),
                    };
                }
                _ => {
                    let rule = rng.random_range(0..list.rules.len());
                    self.change_sum(&mut list.rules[rule].aim, rng)?;
                }
            }
        }
        self.allows(&list).then_some(list)
    }

    fn any_rule(&self, rng: &mut impl Rng) -> Option<Rule> {
        let weight = if rng.random_bool(0.5) { 1 } else { -1 };
        let aim = match self.corpus.after_replies().choose(rng) {
            Some(feature) if rng.random_bool(0.5) => Sum::of_reply(feature, weight),
            _ => Sum::of(self.corpus.features().choose(rng)?, weight),
        };
        Some(Rule::always(aim))
    }

    fn change_condition(&self, rule: &mut Rule, rng: &mut impl Rng) -> Option<()> {
        use Relation::{AtLeast, AtMost, Equal, Even, Less, More, Odd, Unequal};
        if !rule.when.is_empty() && rng.random_bool(0.4) {
            rule.when.remove(rng.random_range(0..rule.when.len()));
            return Some(());
        }
        let relation = *[Less, AtMost, Equal, Unequal, AtLeast, More, Odd, Even].choose(rng)?;
        let number = match relation {
            Odd | Even => 0,
            _ => rng.random_range(-2..=10),
        };
        let sum = Sum::of(self.corpus.conditions().choose(rng)?, 1);
        let test = Test { sum, relation, number };
        match rule.when.choose_mut(rng) {
            Some(old) if rng.random_bool(0.7) => *old = test,
            _ => rule.when.push(test),
        }
        Some(())
    }

    fn change_sum(&self, sum: &mut Sum, rng: &mut impl Rng) -> Option<()> {
        let largest = sum.terms.iter().chain(&sum.reply).map(|term| term.weight.abs()).max()?;
        let size = sum.terms.len() + sum.reply.len();
        let after_replies = self.corpus.after_replies();
        let (terms, features) = if !after_replies.is_empty() && rng.random_bool(0.5) {
            (&mut sum.reply, after_replies)
        } else {
            (&mut sum.terms, self.corpus.features())
        };
        let feature = *features.choose(rng)?;
        match rng.random_range(0..8) {
            0 | 1 => {
                let weight = rng.random_range(1..=largest);
                let weight = if rng.random_bool(0.5) { weight } else { -weight };
                match terms.iter_mut().find(|term| term.feature == feature) {
                    Some(term) => term.weight = weight,
                    None => terms.push(Term { weight, feature }),
                }
            }
            2 if size > 1 && !terms.is_empty() => {
                terms.remove(rng.random_range(0..terms.len()));
            }
            3 if terms.iter().all(|term| term.feature != feature) => {
                terms.choose_mut(rng)?.feature = feature;
            }
            // Doubling all weights makes finer ratios available.
            4 if size > 1 && 2 * largest <= MAX_NUMBER && rng.random_bool(0.2) => {
                sum.terms.iter_mut().chain(&mut sum.reply).for_each(|term| term.weight *= 2);
            }
            _ => nudge(terms.choose_mut(rng)?, rng),
        }
        Some(())
    }
}

/// Changes a weight by a small random amount, but not to 0.
fn nudge(term: &mut Term, rng: &mut impl Rng) {
    let most = (term.weight.abs() / 4).max(2);
    let by = rng.random_range(1..=most);
    let weight = term.weight + if rng.random_bool(0.5) { by } else { -by };
    if weight != 0 && weight.abs() <= MAX_NUMBER {
        term.weight = weight;
    }
}

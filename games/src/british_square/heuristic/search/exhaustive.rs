//! Exhaustive search over the lists of rules from the pool.

use super::{Found, Front, Search, State};
use crate::british_square::heuristic::corpus::Undecided;
use crate::british_square::heuristic::list::DecisionList;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;

impl Search<'_> {
    /// Searches all lists that begin with one rule. The second rules are distributed over threads.
    pub(super) fn exhaustive_round(
        &self,
        mut state: State,
        monitor: &Monitor,
    ) -> Result<State, SolveError> {
        let first = &self.pool[state.round as usize];
        let list = DecisionList { rules: vec![first.clone()] };
        let open = self.corpus.after(&self.corpus.open(), first);
        if !self.add(&mut state.front, &list, &open) {
            return Ok(state);
        }
        let below = |second: usize| {
            let mut front = state.front.clone();
            self.continue_by(second, &list, &open, &mut front, monitor)?;
            Ok::<_, SolveError>(front)
        };
        let fronts = parallel::try_map(0..self.pool.len(), below)?;
        fronts.into_iter().for_each(|front| state.front.absorb(front));
        Ok(state)
    }

    /// Evaluates a list with one more rule, and its extensions.
    fn continue_by(
        &self,
        rule: usize,
        list: &DecisionList,
        open: &Undecided,
        front: &mut Front,
        monitor: &Monitor,
    ) -> Result<(), SolveError> {
        let mut longer = list.clone();
        longer.rules.push(self.pool[rule].clone());
        if !self.allows(&longer) || !front.admits(longer.difficulty(), open.failures().fails_badly)
        {
            return Ok(());
        }
        monitor.check()?;
        let next = self.corpus.after(open, &self.pool[rule]);
        // A rule without effect only makes the list longer.
        if next.failures() == open.failures() && next.is_as_open_as(open) {
            return Ok(());
        }
        if self.add(front, &longer, &next) {
            for rule in 0..self.pool.len() {
                self.continue_by(rule, &longer, &next, front, monitor)?;
            }
        }
        Ok(())
    }

    /// Adds a list to the front. Returns whether an extension could be added too: it is more
    /// difficult, and fails at least where this list fails badly.
    fn add(&self, front: &mut Front, list: &DecisionList, open: &Undecided) -> bool {
        let (failures, difficulty) = (open.failures(), list.difficulty());
        if difficulty <= self.plan.difficulty && front.admits(difficulty, failures.fails) {
            front.add(Found {
                list: list.clone(),
                difficulty,
                fails: failures.fails,
                fails_badly: failures.fails_badly,
            });
        }
        front.admits(difficulty + 1, failures.fails_badly)
    }
}

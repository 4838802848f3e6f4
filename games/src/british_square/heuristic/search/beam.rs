//! Beam search over the length of lists.

use super::{Found, Front, Search, State};
use crate::british_square::heuristic::corpus::{Failures, Undecided};
use crate::british_square::heuristic::list::{DecisionList, Rule};
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::parallel;
use std::collections::HashSet;

impl Search<'_> {
    /// Extends the kept lists by one rule. Of lists with equal numbers of failures only the first
    /// is kept, as they nearly always like the same moves.
    ///
    /// Lists of the last round are not extended, so their evaluation ends as soon as the front
    /// dominates them.
    pub(super) fn beam_round(
        &self,
        mut state: State,
        width: usize,
        monitor: &Monitor,
    ) -> Result<State, SolveError> {
        let lists = match state.round {
            0 => vec![DecisionList::default()],
            _ => std::mem::take(&mut state.lists),
        };
        let is_last = state.round + 1 == self.rounds();
        let front = Some(&state.front).filter(|_| is_last);
        let tried = parallel::try_map(&lists, |list| self.continued(list, front, monitor))?;
        let mut tried: Vec<Found> = tried.into_iter().flatten().collect();
        tried.iter().for_each(|found| state.front.add(found.clone()));
        tried.sort_by_cached_key(Found::rank);
        let mut seen = HashSet::new();
        tried.retain(|found| seen.insert((found.fails, found.fails_badly)));
        state.lists = tried.into_iter().take(width).map(|found| found.list).collect();
        Ok(state)
    }

    /// The list with each rule of the pool added, without those that `front` dominates.
    fn continued(
        &self,
        list: &DecisionList,
        front: Option<&Front>,
        monitor: &Monitor,
    ) -> Result<Vec<Found>, SolveError> {
        let step = |open: Undecided, rule| self.corpus.after(&open, rule);
        let open = list.rules.iter().fold(self.corpus.open(), step);
        let with_rule = |rule: &Rule| -> Result<Option<Found>, SolveError> {
            let mut longer = list.clone();
            longer.rules.push(rule.clone());
            if !self.allows(&longer) {
                return Ok(None);
            }
            monitor.check()?;
            let difficulty = longer.difficulty();
            let most = front.and_then(|front| front.fewest_fails(difficulty)).unwrap_or(u64::MAX);
            let failures = self.corpus.failures_after(&open, rule, most);
            Ok(failures.map(|Failures { fails, fails_badly }| Found {
                list: longer,
                difficulty,
                fails,
                fails_badly,
            }))
        };
        Ok(parallel::try_map(&self.pool, with_rule)?.into_iter().flatten().collect())
    }
}

//! Beam search over the length of lists.

use super::{Found, Search, State};
use crate::british_square::heuristic::corpus::Undecided;
use crate::british_square::heuristic::list::DecisionList;
use bsq_engine::monitor::{Monitor, SolveError};
use rayon::prelude::*;
use std::collections::HashSet;

impl Search<'_> {
    /// Extends the kept lists by one rule. Of lists with equal numbers of failures only the first
    /// is kept, as they nearly always like the same moves.
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
        let tried: Vec<Vec<Found>> = lists
            .par_iter()
            .map(|list| self.continued(list, monitor))
            .collect::<Result<_, SolveError>>()?;
        let mut tried: Vec<Found> = tried.into_iter().flatten().collect();
        tried.iter().for_each(|found| state.front.add(found.clone()));
        tried.sort_by_cached_key(Found::rank);
        let mut seen = HashSet::new();
        tried.retain(|found| seen.insert((found.fails, found.fails_badly)));
        state.lists = tried.into_iter().take(width).map(|found| found.list).collect();
        Ok(state)
    }

    fn continued(&self, list: &DecisionList, monitor: &Monitor) -> Result<Vec<Found>, SolveError> {
        let step = |open: Undecided, rule| self.corpus.after(&open, rule);
        let open = list.rules.iter().fold(self.corpus.open(), step);
        let mut tried = Vec::new();
        for rule in &self.pool {
            let mut longer = list.clone();
            longer.rules.push(rule.clone());
            if !self.allows(&longer) {
                continue;
            }
            monitor.check()?;
            let failures = self.corpus.after(&open, rule).failures();
            tried.push(Found {
                difficulty: longer.difficulty(),
                list: longer,
                fails: failures.fails,
                fails_badly: failures.fails_badly,
            });
        }
        Ok(tried)
    }
}

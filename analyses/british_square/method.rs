//! Independent methods of counting playouts.

use crate::{AnalysisError, Opt, Procedure, Request};
use bsq_games::british_square::LevelGame128;
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::count::territory;
use bsq_games::british_square::count::territory::TerritoryCountError;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// A method of counting playouts. All methods give the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From the sets of pieces with which play can end, and the orders of placing them.
    Orders,
    /// Forward, level by level, over every state.
    Levels,
    /// Backward, over the territory that is left to each player.
    Territory,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 3] = [Method::Orders, Method::Levels, Method::Territory];

    /// The word for the method.
    pub fn name(self) -> &'static str {
        match self {
            Method::Orders => "orders",
            Method::Levels => "levels",
            Method::Territory => "territory",
        }
    }

    /// What the method does, in a line. Words in braces name parameters.
    pub fn summary(self) -> &'static str {
        match self {
            Method::Orders => "from the pieces play can end with; any board, seconds",
            Method::Levels => "forward over every state; takes {memory}, {scratch} and {resume}",
            Method::Territory => {
                "backward over what is left of the game; takes {memory}, no {pieces}"
            }
        }
    }

    /// Returns the method of that name.
    pub fn by_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }

    /// The limits that the method supports.
    fn limits(self) -> &'static [Opt] {
        match self {
            Method::Orders => &[],
            Method::Levels => &[Opt::Memory, Opt::Scratch],
            Method::Territory => &[Opt::Memory],
        }
    }

    /// Returns an error if the method does not support the limits or the rules of the request.
    pub fn check(self, request: &Request) -> Result<(), AnalysisError> {
        let unsupported =
            |option| AnalysisError::Unsupported { by: Procedure::Method(self), option };
        let rules = request.rules()?;
        if self == Method::Levels {
            LevelGame128::new(rules.clone())?;
        }
        if self == Method::Territory && !territory::supports(rules) {
            return Err(unsupported(Opt::Pieces));
        }
        let refused = request.limits.options().find(|limit| !self.limits().contains(limit));
        refused.map_or(Ok(()), |limit| Err(unsupported(limit)))
    }

    /// Counts the playouts that end with each lead of the first player in pieces, bias not
    /// subtracted.
    pub fn playouts(self, request: &Request) -> Result<BTreeMap<i32, BigUint>, AnalysisError> {
        self.check(request)?;
        let (rules, monitor) = (request.rules()?, &request.monitor);
        match self {
            Method::Orders => Ok(closed_form::playouts_by_score(rules, monitor)?),
            Method::Territory => {
                let bytes = request.budget.and_then(|budget| budget.memory).unwrap_or(u64::MAX);
                let counted = territory::playouts_by_score(rules, bytes, monitor);
                counted.map_err(|error| match error {
                    TerritoryCountError::Pieces => AnalysisError::Unsupported {
                        by: Procedure::Method(self),
                        option: Opt::Pieces,
                    },
                    TerritoryCountError::Solve(error) => error.into(),
                })
            }
            Method::Levels => {
                let scores = request.census()?.scores.into_iter();
                Ok(scores.map(|(lead, count)| (lead, count.playouts)).collect())
            }
        }
    }
}

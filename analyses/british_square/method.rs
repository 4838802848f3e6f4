//! Counting playouts by each method.

use crate::{AnalysisError, Method, Request, RequestOption};
use bsq_games::british_square::LevelGame128;
use bsq_games::british_square::count::closed_form;
use bsq_games::british_square::count::territory;
use bsq_games::british_square::count::territory::TerritoryCountError;
use num_bigint::BigUint;
use std::collections::BTreeMap;

impl Method {
    /// The limits that the method supports.
    fn limits(self) -> &'static [RequestOption] {
        match self {
            Method::ClosedForm | Method::DepthFirst => &[],
            Method::Levels => &[RequestOption::Memory, RequestOption::Scratch],
            Method::Territory => &[RequestOption::Memory],
        }
    }

    /// Returns an error if the method does not support the limits or the rules of the request.
    pub fn check(self, request: &Request) -> Result<(), AnalysisError> {
        let unsupported = |option| AnalysisError::UnsupportedByMethod { method: self, option };
        let rules = request.rules()?;
        if self == Method::DepthFirst {
            let option = RequestOption::Method(self);
            return Err(AnalysisError::Unsupported { analysis: "playouts", option });
        }
        if self == Method::Levels {
            LevelGame128::new(rules.clone())?;
        }
        if self == Method::Territory && !territory::supports(rules) {
            return Err(unsupported(RequestOption::Pieces));
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
            Method::ClosedForm => Ok(closed_form::playouts_by_score(rules, monitor)?),
            Method::Territory => {
                let bytes = request.budget.and_then(|budget| budget.memory).unwrap_or(u64::MAX);
                let counted = territory::playouts_by_score(rules, bytes, monitor);
                counted.map_err(|error| match error {
                    TerritoryCountError::Pieces => AnalysisError::UnsupportedByMethod {
                        method: self,
                        option: RequestOption::Pieces,
                    },
                    TerritoryCountError::Solve(error) => error.into(),
                })
            }
            Method::DepthFirst => unreachable!("refused above"),
            Method::Levels => {
                let scores = request.census_by_levels()?.scores.into_iter();
                Ok(scores.map(|(lead, count)| (lead, count.playouts)).collect())
            }
        }
    }
}

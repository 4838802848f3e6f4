//! Analyses by path and query.

use super::{Parameters, QueryError};
use crate::tables::json;
use crate::{
    Analysis, AnalysisError, Error, Game, Kind, Monitor, OptionAnswer, OptionKind, RuleOption,
    command,
};
use bsq_analyses::options::TABLEBASE;
use bsq_analyses::query::options::CONDITION;
use bsq_engine::definition::Info;
use bsq_engine::options::borrowed;
use bsq_engine::text::time_span;
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// The longest estimated time of a job that is run. A longer job is refused, and the error names
/// the command that runs it.
const LONGEST_JOB: Duration = Duration::from_secs(1);

/// The analyses of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnalysesAnswer {
    analyses: Vec<AnalysisAnswer>,
}

/// An analysis that can be asked for by its name.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnalysisAnswer {
    /// The name.
    name: String,
    /// What its tables contain. A word in braces names an option.
    summary: String,
    /// The options, which are parameters of the query.
    options: Vec<OptionAnswer>,
}

/// The tables of an analysis.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TablesAnswer {
    /// The rules, by the names of their options.
    pub rules: Value,
    /// The main table, then any others: `name`, `title`, `note`, `rows`, each an object by column,
    /// and `total`.
    pub tables: Vec<Value>,
}

impl AnalysesAnswer {
    /// The analyses that can be asked for without a file.
    pub fn of(game: &dyn Game) -> AnalysesAnswer {
        let answer = |analysis: &Analysis| AnalysisAnswer {
            name: analysis.name().to_string(),
            summary: analysis.summary().to_string(),
            options: options(analysis).iter().map(OptionAnswer::of).collect(),
        };
        AnalysesAnswer { analyses: asked_for(game).map(answer).collect() }
    }
}

/// The analyses that can be asked for: all but those of a tablebase, and the query over positions.
pub fn asked_for(game: &dyn Game) -> impl Iterator<Item = &Analysis> {
    let without_file =
        game.analyses().iter().filter(|analysis| analysis.option(&TABLEBASE.name).is_none());
    without_file.chain(game.query())
}

/// The options that are parameters: all but the memory, which the server limits, and files.
pub fn options(analysis: &Analysis) -> Vec<RuleOption> {
    let is_parameter = |option: &&RuleOption| {
        !matches!(option.kind, OptionKind::Size | OptionKind::Tablebase | OptionKind::Folder)
    };
    analysis.options().iter().filter(is_parameter).cloned().collect()
}

/// A request for the tables of an analysis.
pub struct AnalysisRequest {
    game: Info,
    analysis: Analysis,
    given: Vec<(String, String)>,
}

impl AnalysisRequest {
    /// Parses the query of the analysis of a game by its name.
    ///
    /// # Errors
    ///
    /// If there is no such analysis, or a parameter is invalid.
    pub fn parse(game: &dyn Game, name: &str, query: &str) -> Result<AnalysisRequest, QueryError> {
        let analysis =
            asked_for(game).find(|analysis| analysis.name() == name).ok_or_else(|| {
                let names: Vec<&str> = asked_for(game).map(Analysis::name).collect();
                let message =
                    format!("there is no analysis '{name}'; there are {}", names.join(", "));
                QueryError::NoSuchPath(Error::invalid("analysis", message))
            })?;
        let options = options(analysis);
        let given = Parameters::parse(query, &options, None)?.values(&options);
        Ok(AnalysisRequest { game: game.info().clone(), analysis: analysis.clone(), given })
    }

    /// Computes the tables, if that takes at most a second. The job may take `memory` bytes.
    ///
    /// # Errors
    ///
    /// If the options contradict each other, if the job takes too long or too much memory, if the
    /// question has no answer under the rules, or if the monitor stops the job.
    pub fn answer(&self, memory: u64, monitor: &Monitor) -> Result<TablesAnswer, Error> {
        let given = borrowed(&self.given);
        let job = self.analysis.prepare(&given, Some(memory)).map_err(AnalysisError::located)?;
        let takes = match job.estimate() {
            Some(estimate) if estimate <= LONGEST_JOB => None,
            Some(estimate) => Some(format!("about {}", time_span(estimate))),
            None => Some("more than a second, perhaps hours".to_string()),
        };
        if let Some(takes) = takes {
            let command = self.command();
            return Err(Error::of(Kind::Refused, format!("this takes {takes}; run '{command}'")));
        }
        let tables = job.run(monitor).map_err(AnalysisError::located)?;
        Ok(TablesAnswer {
            rules: job.described().fields.clone(),
            tables: tables.iter().map(json::table).collect(),
        })
    }

    /// The command that computes the tables.
    fn command(&self) -> String {
        let analysis = &self.analysis;
        let arguments =
            command::arguments(&CONDITION.name, analysis.options(), &borrowed(&self.given));
        // A query is a verb of its own.
        let verb = if analysis.option(&CONDITION.name).is_some() { "" } else { "analyze " };
        command::line(&self.game, &format!("{verb}{}{arguments}", analysis.name()))
    }
}

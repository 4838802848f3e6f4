//! Analyses, their requests, and the jobs that answer them.

use crate::Table;
use crate::chart::{Chart, GroupChart};
use crate::error::AnalysisError;
use crate::options::{METHOD, Method};
use crate::query::Streamed;
use crate::source::Root;
use bsq_engine::game::Notation;
use bsq_engine::monitor::Monitor;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::{Recorded, set_options};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A question about a game that is answered with tables.
///
/// ```
/// use bsq_analyses::{Analysis, Described, Job};
/// use bsq_engine::options::{OptionKind, RuleOption};
/// use bsq_engine::tabulate;
///
/// let kind = OptionKind::Integer { least: 1, most: 100 };
/// let most = RuleOption::new("most", kind, Some("10"), "The largest number");
/// let analysis = Analysis::new("squares", "the squares of small numbers", [most], |request| {
///     let most: u32 = request.integer("most")?;
///     let fields = serde_json::json!({ "most": most });
///     let described = Described { label: format!("up to {most}"), fields };
///     Ok(Job::new(described, move |_| {
///         Ok(vec![tabulate!("squares", "Squares", for number in 1..=most => {
///             "number": integer key, "an integer" => number;
///             "square": integer, "its square" => number * number;
///         })])
///     }))
/// });
/// let job = analysis.prepare(&[("most", "3")], None).unwrap();
/// assert_eq!(job.run(&Default::default()).unwrap()[0].rows.len(), 3);
/// let error = analysis.prepare(&[("most", "0")], None).err().unwrap();
/// assert_eq!(error.to_string(), "'0' is not an integer from 1 to 100");
/// ```
#[derive(Clone)]
pub struct Analysis {
    name: Cow<'static, str>,
    summary: Cow<'static, str>,
    options: Vec<RuleOption>,
    charts: &'static [&'static Chart<'static>],
    is_only_by_name: bool,
    prepare: Arc<Prepare>,
}

/// Checks a request and prepares the job that answers it. Does no work.
type Prepare = dyn Fn(&OptionValues) -> Result<Job, AnalysisError> + Send + Sync;

impl Analysis {
    /// An analysis without charts.
    ///
    /// The name is a word in lower case, unique within the game. The summary describes the tables in
    /// a line; a word in braces names an option, such as `{board}`, and `{parameters}` stands for
    /// all of them. The options are those of the rules that matter, and its own. The values of a
    /// request have been compared with the kinds of the options when `prepare` is called.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        summary: impl Into<Cow<'static, str>>,
        options: impl IntoIterator<Item = RuleOption>,
        prepare: impl Fn(&OptionValues) -> Result<Job, AnalysisError> + Send + Sync + 'static,
    ) -> Analysis {
        Analysis {
            name: name.into(),
            summary: summary.into(),
            options: options.into_iter().collect(),
            charts: &[],
            is_only_by_name: false,
            prepare: Arc::new(prepare),
        }
    }

    /// The analysis with charts of its tables, of which the first is drawn if none is named.
    pub fn with_charts(self, charts: &'static [&'static Chart<'static>]) -> Analysis {
        Analysis { charts, ..self }
    }

    /// The analysis as one that is left out if all analyses of a game are asked for.
    pub fn only_by_name(self) -> Analysis {
        Analysis { is_only_by_name: true, ..self }
    }

    /// The name: the word in the command.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A description of the tables, in a line.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The options that a request can set.
    pub fn options(&self) -> &[RuleOption] {
        &self.options
    }

    /// The option of that name, if the analysis has it.
    pub fn option(&self, name: &str) -> Option<&RuleOption> {
        self.options.iter().find(|option| option.name == name)
    }

    /// The charts of the tables, the main one first.
    pub fn charts(&self) -> &'static [&'static Chart<'static>] {
        self.charts
    }

    /// Whether the analysis is left out if all analyses of a game are asked for.
    pub fn is_only_by_name(&self) -> bool {
        self.is_only_by_name
    }

    /// Checks a request, which gives values to options by name, and returns the job that answers
    /// it. Options that are not given have their defaults. The job may take `memory` bytes; without
    /// a limit if `None`.
    ///
    /// # Errors
    ///
    /// If an option does not exist, a value is invalid, or the values do not fit together.
    pub fn prepare(
        &self,
        given: &[(&str, &str)],
        memory: Option<u64>,
    ) -> Result<Job, AnalysisError> {
        let job = (self.prepare)(&self.request(given)?)?;
        let rows = job.rows.map(|rows| rows.within(memory));
        Ok(Job { memory, rows, ..job })
    }

    /// The request, if the analysis has its options and the values suit their kinds.
    pub(crate) fn request<'a>(
        &'a self,
        given: &'a [(&'a str, &'a str)],
    ) -> Result<OptionValues<'a>, AnalysisError> {
        for &(name, value) in given {
            let Some(option) = self.option(name) else { return Err(self.unknown(name)) };
            match &option.kind {
                OptionKind::Choice { values }
                    if name == METHOD && !values.iter().any(|known| known == value) =>
                {
                    let methods = values.to_vec();
                    let (analysis, method) = (self.name.to_string(), value.to_string());
                    return Err(AnalysisError::Method { analysis, method, methods });
                }
                _ => option.check(value).map_err(|why| AnalysisError::option(name, why))?,
            }
        }
        Ok(OptionValues { options: &self.options, given })
    }

    fn unknown(&self, name: &str) -> AnalysisError {
        AnalysisError::Unknown {
            analysis: self.name.to_string(),
            option: name.to_string(),
            options: self.options.iter().map(|option| option.name.clone()).collect(),
        }
    }
}

impl fmt::Debug for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut shown = f.debug_struct("Analysis");
        shown.field("name", &self.name).field("options", &self.options).finish_non_exhaustive()
    }
}

/// A request whose values suit the kinds of the options.
pub struct OptionValues<'a> {
    options: &'a [RuleOption],
    given: &'a [(&'a str, &'a str)],
}

impl OptionValues<'_> {
    /// The value of an option, if it is given.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }

    /// The value of an option, or its default.
    pub fn value(&self, name: &str) -> Option<&str> {
        let default = || self.options.iter().find(|option| option.name == name)?.default.as_deref();
        self.given(name).or_else(default)
    }

    /// The value of an option that is an integer.
    ///
    /// # Errors
    ///
    /// If the number is too large for the type.
    pub fn integer<T: std::str::FromStr>(&self, name: &str) -> Result<T, AnalysisError> {
        let value = self.value(name).unwrap_or_default();
        value.parse().map_err(|_| AnalysisError::option(name, format!("'{value}' is too large")))
    }

    /// The rules with the given options.
    ///
    /// # Errors
    ///
    /// If a value is invalid.
    pub fn rules<R: Recorded>(&self, rules: R) -> Result<R, AnalysisError> {
        set_options(rules, self.given).map_err(|(name, why)| AnalysisError::option(name, why))
    }

    /// The method, if one is given.
    pub fn method(&self) -> Option<Method> {
        self.given(METHOD).and_then(Method::by_name)
    }
}

/// Rules as they are presented with results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// A short text; may be empty.
    pub label: String,
    /// The rules as fields of a manifest, named after the options.
    pub fields: Value,
}

impl Described {
    /// The rules of a game by its name, as [`values_of`](bsq_engine::record::values_of) returns
    /// them. The label consists of the board and of the options that do not have their defaults.
    pub fn new(
        game: &str,
        options: &[RuleOption],
        values: &BTreeMap<String, Option<String>>,
    ) -> Described {
        let words = options.iter().filter_map(|option| {
            let value = values.get(&option.parameter())?.as_deref()?;
            match option.kind {
                OptionKind::Board => Some(match value.split_once(':') {
                    Some((size, _)) => format!("{size} (part)"),
                    None => value.to_string(),
                }),
                _ if option.default.as_deref() == Some(value) => None,
                OptionKind::Truth => Some(option.name.to_string()),
                _ => Some(format!("{} {value}", option.name)),
            }
        });
        let label = words.collect::<Vec<_>>().join(", ");
        let mut fields = Map::from_iter([("game".to_string(), Value::from(game))]);
        fields.extend(values.iter().map(|(name, value)| (name.clone(), value.clone().into())));
        Described { label, fields: fields.into() }
    }

    /// The same rules, with the position in which an analysis begins.
    pub(crate) fn from<G: Notation>(self, rules: &G, root: Option<&Root<G>>) -> Described {
        let Described { mut label, mut fields } = self;
        if let Some(root) = root {
            let position = rules.format_position(&root.position);
            label += &format!(", from {position}");
            fields["position"] = position.into();
        }
        Described { label, fields }
    }
}

/// The answer to a valid request, ready to be computed.
pub struct Job {
    described: Described,
    /// The memory that the job may take, in bytes; no limit if `None`.
    memory: Option<u64>,
    estimate: Box<Estimate>,
    chart: Option<GroupChart>,
    rows: Option<Streamed>,
    run: Box<Run>,
}

/// Estimates the seconds that a job takes on one thread.
type Estimate = dyn Fn() -> Option<f64> + Send + Sync;

/// Computes the tables of a job, the main one first. The monitor has the limit on memory.
type Run = dyn Fn(&Monitor) -> Result<Vec<Table>, AnalysisError> + Send + Sync;

impl Job {
    /// A job about rules, which computes its tables, the main one first, with a function.
    pub fn new(
        described: Described,
        run: impl Fn(&Monitor) -> Result<Vec<Table>, AnalysisError> + Send + Sync + 'static,
    ) -> Job {
        Job {
            described,
            memory: None,
            estimate: Box::new(|| None),
            chart: None,
            rows: None,
            run: Box::new(run),
        }
    }

    /// The job with an estimate of the seconds that it takes on one thread; `None` if that is not
    /// known. The estimate takes much less than a second itself.
    pub fn with_estimate(self, estimate: impl Fn() -> Option<f64> + Send + Sync + 'static) -> Job {
        Job { estimate: Box::new(estimate), ..self }
    }

    /// The job with a chart of its main table.
    pub fn with_chart(self, chart: Option<GroupChart>) -> Job {
        Job { chart, ..self }
    }

    /// The chart of the main table, if the request decides what it is.
    pub fn chart(&self) -> Option<&GroupChart> {
        self.chart.as_ref()
    }

    /// The job with rows that may not fit in memory.
    pub(crate) fn with_rows(self, rows: Streamed) -> Job {
        Job { rows: Some(rows), ..self }
    }

    /// The rows of the main table, which may not fit in memory, batch by batch.
    pub fn rows(&self) -> Option<&Streamed> {
        self.rows.as_ref()
    }

    /// About how long the job takes on one thread of a common machine, within a factor of a few;
    /// `None` if that is not known.
    pub fn estimate(&self) -> Option<Duration> {
        (self.estimate)()
            .map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    /// The rules that the job is about.
    pub fn described(&self) -> &Described {
        &self.described
    }

    /// Computes the tables, the main one first.
    ///
    /// # Errors
    ///
    /// If the job fails or is stopped, if it takes more memory than is allowed, or if the question has
    /// no answer under the rules.
    pub fn run(&self, monitor: &Monitor) -> Result<Vec<Table>, AnalysisError> {
        match self.memory {
            Some(_) => (self.run)(&monitor.within(self.memory)),
            None => (self.run)(monitor),
        }
    }
}

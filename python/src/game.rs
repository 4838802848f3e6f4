//! Games and their evaluators for Python. Options are given as pairs of parameters and texts, and
//! answers are JSON, in the schema of the server.

use super::job::{exception, run};
use super::table::{Source, Stream, Table};
use bsq::{Share, memory_limit};
use bsq_analyses::choices::Outside;
use bsq_analyses::parts::{CountedPart, PartJob, merge_parts};
use bsq_analyses::query::options::CONDITION;
use bsq_analyses::sample::NUMBER;
use bsq_api::command::{self, file_name};
use bsq_api::{
    Analysis, AnalysisError, BuildRequest, Described, Detail, Error, HARDEST, Kind, Monitor,
    Registry, Request, Resources, RuleOption, RulesAnswer, Task, ValuesRequest, Verification,
    Wanted, Workload,
};
use bsq_engine::game::Player;
use bsq_engine::options::borrowed;
use bsq_games::british_square;
use bsq_games::british_square::count::sets::Part;
use bsq_games::graph::{self, Content, Entry, Graph};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The games, which are prepared once.
pub static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// Options by parameter, with their values.
type Given = Vec<(String, String)>;

/// Options by name, with their values. A parameter that is none of the options stays as it is.
fn named(options: &[RuleOption], given: Given) -> Given {
    let name = |parameter: String| {
        let option = options.iter().find(|option| option.is_parameter(&parameter));
        option.map_or(parameter, |option| option.name.to_string())
    };
    given.into_iter().map(|(parameter, value)| (name(parameter), value)).collect()
}

/// A registered game, or a graph.
#[pyclass(frozen, module = "bsq._bsq")]
pub struct Game {
    game: Arc<dyn bsq_api::Game>,
    graph: Option<Graph>,
}

#[pymethods]
impl Game {
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<Game> {
        let game = REGISTRY.find(name);
        Ok(Game { game: game.map_err(|error| exception(py, error))?, graph: None })
    }

    /// The graph of a file with that content.
    #[staticmethod]
    fn read(py: Python<'_>, file: &str, content: &[u8]) -> PyResult<Game> {
        let graph = py.detach(|| Graph::read(file, content));
        Ok(Game::of(graph.map_err(|error| invalid(py, format!("{file}: {error}")))?))
    }

    /// The graph of these positions, each with the player to move, 0 or 1, and the number of its moves.
    /// `results` are those of positions without moves, by the numbers of the positions. A move is the
    /// number of a name and the number of the next position. Numbers have four bytes.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "a table of columns")]
    fn graph(
        py: Python<'_>,
        positions: Vec<String>,
        players: &[u8],
        results: Vec<(usize, String)>,
        counts: &[u8],
        moves: &[u8],
        after: &[u8],
        names: Vec<String>,
    ) -> PyResult<Game> {
        let mut results_of = vec![None; positions.len()];
        for (at, result) in results {
            let found = graph::parse_result(&result);
            results_of[at] = Some(found.ok_or_else(|| invalid(py, format!("'{result}'")))?);
        }
        let entries = positions.into_iter().zip(players).zip(numbers(counts)).zip(results_of);
        let entry = |(((text, &player), moves), result): (((String, _), _), _)| Entry {
            text: text.into(),
            to_move: Player::BOTH[usize::from(player)],
            moves,
            result,
        };
        let content = Content {
            positions: entries.map(entry).collect(),
            moves: numbers(moves).zip(numbers(after)).collect(),
            names: names.into_iter().map(Into::into).collect(),
        };
        let graph = py.detach(|| Graph::new("game.csv", content));
        Ok(Game::of(graph.map_err(|error| invalid(py, error))?))
    }

    /// The number of positions of a graph.
    fn positions(&self) -> usize {
        self.graph.as_ref().map_or(0, |graph| graph.content().positions.len())
    }

    /// The content of the file of a graph.
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut content = Vec::new();
        if let Some(graph) = &self.graph {
            graph.write(&mut content)?;
        }
        Ok(PyBytes::new(py, &content))
    }

    /// The rules of options and, if there are any, of a tablebase and of a position, as JSON.
    #[pyo3(signature = (given, position=None, tablebase=None))]
    fn rules(
        &self,
        py: Python<'_>,
        given: Given,
        position: Option<&str>,
        tablebase: Option<PathBuf>,
    ) -> PyResult<String> {
        let given = named(self.game.options(), given);
        let rules = self.game.rules_at(&borrowed(&given), position, tablebase.as_deref());
        Ok(json(&rules.map_err(|error| exception(py, error))?))
    }

    /// The parameters of the options of the rules, with their defaults and what they set.
    fn options(&self) -> Vec<(String, Option<String>, String)> {
        described(self.game.options())
    }

    /// The agents that play, with what they do.
    fn agents(&self, py: Python<'_>, given: Given) -> PyResult<Vec<(String, String)>> {
        let given = named(self.game.options(), given);
        let agents = self.game.agents(&borrowed(&given));
        let agents = agents.map_err(|error| exception(py, error))?;
        Ok(agents.into_iter().map(|agent| (agent.name, agent.summary)).collect())
    }

    /// The names of the analyses, with what they compute.
    fn analyses(&self) -> Vec<(&str, &str)> {
        self.game.analyses().iter().map(|one| (one.name(), one.summary())).collect()
    }

    /// The parameters of the options of a question, with their defaults and what they set.
    fn options_of(
        &self,
        py: Python<'_>,
        question: &str,
    ) -> PyResult<Vec<(String, Option<String>, String)>> {
        Ok(described(self.question(py, question)?.options()))
    }

    /// The tables of a question: `query`, `sample`, `test-heuristic`, or an analysis by its name. The
    /// main one comes first.
    #[pyo3(signature = (question, given, memory=None))]
    fn answer(
        &self,
        py: Python<'_>,
        question: &str,
        given: Given,
        memory: Option<u64>,
    ) -> PyResult<Vec<Py<Table>>> {
        let analysis = self.question(py, question)?;
        let given = named(analysis.options(), given);
        let memory = memory_limit(memory, Share::ThreeQuarters);
        let answered = run(py, |monitor| {
            let job = analysis.prepare(&borrowed(&given), Some(memory));
            let job = job.map_err(AnalysisError::located)?;
            let tables = job.run(monitor).map_err(AnalysisError::located)?;
            let command = self.command(question, analysis, &given);
            Ok((Source { rules: job.described().clone(), command }, tables))
        });
        let (source, tables) = answered?;
        Table::all(py, tables, &source)
    }

    /// A part of the count of an analysis, as the content of its file.
    fn part(
        &self,
        py: Python<'_>,
        name: &str,
        given: Given,
        number: u64,
        parts: u64,
    ) -> PyResult<String> {
        let analysis = self.question(py, name)?;
        let given = named(analysis.options(), given);
        let part: Result<Part, String> = format!("{number}/{parts}").parse();
        let part = part.map_err(|why| exception(py, Error::invalid("part", why)))?;
        run(py, |monitor| {
            let job = PartJob::prepare(analysis, &borrowed(&given), part);
            let part = job.and_then(|job| job.count(monitor)).map_err(AnalysisError::located)?;
            part.encode().map_err(|error| Error::of(Kind::Failed, error))
        })
    }

    /// The rows of an export.
    #[pyo3(signature = (given, memory=None))]
    fn export(&self, py: Python<'_>, given: Given, memory: Option<u64>) -> PyResult<Stream> {
        let analysis = self.game.export().ok_or_else(|| missing(py, "exports"))?;
        let given = named(analysis.options(), given);
        let memory = memory_limit(memory, Share::ThreeQuarters);
        let job = analysis.prepare(&borrowed(&given), Some(memory));
        let job = job.map_err(|error| exception(py, error.located()))?;
        Stream::new(job).ok_or_else(|| missing(py, "rows"))
    }

    /// The tables of a function against perfect play. It gets tables of moves, and returns the numbers
    /// of their rows as bytes of doubles.
    #[pyo3(signature = (function, name, given, memory=None))]
    fn test_function(
        &self,
        py: Python<'_>,
        function: Py<PyAny>,
        name: &str,
        given: Given,
        memory: Option<u64>,
    ) -> PyResult<Vec<Py<Table>>> {
        let verb = format!("test-heuristic '{name}, a function of Python'");
        let command = command::of_game(self.game.info(), &verb);
        let (raised, source) = (Arc::new(Mutex::new(None)), Arc::new(OnceLock::new()));
        let (raised_by, of_batches) = (Arc::clone(&raised), Arc::clone(&source));
        let ask = move |py: Python<'_>, table: &bsq_api::Table, batch| {
            let source = of_batches.get().expect("the job was prepared");
            let moves = Table::of_columns(py, table.clone(), vec![batch], true, None, source)?;
            let answer = function.call1(py, (moves,))?;
            Ok(doubles(answer.bind(py).cast::<PyBytes>()?.as_bytes()).collect())
        };
        let numbers = move |table: &bsq_api::Table, batch| {
            let answer = Python::attach(|py| ask(py, table, batch));
            answer.map_err(|error: PyErr| {
                let message = error.to_string();
                *raised_by.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                message
            })
        };
        let test = self.game.outside_test(name, &Outside::Function(Arc::new(numbers)));
        let test = test.ok_or_else(|| missing(py, "test of heuristics"))?;
        let given = named(test.options(), given);
        let memory = memory_limit(memory, Share::ThreeQuarters);
        let answered = run(py, |monitor| {
            let job = test.prepare(&borrowed(&given), Some(memory));
            let job = job.map_err(AnalysisError::located)?;
            let source = source.get_or_init(|| Source { rules: job.described().clone(), command });
            let tables = job.run(monitor).map_err(AnalysisError::located)?;
            Ok((source, tables))
        });
        // An exception of the function is passed on as it is.
        if let Some(raised) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(raised);
        }
        let (source, tables) = answered?;
        Table::all(py, tables, source)
    }

    /// Builds a tablebase, or continues an unfinished one. The tables of what it contains.
    #[pyo3(signature = (path, rules, options, memory=None))]
    fn build_tablebase(
        &self,
        py: Python<'_>,
        path: PathBuf,
        rules: Given,
        options: Given,
        memory: Option<u64>,
    ) -> PyResult<Vec<Py<Table>>> {
        let own = self.game.tablebases().map(|info| info.options).unwrap_or_default();
        let (rules, options) = (named(self.game.options(), rules), named(&own, options));
        let (rules, options) = (borrowed(&rules), borrowed(&options));
        if let Some((name, _)) =
            options.iter().find(|(name, _)| own.iter().all(|option| option.name != *name))
        {
            let names: Vec<String> = own.iter().map(RuleOption::parameter).collect();
            let message = format!("not an option of a build; there are {}", names.join(", "));
            return Err(exception(py, Error::invalid(name, message)));
        }
        let memory = memory_limit(memory, Share::Half);
        let request = BuildRequest { path: &path, options: &options, memory };
        let (tables, found) = run(py, |monitor| {
            Ok((self.game.build_tablebase(&rules, &request, monitor)?, self.game.rules(&rules)?))
        })?;
        let all = self.game.options().iter().chain(&own);
        let flags = command::flags(all, &[rules, options].concat());
        self.about_tablebase(py, &format!("build {}{flags}", file_name(&path)), &found, tables)
    }

    /// Verifies a tablebase. The table of what was compared.
    #[pyo3(signature = (path, sample, seed, full, memory=None))]
    fn verify_tablebase(
        &self,
        py: Python<'_>,
        path: PathBuf,
        sample: Option<u64>,
        seed: u64,
        full: bool,
        memory: Option<u64>,
    ) -> PyResult<Vec<Py<Table>>> {
        let sample = sample.or_else(|| Some(self.game.tablebases()?.sample)).unwrap_or_default();
        let request =
            Verification { sample, seed, full, memory: memory_limit(memory, Share::Half) };
        let (table, found) = run(py, |monitor| {
            let table = self.game.verify_tablebase(&path, &request, monitor)?;
            Ok((table, self.game.tablebase_rules(&path)?))
        })?;
        self.about_tablebase(py, &format!("verify {}", file_name(&path)), &found, vec![table])
    }

    /// The evaluator of a game under some rules.
    #[pyo3(signature = (given, many, memory=None, tablebase=None))]
    fn engine(
        &self,
        py: Python<'_>,
        given: Given,
        many: bool,
        memory: Option<u64>,
        tablebase: Option<PathBuf>,
    ) -> PyResult<Engine> {
        let given = named(self.game.options(), given);
        let memory = memory_limit(memory, Share::Half);
        let workload = if many { Workload::Many } else { Workload::One };
        let resources = Resources { workload, tablebase, ..Resources::new(memory) };
        let engine = run(py, |_| self.game.engine(&borrowed(&given), &resources))?;
        Ok(Engine { game: Arc::clone(&self.game), engine, given, resources })
    }
}

impl Game {
    fn of(graph: Graph) -> Game {
        let registry = Registry::empty().with(graph.clone());
        let game = registry.find(graph::NAME).expect("it was added");
        Game { game, graph: Some(graph) }
    }

    /// The analysis of a name, or the query and the like by their verbs.
    fn question(&self, py: Python<'_>, name: &str) -> PyResult<&Analysis> {
        let found = match name {
            "query" => self.game.query(),
            "sample" => self.game.sample(),
            "export" => self.game.export(),
            "test-heuristic" => self.game.heuristic_test(),
            _ => self.game.analyses().iter().find(|one| one.name() == name),
        };
        found.ok_or_else(|| {
            let names: Vec<&str> = self.game.analyses().iter().map(Analysis::name).collect();
            let message = format!("there is no analysis '{name}'; there are {}", names.join(", "));
            exception(py, Error::invalid("analysis", message))
        })
    }

    /// Tables about a tablebase, which a command computes.
    fn about_tablebase(
        &self,
        py: Python<'_>,
        verb: &str,
        rules: &RulesAnswer,
        tables: Vec<bsq_api::Table>,
    ) -> PyResult<Vec<Py<Table>>> {
        let info = self.game.info();
        let described = Described::new(&info.name, self.game.options(), rules);
        let command = command::of_game(info, &format!("tablebase {verb}"));
        let source = Source { rules: described, command };
        Table::all(py, tables, &source)
    }

    /// The command that answers a question, without the name of the program.
    fn command(&self, question: &str, analysis: &Analysis, given: &Given) -> String {
        let (options, given) = (analysis.options(), borrowed(given));
        let verb = match question {
            "query" => format!("query{}", command::arguments(&CONDITION.name, options, &given)),
            "sample" => format!("sample{}", command::arguments(&NUMBER.name, options, &given)),
            "test-heuristic" => {
                format!("test-heuristic{}", command::arguments("heuristic", options, &given))
            }
            name => format!("analyze {name}{}", command::flags(options, &given)),
        };
        command::of_game(self.game.info(), &verb)
    }
}

/// The tables of a count whose parts are given, each with a name and as the content of its file.
pub fn merged(py: Python<'_>, parts: &[(String, String)]) -> PyResult<Vec<Py<Table>>> {
    let part =
        |(name, text): &(String, String)| Ok((name.clone(), CountedPart::decode(name, text)?));
    let merged = merge_parts(parts.iter().map(part));
    let merged = merged.map_err(|error| exception(py, error.into()))?;
    let game = Game::new(py, british_square::NAME)?;
    let analysis = game.question(py, merged.analysis())?;
    let command = game.command(merged.analysis(), analysis, &merged.given());
    let source = Source { rules: merged.described(), command };
    Table::all(py, merged.tables(), &source)
}

fn invalid(py: Python<'_>, message: impl std::fmt::Display) -> PyErr {
    exception(py, Error::of(Kind::Usage, message))
}

/// The numbers of an array.
fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|number| u32::from_ne_bytes(*number))
}

/// The floating-point numbers of an array.
fn doubles(bytes: &[u8]) -> impl Iterator<Item = f64> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|number| f64::from_ne_bytes(*number))
}

fn missing(py: Python<'_>, what: &str) -> PyErr {
    exception(py, Error::of(Kind::Usage, format!("this game has no {what}")))
}

fn described(options: &[RuleOption]) -> Vec<(String, Option<String>, String)> {
    let row = |option: &RuleOption| {
        let default = option.default.as_ref().map(ToString::to_string);
        (option.parameter(), default, option.help.to_string())
    };
    options.iter().map(row).collect()
}

fn json(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).expect("answers have keys that are texts")
}

/// A game under fixed rules with its evaluator.
#[pyclass(frozen, module = "bsq._bsq")]
pub struct Engine {
    game: Arc<dyn bsq_api::Game>,
    engine: Arc<dyn bsq_api::Engine>,
    given: Given,
    resources: Resources,
}

/// The time of a request in seconds.
fn time(py: Python<'_>, seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let valid = |seconds| {
        Duration::try_from_secs_f64(seconds).map_err(|_| {
            let message = format!("{seconds} is not a time in seconds");
            exception(py, Error::invalid("time", message))
        })
    };
    seconds.map(valid).transpose()
}

#[pymethods]
impl Engine {
    /// The answer about a position, the start if it is `None`, after moves, as JSON. `detail` is
    /// `None`, `value` or `moves`.
    #[pyo3(signature = (position, moves="", detail=None, line=0, seconds=None))]
    fn answer(
        &self,
        py: Python<'_>,
        position: Option<&str>,
        moves: &str,
        detail: Option<&str>,
        line: usize,
        seconds: Option<f64>,
    ) -> PyResult<String> {
        let detail = match detail {
            Some("moves") => Some(Detail::Moves),
            Some(_) => Some(Detail::Value),
            None => None,
        };
        let request = Request { detail, line, time: time(py, seconds)? };
        let answer = |monitor: &Monitor| {
            let mut session = Arc::clone(&self.engine).session(position)?;
            session.play(moves).map_err(|error| error.at("moves"))?;
            session.answer(request, monitor)
        };
        // What needs no values takes no time.
        let answer = if request.needs_values() {
            run(py, answer)?
        } else {
            answer(&Monitor::default()).map_err(|error| exception(py, error))?
        };
        Ok(json(&answer))
    }

    /// A puzzle after random moves from the start, as JSON. `task` is `win` or `save`.
    fn puzzle(
        &self,
        py: Python<'_>,
        task: Option<&str>,
        level: Option<u32>,
        seed: u64,
    ) -> PyResult<String> {
        let task = match task {
            None => None,
            Some("win") => Some(Task::Win),
            Some("save") => Some(Task::Save),
            Some(other) => {
                let message = format!("'{other}' is neither 'win' nor 'save'");
                return Err(exception(py, Error::invalid("task", message)));
            }
        };
        if level.is_some_and(|level| !(1..=HARDEST).contains(&level)) {
            let message = format!("a level is a number from 1 to {HARDEST}");
            return Err(exception(py, Error::invalid("level", message)));
        }
        let wanted = Wanted { task, level, seed, time: None };
        let puzzle =
            run(py, |monitor| Arc::clone(&self.engine).session(None)?.puzzle(&wanted, monitor))?;
        Ok(json(&puzzle))
    }

    /// A position as lines of text.
    fn drawing(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        let session = Arc::clone(&self.engine).session(Some(position));
        Ok(session.map_err(|error| exception(py, error))?.drawing(&|_| None))
    }

    /// A table with a row for each position, or for each of its moves.
    #[pyo3(signature = (positions, of_moves=false, line=0, seconds=None))]
    fn values(
        &self,
        py: Python<'_>,
        positions: Vec<String>,
        of_moves: bool,
        line: usize,
        seconds: Option<f64>,
    ) -> PyResult<Py<Table>> {
        let time = time(py, seconds)?;
        let request = ValuesRequest { of_moves, line, time, ..ValuesRequest::default() };
        let given = borrowed(&self.given);
        let schema = self.game.values_schema(&given, &self.resources, &request);
        let schema = schema.map_err(|error| exception(py, error))?;
        let (batches, rules) = run(py, |monitor| {
            let threads = std::thread::available_parallelism().map_or(1, Into::into);
            let part = |(start, part): (usize, &[String])| {
                let mut batch = schema.batch();
                for (text, line) in part.iter().zip(start + 1..) {
                    let found = self.engine.values(text, &request, monitor);
                    let message = found.error.as_ref().map(ToString::to_string);
                    batch.push(line as u64, &found, message.as_deref());
                    monitor.check()?;
                }
                Ok(batch.finish())
            };
            // These threads are not those of the solvers, which may wait for each other.
            let rows = positions.len().div_ceil(threads).max(1);
            let batches: Result<Vec<_>, Error> = std::thread::scope(|scope| {
                let part = &part;
                let chunks = positions.chunks(rows).enumerate();
                let parts: Vec<_> = chunks
                    .map(|(at, chunk)| scope.spawn(move || part((at * rows, chunk))))
                    .collect();
                let joined = parts.into_iter().map(|part| part.join());
                joined
                    .map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                    .collect()
            });
            let mut batches = batches?;
            if batches.is_empty() {
                batches.push(schema.batch().finish());
            }
            Ok((batches, self.game.rules(&given)?))
        })?;
        let described = Described::new(&self.game.info().name, self.game.options(), &rules);
        let verb = format!("solve -{}", command::flags(self.game.options(), &given));
        let command = command::of_game(self.game.info(), &verb);
        let source = Source { rules: described, command };
        Table::of_columns(py, schema.table(), batches, true, None, &source)
    }
}

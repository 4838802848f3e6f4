//! `bsq GAME analyze`.

use super::{advised, command_of, described, file_name, given_of, table_memory};
use crate::cli::analyze::{ANALYZE, Analyze, Offered};
use crate::cli::args::{Format, OutputArgs};
use crate::cli::flags;
use crate::commands::plot::{Plotting, deliver};
use crate::files::NewFile;
use crate::memory;
use crate::output::{self, Answer, Folder};
use crate::run::Run;
use crate::usage::usage;
use anyhow::Result;
use bsq_analyses::parts::CountedPart;
use bsq_analyses::{Analysis, AnalysisError, Method, Request, RequestOption, Subject, of_game};
use bsq_api::{Code, Game, OptionKind, Question, Resources, RuleOption};
use bsq_engine::monitor::SolveError;
use bytesize::ByteSize;
use std::io::Write as _;
use std::path::Path;

/// Runs analyses of a game, or lists them.
pub fn run(game: &dyn Game, mut args: Analyze) -> Result<()> {
    let name = game.info().name;
    if args.analysis == "list" {
        return list(name);
    }
    args.output.is_plotted = args.plot.plot.is_some();
    let offered = Offered::of(name).into_iter().filter(|one| match args.analysis.as_str() {
        "all" => !one.is_long(name),
        name => one.name() == name,
    });
    let offered: Vec<Offered> = offered.collect();
    refuse_several_tables(&offered, &args.output)?;
    let job = Job::new(game, &args, &offered)?;
    if args.part.is_some() { job.run_part(args) } else { job.run(args) }
}

/// Prints the analyses of a game, a line each.
fn list(game: &str) -> Result<()> {
    let all = Offered::of(game);
    output::print_list(all.iter().map(|one| {
        let long = if one.is_long(game) { " (long)" } else { "" };
        (one.name(), format!("{}{long}", one.summary()))
    }))
}

/// Returns an error if tables of several analyses would be printed as one CSV.
fn refuse_several_tables(offered: &[Offered], output: &OutputArgs) -> Result<()> {
    if offered.len() > 1
        && let Some(format @ (Format::Csv | Format::Parquet)) = output::format(output)
    {
        let format = if format == Format::Csv { "CSV" } else { "Parquet file" };
        return Err(usage(format!(
            "several tables do not fit one {format}; use --out DIR alone for a file each, or --format table or json",
        )));
    }
    Ok(())
}

/// Returns an error if an analysis that is asked for by name does not take an option.
fn refuse_other_options(game: &dyn Game, args: &Analyze, one: &Offered) -> Result<()> {
    let (name, taken) = (one.name(), one.options(game));
    let is_taken = |given: &str| taken.iter().any(|option| option.name == given);
    let other = args.given.iter().find(|(given, _)| !is_taken(given));
    let other = other.map(|(given, _)| given.replace(' ', "-"));
    let tablebase = args.tablebase.as_ref().filter(|_| !one.takes_tablebase());
    let Some(other) = other.or(tablebase.map(|_| "tablebase".to_string())) else { return Ok(()) };
    let mut flags: Vec<String> =
        taken.iter().map(|option| format!("--{}", option.flag())).collect();
    if one.takes_tablebase() {
        flags.push("--tablebase".to_string());
    }
    let but = if flags.is_empty() { String::new() } else { format!(", but {}", flags.join(", ")) };
    Err(usage(format!("'{name}' takes no --{other}{but}")))
}

/// Analyses with their requests, which are valid.
struct Job<'a> {
    game: &'a dyn Game,
    /// The options of the rules and of questions that were given.
    given: Vec<(&'static str, String)>,
    /// The name of the file of the tablebase.
    tablebase: Option<String>,
    asked: Vec<Asked>,
    /// Messages to the user besides the results.
    notes: Vec<String>,
}

/// An analysis with its request.
enum Asked {
    Own(&'static Analysis, Request<'static>),
    Any(Question),
}

impl<'a> Job<'a> {
    /// Checks the requests of analyses before anything is written. If there are several analyses,
    /// those that do not apply to the game of the tablebase are omitted.
    fn new(game: &'a dyn Game, args: &Analyze, offered: &[Offered]) -> Result<Job<'a>> {
        let tablebase = args.tablebase.as_deref().map(file_name);
        let given = args.given.clone();
        let mut job = Job { game, given, tablebase, asked: Vec::new(), notes: Vec::new() };
        if offered.len() > 1 && (args.method.is_some() || args.part.is_some()) {
            let flag = if args.method.is_some() { "--method" } else { "--part" };
            return Err(usage(format!(
                "{flag} is for one analysis; write its name instead of 'all'"
            )));
        }
        for one in offered {
            if offered.len() == 1 {
                refuse_other_options(game, args, one)?;
            }
            let analysis = match *one {
                Offered::Own(analysis) => analysis,
                Offered::Any(question) => {
                    // Invalid rules are reported before any work.
                    described(game, &job.rules())?;
                    if args.part.is_some() || args.method.is_some() {
                        let flag = if args.part.is_some() { "--part" } else { "--method" };
                        return Err(usage(format!("'{}' takes no {flag}", question.name())));
                    }
                    job.asked.push(Asked::Any(question));
                    continue;
                }
            };
            let subject = job.subject(analysis, args.tablebase.as_deref())?;
            let request = Request {
                method: args.method,
                is_memory_set: args.memory.is_some(),
                part: args.part,
                ..Request::new(subject)
            };
            match analysis.check(&request) {
                Err(error) if error.is_inapplicable() && offered.len() > 1 => {
                    job.notes.push(format!("{} left out: {error}", analysis.name));
                }
                checked => {
                    checked.map_err(|error| explained(game, error))?;
                    job.asked.push(Asked::Own(analysis, request));
                }
            }
        }
        Ok(job)
    }

    /// The subject of an analysis.
    fn subject(&self, analysis: &Analysis, tablebase: Option<&Path>) -> Result<Subject> {
        let subject = match (analysis.takes.is_tablebase(), tablebase) {
            (true, Some(path)) => Subject::open(path),
            _ => Subject::described(analysis.takes, &given_of(&self.given)),
        };
        subject.map_err(|error| explained(self.game, error))
    }

    /// The command that answers a question.
    fn command(&self, one: Offered) -> String {
        let command = command_line(self.game, one, &self.given);
        match self.tablebase.as_ref().filter(|_| one.takes_tablebase()) {
            Some(name) => format!("{command} --tablebase {name}"),
            None => command,
        }
    }

    /// The options of the rules that were given.
    fn rules(&self) -> Vec<(&str, &str)> {
        let options = self.game.options();
        let is_rule = |(name, _): &(&str, &str)| options.iter().any(|option| option.name == *name);
        given_of(&self.given).into_iter().filter(is_rule).collect()
    }

    /// The length of the longest sequences, if the question has that option.
    fn depth(&self, question: Question) -> Result<usize> {
        let [option] = question.options() else { return Ok(0) };
        let given = self.given.iter().find(|(name, _)| *name == option.name);
        let text = given.map(|(_, value)| value.as_str()).or(option.default).unwrap_or_default();
        let OptionKind::Integer { most, .. } = option.kind else { return Ok(0) };
        let is_valid = |&depth: &usize| i64::try_from(depth).is_ok_and(|depth| depth <= most);
        let depth = text.parse().ok().filter(is_valid);
        let flag = option.flag();
        depth.ok_or_else(|| usage(format!("--{flag}: '{text}' is not an integer from 0 to {most}")))
    }

    /// Creates the file of the picture, if the arguments name one.
    fn plotting(&self, args: &Analyze) -> Result<Option<Plotting>> {
        if args.plot.plot.is_none() {
            return Ok(None);
        }
        let drawn = || of_game(self.game.info().name).filter(|analysis| analysis.chart.is_some());
        match &self.asked[..] {
            [Asked::Own(Analysis { chart: Some(chart), .. }, _)] => {
                Plotting::begin(&args.plot, Some(chart))
            }
            [Asked::Any(_)] => Plotting::begin(&args.plot, None),
            [_] => {
                let drawn: Vec<&str> = drawn().map(|analysis| analysis.name).collect();
                let charts = match drawn.is_empty() {
                    true => String::new(),
                    false => format!("; there are charts of {}", drawn.join(", ")),
                };
                Err(usage(format!("there is no chart of '{}'{charts}", args.analysis)))
            }
            _ => Err(usage("--plot draws one analysis; write its name instead of 'all'")),
        }
    }

    /// Runs the analyses on this machine and delivers the results.
    fn run(&self, mut args: Analyze) -> Result<()> {
        let plotting = self.plotting(&args)?;
        let run = Run::begin(&args.output.work)?;
        let folder = Folder::open(&args.output)?;
        self.notes.iter().for_each(|note| run.note(note));
        let answers = self.answers(args.memory, &run)?;
        deliver(&run, &mut args.output, folder, &answers, plotting)?;
        run.end();
        Ok(())
    }

    /// Counts a part and writes it to its file.
    fn run_part(&self, args: Analyze) -> Result<()> {
        let output = &args.output;
        let ([Asked::Own(analysis, request)], Some(path)) = (&self.asked[..], &output.file) else {
            return Err(usage("--part needs -o FILE"));
        };
        if output.format.is_some() || output.out.is_some() || output.is_plotted {
            return Err(usage(
                "a part is a file of its own format; leave --format, --out and --plot out",
            ));
        }
        let run = Run::begin(&output.work)?;
        let mut file = NewFile::begin(path)?;
        let request = Request { monitor: run.monitor(), ..request.clone() };
        let part = CountedPart::count(analysis, &request);
        let part = part.map_err(|error| explained(self.game, error))?;
        file.write_all(part.encode()?.as_bytes())?;
        file.finish()?;
        run.note(&format!("wrote {}", path.display()));
        run.end();
        Ok(())
    }

    /// Runs the analyses. Of several, questions that have no answer in this game are omitted.
    fn answers(&self, memory: Option<ByteSize>, run: &Run) -> Result<Vec<Answer>> {
        let answer = |asked: &Asked| match asked {
            Asked::Own(analysis, request) => {
                let (monitor, memory) = (run.monitor(), memory_limit(memory));
                let tables = analysis.run(&Request { monitor, memory, ..request.clone() });
                let tables = tables.map_err(|error| explained(self.game, error))?;
                let command = self.command(Offered::Own(analysis));
                Ok(Some(Answer { command, rules: (&request.subject).into(), tables }))
            }
            Asked::Any(question) => {
                let resources = Resources::new(table_memory(memory));
                let (game, rules, depth) = (self.game, self.rules(), self.depth(*question)?);
                let found = game.analyze(*question, &rules, depth, &resources, &run.monitor());
                let table = match found {
                    // The rules are valid, so that it is the question that does not fit them.
                    Err(error) if error.code == Code::Invalid && self.asked.len() > 1 => {
                        run.note(&format!("{} left out: {error}", question.name()));
                        return Ok(None);
                    }
                    found => found.map_err(|error| advised(error, None))?,
                };
                let (rules, command) =
                    (described(game, &rules)?, self.command(Offered::Any(*question)));
                Ok(Some(Answer { command, rules, tables: vec![table] }))
            }
        };
        self.asked.iter().map(answer).filter_map(Result::transpose).collect()
    }
}

/// The command that answers a question, with the options that differ from their defaults. All
/// methods of counting give the same numbers, so that the method is left out.
pub fn command_line(game: &dyn Game, one: Offered, given: &[(&'static str, String)]) -> String {
    let value = |option: &RuleOption| {
        let given = given.iter().find(|(name, _)| *name == option.name);
        given.map(|(_, value)| value.clone())
    };
    let flags = flags::written(one.options(game), value);
    command_of(game, &format!("{ANALYZE} {}{flags}", one.name()))
}

/// The bytes that a count may take: three quarters of what is free, unless the user says otherwise.
fn memory_limit(given: Option<ByteSize>) -> Option<u64> {
    let given = given.map(|size| size.as_u64());
    given.or_else(|| memory::available().map(|bytes| bytes / 4 * 3))
}

/// The error of an analysis with the flags that it is about.
fn explained(game: &dyn Game, error: AnalysisError) -> anyhow::Error {
    let name = game.info().name;
    let flag = |option| match option {
        RequestOption::Memory => "--memory",
        RequestOption::Pieces => "--pieces",
        RequestOption::Part => "--part",
    };
    usage(match error {
        AnalysisError::Option(option, why) => format!("--{}: {why}", option.replace(' ', "-")),
        AnalysisError::Subject(_) => format!(
            "the tablebase is missing; give it by --tablebase PATH, and 'bsq {name} tablebase build PATH' builds one"
        ),
        AnalysisError::Tablebase(error) => {
            let again = format!("'bsq {name} tablebase build PATH' builds one");
            return anyhow::Error::msg(format!("{error}; {again}"));
        }
        AnalysisError::Method { analysis, method } => {
            let methods =
                of_game(name).filter(|one| one.name == analysis).flat_map(|one| one.methods);
            let methods: Vec<&str> = methods.map(|method| method.name()).collect();
            let hint = match &methods[..] {
                [] => String::new(),
                [one] => format!(" or use {one}"),
                [first @ .., last] => format!(" or use {} or {last}", first.join(", ")),
            };
            let method = method.name();
            format!("the method '{method}' is not for '{analysis}'; leave --method out{hint}")
        }
        AnalysisError::Unsupported { analysis, option: RequestOption::Pieces } => {
            format!("'{analysis}' takes no limit on pieces; leave --pieces out")
        }
        AnalysisError::Unsupported { analysis, option } => {
            let supporting = of_game(name).filter(|other| other.options.contains(&option));
            let names: Vec<&str> = supporting.map(|other| other.name).collect();
            match names.is_empty() {
                true => format!("'{analysis}' takes no {}", flag(option)),
                false => format!(
                    "{} is for one of {}, not for '{analysis}'",
                    flag(option),
                    names.join(", ")
                ),
            }
        }
        AnalysisError::UnsupportedByMethod { option: RequestOption::Part, .. } => {
            format!("--part needs --method {}", Method::Sets.name())
        }
        AnalysisError::UnsupportedByMethod { method, option } => {
            let (method, flag) = (method.name(), flag(option));
            format!("the method '{method}' takes no {flag}; leave --method out")
        }
        AnalysisError::Solve(error @ SolveError::TooMuch { .. }) => {
            let sets = Method::Sets.name();
            return anyhow::Error::msg(format!(
                "{error}; --method {sets} takes little memory, but longer"
            ));
        }
        error => return error.into(),
    })
}

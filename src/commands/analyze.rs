//! `bsq analyze`, `bsq dots analyze` and `bsq rpsw analyze`.

use super::plot::{Plotting, deliver};
use super::rpsw::tablebase::open;
#[cfg(feature = "cluster")]
use crate::advice;
use crate::cli::args::{
    Analyze, DotsAnalyze, Format, OutputArgs, PlotArgs, RoomArgs, RpswAnalyze, with_flags,
};
#[cfg(feature = "cluster")]
use crate::cluster::Cluster;
use crate::memory;
use crate::output::{self, Answer, Folder};
use crate::run::Run;
use crate::usage::usage;
use anyhow::Result;
use bsq_analyses::{
    ANALYSES, Analysis, AnalysisError, Limits, Method, Request, RequestOption, Subject, Takes,
    of_game,
};
use bsq_engine::levels::{LevelsError, MemoryBudget, ScratchFolder};
use bsq_games::{british_square, dots, rpsw};
use std::path::Path;

/// The default of the number of open lines at the start of the largest boards.
const LINES: u8 = 31;

/// Runs analyses of British Square.
pub fn british_square(mut args: Analyze) -> Result<()> {
    if args.analysis == "list" {
        return list(british_square::NAME);
    }
    args.output.is_plotted = args.plot.plot.is_some();
    let analyses = named(british_square::NAME, &args.analysis)?;
    refuse_several_tables(&analyses, &args.output)?;
    let limits =
        Limits { memory: args.room.memory.is_some(), scratch: args.room.scratch.is_some() };
    let method = args.method.as_deref().and_then(Method::by_name);
    let rules = args.rules.rules();
    let request = Request { method, limits, ..Request::new(Subject::Rules(rules)) };
    let job = Job::new("analyze", &analyses, |_| request.clone())?;
    match args.cluster.hosts.clone() {
        Some(hosts) => job.run_on_cluster(args, &hosts),
        None => job.run(&args.plot, args.output, Some(&args.room)),
    }
}

/// Runs analyses of Dots-and-Boxes.
pub fn dots(mut args: DotsAnalyze) -> Result<()> {
    if args.analysis == "list" {
        return list(dots::NAME);
    }
    args.output.is_plotted = args.plot.plot.is_some();
    let analyses = named(dots::NAME, &args.analysis)?;
    refuse_several_tables(&analyses, &args.output)?;
    if let [analysis] = analyses[..] {
        let name = analysis.name;
        match analysis.takes {
            Takes::Lines if args.board.is_some() => {
                return Err(usage(format!(
                    "'{name}' is about all boards and takes no --board; --lines says how large they get"
                )));
            }
            Takes::Board { .. } if args.lines.is_some() => {
                return Err(usage(format!(
                    "'{name}' is about one board and takes no --lines; --board says which"
                )));
            }
            _ => {}
        }
    }
    let lines = args.lines.unwrap_or(LINES).into();
    let board = args.board.map_or_else(|| dots::Board::new(3, 3), Ok)?;
    let request = |analysis: &Analysis| match analysis.takes {
        Takes::Lines => Request::new(Subject::Lines(lines)),
        _ => Request::new(Subject::Board(board)),
    };
    Job::new("dots analyze", &analyses, request)?.run(&args.plot, args.output, None)
}

/// Runs analyses of rock-paper-scissors-well.
pub fn rpsw(mut args: RpswAnalyze) -> Result<()> {
    if args.analysis == "list" {
        return list(rpsw::NAME);
    }
    args.output.is_plotted = args.plot.plot.is_some();
    let analyses = named(rpsw::NAME, &args.analysis)?;
    let Some(file) = &args.file else {
        return Err(usage(format!(
            "the database is missing; write 'bsq rpsw analyze {} FILE', and 'bsq rpsw solve --out FILE' to make it",
            args.analysis
        )));
    };
    let tablebase = open(file)?;
    let request = |_| Request::new(Subject::Tablebase(&tablebase));
    Job::new("rpsw analyze", &analyses, request)?.run(&args.plot, args.output, None)
}

/// Prints the analyses of a game, a line each.
fn list(game: &str) -> Result<()> {
    output::print_list(of_game(game).map(|analysis| {
        let long = if analysis.is_long { " (long)" } else { "" };
        (analysis.name, format!("{}{long}", with_flags(analysis.summary)))
    }))
}

/// Returns the analysis of a game with that name, or, for `all`, those that are not long.
fn named(game: &str, name: &str) -> Result<Vec<&'static Analysis>> {
    let is_asked = |analysis: &&Analysis| match name {
        "all" => !analysis.is_long,
        name => analysis.name == name,
    };
    let analyses: Vec<_> = of_game(game).filter(is_asked).collect();
    if analyses.is_empty() {
        let names: Vec<&str> = of_game(game).map(|analysis| analysis.name).collect();
        let names = names.join(", ");
        return Err(usage(format!("there is no analysis '{name}'; there are {names}, and all")));
    }
    Ok(analyses)
}

/// Returns an error if tables of several analyses would be printed as one CSV.
fn refuse_several_tables(analyses: &[&Analysis], output: &OutputArgs) -> Result<()> {
    if analyses.len() > 1 && output::format(output) == Some(Format::Csv) {
        return Err(usage(
            "several tables do not fit one CSV; use --out DIR alone for a file each, or --format table or json",
        ));
    }
    Ok(())
}

/// Analyses with their requests, which are valid.
struct Job<'a> {
    /// The command without flags and analysis, such as `dots analyze`.
    command: &'static str,
    requests: Vec<(&'static Analysis, Request<'a>)>,
    /// Messages to the user besides the results.
    notes: Vec<String>,
}

impl<'a> Job<'a> {
    /// Checks the requests of analyses before anything is written. If there are several analyses,
    /// those that do not apply to the game of the tablebase are omitted.
    fn new(
        command: &'static str,
        analyses: &[&'static Analysis],
        request: impl Fn(&'static Analysis) -> Request<'a>,
    ) -> Result<Job<'a>> {
        let mut job = Job { command, requests: Vec::new(), notes: Vec::new() };
        for &analysis in analyses {
            let request = request(analysis);
            match analysis.check(&request) {
                Err(AnalysisError::NoArrangements) if analyses.len() > 1 => job.notes.push(
                    "arrangements left out: this game does not begin with four pieces each"
                        .to_string(),
                ),
                checked => {
                    checked.map_err(advised)?;
                    job.requests.push((analysis, request));
                }
            }
        }
        Ok(job)
    }

    /// Creates the file of the picture, if the arguments name one.
    fn plotting(&self, plot: &PlotArgs) -> Result<Option<Plotting>> {
        let analyses: Vec<&Analysis> =
            self.requests.iter().map(|(analysis, _)| *analysis).collect();
        Plotting::begin(plot, &analyses)
    }

    /// Runs the analyses on this machine and delivers the results.
    fn run(&self, plot: &PlotArgs, mut output: OutputArgs, room: Option<&RoomArgs>) -> Result<()> {
        let plotting = self.plotting(plot)?;
        let run = Run::begin(&output.work)?;
        let folder = Folder::open(&output)?;
        let budget = room.map(budget).transpose()?;
        self.notes.iter().for_each(|note| run.note(note));
        let answers = self.answers(|request| Request {
            monitor: run.monitor(),
            budget: budget.as_ref(),
            ..request
        })?;
        deliver(&run, &mut output, folder, &answers, plotting)?;
        if let Some(scratch) = budget.and_then(|budget| budget.scratch) {
            scratch.remove()?; // the result has been delivered
        }
        run.end();
        Ok(())
    }

    /// Runs the analyses, each with its request, completed.
    fn answers<'b>(&self, complete: impl Fn(Request<'b>) -> Request<'b>) -> Result<Vec<Answer>>
    where
        'a: 'b,
    {
        let answer = |(analysis, request): &(&'static Analysis, Request<'a>)| {
            let tables = analysis.run(&complete(request.clone())).map_err(advised)?;
            let command = format!("{} {}", self.command, analysis.name);
            Ok(Answer { command, rules: (&request.subject).into(), tables })
        };
        self.requests.iter().map(answer).collect()
    }

    /// Counts together with other processes. The first process delivers the result.
    #[cfg(feature = "cluster")]
    fn run_on_cluster(&self, mut args: Analyze, hosts: &Path) -> Result<()> {
        let is_first = args.cluster.process == Some(0);
        let plotting = if is_first { self.plotting(&args.plot)? } else { None };
        let run = Run::begin(&args.output.work)?;
        let out = if is_first { Some(Folder::open(&args.output)?) } else { None };
        let rules = args.rules.rules();
        let (cluster, census) = Cluster::count(&args.cluster, hosts, &args.room, &rules, &run)?;
        let Some(out) = out else {
            cluster.wait(&run)?;
            run.end();
            return Ok(());
        };
        let delivered = self
            .answers(|request| Request { census: Some(&census), ..request })
            .and_then(|answers| deliver(&run, &mut args.output, out, &answers, plotting));
        if let Err(error) = delivered {
            cluster.end(&advice::describe(&error));
            return Err(error);
        }
        cluster.deliver(&run);
        run.end();
        Ok(())
    }

    /// Returns an error that names the build with distributed counts.
    #[cfg(not(feature = "cluster"))]
    fn run_on_cluster(&self, _: Analyze, _: &Path) -> Result<()> {
        Err(usage(
            "this build counts on one machine only; build it with 'cargo build --release --features cluster'",
        ))
    }
}

/// Memory and scratch folder of a count.
fn budget(args: &RoomArgs) -> Result<MemoryBudget, LevelsError> {
    let memory = match args.memory {
        Some(memory) => Some(memory.as_u64()),
        None => memory::available().map(|bytes| bytes / 4 * 3),
    };
    let scratch = match &args.scratch {
        Some(folder) if args.resume => Some(ScratchFolder::resume(folder)?),
        Some(folder) => Some(ScratchFolder::begin(folder)?),
        None => None,
    };
    Ok(MemoryBudget::new(memory, scratch))
}

/// Adds alternative flags to the error of an unsupported option.
fn advised(error: AnalysisError) -> anyhow::Error {
    let flag = |option| match option {
        RequestOption::Method(_) => "--route",
        RequestOption::Memory => "--memory",
        RequestOption::Scratch => "--scratch",
        RequestOption::Pieces => "--pieces",
    };
    usage(match error {
        AnalysisError::Unsupported { analysis, option: RequestOption::Method(method) } => format!(
            "'{analysis}' is about states, which the route '{}' does not see; leave --route out or take levels",
            method.name()
        ),
        AnalysisError::Unsupported { analysis, option: RequestOption::Pieces } => {
            format!("'{analysis}' takes no limit on pieces; leave --pieces out")
        }
        AnalysisError::Unsupported { analysis, option } => {
            let supporting = ANALYSES.iter().filter(|other| other.options.contains(&option));
            let names: Vec<&str> = supporting.map(|other| other.name).collect();
            format!("{} is for one of {}, not for '{analysis}'", flag(option), names.join(", "))
        }
        AnalysisError::UnsupportedByMethod { method, option: RequestOption::Pieces } => {
            format!("the route '{}' takes no limit on pieces; take orders or levels", method.name())
        }
        AnalysisError::UnsupportedByMethod { method, option } => format!(
            "the route '{}' takes no {}; leave --route out or take levels",
            method.name(),
            flag(option)
        ),
        error => return error.into(),
    })
}

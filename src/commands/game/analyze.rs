//! `bsq GAME analyze`.

use super::{advised, build_command, command_of, rules_of};
use crate::cli::analyze::{ANALYZE, Analyze};
use crate::cli::args::{Format, OutputArgs, with_flags};
use crate::commands::plot::{Plotting, deliver};
use crate::errors::{raise_memory, usage};
use crate::new_file::NewFile;
use crate::output::{self, Computed, Folder};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::any::agents;
use bsq_analyses::options::METHOD;
use bsq_analyses::parts::PartJob;
use bsq_analyses::{Analysis, AnalysisError, Job, Method};
use bsq_api::tables::manifest::FileFormat;
use bsq_api::{Error, Game, HasKind, Kind, command};
use bsq_engine::explore::ExploreError;
use bsq_engine::options::borrowed;
use bsq_engine::text::time_span;
use bsq_games::british_square::count::sets::Part;
use std::borrow::Cow;
use std::io::Write as _;
use std::time::Duration;

/// Runs analyses of a game, or lists them.
pub fn run(game: &dyn Game, mut args: Analyze) -> Result<()> {
    if args.analysis == "list" {
        return list(game);
    }
    args.output.is_plotted = args.plot.plot.is_some();
    let is_asked = |one: &&Analysis| match args.analysis.as_str() {
        "all" => !one.is_only_by_name(),
        name => one.name() == name,
    };
    let asked: Vec<&Analysis> = game.analyses().iter().filter(is_asked).collect();
    refuse_several_tables(asked.len(), &args.output)?;
    if args.analysis == "all" {
        refuse_flags_of_one(&args)?;
    }
    if let (Some(part), [analysis]) = (args.part, &asked[..]) {
        return run_part(game, args, analysis, part);
    }
    if args.analysis == agents::NAME && is_list_of_agents(&args) {
        return list_agents(game, &args);
    }
    let (jobs, notes) = prepared(game, &args, &asked)?;
    let plotting = plotting(game, &args, &jobs)?;
    let run = Run::begin(&args.output.work)?;
    let folder = Folder::open(&args.output)?;
    for note in &notes {
        run.note(note);
    }
    let answers = answers(game, &args, &jobs, &run)?;
    deliver(&run, &mut args.output, folder, &answers, plotting)?;
    run.end();
    Ok(())
}

/// Whether the agents are to be listed instead of letting them play.
fn is_list_of_agents(args: &Analyze) -> bool {
    let is_agent = |name: &str| name == agents::FIRST.name || name == agents::SECOND.name;
    args.given.iter().any(|(name, value)| is_agent(name) && value == "list")
}

/// Prints the agents of a game, the weakest first, one per line.
fn list_agents(game: &dyn Game, args: &Analyze) -> Result<()> {
    let agents = game.agents(&rules_of(game, &args.given)).map_err(|error| advised(error, None))?;
    output::print_list(agents.iter().map(|agent| (agent.name.as_str(), agent.summary.clone())))
}

/// The list shows how long an analysis takes if it takes longer than this.
const LONG: Duration = Duration::from_secs(10);

/// Prints the analyses of a game, one per line.
fn list(game: &dyn Game) -> Result<()> {
    output::print_list(game.analyses().iter().map(|one| {
        let job = one.prepare(&[], None).ok().filter(|_| !one.is_only_by_name());
        let estimate = job.and_then(|job| job.estimate()).filter(|estimate| *estimate > LONG);
        let long = estimate.map(|estimate| format!("about {}", time_span(estimate)));
        let by_name = one.is_only_by_name().then(|| "only by name".to_string());
        let marks: Vec<String> = long.into_iter().chain(by_name).collect();
        let marks =
            if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
        (one.name(), with_flags(one.summary()) + &marks)
    }))
}

/// Returns an error if tables of several analyses would be printed as one CSV.
fn refuse_several_tables(asked: usize, output: &OutputArgs) -> Result<()> {
    if asked > 1
        && let Some(format) = output::format(output)
        && !matches!(format, Format::Table | Format::Json)
    {
        let format = match format.of_files() {
            FileFormat::Csv => "CSV".to_string(),
            format => format!("{format} file"),
        };
        return Err(usage(format!(
            "several tables do not fit one {format}; use --out DIR alone for a file each, or --format table or json",
        )));
    }
    Ok(())
}

/// Returns an error if a flag is given that is only for a single analysis.
fn refuse_flags_of_one(args: &Analyze) -> Result<()> {
    let has_method = args.given.iter().any(|(name, _)| *name == METHOD);
    let flag = match (has_method, args.part) {
        (true, _) => "--method",
        (_, Some(_)) => "--part",
        _ => return Ok(()),
    };
    Err(usage(format!("{flag} is for one analysis; write its name instead of 'all'")))
}

/// An analysis with the job that answers a request.
struct Prepared<'a> {
    analysis: &'a Analysis,
    job: Job,
}

/// Checks all requests before anything is written.
///
/// If there are several analyses, each receives the options that it takes. Analyses that do not apply to the rules are left out, with a note for each.
fn prepared<'a>(
    game: &dyn Game,
    args: &Analyze,
    asked: &[&'a Analysis],
) -> Result<(Vec<Prepared<'a>>, Vec<String>)> {
    let (mut jobs, mut notes) = (Vec::new(), Vec::new());
    for &analysis in asked {
        let is_taken =
            |(name, _): &(&str, &str)| asked.len() == 1 || analysis.option(name).is_some();
        let given: Vec<(&str, &str)> = borrowed(&args.given).into_iter().filter(is_taken).collect();
        match analysis.prepare(&given, Some(args.memory)) {
            Ok(job) => jobs.push(Prepared { analysis, job }),
            Err(error) if error.is_inapplicable() && asked.len() > 1 => {
                notes.push(format!("{} left out: {error}", analysis.name()));
            }
            Err(error) => return Err(explained(game, error)),
        }
    }
    Ok((jobs, notes))
}

/// Creates the file of the picture if the arguments ask for one.
fn plotting(
    game: &dyn Game,
    args: &Analyze,
    jobs: &[Prepared],
) -> Result<Option<Plotting<'static>>> {
    match jobs {
        [only] if only.analysis.charts().is_empty() && args.plot.plot.is_some() => {
            let drawn: Vec<&str> = game
                .analyses()
                .iter()
                .filter(|one| !one.charts().is_empty())
                .map(Analysis::name)
                .collect();
            let (name, drawn) = (only.analysis.name(), drawn.join(", "));
            Err(usage(format!("there is no chart of '{name}'; there are charts of {drawn}")))
        }
        [only] => Plotting::begin(&args.plot, only.analysis.charts()),
        _ if args.plot.plot.is_some() => {
            Err(usage("--plot draws one analysis; write its name instead of 'all'"))
        }
        _ => Ok(None),
    }
}

/// Runs the jobs. If there are several, those without an answer in this game are left out.
fn answers(game: &dyn Game, args: &Analyze, jobs: &[Prepared], run: &Run) -> Result<Vec<Computed>> {
    let mut answers = Vec::new();
    for Prepared { analysis, job } in jobs {
        match job.run(&run.monitor()) {
            Ok(tables) => {
                let command = command_line(game, analysis, &args.given);
                answers.push(Computed { command, rules: job.described().clone(), tables });
            }
            // The rules are valid, but the question does not apply to them.
            Err(error @ AnalysisError::Explore(ExploreError::Endless)) if jobs.len() > 1 => {
                run.note(&format!("{} left out: {error}", analysis.name()));
            }
            Err(error) => return Err(explained(game, error)),
        }
    }
    Ok(answers)
}

/// Counts a part and writes it to its file.
fn run_part(game: &dyn Game, args: Analyze, analysis: &Analysis, part: Part) -> Result<()> {
    let output = &args.output;
    let job = PartJob::prepare(analysis, &borrowed(&args.given), part)
        .map_err(|error| explained(game, error))?;
    let Some(path) = &output.file else { return Err(usage("--part needs -o FILE")) };
    if output.format.is_some() || output.out.is_some() || output.is_plotted {
        return Err(usage(
            "a part is a file of its own format; leave --format, --out and --plot out",
        ));
    }
    let run = Run::begin(&output.work)?;
    let mut file = NewFile::begin(path)?;
    let part = job.count(&run.monitor()).map_err(|error| explained(game, error))?;
    file.write_all(part.encode()?.as_bytes())?;
    file.finish()?;
    run.note(&format!("wrote {}", path.display()));
    run.end();
    Ok(())
}

/// The command that answers a question, with the options that differ from their defaults.
pub fn command_line(game: &dyn Game, analysis: &Analysis, given: &[(String, String)]) -> String {
    let flags = command::flags(analysis.options(), &borrowed(given));
    command_of(game, &format!("{ANALYZE} {}{flags}", analysis.name()))
}

/// The flag of an option.
fn flag(name: &str) -> String {
    format!("--{}", name.replace(' ', "-"))
}

/// Converts the error of an analysis to one that names the flags that it is about.
pub(super) fn explained(game: &dyn Game, error: AnalysisError) -> anyhow::Error {
    let (build, kind) = (build_command(game), error.kind());
    let message = match error {
        AnalysisError::Option { name, why } => format!("{}: {why}", flag(&name)),
        AnalysisError::NoTablebase => format!(
            "the tablebase is missing; give it by --tablebase PATH, and '{build}' builds one"
        ),
        AnalysisError::Tablebase(error) => format!("{error}; '{build}' builds one"),
        AnalysisError::Method { analysis, method, methods } => {
            let (last, others) = methods.split_last().unwrap_or((&Cow::Borrowed(""), &[]));
            let methods = match others {
                [] => last.to_string(),
                others => format!("{} or {last}", others.join(", ")),
            };
            format!(
                "the method '{method}' is not for '{analysis}'; leave --method out or use {methods}"
            )
        }
        AnalysisError::Unknown { analysis, option, options } => {
            let flags: Vec<String> = options.iter().map(|option| flag(option)).collect();
            let but = if flags.is_empty() {
                String::new()
            } else {
                format!("; it takes {}", flags.join(", "))
            };
            format!("'{analysis}' takes no {}{but}", flag(&option))
        }
        AnalysisError::NoParts { analysis, divided } => {
            format!("--part is for one of {}, not for '{analysis}'", divided.join(", "))
        }
        AnalysisError::PartMethod => format!("--part needs --method {}", Method::Sets.name()),
        AnalysisError::ByMethod { method, option } => {
            let (method, flag) = (method.name(), flag(option));
            format!("the method '{method}' takes no {flag}; leave --method out")
        }
        AnalysisError::TransferMatrix(error) if kind == Kind::Refused => {
            let sets = Method::Sets.name();
            format!("{error}; --method {sets} takes little memory but more time")
        }
        error if kind == Kind::Refused => raise_memory(error),
        error => error.to_string(),
    };
    Error::of(kind, message).into()
}

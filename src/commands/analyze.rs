//! `bsq analyze`.

use super::plot::{Plotting, deliver};
use crate::args::{Analyze, Format, RoomArgs};
#[cfg(feature = "cluster")]
use crate::cluster::Cluster;
use crate::exit::usage;
use crate::memory;
use crate::output::{self, Answer};
use crate::run::Run;
use anyhow::Result;
use bsq_analyses::{Asked, Context, Method, PASSES, Pass, by_name};
use bsq_engine::levels::{LevelsError, MemoryBudget, Scratch};
use std::path::Path;

/// Runs one pass, or all, or lists them.
pub fn run(mut args: Analyze) -> Result<()> {
    if args.pass == "list" {
        let line = |pass: &&dyn Pass| {
            let long = if pass.is_long() { " (long)" } else { "" };
            (pass.name(), format!("{}{long}", pass.summary()))
        };
        return output::print_list(PASSES.iter().map(line));
    }
    let passes: Vec<&dyn Pass> = match by_name(&args.pass) {
        Some(pass) => vec![pass],
        None => PASSES.iter().copied().filter(|pass| !pass.is_long()).collect(),
    };
    args.output.is_plotted = args.plot.plot.is_some();
    let format = output::format(&args.output);
    if passes.len() > 1 && format == Some(Format::Csv) {
        return Err(usage(
            "several tables do not fit one CSV; use --out DIR alone for a file each, or --format table or json",
        ));
    }
    let rules = args.rules.rules();
    let route = args.route.as_deref().and_then(Method::by_name);
    let asked = Asked { memory: args.room.memory.is_some(), scratch: args.room.scratch.is_some() };
    let context = Context { route, asked, ..Context::new(rules.clone()) };
    for pass in &passes {
        pass.check(&context)?; // say what is wrong before writing anything
    }
    let charts: Vec<_> = PASSES.iter().map(|pass| (pass.name(), pass.chart())).collect();
    let names: Vec<&str> = passes.iter().map(|pass| pass.name()).collect();
    let plotting = match args.cluster.process {
        None | Some(0) => Plotting::begin(&args.plot, &charts, &names)?,
        Some(_) => None, // which shows no result
    };
    let run = Run::begin(&args.output.work)?;
    if let Some(hosts) = &args.cluster.hosts {
        let hosts = hosts.clone();
        return together(args, &hosts, &passes, context, run, plotting);
    }
    let out = output::Folder::open(&args.output)?;
    let room = room(&args.room)?;
    let context = Context { monitor: run.monitor(), room: Some(&room), ..context };
    let answers = answers(&passes, &context)?;
    deliver(&run, &mut args.output, out, &answers, plotting)?;
    if let Some(scratch) = room.scratch {
        scratch.remove()?; // the result is safe
    }
    run.end();
    Ok(())
}

fn answers(passes: &[&dyn Pass], context: &Context) -> Result<Vec<Answer>> {
    let answer = |pass: &&dyn Pass| {
        let tables = pass.run(context)?;
        let command = format!("analyze {}", pass.name());
        Ok(Answer { command, rules: (&context.rules).into(), tables })
    };
    passes.iter().map(answer).collect()
}

/// Counts together with other processes. The first one has the result, the others have nothing to
/// say.
#[cfg(feature = "cluster")]
fn together(
    mut args: Analyze,
    hosts: &Path,
    passes: &[&dyn Pass],
    context: Context,
    run: Run,
    plotting: Option<Plotting>,
) -> Result<()> {
    let out = match args.cluster.process {
        Some(0) => Some(output::Folder::open(&args.output)?),
        _ => None,
    };
    let counted = Cluster::count(&args.cluster, hosts, &args.room, &context.rules, &run);
    let (cluster, census) = counted?;
    let Some(out) = out else {
        cluster.wait(&run)?;
        run.end();
        return Ok(());
    };
    let context = Context { census: Some(&census), ..context };
    let delivered = answers(passes, &context)
        .and_then(|answers| deliver(&run, &mut args.output, out, &answers, plotting));
    if let Err(error) = delivered {
        cluster.end(&format!("{error:#}"));
        return Err(error);
    }
    cluster.deliver(&run);
    run.end();
    Ok(())
}

/// Says how to get what this build leaves out.
#[cfg(not(feature = "cluster"))]
fn together(
    _: Analyze,
    _: &Path,
    _: &[&dyn Pass],
    _: Context,
    _: Run,
    _: Option<Plotting>,
) -> Result<()> {
    Err(usage(
        "this build counts on one machine only; build it with 'cargo build --release --features cluster'",
    ))
}

/// The room that a count is given.
fn room(args: &RoomArgs) -> Result<MemoryBudget, LevelsError> {
    let memory = match args.memory {
        Some(memory) => Some(memory.as_u64()),
        None => memory::available().map(|bytes| bytes / 4 * 3),
    };
    let scratch = match &args.scratch {
        Some(folder) if args.resume => Some(Scratch::resume(folder)?),
        Some(folder) => Some(Scratch::begin(folder)?),
        None => None,
    };
    Ok(MemoryBudget::new(memory, scratch))
}

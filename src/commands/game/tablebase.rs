//! `bsq GAME tablebase`.

use super::given_rules;
use super::{PositionArgs, advised, command_of, described, solve};
use crate::cli::args::OutputArgs;
use crate::cli::tablebase::{Build, TablebaseCommand, Verify};
use crate::output::{self, Computed, Folder};
use crate::run::Run;
use anyhow::Result;
use bsq_api::command::{self, file_name};
use bsq_api::{BuildRequest, Game, OptionKind, Verification, Workload};
use bsq_engine::options::borrowed;

/// Runs a subcommand of a game about tablebases.
pub fn run(game: &dyn Game, command: TablebaseCommand) -> Result<()> {
    match command {
        TablebaseCommand::Build(args) => build(game, args),
        TablebaseCommand::Probe(args) => solve::run(game, args),
        TablebaseCommand::Verify(args) => verify(game, args),
    }
}

/// Builds a tablebase, and prints tables of what it contains.
fn build(game: &dyn Game, mut args: Build) -> Result<()> {
    let run = Run::begin(&args.output.work)?;
    positions(game, &mut args)?;
    let (rules, options) = (borrowed(&args.rules), borrowed(&args.options));
    let described = described(game, &rules)?;
    let folder = Folder::open(&args.output)?;
    let request = BuildRequest { path: &args.path, options: &options, memory: args.memory };
    let tables = game.build_tablebase(&rules, &request, &run.monitor());
    let tables = tables.map_err(|error| advised(error, None))?;
    let own = game.tablebases().map(|info| info.options).unwrap_or_default();
    let flags = command::flags(game.options().iter().chain(&own), &[rules, options].concat());
    let command = format!("tablebase build {}{flags}", file_name(&args.path));
    let command = command_of(game, &command);
    let answer = Computed { command, rules: described, tables };
    output::deliver(&run, &args.output, folder, &[answer])?;
    run.end();
    Ok(())
}

/// Replaces options that are positions, which may be given by files, by their text, and takes the
/// rules from them.
fn positions(game: &dyn Game, args: &mut Build) -> Result<()> {
    let is_position = |name: &str| {
        let options = game.tablebases().into_iter().flat_map(|info| info.options);
        options.into_iter().any(|option| option.name == name && option.kind == OptionKind::Position)
    };
    for (_, value) in args.options.iter_mut().filter(|(name, _)| is_position(name)) {
        let position = PositionArgs {
            time: None,
            given: Some(value.clone()),
            rules: args.rules.clone(),
            moves: String::new(),
            memory: 1 << 20,
            tablebase: None,
            method: None,
            facts: Vec::new(),
            workload: Workload::One,
        };
        let session = position.open(game)?;
        args.rules = given_rules(game, &session.rules());
        *value = session.position();
    }
    Ok(())
}

/// Verifies a tablebase. Returns an error if it is wrong.
fn verify(game: &dyn Game, args: Verify) -> Result<()> {
    let Verify { path, sample, seed, full, memory, print } = args;
    let output = OutputArgs::printed(print.format, print.work);
    output::check(&output)?;
    let run = Run::begin(&output.work)?;
    let request = Verification { sample, seed, full, memory };
    let table = game.verify_tablebase(&path, &request, &run.monitor());
    let table = table.map_err(|error| advised(error, None))?;
    let rules = game.tablebase_rules(&path).map_err(|error| advised(error, None))?;
    let command = command_of(game, &format!("tablebase verify {}", file_name(&path)));
    let answer = Computed { command, rules: super::of_rules(game, &rules), tables: vec![table] };
    output::deliver(&run, &output, None, &[answer])?;
    run.end();
    Ok(())
}

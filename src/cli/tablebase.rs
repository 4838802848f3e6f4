//! The subcommands of `bsq GAME tablebase`, for games that have tablebases.

use super::args::{OutputArgs, PrintArgs, within};
use super::flags::{flags, given, memory, memory_limit};
use super::solve::{CHECKPOINT, Solve};
use crate::memory::Share;
use bsq_api::{Game, TablebaseInfo};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint, value_parser};
use std::path::PathBuf;

/// What `bsq GAME tablebase` does.
pub enum TablebaseCommand {
    /// `build`.
    Build(Build),
    /// `probe`.
    Probe(Solve),
    /// `verify`.
    Verify(Verify),
}

/// `bsq GAME tablebase build`.
pub struct Build {
    /// The file or folder.
    pub path: PathBuf,
    /// The options of the rules that were given, with their values.
    pub rules: Vec<(String, String)>,
    /// The options of the build that were given, with their values.
    pub options: Vec<(String, String)>,
    /// The memory allowed, in bytes.
    pub memory: u64,
    /// The output.
    pub output: OutputArgs,
}

/// `bsq GAME tablebase verify`.
pub struct Verify {
    /// The file or folder.
    pub path: PathBuf,
    /// The number of positions that are sampled.
    pub sample: u64,
    /// The random seed.
    pub seed: u64,
    /// Whether the verification is a full one.
    pub full: bool,
    /// The memory allowed, in bytes.
    pub memory: u64,
    /// The output.
    pub print: PrintArgs,
}

/// The verb.
pub const TABLEBASE: &str = "tablebase";
const BUILD: &str = "build";
const PROBE: &str = "probe";
const VERIFY: &str = "verify";

/// The subcommand of a game with tablebases. `solve` is the command whose arguments `probe` shares,
/// except for the rules and the checkpoint of a search.
pub fn command(game: &dyn Game, info: TablebaseInfo, solve: &Command) -> Command {
    let path = || {
        Arg::new(TABLEBASE)
            .value_name("PATH")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::AnyPath)
            .help("The tablebase")
    };
    let build = Command::new(BUILD).arg(path());
    let build = flags(memory(build, Share::All), game.options(), Some("Rules"));
    let build = OutputArgs::augment_args(flags(build, &info.options, Some("Build")))
        .about("Compute and store the value of every position, or continue an unfinished tablebase")
        .long_about(None);
    let is_rule = |arg: &&Arg| game.options().iter().any(|option| arg.get_id() == &*option.name);
    let is_own = |arg: &&Arg| [TABLEBASE, CHECKPOINT].iter().any(|own| arg.get_id() == own);
    let shared = solve.get_arguments().filter(|arg| !is_rule(arg) && !is_own(arg));
    let probe = Command::new(PROBE)
        .arg(path())
        .args(shared.cloned())
        .about("Look up a position and its moves, as 'solve' does with the rules of the tablebase");
    let sample = Arg::new("sample")
        .long("sample")
        .value_name("N")
        .value_parser(within(0, u64::MAX))
        .default_value(info.sample.to_string())
        .help("The number of random positions whose values are compared with those of their moves");
    let seed = Arg::new("seed")
        .long("seed")
        .value_name("SEED")
        .value_parser(within(0, u64::MAX))
        .default_value("1")
        .help("The random seed of the sample");
    let full =
        info.full.map(|help| Arg::new("full").long("full").action(ArgAction::SetTrue).help(help));
    let verify = Command::new(VERIFY).arg(path()).arg(sample).arg(seed).args(full);
    let verify = PrintArgs::augment_args(memory(verify, Share::All))
        .about("Compare a tablebase with its checksums and with the rules")
        .long_about(None);
    Command::new(TABLEBASE)
        .about("Build, probe and verify tablebases, which contain the value of every position")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([build, probe, verify])
}

/// The arguments of the subcommand.
pub fn parse(
    game: &dyn Game,
    info: TablebaseInfo,
    matches: &ArgMatches,
) -> Result<TablebaseCommand, clap::Error> {
    let (verb, matches) = matches.subcommand().expect("clap requires a subcommand");
    let path = || matches.get_one::<PathBuf>(TABLEBASE).cloned().unwrap_or_default();
    let memory = || memory_limit(matches, Share::All);
    let number = |id: &str| matches.get_one::<u64>(id).copied().unwrap_or_default();
    Ok(match verb {
        BUILD => TablebaseCommand::Build(Build {
            path: path(),
            rules: given(game.options(), matches),
            options: given(&info.options, matches),
            memory: memory(),
            output: OutputArgs::from_arg_matches(matches)?,
        }),
        PROBE => TablebaseCommand::Probe(Solve::parse(game, matches)?),
        _ => TablebaseCommand::Verify(Verify {
            path: path(),
            sample: number("sample"),
            seed: number("seed"),
            full: info.full.is_some() && matches.get_flag("full"),
            memory: memory(),
            print: PrintArgs::from_arg_matches(matches)?,
        }),
    })
}

//! Flags that are derived from options.

use crate::memory;
use crate::memory::Share;
use bsq_analyses::options::TABLEBASE;
use bsq_api::{Analysis, Game, OptionKind, RuleOption};
use bytesize::ByteSize;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use std::path::PathBuf;

/// The flag for the time of a search.
pub fn time() -> Arg {
    let parse = |text: &str| {
        humantime::parse_duration(text).map_err(|_| match text.parse::<f64>() {
            Ok(_) => format!("it has no unit; write {text}s for seconds"),
            Err(_) => "not a number and a unit, such as 500ms, 30s or 5m".to_string(),
        })
    };
    Arg::new("time").long("time").value_name("TIME").value_parser(parse)
}

/// Adds a flag for each option.
pub fn flags<'a>(
    command: Command,
    options: impl IntoIterator<Item = &'a RuleOption>,
    heading: Option<&'static str>,
) -> Command {
    options.into_iter().fold(command, |command, option| {
        let help = match &option.default {
            Some(default) if option.kind != OptionKind::Truth => {
                format!("{} [default: {default}]", option.help)
            }
            _ => option.help.to_string(),
        };
        let flag = option.flag();
        let british = flag.replace("center", "centre");
        let arg = Arg::new(option.name.to_string()).long(flag).help(help).help_heading(heading);
        let arg = if british == option.flag() { arg } else { arg.alias(british) };
        command.arg(match &option.kind {
            OptionKind::Truth => arg.action(ArgAction::SetTrue),
            OptionKind::Board => arg.value_name("RxC"),
            OptionKind::Integer { .. } => arg.value_name("N").allow_negative_numbers(true),
            OptionKind::Points { .. } => arg.value_name("POINTS").allow_hyphen_values(true),
            OptionKind::Choice { values } => {
                let names = values.iter().map(|value| PossibleValue::new(value.to_string()));
                arg.value_name("NAME").value_parser(PossibleValuesParser::new(names))
            }
            OptionKind::Text { form } => arg.value_name(form.to_string()),
            OptionKind::Moves => arg.value_name("MOVES"),
            OptionKind::Seed => arg.value_name("N"),
            OptionKind::Position => {
                let arg = arg.value_name("POSITION").allow_hyphen_values(true);
                let help =
                    format!("{}: its text, or a file with a position or a game", option.help);
                arg.help(help).value_hint(ValueHint::FilePath)
            }
            OptionKind::Size => arg.value_name("SIZE"),
            OptionKind::Folder => arg.value_name("DIR").value_hint(ValueHint::DirPath),
            OptionKind::Tablebase => arg.value_name("PATH").value_hint(ValueHint::AnyPath),
        })
    })
}

/// Separates several values of a flag.
pub const LIST: char = ',';

/// Whether the flag of a rule takes several values: not a switch, nor text that may contain a comma.
pub fn takes_list(option: &RuleOption) -> bool {
    !matches!(option.kind, OptionKind::Truth | OptionKind::Text { .. })
}

/// The options that were given, with their values. Options without a flag are left out.
pub fn given<'a>(
    options: impl IntoIterator<Item = &'a RuleOption>,
    matches: &ArgMatches,
) -> Vec<(String, String)> {
    let value = |option: &RuleOption| {
        if option.kind == OptionKind::Truth {
            let flag = matches.try_get_one::<bool>(&option.name).ok().flatten();
            return flag.copied().unwrap_or_default().then(|| "yes".to_string());
        }
        let values = matches.try_get_many::<String>(&option.name).ok().flatten()?;
        Some(values.map(String::as_str).collect::<Vec<_>>().join(&LIST.to_string()))
    };
    let given = options.into_iter().map(|option| Some((option.name.to_string(), value(option)?)));
    given.flatten().collect()
}

/// The options of an analysis besides those of the rules, and those of some names.
pub fn beside_rules<'a>(
    game: &'a dyn Game,
    analysis: &'a Analysis,
    without: &'a [&'a str],
) -> impl Iterator<Item = &'a RuleOption> {
    analysis.options().iter().filter(move |option| {
        !without.contains(&&*option.name)
            && game.options().iter().all(|rule| rule.name != option.name)
    })
}

/// The tablebase that is given, which is added to the options.
pub fn given_tablebase(matches: &ArgMatches, given: &mut Vec<(String, String)>) -> Option<PathBuf> {
    let path: Option<PathBuf> = matches.try_get_one(&TABLEBASE.name).ok().flatten().cloned();
    let text = path.as_ref().map(|path| path.to_string_lossy().into_owned());
    given.extend(text.map(|text| (TABLEBASE.name.to_string(), text)));
    path
}

/// The flag for the memory of a command.
const MEMORY: &str = "memory";

/// Adds the flag for the memory of a command. `default` is the share of the free memory that it may
/// take if the flag is not given.
pub fn memory(command: Command, default: Share) -> Command {
    let default = default.name();
    command.arg(
        Arg::new(MEMORY)
            .long(MEMORY)
            .alias("table-size")
            .value_name("SIZE")
            .value_parser(parse_size)
            .help(format!(
                "The most memory that the work may take, such as 500MB or 8GiB; more than is free \
                 counts as what is free [default: {default} of what is free]"
            )),
    )
}

/// The memory that a command may take, in bytes.
pub fn memory_limit(matches: &ArgMatches, default: Share) -> u64 {
    let given = matches.try_get_one::<ByteSize>(MEMORY).ok().flatten();
    memory::limit(given.map(ByteSize::as_u64), default)
}

/// Adds the flag for a tablebase.
pub fn tablebase(command: Command) -> Command {
    command.arg(
        Arg::new("tablebase")
            .long("tablebase")
            .value_name("PATH")
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::AnyPath)
            .help("A tablebase, which also determines the rules"),
    )
}

/// Parses a number of bytes.
pub fn parse_size(text: &str) -> Result<ByteSize, String> {
    bsq_engine::options::parse_size(text).map(ByteSize::b)
}

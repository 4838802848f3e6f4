//! Flags that are derived from options.

use super::args::parse_size;
use bsq_analyses::options::METHOD;
use bsq_api::{OptionKind, RuleOption};
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use std::path::{Path, PathBuf};

/// Adds a flag for each option.
pub fn flags<'a>(
    command: Command,
    options: impl IntoIterator<Item = &'a RuleOption>,
    heading: &'static str,
) -> Command {
    options.into_iter().fold(command, |command, option| {
        let help = match option.default {
            Some(default) if option.kind != OptionKind::Truth => {
                format!("{} [default: {default}]", option.help)
            }
            _ => option.help.to_string(),
        };
        let flag = option.flag();
        let british = flag.replace("center", "centre");
        let arg = Arg::new(option.name).long(flag).help(help).help_heading(heading);
        let arg = if british == option.flag() { arg } else { arg.alias(british) };
        command.arg(match option.kind {
            OptionKind::Truth => arg.action(ArgAction::SetTrue),
            OptionKind::Board => arg.value_name("RxC"),
            OptionKind::Integer { .. } => arg.value_name("N").allow_negative_numbers(true),
            OptionKind::Points { .. } => arg.value_name("POINTS").allow_hyphen_values(true),
            OptionKind::Choice { values } => arg.value_name("NAME").value_parser(values.to_vec()),
            OptionKind::Text { form } => arg.value_name(form),
            OptionKind::Position => {
                let arg = arg.value_name("POSITION").allow_hyphen_values(true);
                arg.value_hint(ValueHint::FilePath)
            }
            OptionKind::Size => arg.value_name("SIZE"),
            OptionKind::Folder => arg.value_name("DIR").value_hint(ValueHint::DirPath),
            OptionKind::Tablebase => arg.value_name("PATH").value_hint(ValueHint::AnyPath),
        })
    })
}

/// The options that were given, with their values. Options without a flag are left out.
pub fn given<'a>(
    options: impl IntoIterator<Item = &'a RuleOption>,
    matches: &ArgMatches,
) -> Vec<(&'static str, String)> {
    let value = |option: &RuleOption| match option.kind {
        OptionKind::Truth => {
            let flag = matches.try_get_one::<bool>(option.name).ok().flatten();
            flag.copied().unwrap_or_default().then(|| "yes".to_string())
        }
        _ => matches.try_get_one::<String>(option.name).ok().flatten().cloned(),
    };
    let given = options.into_iter().map(|option| Some((option.name, value(option)?)));
    given.flatten().collect()
}

/// The flags of options whose values are not their defaults, each after a blank, as on a command line.
/// Options about how the work is done are left out, because the results do not depend on them. A
/// tablebase is written by its name: a command that is recorded with a result is for its folder.
pub fn written<'a>(
    options: impl IntoIterator<Item = &'a RuleOption>,
    value: impl Fn(&RuleOption) -> Option<String>,
) -> String {
    let flag = |option: &RuleOption| {
        let value = value(option).filter(|value| option.default != Some(value))?;
        match option.kind {
            OptionKind::Truth => Some(format!(" --{}", option.flag())),
            OptionKind::Size | OptionKind::Folder => None,
            _ if option.name == METHOD => None,
            OptionKind::Tablebase => {
                Some(format!(" --{} {}", option.flag(), file_name(Path::new(&value))))
            }
            _ => Some(format!(" --{} {}", option.flag(), quoted(&value))),
        }
    };
    options.into_iter().filter_map(flag).collect()
}

/// The name of a file as a word of a command line.
pub fn file_name(path: &Path) -> String {
    quoted(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy())
}

/// A word of a command line, in quotation marks if a shell would change it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Adds the flag for the memory of tables.
pub fn memory(command: Command) -> Command {
    command.arg(
        Arg::new("memory")
            .long("memory")
            .alias("table-size")
            .value_name("SIZE")
            .value_parser(parse_size)
            .help("Memory for tables, such as 500MB or 8GiB [default: half of what is free]"),
    )
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

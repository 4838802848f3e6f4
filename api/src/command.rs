//! Commands as text, which say how a result is computed.

use bsq_analyses::options::METHOD;
use bsq_engine::options::{OptionKind, RuleOption};
use std::path::Path;

/// The flags of options whose values are not their defaults, each after a blank, as on a command
/// line. Options about how the work is done are left out, because the results do not depend on
/// them. A tablebase is written by its name: the command is for its folder.
pub fn flags<'a>(
    options: impl IntoIterator<Item = &'a RuleOption>,
    value: impl Fn(&RuleOption) -> Option<String>,
) -> String {
    let flag = |option: &RuleOption| {
        let value =
            value(option).filter(|value| option.default.as_deref() != Some(value.as_str()))?;
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
///
/// ```
/// assert_eq!(bsq_api::command::quoted("it's"), r"'it'\''s'");
/// ```
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

//! Commands as text, which say how a result is computed.

use bsq_analyses::options::METHOD;
use bsq_engine::definition::Info;
use bsq_engine::options::{OptionKind, RuleOption};
use std::path::Path;
use std::sync::OnceLock;

/// The program whose commands are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name, with which a command begins.
    pub name: String,
    /// The name of the game whose verbs follow without the name of the game.
    pub top_level: Option<String>,
}

static PROGRAM: OnceLock<Program> = OnceLock::new();

/// Sets the program whose commands are written, `bsq` by default. Only the first call in a process
/// has an effect.
pub fn set_program(program: Program) {
    let _ = PROGRAM.set(program);
}

/// The program whose commands are written.
pub fn program() -> &'static Program {
    PROGRAM.get_or_init(|| Program {
        name: "bsq".to_string(),
        top_level: Some(bsq_games::british_square::NAME.to_string()),
    })
}

/// The text of a command without the name of the program: a verb of a game with its arguments. A game
/// that is given by a file is written with the name of the file: the command is for its folder.
pub fn of_game(game: &Info, verb: &str) -> String {
    let verb = match &game.file {
        Some(file) => {
            let (verb, arguments) = verb.split_once(' ').unwrap_or((verb, ""));
            let file = file_name(Path::new(&**file));
            format!("{verb} {file} {arguments}").trim_end().to_string()
        }
        None => verb.to_string(),
    };
    if program().top_level.as_deref() == Some(&*game.name) {
        verb
    } else {
        format!("{} {verb}", game.name)
    }
}

/// The text of a command: a verb of a game with its arguments.
///
/// ```
/// use bsq_api::{Registry, command};
///
/// let games = Registry::standard();
/// let mnk = games.get("mnk").unwrap().info();
/// assert_eq!(command::line(mnk, "solve 3x3"), "bsq mnk solve 3x3");
/// ```
pub fn line(game: &Info, verb: &str) -> String {
    format!("{} {}", program().name, of_game(game, verb))
}

/// The flags of options that are given with values other than their defaults, each after a blank,
/// as on a command line. Options about how the work is done are left out, because the results do
/// not depend on them. A tablebase is written by its name: the command is for its folder.
pub fn flags<'a>(
    options: impl IntoIterator<Item = &'a RuleOption>,
    given: &[(&str, &str)],
) -> String {
    let flag = |option: &RuleOption| {
        let (_, value) = *given.iter().find(|(name, _)| *name == option.name)?;
        if option.default.as_deref() == Some(value) {
            return None;
        }
        match option.kind {
            OptionKind::Truth => Some(format!(" --{}", option.flag())),
            OptionKind::Size | OptionKind::Folder => None,
            _ if option.name == METHOD => None,
            OptionKind::Tablebase => {
                Some(format!(" --{} {}", option.flag(), file_name(Path::new(value))))
            }
            _ => Some(format!(" --{} {}", option.flag(), quoted(value))),
        }
    };
    options.into_iter().filter_map(flag).collect()
}

/// The arguments of a command: the value of the option that has no flag, if it is given, then the
/// [flags] of the others.
pub fn arguments<'a>(
    without_flag: &str,
    options: impl IntoIterator<Item = &'a RuleOption>,
    given: &[(&str, &str)],
) -> String {
    let options = options.into_iter().filter(|option| option.name != without_flag);
    let first = given.iter().find(|(name, _)| *name == without_flag);
    let first = first.map(|(_, text)| format!(" {}", quoted(text)));
    first.unwrap_or_default() + &flags(options, given)
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

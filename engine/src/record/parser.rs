//! Parses the text of a game record: lines of the form `name: value`.

use crate::options::RuleOption;
use crate::text::{uncommented, unmarked};
use std::borrow::Cow;

/// The format of the records of a game.
#[derive(Clone, Debug)]
pub struct RecordFormat {
    /// The name of the game in records.
    pub game: Cow<'static, str>,
    /// The options of the rules, in the order of their entries.
    pub options: Vec<RuleOption>,
    /// An example of a minimal record.
    pub example: Cow<'static, str>,
    /// The number of moves per line of text.
    pub moves_per_line: usize,
}

impl RecordFormat {
    /// The format of a game without options, whose name and example are known when the program is
    /// compiled.
    pub const fn without_options(game: &'static str, example: &'static str) -> RecordFormat {
        RecordFormat {
            game: Cow::Borrowed(game),
            options: Vec::new(),
            example: Cow::Borrowed(example),
            moves_per_line: 20,
        }
    }

    /// A format with the name of the game, the options of its rules, an example of a minimal record,
    /// and the number of moves per line.
    pub fn new(
        game: impl Into<Cow<'static, str>>,
        options: impl IntoIterator<Item = RuleOption>,
        example: impl Into<Cow<'static, str>>,
        moves_per_line: usize,
    ) -> RecordFormat {
        let options = options.into_iter().collect();
        RecordFormat { game: game.into(), options, example: example.into(), moves_per_line }
    }

    /// The names of entries in their order.
    pub fn names(&self) -> Vec<Cow<'static, str>> {
        let options = self.options.iter().map(|option| option.name.clone());
        let first = [Cow::Borrowed("game")].into_iter();
        first.chain(options).chain(["start", "moves"].map(Cow::Borrowed)).collect()
    }
}

/// An invalid game record. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError<E> {
    /// A line that is not of the form `name: value`.
    #[error("line {at}: '{text}' is not of the form 'name: value', such as '{example}'")]
    Malformed {
        /// The line.
        at: usize,
        /// Its text.
        text: String,
        /// A valid example.
        example: Cow<'static, str>,
    },
    /// An unknown name.
    #[error("line {at}: '{name}' is not known; a game has {}", names.join(", "))]
    Unknown {
        /// The line.
        at: usize,
        /// The name.
        name: String,
        /// The names that are known.
        names: Vec<Cow<'static, str>>,
    },
    /// A name that occurs twice or out of order.
    #[error("line {at}: '{name}' comes too late or twice; the order is {}", names.join(", "))]
    Order {
        /// The line.
        at: usize,
        /// The name.
        name: String,
        /// The names in their order.
        names: Vec<Cow<'static, str>>,
    },
    /// An invalid value.
    #[error("line {at}: {name}: {why}")]
    Value {
        /// The line.
        at: usize,
        /// The name.
        name: String,
        /// The reason why the value is invalid.
        why: ValueError<E>,
    },
    /// An empty record.
    #[error("there is no game here; write at least '{0}'")]
    Empty(Cow<'static, str>),
}

/// Why the value of an entry is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError<E> {
    /// The name of the game or the value of a rule is invalid.
    #[error("{0}")]
    Rule(String),
    /// The first position or a move is invalid.
    #[error(transparent)]
    Play(E),
}

/// Parses a text of that format, and passes each entry to `follow`.
pub(crate) fn read<E>(
    text: &str,
    format: &RecordFormat,
    mut follow: impl FnMut(&str, &str) -> Result<(), ValueError<E>>,
) -> Result<(), RecordError<E>> {
    let (names, example) = (format.names(), &format.example);
    let entries = entries(text, example)?;
    if entries.is_empty() {
        return Err(RecordError::Empty(example.clone()));
    }
    let mut last = None;
    for Entry { at, name, value } in entries {
        let Some(place) = names.iter().position(|known| *known == name) else {
            return Err(RecordError::Unknown { at, name, names });
        };
        if last.replace(place).is_some_and(|last| last >= place) {
            return Err(RecordError::Order { at, name, names });
        }
        follow(&names[place], &value).map_err(|why| RecordError::Value { at, name, why })?;
    }
    Ok(())
}

/// An entry of a record.
struct Entry {
    /// The line of the name, from 1.
    at: usize,
    /// In lower case.
    name: String,
    /// The value, with its continuation lines.
    value: String,
}

/// The position that a text without entries consists of, without comments and empty lines. `None` if
/// the text has entries, or nothing at all.
///
/// ```
/// use bsq_engine::record::bare_position;
///
/// assert_eq!(bare_position("# mine\n...\n.X.\n...\n").as_deref(), Some("...\n.X.\n..."));
/// assert_eq!(bare_position("moves: b2\n"), None);
/// ```
pub fn bare_position(text: &str) -> Option<String> {
    let lines: Vec<&str> = said(text).map(|(_, line)| line.trim()).collect();
    let is_bare = !lines.is_empty() && !lines.iter().any(|line| line.contains(':'));
    is_bare.then(|| lines.join("\n"))
}

/// The lines of a text with their numbers, from 1, without comments and empty lines.
fn said(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(unmarked(text).lines());
    let said = lines.map(|(at, line)| (at, uncommented(line)));
    said.filter(|(_, line)| !line.trim().is_empty())
}

/// Splits a text into entries, without comments and empty lines.
fn entries<E>(text: &str, example: &str) -> Result<Vec<Entry>, RecordError<E>> {
    let mut entries: Vec<Entry> = Vec::new();
    for (at, said) in said(text) {
        let goes_on = said.starts_with(char::is_whitespace);
        match (entries.last_mut().filter(|_| goes_on), said.split_once(':')) {
            (Some(entry), _) => {
                entry.value.push(' ');
                entry.value.push_str(said.trim());
            }
            (None, Some((name, value))) => entries.push(Entry {
                at,
                name: name.trim().to_ascii_lowercase(),
                value: value.trim().to_string(),
            }),
            (None, None) => {
                let text = said.trim().to_string();
                let example = example.to_string().into();
                return Err(RecordError::Malformed { at, text, example });
            }
        }
    }
    Ok(entries)
}

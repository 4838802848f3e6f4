//! Text of lines `name: value`, as games are written down.

/// How the games of one kind are written down.
#[derive(Clone, Copy, Debug)]
pub struct RecordFormat {
    /// The game as its texts call it.
    pub game: &'static str,
    /// The names, in the order in which they stand: `game`, those of the rules, `start`, `moves`.
    pub names: &'static [&'static str],
    /// The least that a text must say.
    pub example: &'static str,
    /// How many moves stand in a line of text.
    pub moves_per_line: usize,
}

/// What is wrong with a text that should be a line of play. Lines of text count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Not of the form `name: value`.
    #[error("line {at}: '{text}' is not of the form 'name: value', such as '{example}'")]
    Malformed {
        /// Which line.
        at: usize,
        /// What stands there.
        text: String,
        /// What could.
        example: &'static str,
    },
    /// A name that says nothing.
    #[error("line {at}: '{name}' is not known; a game has {}", names.join(", "))]
    Unknown {
        /// Which line.
        at: usize,
        /// The name.
        name: String,
        /// The names that are known.
        names: &'static [&'static str],
    },
    /// A name that stands there twice, or after what depends on it.
    #[error("line {at}: '{name}' comes too late or twice; the order is {}", names.join(", "))]
    Order {
        /// Which line.
        at: usize,
        /// The name.
        name: String,
        /// The names in their order.
        names: &'static [&'static str],
    },
    /// A value that cannot be meant.
    #[error("line {at}: {name}: {why}")]
    Value {
        /// Which line.
        at: usize,
        /// The name.
        name: String,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// No moves were given, nor anything else.
    #[error("there is no game here; write at least '{0}'")]
    Empty(&'static str),
}

/// Reads a text of that form; each entry is followed, or it is said why it cannot be.
pub(crate) fn read(
    text: &str,
    form: &RecordFormat,
    mut follow: impl FnMut(&str, &str) -> Result<(), String>,
) -> Result<(), RecordError> {
    let &RecordFormat { names, example, .. } = form;
    let malformed = |Malformed { at, text }| RecordError::Malformed { at, text, example };
    let entries = entries(text).map_err(malformed)?;
    if entries.is_empty() {
        return Err(RecordError::Empty(example));
    }
    let mut last = None;
    for Entry { at, name, value } in entries {
        let Some(place) = names.iter().position(|known| *known == name) else {
            return Err(RecordError::Unknown { at, name, names });
        };
        if last.replace(place).is_some_and(|last| last >= place) {
            return Err(RecordError::Order { at, name, names });
        }
        follow(names[place], &value).map_err(|why| RecordError::Value { at, name, why })?;
    }
    Ok(())
}

/// A `name: value` of the text.
struct Entry {
    /// The line of the name, from 1.
    at: usize,
    /// In lower case.
    name: String,
    /// What stands after it, lines that go on with it included.
    value: String,
}

/// A line that says nothing: which, from 1, and what stands there.
struct Malformed {
    at: usize,
    text: String,
}

/// What the text says, comments and empty lines left out.
fn entries(text: &str) -> Result<Vec<Entry>, Malformed> {
    let mut entries: Vec<Entry> = Vec::new();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text); // some editors begin files with it
    for (at, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line)) {
        let said = line.split('#').next().unwrap_or_default();
        if said.trim().is_empty() {
            continue;
        }
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
            (None, None) => return Err(Malformed { at, text: said.trim().to_string() }),
        }
    }
    Ok(entries)
}

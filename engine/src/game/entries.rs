//! Text of lines `name: value`, as games are written down.

/// A `name: value` of the text.
pub(crate) struct Entry {
    /// The line of the name, from 1.
    pub at: usize,
    /// In lower case.
    pub name: String,
    /// What stands after it, lines that go on with it included.
    pub value: String,
}

/// A line that says nothing: which, from 1, and what stands there.
pub(crate) struct Malformed {
    pub at: usize,
    pub text: String,
}

/// What the text says, comments and empty lines left out.
pub(crate) fn entries(text: &str) -> Result<Vec<Entry>, Malformed> {
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

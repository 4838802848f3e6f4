//! Queries: the part of a URL after the question mark.

/// Known parameters with their values, each at most once.
#[derive(Debug, Default)]
pub struct Query(Vec<(&'static str, String)>);

impl Query {
    /// Parses a query. Spaces may be written as `+`, other special characters as `%` and two
    /// digits.
    pub fn parse(text: &str, names: &[&'static str]) -> Result<Query, String> {
        let mut query = Query::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let found = decode(name)?;
            let name =
                names.iter().find(|name| **name == found).ok_or_else(|| stranger(&found, names))?;
            if query.text(name).is_some() {
                return Err(format!("{name} is given twice; give it once"));
            }
            query.0.push((name, decode(value).map_err(|why| format!("{name}: {why}"))?));
        }
        Ok(query)
    }

    /// Returns the value of a parameter.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Parses a parameter that is `true` or `false`.
    pub fn truth(&self, name: &str) -> Result<Option<bool>, String> {
        let truth = |text: &str| {
            let truth = text.parse().ok();
            truth.ok_or_else(|| format!("{name}: '{}' is neither true nor false", shorten(text)))
        };
        self.text(name).map(truth).transpose()
    }

    /// Parses an integer within a range.
    pub fn number(&self, name: &str, least: i32, most: i32) -> Result<Option<i32>, String> {
        let number = |text: &str| {
            let number = text.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| {
                let text = shorten(text);
                format!("{name}: '{text}' is no whole number from {least} to {most}")
            })
        };
        self.text(name).map(number).transpose()
    }
}

/// Truncates a text of a client for an error message.
pub fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

fn stranger(name: &str, names: &[&str]) -> String {
    let known = match names {
        [] => "there are none here".to_string(),
        [one] => format!("there is {one}"),
        [all @ .., last] => format!("there are {} and {last}", all.join(", ")),
    };
    format!("'{}' is no parameter; {known}", shorten(name))
}

fn decode(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => escaped(rest.next(), rest.next()).ok_or_else(|| {
                format!("a % in '{}' is not followed by two hexadecimal digits; write %25 for the sign itself", shorten(text))
            })?,
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| format!("'{}' is not UTF-8", shorten(text)))
}

fn escaped(high: Option<u8>, low: Option<u8>) -> Option<u8> {
    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_are_read() {
        let query = Query::parse(
            "&moves=7+19%209&&position=%e2%82%ac&bias",
            &["moves", "position", "bias"],
        );
        let query = query.unwrap();
        assert_eq!(query.text("moves"), Some("7 19 9"));
        assert_eq!(query.text("position"), Some("€"));
        assert_eq!(query.text("bias"), Some(""));
        assert_eq!(query.text("board"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[ab%=&+0-9f\\PC]{0,40}") {
            let _ = Query::parse(&text, &["a", "b"]);
        }

        #[test]
        fn what_is_escaped_comes_back(value in "\\PC{0,20}") {
            let escaped: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let query = Query::parse(&format!("a={escaped}"), &["a"]).unwrap();
            prop_assert_eq!(query.text("a"), Some(value.as_str()));
        }
    }
}

//! Options as data: front ends derive command-line flags, query parameters and forms from them.

use bytesize::ByteSize;
use serde::Serialize;
use std::borrow::Cow;

/// An option of the rules of a game, or of a job.
///
/// ```
/// use bsq_engine::options::{OptionKind, RuleOption};
///
/// let help = "Whether the first move may take the centre";
/// let option = RuleOption::new("center allowed", OptionKind::Truth, Some("no"), help);
/// assert_eq!((option.flag(), option.parameter()), ("center-allowed".into(), "center_allowed".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleOption {
    /// The name, in lower-case words separated by spaces, as records contain it.
    pub name: Cow<'static, str>,
    /// The valid values.
    pub kind: OptionKind,
    /// The value if the option is not given. `None` if it is not set then.
    pub default: Option<Cow<'static, str>>,
    /// What the option sets, as a sentence without a full stop.
    pub help: Cow<'static, str>,
}

/// The values of an option. All of them are given as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum OptionKind {
    /// The size of a board, `ROWSxCOLS`, which a colon and a drawing of a part may follow.
    Board,
    /// `yes` or `no`.
    Truth,
    /// An integer.
    Integer {
        /// The least valid value.
        least: i64,
        /// The greatest valid value on any board.
        most: i64,
    },
    /// A number of points: an integer, a decimal such as `-0.5`, or a fraction such as `-1/2`.
    Points {
        /// The least valid value.
        least: i64,
        /// The greatest valid value.
        most: i64,
    },
    /// One of some words.
    Choice {
        /// The words.
        values: Cow<'static, [Cow<'static, str>]>,
    },
    /// Text of a form.
    Text {
        /// The form.
        form: Cow<'static, str>,
    },
    /// A position of the game.
    Position,
    /// Moves of the game, separated by spaces or commas.
    Moves,
    /// A random seed: an integer from 0 to 2^64 - 1.
    Seed,
    /// A number of bytes: a number and a unit, such as `8GiB` or `500MB`; see [`parse_size`].
    Size,
    /// The path of a tablebase.
    Tablebase,
    /// The path of a folder.
    Folder,
}

/// The names and values of given options, as games and analyses take them.
///
/// ```
/// let given = [("board".to_string(), "4x4".to_string())];
/// assert_eq!(bsq_engine::options::borrowed(&given), [("board", "4x4")]);
/// ```
pub fn borrowed<N: AsRef<str>>(given: &[(N, String)]) -> Vec<(&str, &str)> {
    given.iter().map(|(name, value)| (name.as_ref(), value.as_str())).collect()
}

/// Parses a number of bytes with or without a unit, such as `8GiB`, `500MB` or `2G`.
///
/// # Errors
///
/// What would be valid.
///
/// ```
/// assert_eq!(bsq_engine::options::parse_size("2KiB"), Ok(2048));
/// ```
pub fn parse_size(text: &str) -> Result<u64, String> {
    match text.parse::<ByteSize>() {
        // Hardly bytes.
        Ok(size) if size.as_u64() > 0 && size.as_u64() < 1000 && text.parse::<u64>().is_ok() => {
            Err(format!("'{text}' has no unit; write {text}GiB or {text}MB"))
        }
        Ok(size) => Ok(size.as_u64()),
        Err(_) => Err(format!(
            "'{text}' is not a size; write a number and a unit, such as 8GiB, 500MB or 2G"
        )),
    }
}

impl OptionKind {
    /// One of some words.
    pub fn choice<T: Into<Cow<'static, str>>>(values: impl IntoIterator<Item = T>) -> OptionKind {
        OptionKind::Choice { values: values.into_iter().map(Into::into).collect() }
    }
}

impl RuleOption {
    /// An option whose texts are known when the program is compiled.
    pub const fn new(
        name: &'static str,
        kind: OptionKind,
        default: Option<&'static str>,
        help: &'static str,
    ) -> RuleOption {
        let default = match default {
            Some(default) => Some(Cow::Borrowed(default)),
            None => None,
        };
        RuleOption { name: Cow::Borrowed(name), kind, default, help: Cow::Borrowed(help) }
    }

    /// Compares a value with the kind, as far as values of that kind are the same in every game:
    /// `yes` or `no`, an integer of the range, a seed, a size, or one of some words. Other values are
    /// left to the game.
    ///
    /// # Errors
    ///
    /// What would be valid.
    ///
    /// ```
    /// use bsq_engine::options::{OptionKind, RuleOption};
    ///
    /// let choice = |words: &'static [&'static str]| {
    ///     let kind = OptionKind::choice(words.iter().copied());
    ///     RuleOption::new("from", kind, None, "The source")
    /// };
    /// let error = |words, value| choice(words).check(value).unwrap_err();
    /// assert_eq!(choice(&["games", "states"]).check("states"), Ok(()));
    /// assert_eq!(error(&["games", "states"], "x"), "'x' is not one of games and states");
    /// assert_eq!(error(&["games"], "x"), "'x' is not games");
    /// ```
    pub fn check(&self, value: &str) -> Result<(), String> {
        match &self.kind {
            OptionKind::Choice { values } if !values.iter().any(|word| word == value) => {
                let (last, others) = values.split_last().expect("some words");
                Err(match others {
                    [] => format!("'{value}' is not {last}"),
                    others => format!("'{value}' is not one of {} and {last}", others.join(", ")),
                })
            }
            OptionKind::Truth if !["yes", "no"].contains(&value) => {
                Err(format!("'{value}' is neither yes nor no"))
            }
            OptionKind::Integer { least, most }
                if !value.parse().is_ok_and(|number| (*least..=*most).contains(&number)) =>
            {
                Err(format!("'{value}' is not an integer from {least} to {most}"))
            }
            OptionKind::Seed if value.parse::<u64>().is_err() => {
                Err(format!("'{value}' is not an integer from 0 to {}", u64::MAX))
            }
            OptionKind::Size => parse_size(value).map(drop),
            _ => Ok(()),
        }
    }

    /// The name of the command-line flag, without hyphens in front.
    pub fn flag(&self) -> String {
        self.name.replace(' ', "-")
    }

    /// Whether a name is that of the query parameter.
    pub fn is_parameter(&self, name: &str) -> bool {
        self.parameter() == name
    }

    /// The name of the query parameter.
    pub fn parameter(&self) -> String {
        self.name.replace(' ', "_")
    }
}

//! What analyses are about: the rules of a game, a board, a tablebase.

use crate::AnalysisError;
use crate::british_square::{rules_fields, rules_label};
use bsq_engine::definition::Definition;
use bsq_engine::options::{OptionKind, RuleOption};
use bsq_engine::record::{Recorded, set_option};
use bsq_games::rpsw::tablebase::Tablebase;
use bsq_games::{british_square, dots, rpsw};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The kind of subject that an analysis takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Rules of British Square under which every state can be valued, see
    /// [`BritishSquare::new`](british_square::BritishSquare::new).
    SolvableRules,
    /// Any valid rules of British Square.
    ValidRules,
    /// Any valid rules of British Square, and the points that win a match.
    Match,
    /// A board of Dots-and-Boxes.
    Board {
        /// The largest number of lines.
        most_lines: usize,
    },
    /// A number of lines of Dots-and-Boxes.
    Lines,
    /// A tablebase of rock-paper-scissors-well.
    Tablebase,
}

/// The subject of an analysis.
#[derive(Clone)]
pub enum Subject {
    /// Rules of British Square.
    Rules(british_square::Rules),
    /// Rules of British Square, and the points that win a match of several rounds, 1 to 99.
    Match(british_square::Rules, u32),
    /// A board of Dots-and-Boxes.
    Board(dots::Board),
    /// All boards of Dots-and-Boxes with at most the given number of undrawn lines at the start, 1
    /// to 64.
    Lines(usize),
    /// A tablebase of rock-paper-scissors-well.
    Tablebase(Arc<Tablebase>),
}

/// The most points that a match can require.
const MOST_POINTS: i64 = 99;

/// An option of [`Takes::Match`].
const TO: &RuleOption = &RuleOption {
    name: "to",
    kind: OptionKind::Integer { least: 1, most: MOST_POINTS },
    default: Some("7"),
    help: "The points that win a match",
};

/// The option of [`Takes::Board`].
const BOARD: &RuleOption = &RuleOption {
    name: "board",
    kind: OptionKind::Board,
    default: Some("3x3"),
    help: "Rows x columns of boxes",
};

/// The option of [`Takes::Lines`].
const LINES: &RuleOption = &RuleOption {
    name: "lines",
    kind: OptionKind::Integer { least: 1, most: dots::MOST_LINES as i64 },
    default: Some("31"),
    help: "The most lines that are open at the start; 31 takes some seconds, 40 some minutes",
};

impl Takes {
    /// The options that describe a subject of this kind.
    pub fn options(self) -> Vec<&'static RuleOption> {
        let rules = british_square::Rules::FORMAT.options.iter();
        match self {
            Takes::SolvableRules | Takes::ValidRules => rules.collect(),
            Takes::Match => rules.chain([TO]).collect(),
            Takes::Board { .. } => vec![BOARD],
            Takes::Lines => vec![LINES],
            Takes::Tablebase => Vec::new(),
        }
    }

    /// Whether a subject of this kind is a tablebase.
    pub fn is_tablebase(self) -> bool {
        self == Takes::Tablebase
    }
}

impl Subject {
    /// The subject that the values of [options](Takes::options) describe; options that are not
    /// given have their defaults.
    ///
    /// # Errors
    ///
    /// If a value is invalid, or the subject is a tablebase, which is [opened](Subject::open)
    /// instead.
    ///
    /// ```
    /// use bsq_analyses::{Subject, Takes};
    ///
    /// let subject = Subject::described(Takes::ValidRules, &[("board", "4x5"), ("bias", "2")]);
    /// assert_eq!(subject.unwrap().label(), "4x5 bias 2");
    /// assert!(Subject::described(Takes::Lines, &[("lines", "65")]).is_err());
    /// ```
    pub fn described(takes: Takes, given: &[(&str, &str)]) -> Result<Subject, AnalysisError> {
        let invalid = |option: &RuleOption, why: String| AnalysisError::Option(option.name, why);
        let value = |option: &RuleOption| {
            let given = given.iter().find(|(name, _)| *name == option.name);
            given.map(|(_, value)| *value).or(option.default).unwrap_or_default()
        };
        let number = |option: &RuleOption| -> Result<u32, AnalysisError> {
            option.check(value(option)).map_err(|why| invalid(option, why))?;
            value(option).parse().map_err(|_| invalid(option, "the number is too large".into()))
        };
        let rules = || -> Result<british_square::Rules, AnalysisError> {
            let mut rules = british_square::Definition::rules();
            for option in british_square::Rules::FORMAT.options {
                if let Some((_, value)) = given.iter().find(|(name, _)| *name == option.name) {
                    set_option(&mut rules, option.name, value)
                        .map_err(|why| invalid(option, why))?;
                }
            }
            Ok(rules)
        };
        Ok(match takes {
            Takes::SolvableRules | Takes::ValidRules => Subject::Rules(rules()?),
            Takes::Match => Subject::Match(rules()?, number(TO)?),
            Takes::Board { .. } => {
                let board = dots::Board::parse(value(BOARD));
                Subject::Board(board.map_err(|error| invalid(BOARD, error.to_string()))?)
            }
            Takes::Lines => Subject::Lines(number(LINES)? as usize),
            Takes::Tablebase => return Err(AnalysisError::Subject(TABLEBASE)),
        })
    }

    /// The subject of [`Takes::Tablebase`].
    ///
    /// # Errors
    ///
    /// If there is no tablebase, or it cannot be read.
    #[cfg(feature = "storage")]
    pub fn open(path: &std::path::Path) -> Result<Subject, AnalysisError> {
        Ok(Subject::Tablebase(Arc::new(Tablebase::open(path)?)))
    }

    /// The subject as a short text.
    pub fn label(&self) -> String {
        match self {
            Subject::Rules(rules) => rules_label(rules),
            Subject::Match(rules, to) => format!("{}, to {to}", rules_label(rules)),
            Subject::Board(board) => format!("{board} standard"),
            Subject::Lines(lines) => format!("up to {lines} open lines"),
            Subject::Tablebase(tablebase) => rpsw_label(tablebase.rules()),
        }
    }

    /// The subject as fields of a manifest.
    pub fn fields(&self) -> Value {
        match self {
            Subject::Rules(rules) => rules_fields(rules),
            Subject::Match(rules, to) => {
                let mut fields = rules_fields(rules);
                fields["to"] = (*to).into();
                fields
            }
            Subject::Board(board) => json!({ "game": dots::NAME, "board": board.to_string() }),
            Subject::Lines(lines) => json!({ "game": dots::NAME, "lines": lines }),
            Subject::Tablebase(tablebase) => rpsw_fields(tablebase.rules()),
        }
    }

    /// The rules of British Square.
    pub(crate) fn rules(&self) -> Result<&british_square::Rules, AnalysisError> {
        match self {
            Subject::Rules(rules) | Subject::Match(rules, _) => Ok(rules),
            _ => Err(AnalysisError::Subject("rules of British Square")),
        }
    }

    /// The board of Dots-and-Boxes.
    pub(crate) fn board(&self) -> Result<dots::Board, AnalysisError> {
        match *self {
            Subject::Board(board) => Ok(board),
            _ => Err(AnalysisError::Subject("a board of Dots-and-Boxes")),
        }
    }

    /// The number of lines of Dots-and-Boxes.
    pub(crate) fn lines(&self) -> Result<usize, AnalysisError> {
        match *self {
            Subject::Lines(lines) => Ok(lines),
            _ => Err(AnalysisError::Subject("a number of lines of Dots-and-Boxes")),
        }
    }

    /// The tablebase of rock-paper-scissors-well.
    pub(crate) fn tablebase(&self) -> Result<&Tablebase, AnalysisError> {
        match self {
            Subject::Tablebase(tablebase) => Ok(tablebase),
            _ => Err(AnalysisError::Subject(TABLEBASE)),
        }
    }
}

const TABLEBASE: &str = "a tablebase of rock-paper-scissors-well";

/// The board, rows x columns, and what differs from the standard game.
fn rpsw_label(rules: &rpsw::Rules) -> String {
    let entries = rules.entries();
    let mut words = entries.iter().filter(|(name, value)| {
        let option = rpsw::Rules::FORMAT.options.iter().find(|option| option.name == *name);
        *name == "board" || option.is_some_and(|option| option.default != Some(value.as_str()))
    });
    let board = words.next().map(|(_, value)| value.clone()).unwrap_or_default();
    let words: Vec<String> = words.map(|(name, value)| format!("{name} {value}")).collect();
    match words.is_empty() {
        true => format!("{board} standard"),
        false => format!("{board}, {}", words.join(", ")),
    }
}

fn rpsw_fields(rules: &rpsw::Rules) -> Value {
    let mut fields = Map::from_iter([("game".to_string(), Value::from(rpsw::NAME))]);
    fields.insert("board".to_string(), rules.entries()[0].1.clone().into());
    fields.insert("pieces".to_string(), rules.pieces().into());
    fields.insert("total".to_string(), rules.total().into());
    fields.insert("takes".to_string(), rules.format_takes().into());
    fields.into()
}

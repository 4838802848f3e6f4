//! Questions about many positions, as JSON.

#[cfg(feature = "schema")]
use super::MOST_SECONDS;
use super::{LONGEST_LINE, MOST_POSITIONS, OneAnswer, Subject, check_length, seconds, unknown};
use crate::tables::json;
use crate::values::{PositionValues, ValuesRequest, ValuesSchema};
use crate::{Answer, Detail, Error, Game, Kind, Player, Request, Resources, RuleOption};
use bsq_engine::options::borrowed;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt::{self, Formatter};
use std::marker::PhantomData;
use std::sync::Arc;

/// The values that are requested.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Values {
    /// Those of the position and of its moves.
    #[default]
    Yes,
    /// That of the position.
    Value,
    /// None.
    No,
}

impl Values {
    /// The values that a word asks for; by default all.
    pub(super) fn named(word: &str) -> Values {
        match word {
            "value" => Values::Value,
            "no" => Values::No,
            _ => Values::Yes,
        }
    }

    pub(super) fn detail(self) -> Option<Detail> {
        match self {
            Values::Yes => Some(Detail::Moves),
            Values::Value => Some(Detail::Value),
            Values::No => None,
        }
    }
}

/// Questions about many positions under the same rules.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// The options of the rules; the others have their defaults.
    #[serde(default)]
    rules: BTreeMap<String, Option<String>>,
    /// The values that are requested.
    #[serde(default)]
    values: Values,
    /// The most moves of the principal variations; 0 for none.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(max = LONGEST_LINE)))]
    line: usize,
    /// The most seconds of the search of a position, after which its answer is what is proved by then.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MOST_SECONDS)))]
    time: Option<u64>,
    /// Whether the reply is rows of a table, as `bsq solve -` writes them, instead of answers.
    #[serde(default)]
    rows: bool,
    /// The positions.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<BatchPosition>"))]
    positions: Vec<Object<BatchPosition>>,
}

/// A position of a batch.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BatchPosition {
    /// The first position; the start of the game if it is left out.
    #[serde(default)]
    position: Option<String>,
    /// What stands at the places of the first position, by their names, instead of its text.
    #[serde(default)]
    places: Option<BTreeMap<String, String>>,
    /// The player to move, if places are given; by default the first.
    #[serde(default)]
    to_move: Option<Player>,
    /// Moves to play from there.
    #[serde(default)]
    moves: String,
}

/// A value that is written as an object. Types that derive `Deserialize` accept an array of their
/// fields as well.
#[derive(Debug)]
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        struct OfMap<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for OfMap<T> {
            type Value = T;

            fn expecting(&self, to: &mut Formatter) -> fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_map(OfMap(PhantomData)).map(Object)
    }
}

impl Batch {
    /// Parses JSON.
    ///
    /// # Errors
    ///
    /// If it is not a batch.
    pub fn parse(json: &[u8]) -> Result<Batch, Error> {
        serde_json::from_slice(json)
            .map(|Object(batch)| batch)
            .map_err(|error| Error::of(Kind::Usage, format!("invalid JSON: {error}")))
    }

    /// What is requested about each position.
    ///
    /// # Errors
    ///
    /// If the principal variations or the searches are too long.
    pub fn request(&self) -> Result<Request, Error> {
        if self.line > LONGEST_LINE {
            return Err(Error::invalid("line", format!("more than {LONGEST_LINE} moves")));
        }
        // Rows contain a best move.
        let line = if self.rows { self.line.max(1) } else { self.line };
        Ok(Request { detail: self.values.detail(), line, time: seconds(self.time)? })
    }

    /// How the reply is written.
    ///
    /// # Errors
    ///
    /// If rows of a table are asked for, and no values, or if a rule is invalid.
    pub fn form(&self, game: &dyn Game) -> Result<Form, Error> {
        if !self.rows {
            return Ok(Form::Answers);
        }
        if cfg!(not(feature = "special")) {
            return Err(Error::invalid("rows", "the page has no tables of values"));
        }
        let of_moves = match self.values {
            Values::Yes => true,
            Values::Value => false,
            Values::No => return Err(Error::invalid("values", "rows have values: yes or value")),
        };
        let request = ValuesRequest { of_moves, line: self.line, ..ValuesRequest::default() };
        let resources = Resources::new(0);
        Ok(Form::Rows(game.values_schema(&borrowed(&self.rules(game)?), &resources, &request)?))
    }

    /// The options of the rules by their names.
    fn rules(&self, game: &dyn Game) -> Result<Vec<(String, String)>, Error> {
        let options = || game.options().iter();
        for name in self.rules.keys() {
            if !options().any(|option| option.is_parameter(name)) {
                let names: Vec<String> = options().map(|option| option.parameter()).collect();
                return Err(Error::invalid("rules", unknown(name, &names)));
            }
        }
        let value = |parameter: &str| self.rules.get(parameter).cloned().flatten();
        let given =
            |option: &RuleOption| Some((option.name.to_string(), value(&option.parameter())?));
        Ok(options().filter_map(given).collect())
    }

    /// The positions of a game, or errors of those that cannot be set up by their places.
    ///
    /// # Errors
    ///
    /// If there are too many, or the game does not have an option of the rules.
    pub fn subjects(&self, game: &Arc<dyn Game>) -> Result<Vec<Result<Subject, Error>>, Error> {
        let count = self.positions.len();
        if count > MOST_POSITIONS {
            let message = format!("{count} positions; a batch has at most {MOST_POSITIONS}");
            return Err(Error::invalid("positions", message));
        }
        let rules = self.rules(game.as_ref())?;
        let subject = |Object(place): &Object<BatchPosition>| {
            check_length("position", place.position.as_deref().unwrap_or_default())?;
            check_length("moves", &place.moves)?;
            let position = match (&place.position, &place.places) {
                (position, None) => position.clone(),
                (None, Some(places)) => Some(game.set_up(
                    &borrowed(&rules),
                    places,
                    place.to_move.unwrap_or(Player::First),
                )?),
                (Some(_), Some(_)) => {
                    return Err(Error::invalid("places", "the position is given already"));
                }
            };
            let (game, moves) = (Arc::clone(game), place.moves.clone());
            Ok(Subject { game, rules: rules.clone(), position, moves, facts: Vec::new() })
        };
        Ok(self.positions.iter().map(subject).collect())
    }
}

/// How the answers of a batch are written.
#[derive(Clone, Debug)]
pub enum Form {
    /// As answers, or errors.
    Answers,
    /// As rows of a table.
    Rows(ValuesSchema),
}

impl Form {
    /// The beginning of the reply and its end, around the parts for each position, which commas
    /// separate.
    pub fn frame(&self) -> [&'static str; 2] {
        match self {
            Form::Answers => [r#"{"answers":["#, "]}"],
            Form::Rows(_) => [r#"{"rows":["#, "]}"],
        }
    }

    /// The part of the reply for the position of a number, from 1.
    ///
    /// # Errors
    ///
    /// Never in practice.
    pub fn part(&self, number: u64, found: Result<Answer, Error>) -> std::io::Result<Vec<u8>> {
        let schema = match self {
            // The page does not ask for rows.
            Form::Rows(schema) if cfg!(feature = "special") => schema,
            _ => return Ok(serde_json::to_vec(&OneAnswer::from(found))?),
        };
        let mut batch = schema.batch();
        match found {
            Ok(answer) => batch.push(number, &PositionValues::from(&answer), None),
            Err(error) => {
                batch.push(number, &PositionValues::default(), Some(&error.to_string()));
            }
        }
        let mut lines = json::lines(&schema.table().columns, &batch.finish())?;
        lines.pop();
        lines.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b',');
        Ok(lines)
    }
}

//! Questions about many positions, as JSON.

use super::{LONGEST_LINE, MOST_POSITIONS, Subject, unknown};
use crate::{Detail, Error, Game, Kind, Player, Request};
use bsq_engine::options::borrowed;
use serde::Deserialize;
use std::collections::BTreeMap;

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
    /// The positions.
    pub positions: Vec<BatchPosition>,
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

impl Batch {
    /// Parses JSON.
    ///
    /// # Errors
    ///
    /// If it is not a batch.
    pub fn parse(json: &[u8]) -> Result<Batch, Error> {
        serde_json::from_slice(json)
            .map_err(|error| Error::of(Kind::Usage, format!("invalid JSON: {error}")))
    }

    /// What is requested about each position.
    ///
    /// # Errors
    ///
    /// If the principal variations are too long.
    pub fn request(&self) -> Result<Request, Error> {
        if self.line <= LONGEST_LINE {
            Ok(Request { detail: self.values.detail(), line: self.line })
        } else {
            Err(Error::invalid("line", format!("more than {LONGEST_LINE} moves")))
        }
    }

    /// The positions of a game, or errors of those that cannot be set up by their places.
    ///
    /// # Errors
    ///
    /// If there are too many, or the game does not have an option of the rules.
    pub fn subjects<'a>(
        &self,
        game: &'a dyn Game,
    ) -> Result<Vec<Result<Subject<'a>, Error>>, Error> {
        let count = self.positions.len();
        if count > MOST_POSITIONS {
            let message = format!("{count} positions; a batch has at most {MOST_POSITIONS}");
            return Err(Error::invalid("positions", message));
        }
        let options = || game.options().iter();
        for name in self.rules.keys() {
            if !options().any(|option| option.is_parameter(name)) {
                let names: Vec<String> = options().map(|option| option.parameter()).collect();
                return Err(Error::invalid("rules", unknown(name, &names)));
            }
        }
        let value = |parameter: &str| self.rules.get(parameter).cloned().flatten();
        let rules: Vec<(String, String)> = options()
            .filter_map(|option| Some((option.name.to_string(), value(&option.parameter())?)))
            .collect();
        let subject = |place: &BatchPosition| {
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
            Ok(Subject { game, rules: rules.clone(), position, moves: place.moves.clone() })
        };
        Ok(self.positions.iter().map(subject).collect())
    }
}

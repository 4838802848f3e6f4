//! Parameters of requests, in the query or as JSON.

use super::evaluation::Subject;
use bsq_api::{Detail, Error, Game, Request};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The maximum length of a parameter in bytes.
pub const MOST_TEXT: usize = 2000;
/// The most moves of a principal variation.
pub const LONGEST_LINE: usize = 200;

/// The parameters of a query, each at most once.
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Parses a query with parameters of the given names, and the rules of a game.
    pub fn parse(
        query: &str,
        names: &[&str],
        game: Option<&dyn Game>,
    ) -> Result<Parameters, Error> {
        let rules = game.into_iter().flat_map(|game| game.options());
        let names: Vec<String> = rules
            .map(|option| option.parameter())
            .chain(names.iter().map(|name| name.to_string()))
            .collect();
        let mut parameters = Parameters(Vec::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if !names.iter().any(|known| *known == name) {
                return Err(Error::invalid(&name, unknown(&name, &names)));
            }
            if parameters.text(&name).is_some() {
                return Err(Error::invalid(&name, format!("{name} is given twice")));
            }
            if value.len() > MOST_TEXT {
                return Err(Error::invalid(&name, format!("longer than {MOST_TEXT} bytes")));
            }
            parameters.0.push((name.into_owned(), value.into_owned()));
        }
        Ok(parameters)
    }

    /// The value of a parameter.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// An integer from 0 to a limit.
    pub fn number(&self, name: &str, most: u64) -> Result<Option<u64>, Error> {
        let number = |text: &str| {
            let number = text.parse().ok().filter(|number| *number <= most);
            let why =
                || Error::invalid(name, format!("'{text}' is not an integer from 0 to {most}"));
            number.ok_or_else(why)
        };
        self.text(name).map(number).transpose()
    }

    /// The position that the parameters are about.
    pub fn subject<'a>(&self, game: &'a dyn Game) -> Subject<'a> {
        let options = game.options().iter();
        let value = |parameter: &str| self.text(parameter).map(str::to_string);
        let rules =
            options.filter_map(|option| Some((option.name, value(&option.parameter())?))).collect();
        let moves = value("moves").unwrap_or_default();
        Subject { game, rules, position: value("position"), moves }
    }

    /// What is requested about the position.
    pub fn request(&self) -> Result<Request, Error> {
        let values = match self.text("values") {
            None | Some("yes") => Values::Yes,
            Some("value") => Values::Value,
            Some("no") => Values::No,
            Some(other) => {
                let why = format!("'{other}' is not one of yes, value and no");
                return Err(Error::invalid("values", why));
            }
        };
        let line = self.number("line", LONGEST_LINE as u64)?.unwrap_or(0);
        Ok(Request { detail: values.detail(), line: line as usize })
    }
}

fn unknown(name: &str, names: &[String]) -> String {
    match names.is_empty() {
        true => format!("'{name}' is not a parameter; there are none here"),
        false => format!("'{name}' is not a parameter; there are {}", names.join(", ")),
    }
}

/// The values that are requested.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
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
    fn detail(self) -> Option<Detail> {
        match self {
            Values::Yes => Some(Detail::Moves),
            Values::Value => Some(Detail::Value),
            Values::No => None,
        }
    }
}

/// Questions about many positions under the same rules.
#[derive(Debug, Deserialize, JsonSchema)]
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
    #[schemars(range(max = LONGEST_LINE))]
    line: usize,
    /// The positions.
    pub positions: Vec<Place>,
}

/// A position of a batch.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The first position; the start of the game if it is left out.
    #[serde(default)]
    position: Option<String>,
    /// Moves to play from there.
    #[serde(default)]
    moves: String,
}

impl Batch {
    /// What is requested about each position.
    pub fn request(&self) -> Result<Request, Error> {
        match self.line <= LONGEST_LINE {
            true => Ok(Request { detail: self.values.detail(), line: self.line }),
            false => Err(Error::invalid("line", format!("more than {LONGEST_LINE} moves"))),
        }
    }

    /// The positions of a game.
    pub fn subjects<'a>(
        &'a self,
        game: &'a dyn Game,
    ) -> Result<impl Iterator<Item = Subject<'a>>, Error> {
        let options = || game.options().iter();
        for name in self.rules.keys() {
            if !options().any(|option| option.parameter() == *name) {
                let names: Vec<String> = options().map(|option| option.parameter()).collect();
                return Err(Error::invalid("rules", unknown(name, &names)));
            }
        }
        let value = |parameter: &str| self.rules.get(parameter).cloned().flatten();
        let rules: Vec<_> = options()
            .filter_map(|option| Some((option.name, value(&option.parameter())?)))
            .collect();
        Ok(self.positions.iter().map(move |place| Subject {
            game,
            rules: rules.clone(),
            position: place.position.clone(),
            moves: place.moves.clone(),
        }))
    }
}

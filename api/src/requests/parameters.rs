//! Parameters of a query.

use super::{Subject, check_length, unknown};
use crate::{Error, Game, RuleOption};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The parameters of a query, each at most once: some options of its own, and the options of the
/// rules of a game.
pub struct Parameters<'a> {
    own: &'a [RuleOption],
    given: Vec<(String, String)>,
}

impl<'a> Parameters<'a> {
    /// Parses a query with the options `own`, and the rules of a game.
    ///
    /// # Errors
    ///
    /// If a parameter is unknown, given twice or too long.
    pub fn parse(
        query: &str,
        own: &'a [RuleOption],
        game: Option<&dyn Game>,
    ) -> Result<Parameters<'a>, Error> {
        let options = || game.into_iter().flat_map(|game| game.options()).chain(own);
        let mut parameters = Parameters { own, given: Vec::new() };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if !options().any(|option| option.is_parameter(&name)) {
                let names: Vec<String> = options().map(RuleOption::parameter).collect();
                return Err(Error::invalid(&name, unknown(&name, &names)));
            }
            if parameters.text(&name).is_some() {
                return Err(Error::invalid(&name, format!("{name} is given twice")));
            }
            check_length(&name, &value)?;
            parameters.given.push((name.into_owned(), value.into_owned()));
        }
        Ok(parameters)
    }

    /// The value of a parameter, if it is given.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The values of some options, by their names.
    pub fn values(&self, options: &[RuleOption]) -> Vec<(String, String)> {
        let given = options.iter().filter_map(|option| {
            let value = self.text(&option.parameter())?;
            Some((option.name.to_string(), value.to_string()))
        });
        given.collect()
    }

    /// The value of one of the own options, or its default.
    ///
    /// # Errors
    ///
    /// If the value does not suit the kind of the option.
    pub fn value(&self, name: &str) -> Result<Option<&str>, Error> {
        let option = self.own.iter().find(|option| option.name == name);
        let Some(option) = option else { return Ok(None) };
        let Some(text) = self.text(&option.parameter()) else {
            return Ok(option.default.as_deref());
        };
        option.check(text).map_err(|why| Error::invalid(name, why))?;
        Ok(Some(text))
    }

    /// The value of one of the own options that is an integer, or its default.
    ///
    /// # Errors
    ///
    /// As for [`value`](Parameters::value).
    pub fn integer<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Error> {
        let value = self.value(name)?;
        let parsed = value.map(|text| {
            let invalid = || Error::invalid(name, format!("'{text}' is not an integer in range"));
            text.parse().map_err(|_| invalid())
        });
        parsed.transpose()
    }

    /// The different names in a list, in alphabetical order.
    fn names(&self, parameter: &str) -> Vec<String> {
        let names = self.text(parameter).into_iter().flat_map(|text| text.split(','));
        names.map(str::to_string).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The position that the parameters are about.
    pub fn subject(&self, game: &Arc<dyn Game>) -> Subject {
        let text = |name: &str| self.text(name).map(str::to_string);
        Subject {
            game: Arc::clone(game),
            rules: self.values(game.options()),
            position: text("position"),
            moves: text("moves").unwrap_or_default(),
            facts: self.names("facts"),
        }
    }
}

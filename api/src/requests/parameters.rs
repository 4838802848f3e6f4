//! Parameters of a query.

use super::batch::Values;
use super::{LONGEST_LINE, MOST_TEXT, Subject, unknown};
use crate::{Error, Game, Request};

/// The parameters of a query, each at most once.
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Parses a query with parameters of the given names, and the rules of a game.
    ///
    /// # Errors
    ///
    /// If a parameter is unknown, given twice or too long.
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
    ///
    /// # Errors
    ///
    /// If the parameter is something else.
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

    /// What is requested about the position, by `values` and `line`.
    ///
    /// # Errors
    ///
    /// If one of them is invalid.
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

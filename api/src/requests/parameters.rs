//! Parameters of a query.

use super::batch::Values;
use super::{LONGEST_LINE, MOST_TEXT, Subject, unknown};
use crate::puzzle::HARDEST;
use crate::{Error, Game, Request, Task, Wanted};

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

    /// The puzzle that is requested.
    ///
    /// # Errors
    ///
    /// If a parameter is invalid.
    pub fn puzzle(&self) -> Result<Wanted, Error> {
        let level = self.number("level", HARDEST.into())?;
        if level == Some(0) {
            return Err(Error::invalid(
                "level",
                format!("'0' is not an integer from 1 to {HARDEST}"),
            ));
        }
        Ok(Wanted {
            task: self.one_of("task", &[("win", Task::Win), ("save", Task::Save)])?,
            level: level.map(|level| level as u32),
            seed: self.number("seed", u64::MAX)?.unwrap_or(0),
        })
    }

    /// What a word stands for.
    fn one_of<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, Error> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        let why = || {
            let (last, others) = words.split_last().expect("words");
            let others: Vec<&str> = others.iter().map(|(word, _)| *word).collect();
            format!("'{text}' is not one of {} and {}", others.join(", "), last.0)
        };
        found.map(Some).ok_or_else(|| Error::invalid(name, why()))
    }

    /// What is requested about the position, by `values` and `line`.
    ///
    /// # Errors
    ///
    /// If one of them is invalid.
    pub fn request(&self) -> Result<Request, Error> {
        let words = [("yes", Values::Yes), ("value", Values::Value), ("no", Values::No)];
        let values = self.one_of("values", &words)?.unwrap_or_default();
        let line = self.number("line", LONGEST_LINE as u64)?.unwrap_or(0);
        Ok(Request { detail: values.detail(), line: line as usize })
    }
}

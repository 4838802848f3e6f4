//! A place between the tokens of a text, from which a parser goes on.

use super::error::Fault;
use super::tokens::{Kind, Language, Token, tokens};
use std::ops::Range;

/// The tokens of a text, and which of them is next.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    language: Language,
    tokens: Vec<Token>,
    /// The index of the next token.
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Begins with the first token of a text.
    ///
    /// # Errors
    ///
    /// As for [`tokens`].
    pub fn new(text: &'a str, language: Language) -> Result<Cursor<'a>, Fault> {
        Ok(Cursor { text, language, tokens: tokens(text, language)?, at: 0 })
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The language of the text.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The tokens from the next one on.
    pub fn rest(&self) -> &[Token] {
        &self.tokens[self.at..]
    }

    /// Whether there is no token left.
    pub fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// The kind of the next token.
    pub fn peek(&self) -> Option<Kind> {
        self.rest().first().map(|token| token.kind)
    }

    /// The next token, if it is a word.
    pub fn peek_word(&self) -> Option<&'a str> {
        let token = self.rest().first().filter(|token| token.kind == Kind::Word)?;
        Some(&self.text[token.part.clone()])
    }

    /// The bytes of the next token, or the end of the text.
    pub fn part(&self) -> Range<usize> {
        let end = self.text.trim_end().len();
        self.rest().first().map_or(end..end, |token| token.part.clone())
    }

    /// Passes over tokens, of which there are so many.
    pub fn skip(&mut self, tokens: usize) {
        self.at += tokens;
    }

    /// Takes the next token if it is of that kind.
    pub fn takes(&mut self, kind: Kind) -> bool {
        let takes = self.peek() == Some(kind);
        self.at += usize::from(takes);
        takes
    }

    /// Takes the next token if it is that word.
    pub fn takes_word(&mut self, word: &str) -> bool {
        let takes = self.peek_word() == Some(word);
        self.at += usize::from(takes);
        takes
    }

    /// A fault of the next token, or at the end of the text.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.part(), message.into())
    }

    /// The fault that something else is expected next.
    pub fn unexpected(&self, wanted: &str) -> Fault {
        self.fault(format!("expected {wanted}"))
    }
}

//! Errors in texts, with the invalid part marked.

use std::fmt;
use std::ops::Range;

/// An error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// A description of the error, and of valid input.
    pub message: String,
    /// The number of the line in a file, from 1; `None` for a text on its own.
    pub line: Option<usize>,
    /// The text of the line.
    text: String,
    /// The invalid part of the line, as a range of characters.
    part: Range<usize>,
}

impl std::error::Error for ParseError {}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        let marks = "^".repeat(self.part.len().max(1));
        let blank = " ".repeat(self.part.start);
        write!(f, "{}\n  {}\n  {blank}{marks}", self.message, self.text)
    }
}

/// A description of the error, and the invalid range of bytes.
#[derive(Debug)]
pub struct Fault {
    message: String,
    /// The invalid part of the text, as a range of bytes.
    part: Range<usize>,
}

impl Fault {
    /// A fault of a part of the text, as a range of bytes.
    pub fn new(part: Range<usize>, message: String) -> Fault {
        Fault { message, part }
    }

    /// The error with the line in which the part begins.
    pub fn within(self, text: &str) -> ParseError {
        let Fault { message, part } = self;
        let start = text[..part.start].rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].lines().next().unwrap_or("");
        // The part may begin in the line's end, which can be two bytes.
        let first = part.start.min(start + line.len());
        let end = part.end.min(start + line.len()).max(first);
        let column = text[start..first].chars().count();
        let length = text[first..end].chars().count();
        // A tab would misalign the marks.
        let text = line.replace(|c: char| c.is_control(), " ");
        ParseError { message, line: None, text, part: column..column + length }
    }

    /// The error with its line of a file. The part is relative to the byte `start` of the file.
    pub fn within_file(mut self, start: usize, file: &str) -> ParseError {
        self.part = start + self.part.start..start + self.part.end;
        let line = file[..self.part.start].matches('\n').count() + 1;
        ParseError { line: Some(line), ..self.within(file) }
    }
}

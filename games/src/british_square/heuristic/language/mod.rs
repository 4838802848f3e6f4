//! The language of decision lists: its grammar and parser. `list` writes lists in it.
//!
//! ```text
//! list      = "any" | rule { ("," | ";" | new line) rule }
//! rule      = [ "if" condition ":" ] aim  |  name of another list
//! aim       = [ "most" ] sum [ "up" "to" number ]  |  "least" sum [ "down" "to" number ]
//! condition = an expression of [`bsq_engine::expression`] about features of the position
//! sum       = [ "-" ] term { ("+" | "-") term } [ "+" "reply" "(" sum ")" ]
//! term      = [ number "*" ] feature
//! ```
//!
//! A feature may also be written as the column of a query with its values: `own_free` is `own-free`.
//!
//! A condition compares sums of features, with weights. It is read as alternatives, each of which
//! is a rule of its own: `if contested = 0 or not own-free > opponent-free: most claim` stands for
//! `if contested = 0: most claim, if own-free - opponent-free <= 0: most claim`.
//!
//! `reply(...)` is the sum in brackets after the opponent's reply that is worst for the rule. Only
//! replies on cells in conflict with the mover's are considered, or all replies if there are none.
//! It can be the whole aim, but not part of a condition. Weights, limits and the numbers of these
//! rules are integers of -1000 to 1000.
//!
//! A file of lists has entries `name = list`, each of which begins at the beginning of a line. A
//! line that begins with a blank continues the entry above. `#` begins a comment.
//!
//! ```
//! use bsq_games::british_square::heuristic::language::{parse, parse_file};
//!
//! let lists = parse_file("mine = most claim,\n  least opponent-best-claim  # look ahead").unwrap();
//! assert_eq!(lists[0].list.to_string(), "most claim, least opponent-best-claim");
//! let longer = parse("mine, most own-free", &lists).unwrap();
//! assert_eq!(longer.rules.len(), 3);
//!
//! let error = parse("most clame", &[]).unwrap_err().to_string();
//! assert_eq!(error, "'clame' is not a feature or a list; did you mean 'claim'?\n  most clame\n       ^^^^^");
//! ```

mod parser;

pub use bsq_engine::expression::{ParseError, suggestion};
pub use parser::{MAX_NUMBER, MAX_SIZE};

use super::list::{DecisionList, Heuristic};
use bsq_engine::expression::{Kind, Language, tokens};
use parser::Parser;

/// Parses a list. Names are looked up among `lists`, then among the built-in ones.
pub fn parse(text: &str, lists: &[Heuristic]) -> Result<DecisionList, ParseError> {
    let parsed = Parser::new(text, lists).and_then(Parser::list);
    parsed.map_err(|error| error.within(text))
}

/// Parses a file of named lists. Each list may use the names above it.
pub fn parse_file(text: &str) -> Result<Vec<Heuristic>, ParseError> {
    let text = text.trim_start_matches('\u{feff}'); // the byte order mark of some editors
    let mut lists: Vec<Heuristic> = Vec::new();
    for (start, entry) in entries(text) {
        let parsed = Parser::new(entry, &lists).and_then(Parser::named_list);
        lists.push(parsed.map_err(|error| error.within_file(start, text))?);
    }
    Ok(lists)
}

/// Splits a file into entries, each with the index of its first byte.
fn entries(text: &str) -> Vec<(usize, &str)> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| !c.is_whitespace() && c != '#') {
            starts.push(at);
        }
        at += line.len();
    }
    // Text before the first entry is blank, a comment or an error.
    if starts.first() != Some(&0) && !text.is_empty() {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let entries = starts.iter().zip(ends).map(|(&start, end)| (start, &text[start..end]));
    let is_empty = |entry: &str| {
        tokens(entry, Language::Rules)
            .is_ok_and(|tokens| tokens.iter().all(|token| token.kind == Kind::Separator))
    };
    entries.filter(|(_, entry)| !is_empty(entry)).collect()
}

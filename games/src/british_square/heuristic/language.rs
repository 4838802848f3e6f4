//! The language of rule lists.
//!
//! ```text
//! list      = "any" | rule { ("," | ";" | new line) rule }
//! rule      = [ "if" condition ":" ] aim  |  name of another list
//! aim       = [ "most" ] sum [ "up" "to" number ]  |  "least" sum [ "down" "to" number ]
//! condition = test { "and" test }
//! test      = sum ( "<" | "<=" | "=" | "!=" | ">=" | ">" ) number  |  sum "is" ( "odd" | "even" )
//! sum       = [ "-" ] term { ("+" | "-") term } [ "+" "reply" "(" sum ")" ]
//! term      = [ number "*" ] feature
//! ```
//!
//! `reply(...)` is the sum in brackets after the opponent's reply, the one that is worst for the
//! rule: replies on cells in conflict with yours are compared, or any if there are none. It can
//! stand alone, but not in a condition.
//!
//! A file of lists has entries `name = list`, each from the beginning of a line; lines that begin
//! with a blank go on with the entry above, and `#` begins a comment.
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
//! assert_eq!(error, "'clame' is no feature and no list; did you mean 'claim'?\n  most clame\n       ^^^^^");
//! ```

use super::features;
use super::features::Feature;
use super::list::{DecisionList, Relation, Rule, Sum, Term, Test};
use super::{Heuristic, by_name};
use std::fmt;
use std::ops::Range;

/// The most weights, conditions included, that a list can have.
pub const MAX_SIZE: usize = 50;
/// The largest weight, and the largest number in a condition.
pub const MAX_NUMBER: i32 = 1000;

/// Why a text is no rule list, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong and what would be right.
    pub message: String,
    /// The number of the line, from 1, where a file was read.
    pub line: Option<usize>,
    /// The line.
    text: String,
    /// The part of it that is meant, in characters.
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

/// Reads a list. Names are looked up among the lists given, then among the built-in ones.
pub fn parse(text: &str, lists: &[Heuristic]) -> Result<DecisionList, ParseError> {
    let parser = Parser { text, tokens: tokens(text).map_err(|e| e.within(text))?, at: 0, lists };
    parser.list().map_err(|error| error.within(text))
}

/// Reads a file of named lists. Each may use the names above it.
pub fn parse_file(text: &str) -> Result<Vec<Heuristic>, ParseError> {
    let text = text.trim_start_matches('\u{feff}'); // how some editors begin a file
    let mut lists: Vec<Heuristic> = Vec::new();
    for (start, entry) in entries(text) {
        let heuristic = named(entry, &lists).map_err(|error| {
            let part = start + error.part.start..start + error.part.end;
            let line = text[..part.start].matches('\n').count() + 1;
            ParseError { line: Some(line), ..Fault { part, ..error }.within(text) }
        })?;
        lists.push(heuristic);
    }
    Ok(lists)
}

/// The entries of a file, each with the place where it begins.
fn entries(text: &str) -> Vec<(usize, &str)> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| !c.is_whitespace() && c != '#') {
            starts.push(at);
        }
        at += line.len();
    }
    // What comes before the first entry can only be blank, a comment or a mistake.
    if starts.first() != Some(&0) && !text.is_empty() {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let entries = starts.iter().zip(ends).map(|(&start, end)| (start, &text[start..end]));
    let says_something = |entry: &str| match tokens(entry) {
        Ok(tokens) => tokens.iter().any(|token| token.kind != Kind::Next),
        Err(_) => true,
    };
    entries.filter(|(_, entry)| says_something(entry)).collect()
}

fn named(entry: &str, lists: &[Heuristic]) -> Result<Heuristic, Fault> {
    let mut tokens = tokens(entry)?;
    let blank = tokens.iter().take_while(|token| token.kind == Kind::Next).count();
    tokens.drain(..blank);
    let name = match &tokens[..] {
        [Token { kind: Kind::Word, part }, Token { kind: Kind::Sign("="), .. }, ..] => part.clone(),
        [first, ..] => {
            return Err(Fault::new(
                first.part.clone(),
                "an entry begins with a name and '=', such as 'mine = most claim'; a line that \
                 goes on with the entry above begins with a blank"
                    .to_string(),
            ));
        }
        [] => unreachable!("entries have words"),
    };
    let word = &entry[name.clone()];
    if is_known(word) || KEYWORDS.contains(&word) {
        return Err(Fault::new(name, format!("'{word}' already means something; take another")));
    }
    if lists.iter().any(|list| list.name.as_deref() == Some(word)) {
        return Err(Fault::new(name, format!("there is a list '{word}' already")));
    }
    let name = Some(word.to_string());
    let list = Parser { text: entry, tokens, at: 2, lists }.list()?;
    Ok(Heuristic { name, summary: String::new(), list })
}

fn is_known(word: &str) -> bool {
    features::by_name(word).is_some() || super::BUILT_IN.iter().any(|(name, ..)| *name == word)
}

const KEYWORDS: [&str; 14] = [
    "any", "reply", "most", "least", "up", "down", "to", "if", "and", "is", "odd", "even", "list",
    "features",
];

/// What is wrong, and which bytes of the text are meant.
#[derive(Debug)]
struct Fault {
    message: String,
    part: Range<usize>,
}

impl Fault {
    fn new(part: Range<usize>, message: String) -> Fault {
        Fault { message, part }
    }

    /// The same with the line that it lies in.
    fn within(self, text: &str) -> ParseError {
        let Fault { message, part } = self;
        let start = text[..part.start].rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].lines().next().unwrap_or("");
        let end = part.end.min(start + line.len()).max(part.start);
        let column = text[start..part.start].chars().count();
        let length = text[part.start..end].chars().count();
        // Tabs would shift the marks.
        let text = line.replace(|c: char| c.is_control(), " ");
        ParseError { message, line: None, text, part: column..column + length }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    kind: Kind,
    part: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Number(i32),
    Sign(&'static str),
    /// A comma, a semicolon or the end of a line.
    Next,
}

const SIGNS: [&str; 12] = ["<=", ">=", "!=", "<", ">", "=", "+", "-", "*", ":", "(", ")"];

fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let until = |ends: fn(char) -> bool| at + rest.find(ends).unwrap_or(rest.len());
        let (kind, end) = match first {
            '#' => (None, until(|c| c == '\n')),
            // A sum may go on in the next line.
            '\n' if matches!(tokens.last(), Some(Token { kind: Kind::Sign(_), .. })) => {
                (None, at + 1)
            }
            ',' | ';' | '\n' => (Some(Kind::Next), at + 1),
            c if c.is_whitespace() => (None, at + c.len_utf8()),
            c if c.is_alphabetic() => {
                (Some(Kind::Word), until(|c| !c.is_alphanumeric() && !"-_".contains(c)))
            }
            '0'..='9' => {
                let end = until(|c| !c.is_ascii_digit());
                let number = text[at..end].parse().ok().filter(|&number| number <= MAX_NUMBER);
                let number = number
                    .ok_or_else(|| Fault::new(at..end, format!("numbers go up to {MAX_NUMBER}")))?;
                (Some(Kind::Number(number)), end)
            }
            other => {
                let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
                let sign = sign.ok_or_else(|| {
                    let part = at..at + other.len_utf8();
                    Fault::new(part, format!("'{}' has no meaning here", other.escape_debug()))
                })?;
                (Some(Kind::Sign(sign)), at + sign.len())
            }
        };
        tokens.extend(kind.map(|kind| Token { kind, part: at..end }));
        at = end;
    }
    Ok(tokens)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    lists: &'a [Heuristic],
}

impl<'a> Parser<'a> {
    fn list(mut self) -> Result<DecisionList, Fault> {
        let mut list = DecisionList::default();
        let mut entries = 0;
        let mut any = false;
        loop {
            while self.takes(Kind::Next) {}
            if self.at == self.tokens.len() {
                break;
            }
            entries += 1;
            if self.takes_word("any") {
                any = true;
            } else {
                list.rules.extend(self.entry()?);
            }
            if self.at < self.tokens.len() && !self.takes(Kind::Next) {
                return Err(self.unexpected("a comma and another rule"));
            }
            if any && entries > 1 {
                return Err(self.here("'any' likes every move and stands alone"));
            }
            if list.size() > MAX_SIZE {
                return Err(self.here(&too_long(list.size())));
            }
        }
        if entries == 0 {
            return Err(self.here("a list needs a rule, such as 'most claim', or 'any'"));
        }
        Ok(list)
    }

    /// A rule, or all rules of another list.
    fn entry(&mut self) -> Result<Vec<Rule>, Fault> {
        if let Some(list) = self.peek_word().and_then(|word| self.named(word)) {
            let rules = list.rules.clone();
            self.at += 1;
            return Ok(rules);
        }
        let when = if self.takes_word("if") { self.condition()? } else { Vec::new() };
        let sign = match () {
            () if self.takes_word("most") => 1,
            () if self.takes_word("least") => -1,
            () => 1,
        };
        let aim = self.aim(sign)?;
        let enough = self.enough(sign)?;
        Ok(vec![Rule { when, aim, enough }])
    }

    /// How much is enough, if anything is said about it.
    fn enough(&mut self, sign: i32) -> Result<Option<i32>, Fault> {
        let (word, other) = if sign > 0 { ("up", "down") } else { ("down", "up") };
        if self.peek_word() == Some(other) {
            let wanted = format!(
                "'{word} to': the rule asks for the {}",
                if sign > 0 { "most" } else { "least" }
            );
            return Err(self.unexpected(&wanted));
        }
        if !self.takes_word(word) {
            return Ok(None);
        }
        if !self.takes_word("to") {
            return Err(self.unexpected("'to' and a number"));
        }
        Ok(Some(sign * self.number()?))
    }

    /// A number with its sign.
    fn number(&mut self) -> Result<i32, Fault> {
        let sign = if self.takes(Kind::Sign("-")) { -1 } else { 1 };
        let number = self.takes_number().ok_or_else(|| self.unexpected("a number"))?;
        Ok(sign * number)
    }

    /// A sum, with what is to be after the reply at its end.
    fn aim(&mut self, sign: i32) -> Result<Sum, Fault> {
        let mut aim = Sum::default();
        if !self.takes_reply(false) {
            aim.terms = self.terms(sign, "feature and no list", |feature| {
                let problem =
                    "is the same for every move; it can only stand in a condition, such as";
                let example = format!("{problem} 'if {} > 1: most claim'", feature.name);
                (!feature.ranks_moves()).then_some(example)
            })?;
            if !self.takes_reply(true) {
                return Ok(aim);
            }
        }
        aim.reply = self.terms(sign, "feature", |feature| {
            let problem = "cannot be taken after a reply; features of territory that imagine no \
                           other move can, such as 'reply(own-free)'";
            (!feature.tells_replies()).then(|| problem.to_string())
        })?;
        match self.takes(Kind::Sign(")")) {
            true => Ok(aim),
            false => Err(self.unexpected("')' after what is to be after the reply")),
        }
    }

    fn named(&self, word: &str) -> Option<&'a DecisionList> {
        let own = self.lists.iter().find(|list| list.name.as_deref() == Some(word));
        // The built-in lists are made by this parser, from features alone.
        own.map(|list| &list.list).or_else(|| {
            let built_in = super::BUILT_IN.iter().any(|(name, ..)| *name == word);
            (built_in && features::by_name(word).is_none())
                .then(|| by_name(word).map(|h| &h.list))?
        })
    }

    fn condition(&mut self) -> Result<Vec<Test>, Fault> {
        let mut tests = vec![self.test()?];
        while self.takes_word("and") {
            tests.push(self.test()?);
        }
        match self.takes(Kind::Sign(":")) {
            true => Ok(tests),
            false => Err(self.unexpected("'and' or ':' after a condition")),
        }
    }

    fn test(&mut self) -> Result<Test, Fault> {
        let terms = self.terms(1, "feature", |feature| {
            let example = "belongs to a move; a condition is about the position, such as \
                           'if contested = 0: most claim'";
            (!feature.tells_positions()).then(|| example.to_string())
        })?;
        let sum = Sum { terms, reply: Vec::new() };
        if self.takes_word("is") {
            let relation = match () {
                () if self.takes_word("odd") => Relation::Odd,
                () if self.takes_word("even") => Relation::Even,
                () => return Err(self.unexpected("'odd' or 'even'")),
            };
            return Ok(Test { sum, relation, number: 0 });
        }
        let relation = Relation::SIGNS.into_iter().find(|(sign, _)| self.takes(Kind::Sign(sign)));
        let Some((_, relation)) = relation else {
            return Err(self.unexpected("a comparison such as '= 0', '> 2' or 'is odd'"));
        };
        Ok(Test { sum, relation, number: self.number()? })
    }

    /// Terms, each negated if the sign is -1. `objection` says why a feature cannot stand here.
    fn terms(
        &mut self,
        sign: i32,
        what: &str,
        objection: impl Fn(&Feature) -> Option<String>,
    ) -> Result<Vec<Term>, Fault> {
        let mut sign_of_term = if self.takes(Kind::Sign("-")) { -sign } else { sign };
        let mut terms = Vec::new();
        loop {
            let start = self.at;
            let weight = self.takes_number();
            if weight.is_some() && !self.takes(Kind::Sign("*")) {
                return Err(self.unexpected("'*' and a feature after a weight, such as '2*claim'"));
            }
            if weight == Some(0) {
                let part = self.tokens[start].part.clone();
                return Err(Fault::new(part, "a weight of 0 does nothing; leave it out".into()));
            }
            let feature = self.feature(what)?;
            if let Some(objection) = objection(feature) {
                let part = self.tokens[self.at - 1].part.clone();
                return Err(Fault::new(part, format!("'{}' {objection}", feature.name)));
            }
            terms.push(Term { weight: sign_of_term * weight.unwrap_or(1), feature });
            if terms.len() > MAX_SIZE {
                return Err(self.here(&too_long(terms.len())));
            }
            if self.peek() == Some(Kind::Sign("+")) && self.has_reply_at(self.at + 1) {
                return Ok(terms);
            }
            sign_of_term = match () {
                () if self.takes(Kind::Sign("+")) => sign,
                () if self.takes(Kind::Sign("-")) => -sign,
                () => return Ok(terms),
            };
        }
    }

    fn feature(&mut self, what: &str) -> Result<&'static Feature, Fault> {
        let Some(word) = self.peek_word() else { return Err(self.unexpected("a feature")) };
        if word == "reply" {
            return Err(self.here(
                "'reply(...)' stands once in a rule, at its end, after a plus or alone; weights and \
                 minuses go inside, such as 'claim + reply(2*own-free - opponent-free)'",
            ));
        }
        let feature = features::by_name(word).ok_or_else(|| {
            let lists = self.lists.iter().filter_map(|list| list.name.as_deref());
            let lists = lists.chain(super::BUILT_IN.iter().map(|(name, ..)| *name));
            let known = features::all().map(|feature| feature.name).chain(lists).chain(KEYWORDS);
            Fault::new(
                self.tokens[self.at].part.clone(),
                format!("'{word}' is no {what}{}", suggestion(word, known)),
            )
        })?;
        self.at += 1;
        Ok(feature)
    }

    fn has_reply_at(&self, at: usize) -> bool {
        let token = |at: usize| self.tokens.get(at);
        let word = token(at).is_some_and(|token| &self.text[token.part.clone()] == "reply");
        word && token(at + 1).is_some_and(|token| token.kind == Kind::Sign("("))
    }

    /// Takes `reply(`, and the plus before it where terms came first.
    fn takes_reply(&mut self, after_terms: bool) -> bool {
        let plus = usize::from(after_terms);
        let is_joined = !after_terms || self.peek() == Some(Kind::Sign("+"));
        let takes = is_joined && self.has_reply_at(self.at + plus);
        self.at += if takes { plus + 2 } else { 0 };
        takes
    }

    fn peek(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    fn peek_word(&self) -> Option<&'a str> {
        let token = self.tokens.get(self.at).filter(|token| token.kind == Kind::Word)?;
        Some(&self.text[token.part.clone()])
    }

    fn takes(&mut self, kind: Kind) -> bool {
        let takes = self.peek() == Some(kind);
        self.at += usize::from(takes);
        takes
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let takes = self.peek_word() == Some(word);
        self.at += usize::from(takes);
        takes
    }

    fn takes_number(&mut self) -> Option<i32> {
        let Some(Kind::Number(number)) = self.peek() else { return None };
        self.at += 1;
        Some(number)
    }

    /// A fault at the next word, or at the end.
    fn here(&self, message: &str) -> Fault {
        let end = self.text.trim_end().len();
        let part = self.tokens.get(self.at).map_or(end..end, |token| token.part.clone());
        Fault::new(part, message.to_string())
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        self.here(&format!("expected {wanted}"))
    }
}

fn too_long(size: usize) -> String {
    format!("a list has at most {MAX_SIZE} weights, conditions included; this is the end of {size}")
}

/// The known word that looks most like it, as the end of a sentence.
pub fn suggestion<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(known) => format!("; did you mean '{known}'?"),
        None => ", and nothing is called much like it".to_string(),
    }
}

/// The known word that looks most like it, if half of its letters are right.
///
/// ```
/// use bsq_games::british_square::heuristic::language::nearest;
///
/// let known = ["claim", "conflicts"];
/// assert_eq!(nearest("clame", known.into_iter()), Some("claim"));
/// assert_eq!(nearest("weight", known.into_iter()), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.map(|known| (strsim::damerau_levenshtein(word, known), known));
    let (distance, known) = near.min_by_key(|&(distance, _)| distance)?;
    (distance * 2 <= word.chars().count().max(2)).then_some(known)
}

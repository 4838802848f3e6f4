//! The parser of decision lists.

use crate::british_square::heuristic::built_in::BUILT_IN;
use crate::british_square::heuristic::features;
use crate::british_square::heuristic::features::Feature;
use crate::british_square::heuristic::list::{
    DecisionList, Heuristic, Relation, Rule, Sum, Term, Test,
};
use bsq_engine::expression::{Fault, Kind, Language, Token, suggestion, tokens};

/// The maximum number of weights of a list, including those of conditions.
pub const MAX_SIZE: usize = 50;

/// The maximum absolute value of weights and of numbers in conditions.
pub const MAX_NUMBER: i32 = 1000;

/// The words that cannot name a list.
const KEYWORDS: [&str; 14] = [
    "any", "reply", "most", "least", "up", "down", "to", "if", "and", "is", "odd", "even", "list",
    "features",
];

/// A recursive-descent parser.
pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// The index of the next token.
    at: usize,
    /// The lists that can be named.
    lists: &'a [Heuristic],
}

impl<'a> Parser<'a> {
    /// Creates a parser of a list. `lists` can be named in it.
    pub(super) fn new(text: &'a str, lists: &'a [Heuristic]) -> Result<Parser<'a>, Fault> {
        Ok(Parser { text, tokens: tokens(text, Language::Rules)?, at: 0, lists })
    }

    /// Parses an entry of a file: a name, `=`, and a list.
    pub(super) fn named_list(mut self) -> Result<Heuristic, Fault> {
        while self.takes(Kind::Separator) {}
        let name = match &self.tokens[self.at..] {
            [Token { kind: Kind::Word, part }, Token { kind: Kind::Sign("="), .. }, ..] => {
                part.clone()
            }
            _ => {
                return Err(self.here(
                    "an entry begins with a name and '=', such as 'mine = most claim'; a line that \
                     goes on with the entry above begins with a blank",
                ));
            }
        };
        let word = &self.text[name.clone()];
        if is_known(word) || KEYWORDS.contains(&word) {
            return Err(Fault::new(
                name,
                format!("'{word}' already means something; take another"),
            ));
        }
        if self.lists.iter().any(|list| list.name.as_deref() == Some(word)) {
            return Err(Fault::new(name, format!("there is a list '{word}' already")));
        }
        self.at += 2;
        let name = Some(word.to_string());
        Ok(Heuristic { name, summary: String::new(), list: self.list()? })
    }

    /// Parses a list up to the end of the text.
    pub(super) fn list(mut self) -> Result<DecisionList, Fault> {
        let mut list = DecisionList::default();
        let mut entries = 0;
        let mut any = false;
        loop {
            while self.takes(Kind::Separator) {}
            if self.at == self.tokens.len() {
                break;
            }
            entries += 1;
            if self.takes_word("any") {
                any = true;
            } else {
                list.rules.extend(self.entry()?);
            }
            if self.at < self.tokens.len() && !self.takes(Kind::Separator) {
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

    /// Parses a rule, or the name of a list, which stands for its rules.
    fn entry(&mut self) -> Result<Vec<Rule>, Fault> {
        if let Some(word) = self.peek_word()
            && let Some(rules) = self.rules_of(word)?
        {
            self.at += 1;
            return Ok(rules);
        }
        let when = if self.takes_word("if") { self.condition()? } else { Vec::new() };
        let is_least = !self.takes_word("most") && self.takes_word("least");
        let sign = if is_least { -1 } else { 1 };
        let aim = self.aim(sign)?;
        let enough = self.enough(sign)?;
        Ok(vec![Rule { when, aim, enough }])
    }

    /// Parses the limit of a rule, if there is one.
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

    /// Parses a number with an optional minus.
    fn number(&mut self) -> Result<i32, Fault> {
        let sign = if self.takes(Kind::Sign("-")) { -1 } else { 1 };
        let number = self.takes_number()?.ok_or_else(|| self.unexpected("a number"))?;
        Ok(sign * number)
    }

    /// Parses a sum, negated if the sign is -1. It may end with `reply(...)`.
    fn aim(&mut self, sign: i32) -> Result<Sum, Fault> {
        let mut aim = Sum::default();
        if !self.takes_reply(false) {
            aim.terms = self.terms(sign, "a feature or a list", |feature| {
                let problem =
                    "is the same for every move; it can only stand in a condition, such as";
                let example = format!("{problem} 'if {} > 1: most claim'", feature.name);
                (!feature.ranks_moves()).then_some(example)
            })?;
            if !self.takes_reply(true) {
                return Ok(aim);
            }
        }
        aim.reply = self.terms(sign, "a feature", |feature| {
            let problem = "cannot be taken after a reply; features of territory that imagine no \
                           other move can, such as 'reply(own-free)'";
            (!feature.tells_replies()).then(|| problem.to_string())
        })?;
        if self.takes(Kind::Sign(")")) {
            Ok(aim)
        } else {
            Err(self.unexpected("')' after what is to be after the reply"))
        }
    }

    /// The rules of the list of that name: a given one, otherwise a built-in one. Where a feature
    /// and a built-in list have the same name, the feature is meant.
    fn rules_of(&self, word: &str) -> Result<Option<Vec<Rule>>, Fault> {
        if let Some(given) = self.lists.iter().find(|list| list.name.as_deref() == Some(word)) {
            return Ok(Some(given.list.rules.clone()));
        }
        let built_in = BUILT_IN.iter().find(|(name, ..)| *name == word);
        let Some((.., text)) = built_in.filter(|_| features::by_name(word).is_none()) else {
            return Ok(None);
        };
        Ok(Some(Parser::new(text, &[])?.list()?.rules))
    }

    /// Parses a condition up to its colon.
    fn condition(&mut self) -> Result<Vec<Test>, Fault> {
        let mut tests = vec![self.test()?];
        while self.takes_word("and") {
            tests.push(self.test()?);
        }
        if self.takes(Kind::Sign(":")) {
            Ok(tests)
        } else {
            Err(self.unexpected("'and' or ':' after a condition"))
        }
    }

    /// Parses a comparison.
    fn test(&mut self) -> Result<Test, Fault> {
        let terms = self.terms(1, "a feature", |feature| {
            let example = "belongs to a move; a condition is about the position, such as \
                           'if contested = 0: most claim'";
            (!feature.tells_positions()).then(|| example.to_string())
        })?;
        let sum = Sum { terms, reply: Vec::new() };
        if self.takes_word("is") {
            let relation = if self.takes_word("odd") {
                Relation::Odd
            } else if self.takes_word("even") {
                Relation::Even
            } else {
                return Err(self.unexpected("'odd' or 'even'"));
            };
            return Ok(Test { sum, relation, number: 0 });
        }
        let relation = Relation::SIGNS.into_iter().find(|(sign, _)| self.takes(Kind::Sign(sign)));
        let Some((_, relation)) = relation else {
            return Err(self.unexpected("a comparison such as '= 0', '> 2' or 'is odd'"));
        };
        Ok(Test { sum, relation, number: self.number()? })
    }

    /// Parses terms, each negated if the sign is -1. `objection` returns the reason if a feature is
    /// invalid here.
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
            let weight = self.takes_number()?;
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
            sign_of_term = if self.takes(Kind::Sign("+")) {
                sign
            } else if self.takes(Kind::Sign("-")) {
                -sign
            } else {
                return Ok(terms);
            };
        }
    }

    /// Parses the name of a feature. `what` names the alternatives, for the error.
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
            let lists = lists.chain(BUILT_IN.iter().map(|(name, ..)| *name));
            let known = features::all().map(|feature| feature.name).chain(lists).chain(KEYWORDS);
            Fault::new(
                self.tokens[self.at].part.clone(),
                format!("'{word}' is not {what}{}", suggestion(word, known)),
            )
        })?;
        self.at += 1;
        Ok(feature)
    }

    /// Whether the tokens from that index on begin with `reply(`.
    fn has_reply_at(&self, at: usize) -> bool {
        let token = |at: usize| self.tokens.get(at);
        let word = token(at).is_some_and(|token| &self.text[token.part.clone()] == "reply");
        word && token(at + 1).is_some_and(|token| token.kind == Kind::Sign("("))
    }

    /// Takes `reply(`, and the plus before it if terms came first. Returns whether it was there.
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

    /// Takes the next token if it is of that kind.
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

    fn takes_number(&mut self) -> Result<Option<i32>, Fault> {
        let Some(Kind::Number(number)) = self.peek() else { return Ok(None) };
        let number = i32::try_from(*number.numer()).ok().filter(|&number| number <= MAX_NUMBER);
        let number = number.ok_or_else(|| self.here(&format!("numbers go up to {MAX_NUMBER}")))?;
        self.at += 1;
        Ok(Some(number))
    }

    /// An error at the next token, or at the end of the text.
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

/// Whether a feature or a built-in list has that name.
fn is_known(word: &str) -> bool {
    features::by_name(word).is_some() || BUILT_IN.iter().any(|(name, ..)| *name == word)
}

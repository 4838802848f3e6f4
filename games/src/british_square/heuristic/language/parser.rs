//! The parser of decision lists.

use crate::british_square::heuristic::built_in::BUILT_IN;
use crate::british_square::heuristic::features;
use crate::british_square::heuristic::features::Feature;
use crate::british_square::heuristic::list::{DecisionList, Heuristic, Rule, Sum, Term, Test};
use bsq_engine::expression::{
    ColumnName, Comparison, Cursor, Fault, Kind, Language, Number, Token, Type, WeightedColumn,
    alternatives, suggestion,
};
use std::ops::Range;

/// The maximum number of weights of a list, including those of conditions.
pub const MAX_SIZE: usize = 50;

/// The maximum absolute value of weights and of numbers in conditions.
pub const MAX_NUMBER: i32 = 1000;

/// The words that cannot name a list.
const KEYWORDS: [&str; 18] = [
    "any", "reply", "most", "least", "up", "down", "to", "if", "and", "or", "not", "is", "odd",
    "even", "true", "false", "list", "features",
];

/// A recursive-descent parser.
pub(super) struct Parser<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    /// The lists that can be named.
    lists: &'a [Heuristic],
}

impl<'a> Parser<'a> {
    /// Creates a parser of a list. `lists` can be named in it.
    pub(super) fn new(text: &'a str, lists: &'a [Heuristic]) -> Result<Parser<'a>, Fault> {
        Ok(Parser { text, cursor: Cursor::new(text, Language::Rules)?, lists })
    }

    /// Parses an entry of a file: a name, `=`, and a list.
    pub(super) fn named_list(mut self) -> Result<Heuristic, Fault> {
        while self.cursor.takes(Kind::Separator) {}
        let name = match self.cursor.rest() {
            [Token { kind: Kind::Word, part }, Token { kind: Kind::Sign("="), .. }, ..] => {
                part.clone()
            }
            _ => {
                return Err(self.cursor.fault(
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
        self.cursor.skip(2);
        let name = Some(word.to_string());
        Ok(Heuristic { name, summary: String::new(), list: self.list()? })
    }

    /// Parses a list up to the end of the text.
    pub(super) fn list(mut self) -> Result<DecisionList, Fault> {
        let mut list = DecisionList::default();
        let mut entries = 0;
        let mut any = false;
        loop {
            while self.cursor.takes(Kind::Separator) {}
            if self.cursor.is_at_end() {
                break;
            }
            entries += 1;
            if self.cursor.takes_word("any") {
                any = true;
            } else {
                list.rules.extend(self.entry()?);
            }
            if !self.cursor.is_at_end() && !self.cursor.takes(Kind::Separator) {
                return Err(self.cursor.unexpected("a comma and another rule"));
            }
            if any && entries > 1 {
                return Err(self.cursor.fault("'any' likes every move and stands alone"));
            }
            if list.size() > MAX_SIZE {
                return Err(self.cursor.fault(too_long(list.size())));
            }
        }
        if entries == 0 {
            return Err(self.cursor.fault("a list needs a rule, such as 'most claim', or 'any'"));
        }
        Ok(list)
    }

    /// Parses a rule, which stands for a rule for each alternative of its condition, or the name of
    /// a list, which stands for its rules.
    fn entry(&mut self) -> Result<Vec<Rule>, Fault> {
        if let Some(word) = self.cursor.peek_word()
            && let Some(rules) = self.rules_of(word)?
        {
            self.cursor.skip(1);
            return Ok(rules);
        }
        let whens = if self.cursor.takes_word("if") { self.condition()? } else { vec![Vec::new()] };
        let is_least = !self.cursor.takes_word("most") && self.cursor.takes_word("least");
        let sign = if is_least { -1 } else { 1 };
        let aim = self.aim(sign)?;
        let enough = self.enough(sign)?;
        // The best moves remain the best where two alternatives hold.
        let rule = |when| Rule { when, aim: aim.clone(), enough };
        Ok(whens.into_iter().map(rule).collect())
    }

    /// Parses the limit of a rule, if there is one.
    fn enough(&mut self, sign: i32) -> Result<Option<i32>, Fault> {
        let (word, other) = if sign > 0 { ("up", "down") } else { ("down", "up") };
        if self.cursor.peek_word() == Some(other) {
            let wanted = format!(
                "'{word} to': the rule asks for the {}",
                if sign > 0 { "most" } else { "least" }
            );
            return Err(self.cursor.unexpected(&wanted));
        }
        if !self.cursor.takes_word(word) {
            return Ok(None);
        }
        if !self.cursor.takes_word("to") {
            return Err(self.cursor.unexpected("'to' and a number"));
        }
        Ok(Some(sign * self.number()?))
    }

    /// Parses a number with an optional minus.
    fn number(&mut self) -> Result<i32, Fault> {
        let sign = if self.cursor.takes(Kind::Sign("-")) { -1 } else { 1 };
        let number = self.takes_number()?.ok_or_else(|| self.cursor.unexpected("a number"))?;
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
        if self.cursor.takes(Kind::Sign(")")) {
            Ok(aim)
        } else {
            Err(self.cursor.unexpected("')' after what is to be after the reply"))
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

    /// Parses a condition up to its colon: the tests of each alternative.
    fn condition(&mut self) -> Result<Vec<Vec<Test>>, Fault> {
        let start = self.cursor.part().start;
        let columns: Vec<ColumnName> = features::all()
            .map(|feature| ColumnName { name: feature.name, kind: Type::Number })
            .collect();
        let found = alternatives(&mut self.cursor, &columns, MAX_SIZE)?;
        let end = self.cursor.part().start;
        if !self.cursor.takes(Kind::Sign(":")) {
            return Err(self.cursor.unexpected("'and', 'or' or ':' after a condition"));
        }
        if found.is_empty() {
            let message = "this condition never holds; leave the rule out";
            return Err(Fault::new(start..end, message.to_string()));
        }
        let tests = |all: &Vec<Comparison>| all.iter().map(test).collect();
        found.iter().map(tests).collect()
    }

    /// Parses terms, each negated if the sign is -1. `objection` returns the reason if a feature is
    /// invalid here.
    fn terms(
        &mut self,
        sign: i32,
        what: &str,
        objection: impl Fn(&Feature) -> Option<String>,
    ) -> Result<Vec<Term>, Fault> {
        let mut sign_of_term = if self.cursor.takes(Kind::Sign("-")) { -sign } else { sign };
        let mut terms = Vec::new();
        loop {
            let start = self.cursor.part();
            let weight = self.takes_number()?;
            if weight.is_some() && !self.cursor.takes(Kind::Sign("*")) {
                return Err(self
                    .cursor
                    .unexpected("'*' and a feature after a weight, such as '2*claim'"));
            }
            if weight == Some(0) {
                return Err(Fault::new(start, "a weight of 0 does nothing; leave it out".into()));
            }
            let part = self.cursor.part();
            let feature = self.feature(what)?;
            if let Some(objection) = objection(feature) {
                return Err(Fault::new(part, format!("'{}' {objection}", feature.name)));
            }
            terms.push(Term { weight: sign_of_term * weight.unwrap_or(1), feature });
            if terms.len() > MAX_SIZE {
                return Err(self.cursor.fault(too_long(terms.len())));
            }
            if self.cursor.peek() == Some(Kind::Sign("+")) && self.has_reply_after(1) {
                return Ok(terms);
            }
            sign_of_term = if self.cursor.takes(Kind::Sign("+")) {
                sign
            } else if self.cursor.takes(Kind::Sign("-")) {
                -sign
            } else {
                return Ok(terms);
            };
        }
    }

    /// Parses the name of a feature. `what` names the alternatives, for the error.
    fn feature(&mut self, what: &str) -> Result<&'static Feature, Fault> {
        let Some(word) = self.cursor.peek_word() else {
            return Err(self.cursor.unexpected("a feature"));
        };
        if word == "reply" {
            return Err(self.cursor.fault(
                "'reply(...)' stands once in a rule, at its end, after a plus or alone; weights and \
                 minuses go inside, such as 'claim + reply(2*own-free - opponent-free)'",
            ));
        }
        let feature = features::by_name(&Language::Rules.spelled(word)).ok_or_else(|| {
            let lists = self.lists.iter().filter_map(|list| list.name.as_deref());
            let lists = lists.chain(BUILT_IN.iter().map(|(name, ..)| *name));
            let known = features::all().map(|feature| feature.name).chain(lists).chain(KEYWORDS);
            Fault::new(
                self.cursor.part(),
                format!("'{word}' is not {what}{}", suggestion(word, known)),
            )
        })?;
        self.cursor.skip(1);
        Ok(feature)
    }

    /// Whether so many tokens are followed by `reply(`.
    fn has_reply_after(&self, tokens: usize) -> bool {
        let rest = self.cursor.rest();
        let word = rest.get(tokens).is_some_and(|token| &self.text[token.part.clone()] == "reply");
        word && rest.get(tokens + 1).is_some_and(|token| token.kind == Kind::Sign("("))
    }

    /// Takes `reply(`, and the plus before it if terms came first. Returns whether it was there.
    fn takes_reply(&mut self, after_terms: bool) -> bool {
        let plus = usize::from(after_terms);
        let is_joined = !after_terms || self.cursor.peek() == Some(Kind::Sign("+"));
        let takes = is_joined && self.has_reply_after(plus);
        self.cursor.skip(if takes { plus + 2 } else { 0 });
        takes
    }

    fn takes_number(&mut self) -> Result<Option<i32>, Fault> {
        let Some(Kind::Number(number)) = self.cursor.peek() else { return Ok(None) };
        let number = small(number).ok_or_else(|| self.cursor.fault(out_of_range()))?;
        self.cursor.skip(1);
        Ok(Some(number))
    }
}

/// A comparison as a test of a position.
fn test(comparison: &Comparison) -> Result<Test, Fault> {
    let small = |number: i64, part: &Range<usize>| {
        small(number.into()).ok_or_else(|| Fault::new(part.clone(), out_of_range()))
    };
    let term = |term: &WeightedColumn| {
        let feature = features::all().nth(term.column).expect("a column is a feature");
        if feature.tells_positions() {
            return Ok(Term { weight: small(term.weight, &term.part)?, feature });
        }
        let message = format!(
            "'{}' belongs to a move; a condition is about the position, such as 'if contested = 0: \
             most claim'",
            feature.name
        );
        Err(Fault::new(term.part.clone(), message))
    };
    let terms = comparison.terms.iter().map(term).collect::<Result<_, Fault>>()?;
    let number = small(comparison.number, &comparison.part)?;
    Ok(Test { sum: Sum { terms, reply: Vec::new() }, relation: comparison.relation, number })
}

/// A weight, a limit or a number in a condition, if it is in range.
fn small(number: Number) -> Option<i32> {
    let small = i32::try_from(*number.numer())
        .ok()
        .filter(|small| (-MAX_NUMBER..=MAX_NUMBER).contains(small));
    small.filter(|_| number.is_integer())
}

fn out_of_range() -> String {
    format!("numbers go up to {MAX_NUMBER}, and weights are whole")
}

fn too_long(size: usize) -> String {
    format!("a list has at most {MAX_SIZE} weights, conditions included; this is the end of {size}")
}

/// Whether a feature or a built-in list has that name.
fn is_known(word: &str) -> bool {
    features::by_name(word).is_some() || BUILT_IN.iter().any(|(name, ..)| *name == word)
}

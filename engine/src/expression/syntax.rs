//! The syntax of expressions: a tree of what is written, without types.

use super::cursor::Cursor;
use super::error::Fault;
use super::relation::Relation;
use super::tokens::{Kind, Number};
use std::ops::Range;

/// The most tokens of an expression.
const MOST_TOKENS: usize = 1000;
/// The most operators, signs and parentheses within each other.
const DEEPEST: usize = 100;

/// A part of an expression.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: NodeKind,
    /// Its bytes in the text, without parentheses around it.
    pub part: Range<usize>,
}

impl Node {
    /// Passes the part of each name to `see`, in order.
    pub fn each_name(&self, see: &mut impl FnMut(&Range<usize>)) {
        match &self.kind {
            NodeKind::Number(_) => {}
            NodeKind::Name => see(&self.part),
            NodeKind::Negative(of) | NodeKind::Not(of) => of.each_name(see),
            NodeKind::Arithmetic(_, left, right) | NodeKind::Comparison(_, left, right) => {
                left.each_name(see);
                right.each_name(see);
            }
            NodeKind::All(nodes) | NodeKind::Any(nodes) => {
                nodes.iter().for_each(|node| node.each_name(see));
            }
        }
    }
}

/// What a part of an expression is.
#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Number(Number),
    /// A column, `true`, `false`, or a word of an enumeration.
    Name,
    Negative(Box<Node>),
    Arithmetic(Arithmetic, Box<Node>, Box<Node>),
    /// Odd and even are compared with 0.
    Comparison(Relation, Box<Node>, Box<Node>),
    Not(Box<Node>),
    /// Two or more conditions joined by `and`.
    All(Vec<Node>),
    /// Two or more conditions joined by `or`.
    Any(Vec<Node>),
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Sum,
    Difference,
    Product,
    Quotient,
}

/// Words that cannot be names.
const KEYWORDS: [&str; 6] = ["and", "or", "not", "is", "odd", "even"];

/// Parses the longest expression at a cursor.
pub(super) fn parse(cursor: &mut Cursor) -> Result<Node, Fault> {
    let after = cursor.rest().len().saturating_sub(MOST_TOKENS);
    Parser { cursor, after, depth: 0 }.any()
}

/// A recursive-descent parser. Each method parses what its name says, or what binds more tightly.
struct Parser<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    /// How many tokens of the text must be left after the expression.
    after: usize,
    /// How deep the next token is.
    depth: usize,
}

impl Parser<'_, '_> {
    fn any(&mut self) -> Result<Node, Fault> {
        self.deeper(|parser| parser.joined("or", Self::all, NodeKind::Any))
    }

    fn all(&mut self) -> Result<Node, Fault> {
        self.joined("and", Self::not, NodeKind::All)
    }

    /// Parses conditions joined by a word.
    fn joined(
        &mut self,
        word: &str,
        condition: fn(&mut Self) -> Result<Node, Fault>,
        kind: fn(Vec<Node>) -> NodeKind,
    ) -> Result<Node, Fault> {
        let first = condition(self)?;
        let mut nodes = vec![first];
        while self.cursor.takes_word(word) {
            nodes.push(condition(self)?);
        }
        if nodes.len() == 1 {
            return Ok(nodes.remove(0));
        }
        let part = nodes[0].part.start..nodes[nodes.len() - 1].part.end;
        Ok(Node { kind: kind(nodes), part })
    }

    fn not(&mut self) -> Result<Node, Fault> {
        let start = self.cursor.part().start;
        if !self.cursor.takes_word("not") {
            return self.comparison();
        }
        let node = self.deeper(Self::not)?;
        Ok(Node { part: start..node.part.end, kind: NodeKind::Not(Box::new(node)) })
    }

    fn comparison(&mut self) -> Result<Node, Fault> {
        let left = self.sum()?;
        let start = left.part.start;
        if self.cursor.takes_word("is") {
            let part = self.cursor.part();
            let relation = if self.cursor.takes_word("odd") {
                Relation::Odd
            } else if self.cursor.takes_word("even") {
                Relation::Even
            } else {
                return Err(self.cursor.unexpected("'odd' or 'even'"));
            };
            let zero = Node { kind: NodeKind::Number(Number::ZERO), part: part.clone() };
            let kind = NodeKind::Comparison(relation, Box::new(left), Box::new(zero));
            return Ok(Node { kind, part: start..part.end });
        }
        let Some(relation) = self.takes_relation() else { return Ok(left) };
        let right = self.sum()?;
        let part = start..right.part.end;
        if Relation::SIGNS.iter().any(|(sign, _)| self.cursor.peek() == Some(Kind::Sign(sign))) {
            return Err(self.cursor.unexpected("'and', as in '1 < ply and ply < 3'"));
        }
        Ok(Node { kind: NodeKind::Comparison(relation, Box::new(left), Box::new(right)), part })
    }

    fn sum(&mut self) -> Result<Node, Fault> {
        let signs = [("+", Arithmetic::Sum), ("-", Arithmetic::Difference)];
        self.arithmetic(signs, Self::product)
    }

    fn product(&mut self) -> Result<Node, Fault> {
        let signs = [("*", Arithmetic::Product), ("/", Arithmetic::Quotient)];
        self.arithmetic(signs, Self::signed)
    }

    /// Parses operands joined by some signs, from left to right.
    fn arithmetic(
        &mut self,
        signs: [(&'static str, Arithmetic); 2],
        operand: fn(&mut Self) -> Result<Node, Fault>,
    ) -> Result<Node, Fault> {
        let mut left = operand(self)?;
        while let Some((_, operation)) =
            signs.into_iter().find(|(sign, _)| self.cursor.takes(Kind::Sign(sign)))
        {
            let right = operand(self)?;
            let part = left.part.start..right.part.end;
            let kind = NodeKind::Arithmetic(operation, Box::new(left), Box::new(right));
            left = Node { kind, part };
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Node, Fault> {
        let start = self.cursor.part().start;
        if !self.cursor.takes(Kind::Sign("-")) {
            return self.atom();
        }
        let node = self.deeper(Self::signed)?;
        Ok(Node { part: start..node.part.end, kind: NodeKind::Negative(Box::new(node)) })
    }

    fn atom(&mut self) -> Result<Node, Fault> {
        if self.cursor.rest().len() <= self.after && !self.cursor.is_at_end() {
            let limit = format!("at most {MOST_TOKENS} words, numbers and signs");
            return Err(self.cursor.fault(format!("an expression has {limit}")));
        }
        let part = self.cursor.part();
        match self.cursor.peek() {
            Some(Kind::Number(number)) => {
                self.cursor.skip(1);
                Ok(Node { kind: NodeKind::Number(number), part })
            }
            Some(Kind::Word) if !KEYWORDS.contains(&&self.cursor.text()[part.clone()]) => {
                self.cursor.skip(1);
                Ok(Node { kind: NodeKind::Name, part })
            }
            Some(Kind::Sign("(")) => {
                self.cursor.skip(1);
                let node = self.any()?;
                if self.cursor.takes(Kind::Sign(")")) {
                    Ok(node)
                } else {
                    Err(self.cursor.unexpected("')'"))
                }
            }
            _ => {
                let named = self.cursor.language().named();
                Err(self.cursor.unexpected(&format!("{named}, a number or '('")))
            }
        }
    }

    /// Parses a part that is within another one.
    fn deeper(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<Node, Fault>,
    ) -> Result<Node, Fault> {
        if self.depth == DEEPEST {
            let message = format!("at most {DEEPEST} parts can be within each other");
            return Err(self.cursor.fault(message));
        }
        self.depth += 1;
        let node = parse(self);
        self.depth -= 1;
        node
    }

    fn takes_relation(&mut self) -> Option<Relation> {
        let found =
            Relation::SIGNS.into_iter().find(|(sign, _)| self.cursor.takes(Kind::Sign(sign)));
        found.map(|(_, relation)| relation)
    }
}

//! Conditions as alternatives of comparisons, the form that a decision list has.

use super::cursor::Cursor;
use super::error::Fault;
use super::relation::Relation;
use super::syntax::{self, Arithmetic, Node, NodeKind};
use super::tokens::Number;
use super::typed::{ColumnName, Scope, Type, too_large};
use num_traits::{One as _, Zero as _};
use std::ops::Range;

/// A comparison of a weighted sum with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The terms of the sum, in the order of the text; at least one.
    pub terms: Vec<WeightedColumn>,
    /// The comparison.
    pub relation: Relation,
    /// The number compared with; 0 for odd and even.
    pub number: i64,
    /// The bytes of the comparison in the text.
    pub part: Range<usize>,
}

/// A column with a weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedColumn {
    /// The weight, not 0.
    pub weight: i64,
    /// The index of the column.
    pub column: usize,
    /// The bytes of the name in the text.
    pub part: Range<usize>,
}

/// Parses the longest condition at a cursor as alternatives: it holds where all comparisons of at
/// least one of them hold. The columns have numbers, and no value is missing. Fractions are
/// multiplied out, and all columns of a comparison are moved to one side.
///
/// ```
/// use bsq_engine::expression::{ColumnName, Cursor, Language, Relation, Type, alternatives};
///
/// let columns = ["a", "b"].map(|name| ColumnName { name, kind: Type::Number });
/// let mut cursor = Cursor::new("not (a / 2 >= b and b != 1)", Language::Rules).unwrap();
/// let [either, or] = &*alternatives(&mut cursor, &columns, 10).unwrap() else { panic!() };
/// let weights = either[0].terms.iter().map(|term| (term.weight, term.column));
/// assert_eq!(weights.collect::<Vec<_>>(), [(1, 0), (-2, 1)]);
/// assert_eq!((either[0].relation, either[0].number), (Relation::Less, 0));
/// assert_eq!((or[0].relation, or[0].number), (Relation::Equal, 1));
/// ```
///
/// # Errors
///
/// As for [`Expression::parse`](super::Expression::parse); if columns are multiplied or divided by
/// columns; and if the alternatives have more than `most` terms, or a number is too large.
pub fn alternatives(
    cursor: &mut Cursor,
    columns: &[ColumnName],
    most: usize,
) -> Result<Vec<Vec<Comparison>>, Fault> {
    let node = syntax::parse(cursor)?;
    let scope = Scope::new(cursor.text(), cursor.language(), columns);
    scope.check_condition(&node)?;
    Lowering { scope, most }.alternatives(&node, true)
}

/// Finds the alternatives of conditions whose types have been checked.
struct Lowering<'a> {
    scope: Scope<'a>,
    most: usize,
}

/// A weighted sum of columns, and a number.
struct Linear {
    terms: Vec<(Number, usize, Range<usize>)>,
    constant: Number,
}

impl Lowering<'_> {
    /// The alternatives of a condition, or of its negation.
    fn alternatives(&self, node: &Node, holds: bool) -> Result<Vec<Vec<Comparison>>, Fault> {
        let found = match &node.kind {
            NodeKind::Not(of) => self.alternatives(of, !holds)?,
            NodeKind::All(nodes) if holds => self.all(nodes, true)?,
            NodeKind::Any(nodes) if !holds => self.all(nodes, false)?,
            NodeKind::All(nodes) | NodeKind::Any(nodes) => {
                let each = nodes.iter().map(|node| self.alternatives(node, holds));
                each.collect::<Result<Vec<_>, Fault>>()?.concat()
            }
            NodeKind::Comparison(relation, left, right)
                if self.scope.kind_of(left)? == Type::Truth && !relation.is_parity() =>
            {
                // The same truth value on both sides, or different ones.
                let same = (*relation == Relation::Equal) == holds;
                let mut both = self.product(left, true, right, same)?;
                both.extend(self.product(left, false, right, !same)?);
                both
            }
            NodeKind::Comparison(relation, left, right) => {
                self.comparison(node, *relation, left, right, holds)?
            }
            _ => constant(self.scope.constant(node) == Some(holds)),
        };
        let terms: usize = found.iter().flatten().map(|comparison| comparison.terms.len()).sum();
        if terms > self.most {
            let message = format!(
                "at most {} weights, where each alternative counts as a condition of its own",
                self.most
            );
            return Err(Fault::new(node.part.clone(), message));
        }
        // An alternative without comparisons holds always.
        let always = found.iter().any(Vec::is_empty);
        Ok(if always { constant(true) } else { found })
    }

    /// The alternatives in which all conditions hold, or none.
    fn all(&self, nodes: &[Node], hold: bool) -> Result<Vec<Vec<Comparison>>, Fault> {
        let mut found = constant(true);
        for node in nodes {
            found = self.joined(node, &found, &self.alternatives(node, hold)?)?;
        }
        Ok(found)
    }

    /// The alternatives in which two conditions hold or do not.
    fn product(
        &self,
        left: &Node,
        left_holds: bool,
        right: &Node,
        right_holds: bool,
    ) -> Result<Vec<Vec<Comparison>>, Fault> {
        let left = self.alternatives(left, left_holds)?;
        self.joined(right, &left, &self.alternatives(right, right_holds)?)
    }

    /// Each alternative of the first list with each of the second.
    fn joined(
        &self,
        node: &Node,
        first: &[Vec<Comparison>],
        second: &[Vec<Comparison>],
    ) -> Result<Vec<Vec<Comparison>>, Fault> {
        if first.len() * second.len() > self.most {
            let message = format!("at most {} alternatives", self.most);
            return Err(Fault::new(node.part.clone(), message));
        }
        let with = |one: &Vec<Comparison>| {
            let one = one.clone();
            second.iter().map(move |other| [&one[..], other].concat())
        };
        Ok(first.iter().flat_map(with).collect())
    }

    fn comparison(
        &self,
        node: &Node,
        relation: Relation,
        left: &Node,
        right: &Node,
        holds: bool,
    ) -> Result<Vec<Vec<Comparison>>, Fault> {
        let [left, right] = [self.linear(left)?, self.linear(right)?];
        let is_turned = left.terms.is_empty();
        let (left, right) = if is_turned { (right, left) } else { (left, right) };
        let relation = if is_turned { relation.turned() } else { relation };
        let relation = if holds { relation } else { relation.negated() };
        let part = &node.part;
        let sum = left.plus(Arithmetic::Difference, right, part)?;
        // No number is as low as i64::MIN.
        let (mut terms, mut number) = (sum.terms, -sum.constant);
        if terms.is_empty() {
            return Ok(constant(relation.holds_for(&sum.constant, &Number::zero())));
        }
        let is_whole = terms.iter().all(|(weight, ..)| weight.is_integer());
        if relation.is_parity() && !(is_whole && number.is_integer()) {
            return Err(Fault::new(part.clone(), "only whole numbers are odd or even".to_string()));
        }
        let fraction = |terms: &[(Number, usize, Range<usize>)], number: Number| {
            let weights = terms.iter().map(|(weight, ..)| *weight);
            weights.chain([number]).find(|value| !value.is_integer())
        };
        while let Some(fraction) = fraction(&terms, number) {
            let scale = Number::from_integer(*fraction.denom());
            let scaled =
                |value| Arithmetic::Product.of(value, scale).ok_or_else(|| too_large(part));
            for (weight, ..) in &mut terms {
                *weight = scaled(*weight)?;
            }
            number = scaled(number)?;
        }
        let (relation, number) = match relation {
            Relation::Odd | Relation::Even if number.numer() % 2 != 0 => (relation.negated(), 0),
            Relation::Odd | Relation::Even => (relation, 0),
            _ => (relation, *number.numer()),
        };
        let terms = terms.into_iter().map(|(weight, column, part)| WeightedColumn {
            weight: *weight.numer(),
            column,
            part,
        });
        Ok(vec![vec![Comparison { terms: terms.collect(), relation, number, part: part.clone() }]])
    }

    /// A part as a weighted sum of columns and a number.
    fn linear(&self, node: &Node) -> Result<Linear, Fault> {
        let part = &node.part;
        match &node.kind {
            NodeKind::Number(number) => Ok(Linear { terms: Vec::new(), constant: *number }),
            NodeKind::Negative(of) => {
                let zero = Linear { terms: Vec::new(), constant: Number::zero() };
                zero.plus(Arithmetic::Difference, self.linear(of)?, part)
            }
            NodeKind::Arithmetic(operation, left, right) => {
                let [left, right] = [self.linear(left)?, self.linear(right)?];
                match operation {
                    Arithmetic::Sum | Arithmetic::Difference => left.plus(*operation, right, part),
                    Arithmetic::Product if left.terms.is_empty() => {
                        right.times(*operation, left.constant, part)
                    }
                    Arithmetic::Product | Arithmetic::Quotient => {
                        if !right.terms.is_empty() {
                            let message = "a rule multiplies and divides by numbers only";
                            return Err(Fault::new(part.clone(), message.to_string()));
                        }
                        left.times(*operation, right.constant, part)
                    }
                }
            }
            _ => {
                let (column, _) = self.scope.named(node)?;
                let term = (Number::one(), column, part.clone());
                Ok(Linear { terms: vec![term], constant: Number::zero() })
            }
        }
    }
}

/// The alternatives of a condition that always holds, or never.
fn constant(holds: bool) -> Vec<Vec<Comparison>> {
    if holds { vec![Vec::new()] } else { Vec::new() }
}

impl Linear {
    /// The sum or the difference with another one.
    fn plus(
        mut self,
        sign: Arithmetic,
        other: Linear,
        part: &Range<usize>,
    ) -> Result<Linear, Fault> {
        let signed = |value: Number| sign.of(Number::zero(), value).ok_or_else(|| too_large(part));
        for (weight, column, name) in other.terms {
            self.terms.push((signed(weight)?, column, name));
        }
        let constant = sign.of(self.constant, other.constant).ok_or_else(|| too_large(part))?;
        Ok(Linear { constant, ..self })
    }

    /// The product with a number, or the quotient by it.
    fn times(
        mut self,
        operation: Arithmetic,
        number: Number,
        part: &Range<usize>,
    ) -> Result<Linear, Fault> {
        if number.is_zero() {
            let message = match operation {
                Arithmetic::Quotient => "division by zero",
                _ if self.terms.is_empty() => return Ok(Linear { constant: number, ..self }),
                _ => "a weight of 0 does nothing; leave it out",
            };
            return Err(Fault::new(part.clone(), message.to_string()));
        }
        let scaled = |value| operation.of(value, number).ok_or_else(|| too_large(part));
        for (weight, ..) in &mut self.terms {
            *weight = scaled(*weight)?;
        }
        Ok(Linear { constant: scaled(self.constant)?, ..self })
    }
}

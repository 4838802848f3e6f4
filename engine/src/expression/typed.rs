//! Expressions whose types have been checked, and their evaluation.

use super::cursor::Cursor;
use super::error::{Fault, ParseError};
use super::relation::Relation;
use super::suggestion;
use super::syntax::{self, Arithmetic, Node, NodeKind};
use super::tokens::{Language, Number};
use num_rational::Ratio;
use num_traits::Zero as _;
use std::ops::Range;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type<'a> {
    /// Numbers.
    Number,
    /// Truth values.
    Truth,
    /// One of some words.
    Words(&'a [&'a str]),
    /// Texts, which cannot be compared.
    Text,
}

impl Type<'_> {
    /// What a value of the type is, in words.
    fn described(self) -> String {
        match self {
            Type::Number => "a number".to_string(),
            Type::Truth => "true or false".to_string(),
            Type::Words(words) => format!("one of the words {}", words.join(", ")),
            Type::Text => "a text, which cannot be compared".to_string(),
        }
    }
}

/// A column that expressions can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnName<'a> {
    /// The name.
    pub name: &'a str,
    /// The type of its values.
    pub kind: Type<'a>,
}

/// The values of the columns in a row. Columns are counted from 0, in the order in which they were
/// given to [`Expression::parse`]. A value may be missing.
pub trait Row {
    /// The value of a column of numbers, whose numerator is not `i64::MIN`.
    fn number(&self, column: usize) -> Option<Number>;
    /// The value of a column of truth values.
    fn truth(&self, column: usize) -> Option<bool>;
    /// The value of a column of words: the index of the word.
    fn word(&self, column: usize) -> Option<usize>;
}

/// An expression whose types have been checked.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A number.
    Number(Quantity),
    /// A condition.
    Truth(Condition),
    /// A column of words.
    Words(usize),
    /// A column of texts.
    Text(usize),
}

impl Expression {
    /// Parses an expression and checks its types.
    ///
    /// # Errors
    ///
    /// If the text is not an expression, names a column that is not given, or combines types that do
    /// not fit. The error marks the part that is wrong.
    pub fn parse(text: &str, columns: &[ColumnName]) -> Result<Expression, ParseError> {
        let scope = Scope::new(text, Language::Expressions, columns);
        let checked = parse(text).and_then(|node| scope.expression(&node));
        checked.map_err(|fault| fault.within(text))
    }
}

/// Parses a text that is an expression.
fn parse(text: &str) -> Result<Node, Fault> {
    let mut cursor = Cursor::new(text, Language::Expressions)?;
    let node = syntax::parse(&mut cursor)?;
    if cursor.is_at_end() { Ok(node) } else { Err(cursor.unexpected("'and', 'or', or the end")) }
}

/// An expression that is a condition.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    truth: Truth,
    columns: Vec<usize>,
}

/// An expression that is a number.
#[derive(Clone, Debug)]
pub struct Quantity {
    text: String,
    amount: Amount,
}

impl Condition {
    /// The columns that the condition names, in increasing order.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Parses a condition and checks its types.
    ///
    /// # Errors
    ///
    /// As for [`Expression::parse`], and if the expression is not a condition.
    pub fn parse(text: &str, columns: &[ColumnName]) -> Result<Condition, ParseError> {
        let scope = Scope::new(text, Language::Expressions, columns);
        let checked = parse(text).and_then(|node| scope.condition(&node));
        checked.map_err(|fault| fault.within(text))
    }

    /// Whether the condition holds in a row. A comparison with a missing value does not hold.
    ///
    /// # Errors
    ///
    /// If a number is divided by zero, or a result is too large. The error marks the operation.
    pub fn holds(&self, row: &impl Row) -> Result<bool, ParseError> {
        self.truth.holds(row).map_err(|fault| fault.within(&self.text))
    }
}

impl Quantity {
    /// Whether the number is an integer in every row, if those of all columns are: it has no quotient
    /// and no fraction.
    pub fn is_integral(&self) -> bool {
        self.amount.is_integral()
    }

    /// The number in a row; `None` if a value that it needs is missing.
    ///
    /// # Errors
    ///
    /// As for [`Condition::holds`].
    pub fn amount(&self, row: &impl Row) -> Result<Option<Number>, ParseError> {
        self.amount.of(row).map_err(|fault| fault.within(&self.text))
    }
}

/// The number 1 where the condition holds, and 0 elsewhere.
impl From<Condition> for Quantity {
    fn from(condition: Condition) -> Quantity {
        Quantity { text: condition.text, amount: Amount::Truth(Box::new(condition.truth)) }
    }
}

/// A condition.
#[derive(Clone, Debug)]
enum Truth {
    Constant(bool),
    Column(usize),
    Not(Box<Truth>),
    All(Vec<Truth>),
    Any(Vec<Truth>),
    Comparison(Relation, Amount, Amount),
    /// Whether two conditions are the same.
    Same(Box<Truth>, Box<Truth>),
    /// Whether a column of words has that word.
    Word {
        column: usize,
        word: usize,
    },
    /// Whether two columns of words have the same word: that of the first, by index, is the given
    /// index in the second.
    SameWord {
        columns: [usize; 2],
        as_second: Vec<Option<usize>>,
    },
    /// Whether a column of words has a value.
    HasWord(usize),
}

/// A number.
#[derive(Clone, Debug)]
enum Amount {
    Constant(Number),
    Column(usize),
    Negative(Box<Amount>),
    Arithmetic(Arithmetic, Box<Amount>, Box<Amount>, Range<usize>),
    /// 1 or 0.
    Truth(Box<Truth>),
}

/// What can be named.
pub(super) struct Scope<'a> {
    text: &'a str,
    language: Language,
    columns: &'a [ColumnName<'a>],
}

/// The names of truth values.
const TRUTHS: [(&str, bool); 2] = [("true", true), ("false", false)];

impl<'a> Scope<'a> {
    /// The columns that a text can name.
    pub(super) fn new(text: &'a str, language: Language, columns: &'a [ColumnName<'a>]) -> Self {
        Scope { text, language, columns }
    }

    fn expression(&self, node: &Node) -> Result<Expression, Fault> {
        let text = self.text.to_string();
        match self.kind_of(node)? {
            Type::Number => Ok(Expression::Number(Quantity { text, amount: self.amount(node)? })),
            Type::Truth => Ok(Expression::Truth(self.condition(node)?)),
            Type::Words(_) => Ok(Expression::Words(self.named(node)?.0)),
            Type::Text => Ok(Expression::Text(self.named(node)?.0)),
        }
    }

    fn condition(&self, node: &Node) -> Result<Condition, Fault> {
        let truth = self.truth(node)?;
        let mut columns = Vec::new();
        node.each_name(&mut |name| {
            columns.extend(self.position(&self.text[name.clone()]));
        });
        columns.sort_unstable();
        columns.dedup();
        Ok(Condition { text: self.text.to_string(), truth, columns })
    }

    /// The type of a part, whose own parts may have wrong types.
    pub(super) fn kind_of(&self, node: &Node) -> Result<Type<'_>, Fault> {
        Ok(match node.kind {
            NodeKind::Number(_) | NodeKind::Negative(_) | NodeKind::Arithmetic(..) => Type::Number,
            NodeKind::Name if self.constant(node).is_some() => Type::Truth,
            NodeKind::Name => self.named(node)?.1,
            _ => Type::Truth,
        })
    }

    /// The truth value that a name means.
    pub(super) fn constant(&self, node: &Node) -> Option<bool> {
        let name = &self.text[node.part.clone()];
        TRUTHS.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The text of a part, without line ends.
    fn on_one_line(&self, node: &Node) -> String {
        self.text[node.part.clone()].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The index of the column of that name.
    fn position(&self, name: &str) -> Option<usize> {
        let name = self.language.spelled(name);
        self.columns.iter().position(|column| column.name == name)
    }

    /// The index and the type of the column that a name means.
    pub(super) fn named(&self, node: &Node) -> Result<(usize, Type<'_>), Fault> {
        let name = &self.text[node.part.clone()];
        self.position(name).map(|at| (at, self.columns[at].kind)).ok_or_else(|| {
            // It may be a word of an enumeration.
            let of_word = self.columns.iter().find(|column| match column.kind {
                Type::Words(words) => words.contains(&name),
                _ => false,
            });
            let names = self.columns.iter().map(|column| column.name);
            let advice = match of_word {
                Some(column) => format!("; did you mean '{} = {name}'?", column.name),
                None => suggestion(name, names.chain(TRUTHS.map(|(name, _)| name))),
            };
            let wanted = self.language.named();
            Fault::new(node.part.clone(), format!("'{name}' is not {wanted}{advice}"))
        })
    }

    /// Checks the types of a part that is to be a condition.
    pub(super) fn check_condition(&self, node: &Node) -> Result<(), Fault> {
        self.truth(node).map(drop)
    }

    /// A part as a condition.
    fn truth(&self, node: &Node) -> Result<Truth, Fault> {
        let all = |nodes: &[Node]| {
            nodes.iter().map(|node| self.truth(node)).collect::<Result<Vec<_>, Fault>>()
        };
        Ok(match &node.kind {
            NodeKind::Not(of) => Truth::Not(Box::new(self.truth(of)?)),
            NodeKind::All(nodes) => Truth::All(all(nodes)?),
            NodeKind::Any(nodes) => Truth::Any(all(nodes)?),
            NodeKind::Comparison(relation, left, right) => {
                self.comparison(node, *relation, left, right)?
            }
            NodeKind::Name if self.constant(node).is_some() => {
                Truth::Constant(self.constant(node) == Some(true))
            }
            NodeKind::Name => match self.named(node)? {
                (column, Type::Truth) => Truth::Column(column),
                (_, kind) => return Err(self.no_condition(node, kind)),
            },
            NodeKind::Number(_) | NodeKind::Negative(_) | NodeKind::Arithmetic(..) => {
                return Err(self.no_condition(node, Type::Number));
            }
        })
    }

    fn no_condition(&self, node: &Node, kind: Type) -> Fault {
        let (part, text) = (node.part.clone(), self.on_one_line(node));
        let example = match kind {
            Type::Number => format!("; compare it, as in '{text} > 0'"),
            Type::Words(words) => format!("; compare it, as in '{text} = {}'", words[0]),
            Type::Truth | Type::Text => String::new(),
        };
        Fault::new(part, format!("'{text}' is {}{example}", kind.described()))
    }

    /// A part as a number.
    fn amount(&self, node: &Node) -> Result<Amount, Fault> {
        let part = node.part.clone();
        Ok(match &node.kind {
            NodeKind::Number(number) => Amount::Constant(*number),
            NodeKind::Negative(of) => Amount::Negative(Box::new(self.amount(of)?)),
            NodeKind::Arithmetic(operation, left, right) => {
                let [left, right] = [left, right].map(|node| self.amount(node).map(Box::new));
                Amount::Arithmetic(*operation, left?, right?, part)
            }
            NodeKind::Name if self.constant(node).is_none() => match self.named(node)? {
                (column, Type::Number) => Amount::Column(column),
                (_, kind) => return Err(self.no_number(node, kind)),
            },
            _ => return Err(self.no_number(node, Type::Truth)),
        })
    }

    fn no_number(&self, node: &Node, kind: Type) -> Fault {
        let text = self.on_one_line(node);
        Fault::new(node.part.clone(), format!("'{text}' is {}, not a number", kind.described()))
    }

    fn comparison(
        &self,
        node: &Node,
        relation: Relation,
        left: &Node,
        right: &Node,
    ) -> Result<Truth, Fault> {
        let is_word =
            |node: &Node| self.kind_of(node).is_ok_and(|kind| matches!(kind, Type::Words(_)));
        let is_truth = |node: &Node| self.kind_of(node).is_ok_and(|kind| kind == Type::Truth);
        let equal = if relation.is_parity() {
            return Ok(Truth::Comparison(relation, self.amount(left)?, self.amount(right)?));
        } else if is_word(left) {
            self.word_comparison(left, right)?
        } else if is_word(right) {
            self.word_comparison(right, left)?
        } else if is_truth(left) || is_truth(right) {
            Truth::Same(Box::new(self.truth(left)?), Box::new(self.truth(right)?))
        } else {
            return Ok(Truth::Comparison(relation, self.amount(left)?, self.amount(right)?));
        };
        match relation {
            Relation::Equal => Ok(equal),
            Relation::Unequal => {
                let known = match &equal {
                    Truth::Word { column, .. } => vec![Truth::HasWord(*column)],
                    Truth::SameWord { columns, .. } => columns.map(Truth::HasWord).to_vec(),
                    _ => Vec::new(),
                };
                let unequal = Truth::Not(Box::new(equal));
                Ok(Truth::All(known.into_iter().chain([unequal]).collect()))
            }
            _ => {
                let message = "only numbers are more or less than others; compare with = or !=";
                Err(Fault::new(node.part.clone(), message.to_string()))
            }
        }
    }

    /// Whether a column of words has the word, or that of the column, that another part names.
    fn word_comparison(&self, words: &Node, other: &Node) -> Result<Truth, Fault> {
        let (column, Type::Words(known)) = self.named(words)? else {
            return Err(self.no_condition(words, Type::Text));
        };
        let (name, text) = (&self.text[words.part.clone()], &self.text[other.part.clone()]);
        if let Some(word) = known.iter().position(|word| *word == text) {
            return Ok(Truth::Word { column, word });
        }
        if let (NodeKind::Name, Ok((second, Type::Words(others)))) =
            (&other.kind, self.named(other))
        {
            let as_second = known.iter().map(|word| others.iter().position(|other| other == word));
            return Ok(Truth::SameWord {
                columns: [column, second],
                as_second: as_second.collect(),
            });
        }
        let text = self.on_one_line(other);
        let message = format!("'{name}' is {}, never '{text}'", Type::Words(known).described());
        Err(Fault::new(other.part.clone(), message))
    }
}

impl Truth {
    fn holds(&self, row: &impl Row) -> Result<bool, Fault> {
        Ok(match self {
            Truth::Constant(value) => *value,
            Truth::Column(column) => row.truth(*column) == Some(true),
            Truth::Not(of) => !of.holds(row)?,
            Truth::All(conditions) => {
                for condition in conditions {
                    if !condition.holds(row)? {
                        return Ok(false);
                    }
                }
                true
            }
            Truth::Any(conditions) => {
                for condition in conditions {
                    if condition.holds(row)? {
                        return Ok(true);
                    }
                }
                false
            }
            Truth::Comparison(relation, left, right) => match (left.of(row)?, right.of(row)?) {
                (Some(left), Some(right)) => relation.holds_for(&left, &right),
                _ => false,
            },
            Truth::Same(left, right) => left.holds(row)? == right.holds(row)?,
            Truth::Word { column, word } => row.word(*column) == Some(*word),
            Truth::SameWord { columns: [first, second], as_second } => {
                let expected = row.word(*first).and_then(|word| as_second[word]);
                expected.is_some() && row.word(*second) == expected
            }
            Truth::HasWord(column) => row.word(*column).is_some(),
        })
    }
}

impl Amount {
    fn is_integral(&self) -> bool {
        match self {
            Amount::Constant(number) => number.is_integer(),
            Amount::Column(_) | Amount::Truth(_) => true,
            Amount::Negative(of) => of.is_integral(),
            Amount::Arithmetic(operation, left, right, _) => {
                *operation != Arithmetic::Quotient && left.is_integral() && right.is_integral()
            }
        }
    }

    fn of(&self, row: &impl Row) -> Result<Option<Number>, Fault> {
        match self {
            Amount::Constant(number) => Ok(Some(*number)),
            Amount::Column(column) => Ok(row.number(*column)),
            Amount::Truth(truth) => Ok(Some(i64::from(truth.holds(row)?).into())),
            // No number is as low as i64::MIN.
            Amount::Negative(of) => Ok(of.of(row)?.map(|number| -number)),
            Amount::Arithmetic(operation, left, right, part) => {
                let (Some(left), Some(right)) = (left.of(row)?, right.of(row)?) else {
                    return Ok(None);
                };
                if *operation == Arithmetic::Quotient && right.is_zero() {
                    return Err(Fault::new(part.clone(), "division by zero".to_string()));
                }
                operation.of(left, right).map(Some).ok_or_else(|| too_large(part))
            }
        }
    }
}

pub(super) fn too_large(part: &Range<usize>) -> Fault {
    Fault::new(part.clone(), "the result is too large".to_string())
}

impl Arithmetic {
    /// The result, `None` if it is too large. The divisor is not 0.
    #[inline]
    pub(super) fn of(self, left: Number, right: Number) -> Option<Number> {
        if left.is_integer() && right.is_integer() && self != Arithmetic::Quotient {
            let (left, right) = (*left.numer(), *right.numer());
            let result = match self {
                Arithmetic::Sum => left.checked_add(right),
                Arithmetic::Difference => left.checked_sub(right),
                Arithmetic::Product | Arithmetic::Quotient => left.checked_mul(right),
            };
            return result.filter(|&result| result != i64::MIN).map(Number::from);
        }
        // Numerators and denominators are below 2^63, so products are below 2^126.
        let wide = |number: Number| (i128::from(*number.numer()), i128::from(*number.denom()));
        let ((a, b), (c, d)) = (wide(left), wide(right));
        let result = match self {
            Arithmetic::Sum => Ratio::new(a * d + c * b, b * d),
            Arithmetic::Difference => Ratio::new(a * d - c * b, b * d),
            Arithmetic::Product => Ratio::new(a * c, b * d),
            Arithmetic::Quotient => Ratio::new(a * d, b * c),
        };
        let narrow = |wide: &i128| i64::try_from(*wide).ok().filter(|&number| number != i64::MIN);
        Some(Number::new_raw(narrow(result.numer())?, narrow(result.denom())?))
    }
}

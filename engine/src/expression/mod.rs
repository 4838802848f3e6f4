//! Expressions about the rows of a table, such as `score = 2 and regions > 3`.
//!
//! ```text
//! expression = all { "or" all }
//! all        = not { "and" not }
//! not        = "not" not | comparison
//! comparison = sum [ ( "<" | "<=" | "=" | "!=" | ">=" | ">" ) sum | "is" ( "odd" | "even" ) ]
//! sum        = product { ( "+" | "-" ) product }
//! product    = signed { ( "*" | "/" ) signed }
//! signed     = "-" signed | number | "true" | "false" | column | word | "(" expression ")"
//! ```
//!
//! A column has numbers, truth values, or words of an enumeration, such as `first` and `second`, with
//! which it is compared by `=` and `!=`. A value may be missing; a comparison with a missing value
//! does not hold. Numbers are exact fractions of 64-bit integers. A quotient by zero and a result
//! that is too large are errors.
//!
//! [`Expression::parse`] checks all types before any row is seen.
//!
//! ```
//! use bsq_engine::expression::{ColumnName, Condition, Number, Row, Type};
//!
//! struct Position(i64, bool);
//!
//! impl Row for Position {
//!     fn number(&self, _: usize) -> Option<Number> {
//!         Some(self.0.into())
//!     }
//!     fn truth(&self, _: usize) -> Option<bool> {
//!         Some(self.1)
//!     }
//!     fn word(&self, _: usize) -> Option<usize> {
//!         None
//!     }
//! }
//!
//! let columns = [
//!     ColumnName { name: "ply", kind: Type::Number },
//!     ColumnName { name: "terminal", kind: Type::Truth },
//! ];
//! let condition = Condition::parse("not terminal and ply / 2 > 1.5", &columns).unwrap();
//! assert!(condition.holds(&Position(4, false)).unwrap());
//! assert!(!condition.holds(&Position(3, false)).unwrap());
//!
//! let error = Condition::parse("terminal and plie > 2", &columns).unwrap_err();
//! let marked = "'plie' is not a column; did you mean 'ply'?\n  terminal and plie > 2\n               ^^^^";
//! assert_eq!(error.to_string(), marked);
//! ```

mod alternatives;
mod cursor;
mod error;
mod relation;
mod suggestion;
mod syntax;
#[cfg(test)]
mod tests;
mod tokens;
mod typed;

pub use alternatives::{Comparison, WeightedColumn, alternatives};
pub use cursor::Cursor;
pub use error::{Fault, ParseError};
pub use relation::Relation;
pub use suggestion::suggestion;
pub use tokens::{Kind, Language, Number, Token, tokens};
pub use typed::{ColumnName, Condition, Expression, Quantity, Row, Type};

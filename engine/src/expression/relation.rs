//! Comparisons of numbers.

use super::tokens::Number;

/// A comparison of a number with another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `>=`
    AtLeast,
    /// `>`
    More,
    /// `is odd`
    Odd,
    /// `is even`
    Even,
}

impl Relation {
    /// The comparison signs, each before its prefixes.
    pub const SIGNS: [(&str, Relation); 6] = [
        ("<=", Relation::AtMost),
        (">=", Relation::AtLeast),
        ("!=", Relation::Unequal),
        ("<", Relation::Less),
        (">", Relation::More),
        ("=", Relation::Equal),
    ];

    /// Whether the comparison is with no other number.
    pub fn is_parity(self) -> bool {
        matches!(self, Relation::Odd | Relation::Even)
    }

    /// Whether the comparison holds. Odd and even ignore `number`.
    #[inline]
    pub fn holds(self, value: i32, number: i32) -> bool {
        match self {
            Relation::Less => value < number,
            Relation::AtMost => value <= number,
            Relation::Equal => value == number,
            Relation::Unequal => value != number,
            Relation::AtLeast => value >= number,
            Relation::More => value > number,
            Relation::Odd => value & 1 == 1,
            Relation::Even => value & 1 == 0,
        }
    }

    /// Whether the comparison holds for fractions. One that is not an integer is neither odd nor
    /// even.
    #[inline]
    pub(super) fn holds_for(self, value: &Number, number: &Number) -> bool {
        let is_odd = |value: &Number| value.numer() % 2 != 0;
        match self {
            Relation::Less => value < number,
            Relation::AtMost => value <= number,
            Relation::Equal => value == number,
            Relation::Unequal => value != number,
            Relation::AtLeast => value >= number,
            Relation::More => value > number,
            Relation::Odd => value.is_integer() && is_odd(value),
            Relation::Even => value.is_integer() && !is_odd(value),
        }
    }

    /// The comparison that holds for integers where this one does not.
    pub(super) fn negated(self) -> Relation {
        match self {
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::More,
            Relation::Equal => Relation::Unequal,
            Relation::Unequal => Relation::Equal,
            Relation::AtLeast => Relation::Less,
            Relation::More => Relation::AtMost,
            Relation::Odd => Relation::Even,
            Relation::Even => Relation::Odd,
        }
    }

    /// The comparison that holds for the second number with the first where this one holds for the
    /// first with the second.
    pub(super) fn turned(self) -> Relation {
        match self {
            Relation::Less => Relation::More,
            Relation::AtMost => Relation::AtLeast,
            Relation::AtLeast => Relation::AtMost,
            Relation::More => Relation::Less,
            same => same,
        }
    }
}

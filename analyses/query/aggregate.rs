//! Aggregates: what is known about the rows of a group together.

use crate::ratio::signed_ratio;
use crate::{Cell, ColumnType};
use bsq_engine::expression::Number;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero as _;

/// A kind of aggregate of the numbers of a group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The number of rows.
    Count,
    /// The sum of the numbers.
    Sum,
    /// Their mean, rows without a number left out.
    Mean,
    /// The least of them.
    Min,
    /// The greatest of them.
    Max,
}

impl Kind {
    /// The name, as an option of a query.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Count => "count",
            Kind::Sum => "sum",
            Kind::Mean => "mean",
            Kind::Min => "min",
            Kind::Max => "max",
        }
    }

    /// The type of the results. Those of integers are integers, except for means.
    pub fn column_type(self, of_integers: bool) -> ColumnType {
        match self {
            Kind::Mean => DECIMALS,
            _ if of_integers => ColumnType::Integer,
            _ => DECIMALS,
        }
    }

    /// The aggregate of no rows.
    pub fn begin(self) -> Aggregate {
        match self {
            Kind::Count => Aggregate::Count(0),
            Kind::Sum => Aggregate::Sum(Sum::default()),
            Kind::Mean => Aggregate::Mean(Sum::default(), 0),
            Kind::Min => Aggregate::Min(None),
            Kind::Max => Aggregate::Max(None),
        }
    }
}

/// The type of fractions: they are exact until they are printed.
pub const DECIMALS: ColumnType = ColumnType::Real(6);

/// An aggregate of some rows.
#[derive(Clone, Debug)]
pub enum Aggregate {
    Count(u64),
    Sum(Sum),
    Mean(Sum, u64),
    Min(Option<Number>),
    Max(Option<Number>),
}

impl Aggregate {
    /// Adds a row, with its number if it has one.
    pub fn add(&mut self, number: Option<Number>) {
        if let Aggregate::Count(count) = self {
            *count += 1;
            return;
        }
        let Some(number) = number else { return };
        match self {
            Aggregate::Count(_) => {}
            Aggregate::Sum(sum) => sum.add(number),
            Aggregate::Mean(sum, count) => {
                sum.add(number);
                *count += 1;
            }
            Aggregate::Min(least) => *least = Some(least.map_or(number, |old| old.min(number))),
            Aggregate::Max(most) => *most = Some(most.map_or(number, |old| old.max(number))),
        }
    }

    /// Adds the rows of another aggregate of the same kind.
    pub fn absorb(&mut self, other: &Aggregate) {
        match (self, other) {
            (Aggregate::Count(mine), Aggregate::Count(theirs)) => *mine += theirs,
            (Aggregate::Sum(mine), Aggregate::Sum(theirs)) => mine.absorb(theirs),
            (Aggregate::Mean(mine, count), Aggregate::Mean(theirs, more)) => {
                mine.absorb(theirs);
                *count += more;
            }
            (mine @ Aggregate::Min(_), Aggregate::Min(least)) => {
                least.iter().for_each(|number| mine.add(Some(*number)));
            }
            (mine @ Aggregate::Max(_), Aggregate::Max(most)) => {
                most.iter().for_each(|number| mine.add(Some(*number)));
            }
            _ => unreachable!("aggregates of a column are of one kind"),
        }
    }

    /// The result, in a column of that type.
    pub fn cell(&self, kind: ColumnType) -> Cell {
        match self {
            Aggregate::Count(count) => (*count).into(),
            Aggregate::Sum(sum) => exact(sum.total(), kind),
            Aggregate::Mean(_, 0) => Cell::Empty,
            Aggregate::Mean(sum, count) => exact(sum.total() / BigInt::from(*count), kind),
            Aggregate::Min(number) | Aggregate::Max(number) => {
                number.map_or(Cell::Empty, |number| number_cell(number, kind))
            }
        }
    }
}

/// The cell of a number in a column of that type.
pub fn number_cell(number: Number, kind: ColumnType) -> Cell {
    exact(wide(number), kind)
}

fn exact(number: Exact, kind: ColumnType) -> Cell {
    match kind {
        ColumnType::Integer => Cell::Integer(number.to_integer()),
        _ => signed_ratio(number.numer(), number.denom()).into(),
    }
}

/// A fraction of any size.
type Exact = Ratio<BigInt>;

fn wide(number: Number) -> Exact {
    Ratio::new_raw((*number.numer()).into(), (*number.denom()).into())
}

/// An exact sum.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    /// The sum of the integers. They are less than 2^63, so 2^64 of them fit.
    integers: i128,
    /// The sum of the others, if there are any.
    fractions: Option<Exact>,
}

impl Sum {
    fn add(&mut self, number: Number) {
        if number.is_integer() {
            self.integers += i128::from(*number.numer());
        } else {
            *self.fractions.get_or_insert_with(Exact::zero) += wide(number);
        }
    }

    fn absorb(&mut self, other: &Sum) {
        self.integers += other.integers;
        if let Some(fractions) = &other.fractions {
            *self.fractions.get_or_insert_with(Exact::zero) += fractions;
        }
    }

    fn total(&self) -> Exact {
        let integers = Exact::from(BigInt::from(self.integers));
        self.fractions.iter().fold(integers, |sum, more| sum + more)
    }
}

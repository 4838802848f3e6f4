//! Values of a table column by column, for tables whose rows are computed in batches.

use super::{Cell, ColumnType};
use num_bigint::BigInt;
use std::ops::Range;

/// The values of a column in a batch of rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Integers between -128 and 127.
    Tiny(Vec<i8>),
    /// Integers of 32 bits.
    Integer(Vec<i32>),
    /// Integers of 64 bits.
    Long(Vec<i64>),
    /// Integers of up to 38 digits.
    Decimal(Vec<i128>),
    /// Real numbers.
    Real(Vec<f64>),
    /// Truth values.
    Truth(Vec<bool>),
    /// Texts.
    Text(Texts),
}

impl Values {
    /// The number of values.
    #[expect(clippy::len_without_is_empty, reason = "not needed")]
    pub fn len(&self) -> usize {
        match self {
            Values::Tiny(values) => values.len(),
            Values::Integer(values) => values.len(),
            Values::Long(values) => values.len(),
            Values::Decimal(values) => values.len(),
            Values::Real(values) => values.len(),
            Values::Truth(values) => values.len(),
            Values::Text(texts) => texts.ends.len(),
        }
    }
}

/// The most digits of [`Values::Decimal`].
pub const MOST_DIGITS: usize = 38;

/// A column of a batch of rows, some of which may have no value.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The values; any value in rows that have none.
    pub values: Values,
    /// Whether each row has a value. `None` if all have one.
    pub present: Option<Vec<bool>>,
}

impl From<Values> for Series {
    fn from(values: Values) -> Series {
        Series { values, present: None }
    }
}

impl Series {
    /// A series of optional values.
    fn optional<T: Clone>(
        values: Vec<Option<T>>,
        missing: T,
        of: impl FnOnce(Vec<T>) -> Values,
    ) -> Series {
        let is_full = values.iter().all(Option::is_some);
        let present = (!is_full).then(|| values.iter().map(Option::is_some).collect());
        let values = values.into_iter().map(|value| value.unwrap_or_else(|| missing.clone()));
        Series { values: of(values.collect()), present }
    }

    /// 32-bit integers, some of which may be missing.
    pub fn integers(values: Vec<Option<i32>>) -> Series {
        Series::optional(values, 0, Values::Integer)
    }

    /// 64-bit integers, some of which may be missing.
    pub fn longs(values: Vec<Option<i64>>) -> Series {
        Series::optional(values, 0, Values::Long)
    }

    /// Truth values, some of which may be missing.
    pub fn truths(values: Vec<Option<bool>>) -> Series {
        Series::optional(values, false, Values::Truth)
    }

    /// The cells of a column. Integers have 64 bits, or 38 digits if one of them needs that; if those do
    /// not suffice, they are texts. They never have 32 bits, in which sums can overflow: Polars adds a
    /// column in its own type.
    pub fn of_cells(kind: ColumnType, cells: &[&Cell], text: impl Fn(&Cell) -> String) -> Series {
        let is_full = cells.iter().all(|cell| **cell != Cell::Empty);
        let present = (!is_full).then(|| cells.iter().map(|cell| **cell != Cell::Empty).collect());
        let values = match kind {
            ColumnType::Integer => integers(cells),
            ColumnType::Truth => {
                Values::Truth(cells.iter().map(|cell| **cell == Cell::Truth(true)).collect())
            }
            ColumnType::Text => texts(cells, text),
            // The digits of the text.
            ColumnType::Real(_) | ColumnType::Share => {
                Values::Real(cells.iter().map(|cell| text(cell).parse().unwrap_or(0.0)).collect())
            }
        };
        Series { values, present }
    }

    /// The value of a row.
    pub fn cell(&self, row: usize) -> Cell {
        if !self.has(row) {
            return Cell::Empty;
        }
        match &self.values {
            Values::Tiny(values) => Cell::Integer(values[row].into()),
            Values::Integer(values) => Cell::Integer(values[row].into()),
            Values::Long(values) => Cell::Integer(values[row].into()),
            Values::Decimal(values) => Cell::Integer(values[row].into()),
            Values::Real(values) => Cell::Real(values[row]),
            Values::Truth(values) => Cell::Truth(values[row]),
            Values::Text(texts) => Cell::Text(texts.get(row).to_string()),
        }
    }

    /// Whether a row has a value.
    pub fn has(&self, row: usize) -> bool {
        self.present.as_ref().is_none_or(|present| present[row])
    }
}

fn texts(cells: &[&Cell], text: impl Fn(&Cell) -> String) -> Values {
    let mut texts = Texts::default();
    cells.iter().for_each(|cell| texts.push(&text(cell)));
    Values::Text(texts)
}

fn integers(cells: &[&Cell]) -> Values {
    let zero = BigInt::ZERO;
    let numbers: Vec<&BigInt> = cells
        .iter()
        .map(|cell| match cell {
            Cell::Integer(number) => number,
            _ => &zero,
        })
        .collect();
    if let Ok(numbers) = numbers.iter().map(|&number| i64::try_from(number)).collect() {
        return Values::Long(numbers);
    }
    let is_decimal = |number: &i128| number.unsigned_abs() < 10u128.pow(MOST_DIGITS as u32);
    let decimal = |number: &&BigInt| i128::try_from(*number).ok().filter(is_decimal);
    match numbers.iter().map(decimal).collect() {
        Some(numbers) => Values::Decimal(numbers),
        None => texts(cells, |cell| match cell {
            Cell::Integer(number) => number.to_string(),
            _ => String::new(),
        }),
    }
}

/// Texts, stored one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    text: String,
    /// The ends of the texts.
    ends: Vec<usize>,
}

impl Texts {
    /// Adds the text that `write` appends.
    pub fn push_with(&mut self, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        self.ends.push(self.text.len());
    }

    /// Adds a text.
    pub fn push(&mut self, word: &str) {
        self.push_with(|text| text.push_str(word));
    }

    /// The memory that the texts take, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.text.capacity() + self.ends.capacity() * size_of::<usize>()) as u64
    }

    /// All texts, concatenated.
    pub fn joined(&self) -> &str {
        &self.text
    }

    /// The ranges of the texts in [`joined`](Texts::joined).
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| start..end)
    }

    /// Returns the text with that index.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range.
    pub fn get(&self, i: usize) -> &str {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        let mut texts = Texts::default();
        for word in ["", "one", "", "two"] {
            texts.push(word);
        }
        let found: Vec<&str> = (0..4).map(|i| texts.get(i)).collect();
        assert_eq!(found, ["", "one", "", "two"]);
        assert!(texts.ranges().map(|range| &texts.joined()[range]).eq(found));
    }

    #[test]
    fn integers_have_the_smallest_type_that_fits() {
        let of = |numbers: &[Option<i128>]| {
            let cells: Vec<Cell> =
                numbers.iter().map(|number| number.map(BigInt::from).into()).collect();
            Series::of_cells(
                ColumnType::Integer,
                &cells.iter().collect::<Vec<_>>(),
                |_| unreachable!(),
            )
        };
        assert_eq!(of(&[Some(1 << 31), Some(1)]).values, Values::Long(vec![1 << 31, 1]));
        let most = 10i128.pow(MOST_DIGITS as u32) - 1;
        assert_eq!(of(&[Some(-most)]).values, Values::Decimal(vec![-most]));
        let Values::Text(texts) = of(&[Some(most + 1), Some(-5)]).values else { panic!() };
        assert_eq!((texts.get(0), texts.get(1)), ((most + 1).to_string().as_str(), "-5"));
        let with_gap = of(&[None, Some(7)]);
        assert_eq!(with_gap.values, Values::Long(vec![0, 7]));
        assert_eq!(with_gap.present, Some(vec![false, true]));
        assert!(!with_gap.has(0) && with_gap.has(1));
    }
}

//! Values as integers: a score, optionally with a mark for the player who must make the next loony
//! move.
//!
//! All scores of a position have the same parity, because each box goes to one of the players.
//! Therefore twice the score plus a mark of -1, 0 or 1 can be decoded, and such integers are
//! ordered by score, then by mark. The mark is 1 if the opponent must make the next loony move, -1
//! if the player to move must, and 0 if neither must. For the opponent both change sign.

/// An encoding of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Whether values have marks.
    pub marks: bool,
}

impl Encoding {
    /// The value of a score and a mark.
    #[inline(always)]
    pub fn value(self, score: i32, mark: i32) -> i32 {
        if self.marks { 2 * score + mark } else { score }
    }

    /// The score of a value; `odd` is the parity of scores.
    #[inline(always)]
    pub fn score(self, value: i32, odd: bool) -> i32 {
        if !self.marks {
            return value;
        }
        let low = value >> 1;
        low + (value & 1 & (low ^ i32::from(odd)))
    }

    /// The mark of a value.
    pub fn mark(self, value: i32, odd: bool) -> i32 {
        if self.marks { value - 2 * self.score(value, odd) } else { 0 }
    }

    /// The least value that is not less than a number.
    #[inline(always)]
    pub fn next(self, number: i32, odd: bool) -> i32 {
        let odd = i32::from(odd);
        if self.marks {
            number + i32::from((number - 2 * odd) & 3 == 2)
        } else {
            number + ((number ^ odd) & 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_apart() {
        let marked = Encoding { marks: true };
        let plain = Encoding { marks: false };
        for score in -60..=60 {
            let odd = score & 1 == 1;
            for mark in -1..=1 {
                let value = marked.value(score, mark);
                assert_eq!((marked.score(value, odd), marked.mark(value, odd)), (score, mark));
                assert_eq!(marked.next(value, odd), value);
            }
            let between = marked.value(score, 1) + 1;
            assert_eq!(marked.next(between, odd), marked.value(score + 2, -1));
            assert_eq!((plain.score(score, odd), plain.next(score, odd)), (score, score));
            assert_eq!(plain.next(score + 1, odd), score + 2);
        }
    }
}

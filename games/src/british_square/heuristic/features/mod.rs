//! Features: numbers that a person can see or count for a move.
//!
//! A feature of **territory** counts cells that each player may still use, after the move in a rule
//! and before it in a condition. A feature of the **move** depends on the cell of the piece or on
//! what it closes. A feature of the **position** is the same for every move and can only be used in
//! a condition.
//!
//! No feature looks further ahead than one reply, and none uses values of the game. To add one,
//! write its function in a file here and add a line to that file's list. It must be invariant under
//! the symmetries of the board. The language, the tester, the search and the tests use the lists.
//!
//! * `territory`: numbers of usable cells;
//! * `conflicts`: conflicts between cells, and regions;
//! * `claims`: what the next move could close;
//! * `places`: the location of the tile, and the pieces around it.

use super::decision::Decision;
use crate::british_square::{Board, Cells, cells_of};
use std::cell::OnceCell;
use std::fmt;
use std::ptr;

/// Declares the features of a file: name, effort, summary and definition.
macro_rules! features {
    ($($name:literal: $effort:ident, $summary:literal => $measure:expr;)*) => {
        pub static FEATURES: &[super::Feature] = &[$(super::Feature {
            name: $name,
            summary: $summary,
            effort: super::Effort::$effort,
            measure: $measure,
        }),*];
    };
}

mod claims;
mod conflicts;
mod places;
mod territory;

/// The difficulty of a feature for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Inspecting the tile and its surroundings.
    Look = 1,
    /// Counting cells all over the board.
    Count = 2,
    /// Classifying cells or regions, and counting each class.
    Weigh = 3,
    /// Inspecting the position after every reply.
    ReadAhead = 4,
}

impl Effort {
    /// The name of the effort.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Look => "look",
            Effort::Count => "count",
            Effort::Weigh => "weigh",
            Effort::ReadAhead => "read ahead",
        }
    }
}

/// A number that a person can see or count for a move.
pub struct Feature {
    /// Its name in the language.
    pub name: &'static str,
    /// A description for players.
    pub summary: &'static str,
    /// Its difficulty for a person.
    pub effort: Effort,
    /// Its definition.
    pub measure: Measure,
}

/// The definition of a feature. Values fit 16 bits on boards of up to 25 cells.
#[derive(Clone, Copy)]
pub enum Measure {
    /// A function of the usable cells, after the move in a rule and before it in a condition.
    Territory(fn(&OpenCells) -> i32),
    /// The same, with one more move considered. Not available after a reply.
    NextMove(fn(&OpenCells) -> i32),
    /// For each cell, a number of usable cells before the move, computed for all cells at once.
    Claim(fn(&OpenCells) -> Numbers<3>),
    /// A function of a move, the board and the pieces.
    Place(fn(&Decision, usize) -> i32),
    /// A function of the position before the move, including pieces and turn.
    Position(fn(&Decision) -> i32),
}

/// A legal move at a decision.
pub struct Choice<'a> {
    decision: &'a Decision<'a>,
    cell: usize,
    after: OnceCell<OpenCells<'a>>,
}

impl<'a> Choice<'a> {
    /// The move that places a piece on `cell`.
    pub fn new(decision: &'a Decision<'a>, cell: usize) -> Choice<'a> {
        Choice { decision, cell, after: OnceCell::new() }
    }

    /// The usable cells after the move, computed on first use. Does not consider that the move may
    /// use up the player's pieces.
    pub fn after(&self) -> &OpenCells<'a> {
        self.after.get_or_init(|| OpenCells::before(self.decision).after_own(self.cell))
    }
}

/// The cells that each player may still use, seen by the player who chooses the move.
#[derive(Clone, Copy, Debug)]
pub struct OpenCells<'a> {
    board: &'a Board,
    reach: &'a [Cells],
    /// Cells that the player may use.
    own: Cells,
    /// Cells that the opponent may use.
    opponent: Cells,
    /// For each cell, the number of the opponent's cells within its reach. An own cell conflicts
    /// with these.
    pub(super) claims: Numbers<3>,
    /// For each cell, the number of own cells within its reach.
    opponent_claims: Numbers<3>,
}

impl<'a> OpenCells<'a> {
    fn new(board: &'a Board, reach: &'a [Cells], own: Cells, opponent: Cells) -> OpenCells<'a> {
        let claims = Numbers::within_reach(board, opponent);
        let opponent_claims = Numbers::within_reach(board, own);
        OpenCells { board, reach, own, opponent, claims, opponent_claims }
    }

    /// The usable cells before the move.
    pub fn before(decision: &Decision<'a>) -> OpenCells<'a> {
        let Decision { board, reach, own_usable, opponent_usable, .. } = *decision;
        OpenCells::new(board, reach, own_usable, opponent_usable)
    }

    fn after_own(&self, cell: usize) -> OpenCells<'a> {
        let (own, opponent) = (self.own & !(1 << cell), self.opponent & !self.reach[cell]);
        OpenCells::new(self.board, self.reach, own, opponent)
    }

    /// The usable cells after a reply of the opponent.
    fn after_reply(&self, cell: usize) -> OpenCells<'a> {
        let (own, opponent) = (self.own & !self.reach[cell], self.opponent & !(1 << cell));
        OpenCells::new(self.board, self.reach, own, opponent)
    }

    /// The usable cells after each of the opponent's replies on cells in conflict, or after any
    /// reply if there are no such cells. The replies with the largest claims come first.
    pub fn replies(&self) -> impl Iterator<Item = OpenCells<'a>> {
        let conflicting = self.turned().conflicting();
        let replies = if conflicting == 0 { self.opponent } else { conflicting };
        self.opponent_claims.descending(replies).map(|cell| self.after_reply(cell))
    }

    /// The same cells, seen by the opponent.
    pub(in crate::british_square) fn turned(&self) -> OpenCells<'a> {
        let OpenCells { own, opponent, claims, opponent_claims, .. } = *self;
        OpenCells {
            own: opponent,
            opponent: own,
            claims: opponent_claims,
            opponent_claims: claims,
            ..*self
        }
    }

    /// The cells within reach of a set, including the set.
    #[inline]
    fn reached(&self, cells: Cells) -> Cells {
        cells | self.board.neighbours(cells)
    }

    /// The own cells that conflict with cells of the opponent's.
    #[inline]
    pub(in crate::british_square) fn conflicting(&self) -> Cells {
        self.own & self.claims.positive()
    }

    /// The own cells that the opponent can no longer close.
    #[inline]
    pub(in crate::british_square) fn free(&self) -> Cells {
        self.own & !self.claims.positive()
    }

    fn free_difference(&self) -> i32 {
        count(self.free()) - count(self.turned().free())
    }
}

/// A number for each cell, less than two to the power of `DIGITS`.
///
/// The numbers of all cells are added at once (bit-slicing).
#[derive(Clone, Copy, Debug)]
pub struct Numbers<const DIGITS: usize> {
    /// The cells in whose number a binary digit is set, lowest digit first.
    digits: [Cells; DIGITS],
}

impl Numbers<3> {
    /// For each cell, the number of cells of a set within its reach.
    #[inline]
    fn within_reach(board: &Board, cells: Cells) -> Numbers<3> {
        let [mut ones, mut twos, mut fours] = [cells, 0, 0];
        for side in board.shifted(cells) {
            let carry = ones & side;
            ones ^= side;
            fours |= twos & carry;
            twos ^= carry;
        }
        Numbers { digits: [ones, twos, fours] }
    }
}

impl<const DIGITS: usize> Numbers<DIGITS> {
    /// The number of a cell.
    #[inline]
    fn of(&self, cell: usize) -> i32 {
        (0..).zip(self.digits).map(|(place, digit)| ((digit >> cell & 1) as i32) << place).sum()
    }

    /// The cells whose number is not 0.
    #[inline]
    fn positive(&self) -> Cells {
        self.digits.iter().fold(0, |all, digit| all | digit)
    }

    /// How many cells of a set have a number.
    #[inline]
    fn count_of(&self, number: i32, cells: Cells) -> i32 {
        let with = |cells, (place, digit): (usize, Cells)| {
            cells & if number >> place & 1 == 0 { !digit } else { digit }
        };
        count(self.digits.into_iter().enumerate().fold(cells, with))
    }

    /// The sum over a set.
    #[inline]
    fn sum(&self, cells: Cells) -> i32 {
        (0..).zip(self.digits).map(|(place, digit)| count(cells & digit) << place).sum()
    }

    /// The highest number in a set, and the cells that have it; 0 if the set is empty.
    #[inline]
    pub(super) fn highest(&self, mut cells: Cells) -> (i32, Cells) {
        let mut highest = 0;
        for (place, digit) in self.digits.into_iter().enumerate().rev() {
            let with = cells & digit;
            if with != 0 {
                cells = with;
                highest |= 1 << place;
            }
        }
        (highest, cells)
    }

    /// Iterates over the cells of a set, those with the highest number first.
    #[inline]
    pub(super) fn descending(self, mut cells: Cells) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let cell = cells_of(self.highest(cells).1).next()?;
            cells &= !(1 << cell);
            Some(cell)
        })
    }

    /// The cells of a set that have the lowest number.
    #[inline]
    pub(super) fn lowest(&self, cells: Cells) -> Cells {
        Numbers { digits: self.digits.map(|digit| !digit) }.highest(cells).1
    }

    /// Adds other numbers times two to the power of `places`. Every sum must be less than two to the
    /// power of `DIGITS`.
    #[inline]
    fn add(&mut self, other: Numbers<3>, places: usize) {
        let mut carry = 0;
        for (i, digit) in self.digits.iter_mut().enumerate().skip(places) {
            let more = other.digits.get(i - places).copied().unwrap_or(0);
            let sum = *digit ^ more ^ carry;
            carry = *digit & more | carry & (*digit ^ more);
            *digit = sum;
        }
    }
}

#[inline]
fn count(cells: Cells) -> i32 {
    cells.count_ones() as i32
}

/// The maximum of a function over the cells of a set; 0 if the set is empty.
fn highest(cells: Cells, measure: impl Fn(usize) -> i32) -> i32 {
    cells_of(cells).map(measure).max().unwrap_or(0)
}

impl Feature {
    /// The value for a move. A feature of the position is the same for all moves.
    #[inline]
    pub fn of_move(&self, choice: &Choice) -> i32 {
        match self.measure {
            Measure::Territory(measure) | Measure::NextMove(measure) => measure(choice.after()),
            Measure::Claim(measure) => measure(&OpenCells::before(choice.decision)).of(choice.cell),
            Measure::Place(measure) => measure(choice.decision, choice.cell),
            Measure::Position(measure) => measure(choice.decision),
        }
    }

    /// The values for all moves at once; `None` if they are not available in this way.
    #[inline]
    pub(super) fn of_all_moves(&self, decision: &Decision) -> Option<Numbers<3>> {
        match self.measure {
            Measure::Claim(measure) => Some(measure(&OpenCells::before(decision))),
            _ => None,
        }
    }

    /// The value before the move; `None` for a feature of a move.
    #[inline]
    pub fn of_position(&self, decision: &Decision) -> Option<i32> {
        match self.measure {
            Measure::Territory(measure) | Measure::NextMove(measure) => {
                Some(measure(&OpenCells::before(decision)))
            }
            Measure::Position(measure) => Some(measure(decision)),
            Measure::Claim(_) | Measure::Place(_) => None,
        }
    }

    /// The value after a reply; `None` for a feature that is not available there.
    #[inline]
    pub fn of_reply(&self, open: &OpenCells) -> Option<i32> {
        match self.measure {
            Measure::Territory(measure) => Some(measure(open)),
            _ => None,
        }
    }

    /// Whether it is available after a reply.
    pub fn tells_replies(&self) -> bool {
        matches!(self.measure, Measure::Territory(_))
    }

    /// Whether it can rank moves in a rule.
    pub fn ranks_moves(&self) -> bool {
        !matches!(self.measure, Measure::Position(_))
    }

    /// Whether it can be used in a condition.
    pub fn tells_positions(&self) -> bool {
        !matches!(self.measure, Measure::Claim(_) | Measure::Place(_))
    }

    /// Whether it depends only on the cells that each player may still use.
    pub fn is_territorial(&self) -> bool {
        !matches!(self.measure, Measure::Place(_) | Measure::Position(_))
    }
}

impl fmt::Debug for Feature {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Feature {
    fn eq(&self, other: &Feature) -> bool {
        // Features are statics.
        ptr::eq(self, other)
    }
}

impl Eq for Feature {}

/// Iterates over all features, in the order in which they are listed.
pub fn all() -> impl Iterator<Item = &'static Feature> {
    [territory::FEATURES, conflicts::FEATURES, claims::FEATURES, places::FEATURES]
        .into_iter()
        .flatten()
}

/// The feature of that name.
///
/// ```
/// let claim = bsq_games::british_square::heuristic::features::by_name("claim").unwrap();
/// assert!(claim.ranks_moves() && !claim.tells_positions());
/// ```
pub fn by_name(name: &str) -> Option<&'static Feature> {
    all().find(|feature| feature.name == name)
}

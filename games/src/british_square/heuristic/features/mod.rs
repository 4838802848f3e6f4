//! What a person can see or count about a move.
//!
//! A feature of **territory** is a count of the cells that each player may still use. In a rule it
//! is taken after the move; in a condition, before it. A feature of the **move** looks at where the
//! piece goes or what it takes, and one of the **position** is the same for every move: it can
//! only stand in a condition.
//!
//! None looks further than one reply ahead, and none knows what the game is worth. To add one,
//! write its function in a file here and add a line to that file's list; it must not depend on how
//! the board is turned. The language, the tester, the search and the tests take it from there.

use super::Decision;
use crate::british_square::{Board, Cells, cells_of};
use std::fmt;
use std::ptr;

mod claims;
mod conflicts;
mod places;
mod territory;

/// How hard a feature is for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// One glance at the tile and what lies around it.
    Look = 1,
    /// Cells have to be counted, all over the board.
    Count = 2,
    /// Cells or regions have to be told apart by what they touch, and each kind counted.
    Weigh = 3,
    /// Something to look at has to be looked at after every reply.
    ReadAhead = 4,
}

impl Effort {
    /// What a person has to do.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Look => "look",
            Effort::Count => "count",
            Effort::Weigh => "weigh",
            Effort::ReadAhead => "read ahead",
        }
    }
}

/// Something that a person can see or count about a move.
pub struct Feature {
    /// The word by which the language knows it.
    pub name: &'static str,
    /// What it is, for players.
    pub summary: &'static str,
    /// How hard it is for a person.
    pub effort: Effort,
    /// How it is measured.
    pub measure: Measure,
}

/// How a feature is measured. Values fit 16 bits on every board of up to 25 cells.
#[derive(Clone, Copy)]
pub enum Measure {
    /// On what each player may still use: after the move in a rule, before it in a condition.
    Territory(fn(&OpenCells) -> i32),
    /// The same, imagining one more move: not to be taken after a reply.
    NextMove(fn(&OpenCells) -> i32),
    /// On a move, from the territory before it.
    Claim(fn(&Decision, usize) -> i32),
    /// On a move, from the board, the pieces, or whose they are.
    Place(fn(&Decision, usize) -> i32),
    /// On the position before the move, pieces and turn included.
    Position(fn(&Decision) -> i32),
}

/// What each player may still use, seen by the player who chooses the move.
#[derive(Clone, Copy, Debug)]
pub struct OpenCells<'a> {
    /// The board.
    pub board: &'a Board,
    /// For each cell, the cell itself and those that share a side with it.
    pub reach: &'a [Cells],
    /// Cells that the player who chooses may use.
    pub own: Cells,
    /// Cells that the other one may use.
    pub opponent: Cells,
}

impl<'a> OpenCells<'a> {
    /// Before the move.
    pub fn before(decision: &Decision<'a>) -> OpenCells<'a> {
        let Decision { board, reach, own_usable, opponent_usable, .. } = *decision;
        OpenCells { board, reach, own: own_usable, opponent: opponent_usable }
    }

    /// After the move. That a player may run out of pieces by the move itself is left aside.
    pub fn after(decision: &Decision<'a>, cell: usize) -> OpenCells<'a> {
        OpenCells::before(decision).after_own(cell)
    }

    fn after_own(&self, cell: usize) -> OpenCells<'a> {
        OpenCells {
            own: self.own & !(1 << cell),
            opponent: self.opponent & !self.reach[cell],
            ..*self
        }
    }

    /// After a reply of the opponent.
    fn after_reply(&self, cell: usize) -> OpenCells<'a> {
        OpenCells {
            own: self.own & !self.reach[cell],
            opponent: self.opponent & !(1 << cell),
            ..*self
        }
    }

    /// The opponent's replies worth a look: on cells in conflict with yours, or any if there are
    /// none.
    pub fn replies(&self) -> impl Iterator<Item = OpenCells<'a>> {
        let conflicting = self.opponent & self.reached(self.own);
        let replies = if conflicting == 0 { self.opponent } else { conflicting };
        cells_of(replies).map(|cell| self.after_reply(cell))
    }

    /// The same seen by the other player.
    fn turned(&self) -> OpenCells<'a> {
        OpenCells { own: self.opponent, opponent: self.own, ..*self }
    }

    /// How many cells a piece of the player who chooses would take from the other one.
    #[inline]
    fn claim(&self, cell: usize) -> i32 {
        count(self.reach[cell] & self.opponent)
    }

    /// How many own cells conflict with 0 to 5 of the other player's.
    ///
    /// All cells are counted at once: the sets of those with a conflict on the cell itself and to
    /// each side are added up as binary digits.
    #[inline]
    fn by_conflicts(&self) -> [i32; 6] {
        let [mut ones, mut twos, mut fours] = [self.opponent, 0, 0];
        for side in self.board.shifted(self.opponent) {
            let carry = ones & side;
            ones ^= side;
            fours |= twos & carry;
            twos ^= carry;
        }
        let with = |k: usize| {
            let digit = |bit: usize, set: Cells| if k & bit == 0 { !set } else { set };
            count(self.own & digit(1, ones) & digit(2, twos) & digit(4, fours))
        };
        std::array::from_fn(with)
    }

    /// The most cells of the other player that an own cell takes.
    #[inline]
    fn largest_claim(&self) -> i32 {
        self.by_conflicts().iter().rposition(|&cells| cells > 0).unwrap_or(0) as i32
    }

    /// Cells within reach of a set, the set itself included.
    #[inline]
    fn reached(&self, cells: Cells) -> Cells {
        cells | self.board.neighbours(cells)
    }

    /// Own cells that the other player can never take away.
    #[inline]
    fn free(&self) -> Cells {
        self.own & !self.reached(self.opponent)
    }

    fn free_difference(&self) -> i32 {
        count(self.free()) - count(self.turned().free())
    }
}

#[inline]
fn count(cells: Cells) -> i32 {
    cells.count_ones() as i32
}

/// The highest of a measure over the cells of a set; 0 if there are none.
fn highest(cells: Cells, measure: impl Fn(usize) -> i32) -> i32 {
    cells_of(cells).map(measure).max().unwrap_or(0)
}

impl Feature {
    /// Its value for a legal move. A feature of the position is the same for all of them.
    #[inline]
    pub fn of_move(&self, decision: &Decision, cell: usize) -> i32 {
        match self.measure {
            Measure::Territory(measure) | Measure::NextMove(measure) => {
                measure(&OpenCells::after(decision, cell))
            }
            Measure::Claim(measure) | Measure::Place(measure) => measure(decision, cell),
            Measure::Position(measure) => measure(decision),
        }
    }

    /// Its value before the move; none for a feature of a move.
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

    /// Its value for what is open after a reply; none for a feature that is not taken there.
    #[inline]
    pub fn of_reply(&self, open: &OpenCells) -> Option<i32> {
        match self.measure {
            Measure::Territory(measure) => Some(measure(open)),
            _ => None,
        }
    }

    /// Whether it can be taken after a reply: a count of territory that imagines no move itself.
    pub fn tells_replies(&self) -> bool {
        matches!(self.measure, Measure::Territory(_))
    }

    /// Whether it can rank moves.
    pub fn ranks_moves(&self) -> bool {
        !matches!(self.measure, Measure::Position(_))
    }

    /// Whether it can stand in a condition.
    pub fn tells_positions(&self) -> bool {
        !matches!(self.measure, Measure::Claim(_) | Measure::Place(_))
    }

    /// Whether what each player may still use is all that it looks at.
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
        ptr::eq(self, other) // each is at one place, in a static
    }
}

impl Eq for Feature {}

/// Every feature, in the order in which they are listed.
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

//! The kinds of moves.

use super::captures::Captures;
use crate::dots::{Bitboard, Lines, Word};

/// The kind of a move. If several apply, it is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Closes a box or two.
    Takes,
    /// Leaves no box to take.
    Safe,
    /// Leaves the last boxes of a chain, two, or four of a loop, to the opponent instead of taking
    /// them.
    DoubleDealing,
    /// Leaves the opponent the choice between taking all boxes and leaving the last ones.
    Loony,
    /// Opens a chain of two boxes by the line between them, so that the opponent has no choice.
    HardHearted,
    /// Leaves boxes to take, usually one, without a choice.
    Sacrifice,
}

impl MoveKind {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            MoveKind::Takes => "takes",
            MoveKind::Safe => "safe",
            MoveKind::DoubleDealing => "double-dealing",
            MoveKind::Loony => "loony",
            MoveKind::HardHearted => "hard-hearted handout",
            MoveKind::Sacrifice => "sacrifice",
        }
    }

    /// The kind of an open line if these lines are drawn.
    pub fn of<W: Word>(bitboard: &Bitboard<W>, drawn: Lines, line: usize) -> MoveKind {
        let (before, after) = (bitboard.open(drawn), bitboard.open(drawn | 1 << line));
        let to_take = bitboard.degrees(before).one;
        let one = bitboard.degrees(after).one;
        let beside = bitboard.boxes_at(before.without(after));
        let none = W::zero();
        if beside & to_take != none {
            return MoveKind::Takes;
        }
        let captures = Captures::new(bitboard, after);
        // The boxes that the line makes capturable, and those that are captured together with
        // another one.
        let opened = beside & one;
        let paired = bitboard.boxes_at(bitboard.lines_at(after, one & !opened));
        if captures.boxes == 0 {
            MoveKind::Safe
        } else if to_take != none && opened != none && opened & !paired == none {
            MoveKind::DoubleDealing
        } else if captures.control_cost.is_some() {
            MoveKind::Loony
        } else if to_take == none && opened.count_ones() == 2 {
            MoveKind::HardHearted
        } else {
            MoveKind::Sacrifice
        }
    }
}

#[cfg(test)]
mod tests;

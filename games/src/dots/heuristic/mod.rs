//! Three rules of thumb: greedy play, the double-cross and the long chain rule.
//!
//! A rule selects some of the open lines of a position, the lines that it likes, without a
//! preference among them.

pub mod guarantee;

use crate::dots::bitboard::first;
use crate::dots::board::{Board, Lines, lines_of, set_of};
use crate::dots::search::Captures;
use crate::dots::{Bitboard, Component, Degrees, OpenLines, Word};

/// The number of boxes of the shortest long chain.
const LONG: u32 = 3;

/// A rule of thumb. Each extends the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Takes a box if possible; otherwise draws a safe line, after which no box can be taken;
    /// otherwise gives away as few boxes as possible.
    Greedy,
    /// As [`Greedy`](Rule::Greedy), but declines the last two boxes that can be taken, four of a
    /// loop, so that the opponent has to move next; unless no other lines are left.
    DoubleCross,
    /// As [`DoubleCross`](Rule::DoubleCross), but prefers safe lines after which the number of long
    /// chains has the right parity. By the long chain rule (Berlekamp, *The Dots and Boxes Game*,
    /// 2000) the sum of dots and long chains should be even for the first player and odd for the
    /// second.
    ChainRule,
}

impl Rule {
    /// All rules, simplest first.
    pub const ALL: [Rule; 3] = [Rule::Greedy, Rule::DoubleCross, Rule::ChainRule];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Greedy => "greedy",
            Rule::DoubleCross => "double-cross",
            Rule::ChainRule => "chain-rule",
        }
    }

    /// The rule in plain words.
    pub fn summary(self) -> &'static str {
        match self {
            Rule::Greedy => "takes boxes, else draws a safe line, else gives away the fewest boxes",
            Rule::DoubleCross => "as greedy, but declines the last two boxes to keep control",
            Rule::ChainRule => "as double-cross, but makes the number of long chains right",
        }
    }

    /// The share of positions of 3x3 boxes, in percent, in which the rule likes a line that is not
    /// perfect, of those where there is one. `results/dots-rules.csv` contains it.
    pub fn mistakes(self) -> f64 {
        match self {
            Rule::Greedy => 12.24,
            Rule::DoubleCross => 11.89,
            Rule::ChainRule => 11.24,
        }
    }
}

/// The kind of a position: what the player to move can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionKind {
    /// A box can be taken.
    Take,
    /// No box can be taken, and there is a safe line.
    Safe,
    /// Every line gives away a box.
    Give,
}

impl PositionKind {
    /// All kinds.
    pub const ALL: [PositionKind; 3] = [PositionKind::Take, PositionKind::Safe, PositionKind::Give];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            PositionKind::Take => "take",
            PositionKind::Safe => "safe",
            PositionKind::Give => "give",
        }
    }
}

/// A board, prepared for the rules.
pub struct Layout<W = u64> {
    bitboard: Bitboard<W>,
    /// The open lines of positions with one undrawn line, by that line.
    single: Vec<OpenLines<W>>,
}

impl Layout {
    /// Prepares a board of which every line is in play.
    pub fn new(board: Board) -> Layout {
        Layout::of(board)
    }
}

impl<W: Word> Layout<W> {
    /// Prepares any board.
    pub fn of(board: Board) -> Layout<W> {
        let bitboard = Bitboard::<W>::of(board);
        let single = (0..board.lines()).map(|line| bitboard.open(board.all() & !(1 << line)));
        Layout { single: single.collect(), bitboard }
    }

    /// The bitboard of the board.
    pub fn bitboard(&self) -> &Bitboard<W> {
        &self.bitboard
    }

    /// Returns the position with those lines drawn.
    pub fn situation(&self, drawn: Lines) -> Situation<'_, W> {
        let open = self.bitboard.open(drawn);
        let drawn = drawn & self.bitboard.board().all();
        Situation { layout: self, drawn, open, degrees: self.bitboard.degrees(open) }
    }
}

/// A position, prepared for the rules.
pub struct Situation<'a, W = u64> {
    layout: &'a Layout<W>,
    drawn: Lines,
    open: OpenLines<W>,
    degrees: Degrees<W>,
}

impl<W: Word> Situation<'_, W> {
    /// The kind of the position.
    pub fn kind(&self) -> PositionKind {
        if self.degrees.one != W::zero() {
            PositionKind::Take
        } else if self.safe().count() != 0 {
            PositionKind::Safe
        } else {
            PositionKind::Give
        }
    }

    /// The undrawn lines.
    pub fn lines(&self) -> Lines {
        self.layout.bitboard.board().all() & !self.drawn
    }

    /// The lines that each rule likes, in the order of [`Rule::ALL`]; empty only if all lines are
    /// drawn.
    pub fn liked(&self) -> [Lines; 3] {
        match self.kind() {
            PositionKind::Take => {
                let left = self.taken_or_left();
                [self.among(self.taking()), left, left]
            }
            PositionKind::Safe => {
                let safe = self.among(self.safe());
                [safe, safe, self.right_parity(safe)]
            }
            PositionKind::Give => [self.cheapest(); 3],
        }
    }

    /// The lines that a rule likes.
    pub fn liked_by(&self, rule: Rule) -> Lines {
        self.liked()[rule as usize]
    }

    /// The undrawn lines that belong to a set of open lines.
    fn among(&self, set: OpenLines<W>) -> Lines {
        self.those(self.lines(), |line| self.layout.single[line].and(set).count() != 0)
    }

    /// The members of a set of lines with some property.
    fn those(&self, lines: Lines, is: impl Fn(usize) -> bool) -> Lines {
        set_of(lines_of(lines).filter(|&line| is(line)))
    }

    /// The open lines after a line.
    fn after(&self, line: usize) -> OpenLines<W> {
        self.open.without(self.layout.single[line])
    }

    /// The captures that are possible after a line.
    fn settled_after(&self, line: usize) -> Captures<W> {
        Captures::new(&self.layout.bitboard, self.after(line))
    }

    /// The lines that complete a box.
    fn taking(&self) -> OpenLines<W> {
        self.layout.bitboard.lines_at(self.open, self.degrees.one)
    }

    /// The lines that are not a side of a box with two open sides. If no box can be taken before
    /// such a line, none can be taken after it.
    fn safe(&self) -> OpenLines<W> {
        self.open.without(self.layout.bitboard.lines_at(self.open, self.degrees.two))
    }

    /// The lines after which the opponent can take the fewest boxes.
    fn cheapest(&self) -> Lines {
        let given = |line| self.settled_after(line).boxes;
        let least = lines_of(self.lines()).map(given).min();
        self.those(self.lines(), |line| Some(given(line)) == least)
    }

    /// The lines that take boxes, or decline the last ones if that is possible.
    fn taken_or_left(&self) -> Lines {
        let bitboard = &self.layout.bitboard;
        let captures = Captures::new(bitboard, self.open);
        let taking = self.taking();
        let all = self.among(taking);
        let Some(control_cost) = captures.control_cost.filter(|_| captures.open.count() != 0)
        else {
            return all;
        };
        // Declining boxes costs twice their number: the opponent takes them instead of the mover.
        let liked = if captures.boxes == control_cost / 2 {
            let near = self.among(bitboard.lines_at(self.open, bitboard.boxes_at(taking)));
            self.those(near & !all, |line| {
                let left = self.settled_after(line);
                left.boxes == captures.boxes && left.control_cost.is_none()
            })
        } else {
            self.those(all, |line| self.settled_after(line).control_cost == Some(control_cost))
        };
        if liked == 0 { all } else { liked }
    }

    /// The safe lines after which the number of long chains has the right parity for the mover; all
    /// safe lines if there are none.
    ///
    /// Turns so far are lines minus completed boxes plus double-crosses, which are lines that
    /// complete two boxes. A whole game has as many turns as dots and double-crosses together. An
    /// earlier double-cross therefore changes both the player to move and the parity right for that
    /// player, so the parity depends on the drawn lines only.
    fn right_parity(&self, safe: Lines) -> Lines {
        let board = self.layout.bitboard.board();
        let dots = (board.rows() + 1) * (board.cols() + 1);
        let lines = board.all_lines() as u32 - self.lines().count_ones();
        let closed = board.closed(self.drawn).count_ones();
        let turns = lines - closed - board.taken_before().iter().sum::<u32>();
        let wanted = (dots as u32 + turns) % 2;
        let right = self.those(safe, |line| self.long_chains(self.after(line)) % 2 == wanted);
        if right == 0 { safe } else { right }
    }

    /// The number of long chains: those of at least three boxes.
    fn long_chains(&self, open: OpenLines<W>) -> u32 {
        let is_long = |string: &Component| matches!(string, Component::Chain(LONG..));
        self.strings_of(open).filter(is_long).count() as u32
    }

    /// The strings of the position: connected boxes with two open sides each. Each is a chain or a
    /// loop.
    pub fn strings(&self) -> impl Iterator<Item = Component> {
        self.strings_of(self.open)
    }

    fn strings_of(&self, open: OpenLines<W>) -> impl Iterator<Item = Component> {
        let bitboard = &self.layout.bitboard;
        let mut boxes = bitboard.degrees(open).two;
        std::iter::from_fn(move || {
            if boxes == W::zero() {
                return None;
            }
            let string = bitboard.connected(open, first(boxes), boxes);
            boxes &= !string;
            // A loop has as many lines as boxes, a chain one more.
            let length = string.count_ones();
            let is_loop = bitboard.lines_at(open, string).count() == length;
            Some(if is_loop { Component::Loop(length) } else { Component::Chain(length) })
        })
    }

    /// Whether the last move was loony: the player to move can take all boxes that can be taken, or
    /// leave the last ones to the opponent, who then has to move.
    pub fn is_loony(&self) -> bool {
        Captures::new(&self.layout.bitboard, self.open).control_cost.is_some()
    }

    /// The number of lines after which no box can be taken.
    pub fn safe_lines(&self) -> u32 {
        if self.degrees.one == W::zero() { self.among(self.safe()).count_ones() } else { 0 }
    }

    /// The number of boxes that the player to move can take, one after the other.
    pub fn capturable(&self) -> u32 {
        Captures::new(&self.layout.bitboard, self.open).boxes as u32
    }
}

#[cfg(test)]
mod tests;

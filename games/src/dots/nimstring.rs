//! Nimstring: the same moves, but a player who cannot move loses. Its values are nimbers.
//!
//! Boxes do not count, and a loony move never helps (Berlekamp, Conway and Guy, *Winning Ways*,
//! chapter 16). The nimber of a position is the nim-sum of the nimbers of its components. Whether a
//! component has a given nimber is decided with as few of its moves as possible: a move to that
//! nimber refutes it.

use super::bitboard::first;
use super::search::move_history::MoveHistory;
use super::search::node::{Move, MoveGenerator, Node, Reductions};
use super::search::{Captures, Encoding};
use super::{Bitboard, Board, Lines, OpenLines, Word};
use bsq_engine::monitor::{Monitor, SolveError};
use std::collections::HashMap;

/// Positions between two checks for cancellation.
const POSITIONS_AT_A_TIME: u64 = 1 << 12;
/// Bytes of a position in the table, including its spare capacity.
const ENTRY_BYTES: u64 = 64;

/// The value of a position of Nimstring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nimber {
    /// Equivalent to a heap of Nim of that size: 0 is a loss for the player to move.
    Heap(u32),
    /// The last move was loony: the player to move wins, whatever the other components are.
    Loony,
}

impl std::fmt::Display for Nimber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Nimber::Heap(size) => write!(f, "{size}"),
            Nimber::Loony => f.write_str("loony"),
        }
    }
}

/// The known facts about the nimber of a component.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The nimbers that are excluded, one bit for each.
    excluded: u64,
    exact: Option<u32>,
}

/// A solver of Nimstring. Nimbers of components are kept from one position to the next.
pub struct Nimstring<W = u64> {
    generator: MoveGenerator<W>,
    parts: HashMap<u64, Known>,
    history: MoveHistory,
    most_parts: u64,
    asked: u64,
}

impl Nimstring {
    /// A solver of the positions of a board, with about `memory` bytes at most.
    pub fn new(board: Board, memory: u64) -> Nimstring {
        Nimstring::of(board, memory)
    }
}

impl<W: Word> Nimstring<W> {
    /// As [`new`](Nimstring::new), with words of any size.
    pub fn of(board: Board, memory: u64) -> Nimstring<W> {
        let reductions = Reductions { endgames: false, ..Reductions::ALL };
        let generator = MoveGenerator::new(board, 0, Encoding { marks: false }, reductions);
        Nimstring {
            generator,
            parts: HashMap::new(),
            history: MoveHistory::new(board.lines()),
            most_parts: memory / ENTRY_BYTES,
            asked: 0,
        }
    }

    /// The value of a position.
    ///
    /// ```
    /// use bsq_engine::monitor::Monitor;
    /// use bsq_games::dots::{Board, Nimber, Nimstring};
    ///
    /// let mut nimstring = Nimstring::new(Board::new(1, 1).unwrap(), 1 << 20);
    /// // Four lines: the second player draws the last one and has to move again, but cannot.
    /// assert_eq!(nimstring.value(0, &Monitor::default()), Ok(Nimber::Heap(1)));
    /// ```
    pub fn value(&mut self, drawn: Lines, monitor: &Monitor) -> Result<Nimber, SolveError> {
        let captures = Captures::new(&self.generator.bitboard, self.generator.bitboard.open(drawn));
        match captures.control_cost {
            Some(_) => Ok(Nimber::Loony),
            None => Ok(Nimber::Heap(self.sum(captures.open, monitor)?)),
        }
    }

    /// The nimber of a position without captures.
    fn sum(&mut self, open: OpenLines<W>, monitor: &Monitor) -> Result<u32, SolveError> {
        let mut sum = 0;
        for part in parts(&self.generator.bitboard, open) {
            sum ^= self.part(part, monitor)?;
        }
        Ok(sum)
    }

    fn part(&mut self, part: OpenLines<W>, monitor: &Monitor) -> Result<u32, SolveError> {
        let mut nimber = 0;
        while !self.is(part, nimber, monitor)? {
            nimber += 1;
        }
        Ok(nimber)
    }

    /// Whether a component has that nimber.
    fn is(
        &mut self,
        part: OpenLines<W>,
        nimber: u32,
        monitor: &Monitor,
    ) -> Result<bool, SolveError> {
        if let Some(nimber_of_component) = self.component(part) {
            return Ok(nimber_of_component == nimber);
        }
        let key = self.generator.bitboard.canonical(part);
        let known = self.parts.get(&key).copied().unwrap_or_default();
        if let Some(exact) = known.exact {
            return Ok(exact == nimber);
        }
        if known.excluded >> nimber & 1 == 1 {
            return Ok(false);
        }
        self.check_limits(monitor)?;
        let mut is = true;
        for smaller in 0..nimber {
            is &= !self.is(part, smaller, monitor)?;
        }
        is = is && !self.leads_to(part, nimber, monitor)?;
        let known = self.parts.entry(key).or_default();
        if is {
            known.exact = Some(nimber);
        } else {
            known.excluded |= 1 << nimber;
        }
        Ok(is)
    }

    /// Whether some move of a component leads to that nimber.
    fn leads_to(
        &mut self,
        part: OpenLines<W>,
        nimber: u32,
        monitor: &Monitor,
    ) -> Result<bool, SolveError> {
        let node = Node { open: part, endgame: 0 };
        let mut moves: Vec<(Move<W>, Vec<OpenLines<W>>)> = Vec::new();
        let bitboard = &self.generator.bitboard;
        self.generator.moves(&node, |mv| {
            if mv.control_cost.is_none() {
                moves.push((mv, parts(bitboard, mv.node.open)));
            }
        });
        // First, use the known nimbers of the moves.
        let mut unknown = Vec::new();
        for (mut mv, rest) in moves {
            match self.known_sum(&rest, nimber) {
                Some(true) => return Ok(true),
                Some(false) => {}
                None => {
                    mv.rank -= self.history.credit(&node, &mv);
                    unknown.push((mv, rest));
                }
            }
        }
        unknown.sort_unstable_by_key(|(mv, _)| mv.rank);
        for (mv, mut rest) in unknown {
            rest.sort_unstable_by_key(|part| part.count());
            let Some(largest) = rest.pop() else { continue };
            let mut wanted = nimber;
            for part in rest {
                wanted ^= self.part(part, monitor)?;
            }
            let leads = self.is(largest, wanted, monitor)?;
            self.history.learn(&node, &mv, leads);
            if leads {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the nim-sum of some components is `nimber`, if that is known. It is known to differ
    /// if all components but one are known, and that one cannot have the missing nimber.
    fn known_sum(&self, rest: &[OpenLines<W>], nimber: u32) -> Option<bool> {
        let mut wanted = nimber;
        let mut open = None;
        for &part in rest {
            let known = match self.component(part) {
                Some(nimber) => Known { exact: Some(nimber), excluded: 0 },
                None => self.parts.get(&self.generator.bitboard.canonical(part)).copied()?,
            };
            match known.exact {
                Some(exact) => wanted ^= exact,
                None if open.is_none() => open = Some(known.excluded),
                None => return None,
            }
        }
        match open {
            None => Some(wanted == 0),
            Some(excluded) => (excluded >> wanted & 1 == 1).then_some(false),
        }
    }

    /// The nimber of an isolated chain or loop: 1 for short ones, 0 for others, which only a loony
    /// move opens.
    fn component(&self, part: OpenLines<W>) -> Option<u32> {
        let degrees = self.generator.bitboard.degrees(part);
        (degrees.more == W::zero()).then(|| u32::from(degrees.two.count_ones() <= 2))
    }

    fn check_limits(&mut self, monitor: &Monitor) -> Result<(), SolveError> {
        self.asked += 1;
        if self.asked.is_multiple_of(POSITIONS_AT_A_TIME) {
            monitor.advance(POSITIONS_AT_A_TIME);
            monitor.check()?;
        }
        let found = self.parts.len() as u64;
        if found >= self.most_parts {
            let bytes = self.most_parts * ENTRY_BYTES;
            Err(SolveError::OverLimit { found, what: "positions", bytes })
        } else {
            Ok(())
        }
    }
}

/// The components of a position.
fn parts<W: Word>(bitboard: &Bitboard<W>, open: OpenLines<W>) -> Vec<OpenLines<W>> {
    let mut boxes = bitboard.boxes_at(open);
    let mut parts = Vec::new();
    while boxes != W::zero() {
        let part = bitboard.connected(open, first(boxes), boxes);
        boxes &= !part;
        parts.push(bitboard.lines_at(open, part));
    }
    parts
}

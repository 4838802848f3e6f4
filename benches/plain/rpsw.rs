//! A plain solver of rock-paper-scissors-well: iterates over all undecided positions until nothing
//! changes.
//!
//! It shares only the types of rules and placements with the engine. An iteration uses all threads
//! of the current pool; to measure a single thread, run it in a pool of one.

use bsq_games::rpsw::{Piece as Kind, Placement, Rules, Square};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Every kind, as bits.
pub const ALL_KINDS: u8 = 0b1111;
/// Instead of a depth: neither won nor lost.
pub const OPEN: u8 = 255;
/// Instead of a depth: not a position, or the game is over.
pub const NOTHING: u8 = 254;
/// The number of a placement that does not exist.
const NONE: u32 = u32::MAX;

/// A solved game.
pub struct Plain {
    cols: u8,
    rows: u8,
    /// Whether a kind captures another.
    takes: [[bool; 4]; 4],
    /// The squares around each square.
    around: Vec<Vec<Square>>,
    /// All placements of a player in positions that are not over.
    placements: Vec<Placement>,
    /// The number of each placement, by code.
    numbers: Vec<u32>,
    /// The depth of each position in plies: odd if it is won for the player to move, even if lost.
    /// Positions are numbered by the placement of the player to move, then by that of the opponent.
    pub plies: Vec<u8>,
}

impl Plain {
    /// Solves the positions in which one player has at most the first material and the other at
    /// most the second. A material is a set of kinds as bits.
    pub fn solve(rules: &Rules, materials: [u8; 2]) -> Plain {
        let mut game = Plain::unsolved(rules, materials);
        for plies in 1..NOTHING {
            let found = game.round(plies);
            if found.is_empty() {
                return game;
            }
            for index in found {
                game.plies[index] = plies;
            }
        }
        panic!("more rounds than a byte can count");
    }

    /// The numbers of positions by depth in plies, or [`OPEN`], and by the materials of the player
    /// to move and of the opponent. Of two mirror images one counts.
    pub fn counts(&self) -> BTreeMap<(u8, u8, u8), u64> {
        let mirrored = |placement: &Placement| self.number(&self.mirrored(placement));
        let images: Vec<Option<usize>> = self.placements.iter().map(mirrored).collect();
        let mut counts = BTreeMap::new();
        for (index, &plies) in self.plies.iter().enumerate().filter(|(_, plies)| **plies != NOTHING)
        {
            let [own, other] = self.numbers_at(index);
            if (Some(own), Some(other)) <= (images[own], images[other]) {
                let [own, other] = [own, other].map(|number| kinds(&self.placements[number]));
                *counts.entry((plies, own, other)).or_default() += 1;
            }
        }
        counts
    }

    /// The number of a position, the mover's pieces first; `None` if it is not valid or is over.
    pub fn index(&self, own: &Placement, other: &Placement) -> Option<usize> {
        let index = self.number(own)? * self.placements.len() + self.number(other)?;
        (self.plies[index] != NOTHING).then_some(index)
    }

    /// The position with a number, the mover's pieces first.
    pub fn position(&self, index: usize) -> [Placement; 2] {
        self.numbers_at(index).map(|number| self.placements[number])
    }

    /// The mirror image of a placement.
    pub fn mirrored(&self, placement: &Placement) -> Placement {
        let mirrored = |square| square / self.cols * self.cols + self.cols - 1 - square % self.cols;
        placement.map(|square| square.map(mirrored))
    }

    /// The game before any position is decided.
    fn unsolved(rules: &Rules, materials: [u8; 2]) -> Plain {
        let takes = |kind| Kind::ALL.map(|other| rules.takes(kind, other));
        let (cols, rows) = (rules.board().cols() as u8, rules.board().rows() as u8);
        let mut game = Plain {
            cols,
            rows,
            takes: Kind::ALL.map(takes),
            around: (0..cols * rows).map(|square| around(cols, rows, square)).collect(),
            placements: Vec::new(),
            numbers: Vec::new(),
            plies: Vec::new(),
        };
        game.list_placements(rules.pieces(), materials);
        let pairs = (0..game.placements.len().pow(2)).into_par_iter();
        let plies = pairs.map(|index| {
            let [own, other] = game.position(index);
            let fits = is_within(&own, &other, materials) || is_within(&other, &own, materials);
            let few = count(&own) + count(&other) <= rules.total();
            let is_position = fits && few && game.are_apart(&own, &other);
            if is_position { OPEN } else { NOTHING }
        });
        game.plies = plies.collect();
        game
    }

    /// The number of squares that a player's piece can occupy before the game is over.
    fn open_squares(&self) -> Square {
        self.cols * (self.rows - 1)
    }

    /// Lists all placements of 1 to `pieces` pieces whose kinds are in one of the materials.
    fn list_placements(&mut self, pieces: usize, materials: [u8; 2]) {
        let mut all = vec![Placement::default()];
        for kind in Kind::ALL {
            for fewer in all.clone() {
                for square in 0..self.open_squares() {
                    if !fewer.contains(&Some(square)) {
                        let mut placement = fewer;
                        placement[kind.index()] = Some(square);
                        all.push(placement);
                    }
                }
            }
        }
        all.retain(|placement| {
            let fits = materials.iter().any(|material| kinds(placement) & !material == 0);
            fits && (1..=pieces).contains(&count(placement))
        });
        self.numbers = vec![NONE; (usize::from(self.open_squares()) + 1).pow(4)];
        for (number, placement) in all.iter().enumerate() {
            let code = self.code(placement);
            self.numbers[code] = number as u32;
        }
        self.placements = all;
    }

    /// The squares of a placement as digits; a captured piece has the number after the last square.
    fn code(&self, placement: &Placement) -> usize {
        let taken = self.open_squares();
        let digits = placement.iter().map(|square| usize::from(square.unwrap_or(taken)));
        digits.fold(0, |code, digit| code * (usize::from(taken) + 1) + digit)
    }

    fn number(&self, placement: &Placement) -> Option<usize> {
        let number = self.numbers[self.code(placement)];
        (number != NONE).then_some(number as usize)
    }

    fn numbers_at(&self, index: usize) -> [usize; 2] {
        [index / self.placements.len(), index % self.placements.len()]
    }

    /// The number that the opponent gives to a square.
    fn flipped(&self, square: Square) -> Square {
        (self.rows - 1 - square / self.cols) * self.cols + square % self.cols
    }

    /// Whether no square has pieces of both players.
    fn are_apart(&self, own: &Placement, other: &Placement) -> bool {
        let mut squares = own.iter().flatten();
        squares.all(|&square| !other.contains(&Some(self.flipped(square))))
    }

    /// The positions decided in `plies` plies, given all that are decided in fewer.
    fn round(&self, plies: u8) -> Vec<usize> {
        let rows = (0..self.placements.len()).into_par_iter();
        let found = rows.flat_map_iter(|own| {
            let row = own * self.placements.len()..(own + 1) * self.placements.len();
            row.filter(|&index| self.plies[index] == OPEN && self.is_decided(index, plies))
        });
        found.collect()
    }

    /// Whether the depths of its successors decide an open position in `plies` plies.
    fn is_decided(&self, index: usize, plies: u8) -> bool {
        let [own, other] = self.position(index);
        let mut after = self.after(&own, &other).peekable();
        match plies % 2 {
            1 => after.any(|plies| plies < NOTHING && plies % 2 == 0),
            // A player who cannot move has drawn.
            _ => after.peek().is_some() && after.all(|plies| plies < NOTHING && plies % 2 == 1),
        }
    }

    /// The depth of the position after each legal move; even if it is lost for the opponent.
    fn after<'a>(&'a self, own: &'a Placement, other: &'a Placement) -> impl Iterator<Item = u8> {
        let pieces = Kind::ALL.into_iter().filter_map(|kind| Some((kind, own[kind.index()]?)));
        let steps = pieces.flat_map(|(kind, from)| {
            let around = &self.around[usize::from(from)];
            around.iter().map(move |&to| (kind, to))
        });
        steps.filter_map(|(kind, to)| self.after_step(own, other, kind, to))
    }

    /// The depth of the position after one step; `None` if the step is illegal.
    fn after_step(&self, own: &Placement, other: &Placement, kind: Kind, to: Square) -> Option<u8> {
        if own.contains(&Some(to)) {
            return None;
        }
        let (mut moved, mut left) = (*own, *other);
        moved[kind.index()] = Some(to);
        let there = Some(self.flipped(to));
        if let Some(taken) = other.iter().position(|&square| square == there) {
            if !self.takes[kind.index()][taken] {
                return None;
            }
            left[taken] = None;
        }
        if to >= self.open_squares() || left == Placement::default() {
            return Some(0);
        }
        let index = self.index(&left, &moved).expect("the game goes on");
        Some(self.plies[index])
    }
}

/// The squares around a square.
fn around(cols: u8, rows: u8, square: Square) -> Vec<Square> {
    let near = |other: &Square| {
        let across = (other % cols).abs_diff(square % cols);
        let along = (other / cols).abs_diff(square / cols);
        *other != square && across <= 1 && along <= 1
    };
    (0..cols * rows).filter(near).collect()
}

fn count(placement: &Placement) -> usize {
    placement.iter().flatten().count()
}

/// The kinds of a placement, as bits.
pub fn kinds(placement: &Placement) -> u8 {
    let here = Kind::ALL.into_iter().filter(|kind| placement[kind.index()].is_some());
    here.map(|kind| 1 << kind.index()).sum()
}

/// Whether each placement has only kinds of its material.
fn is_within(one: &Placement, other: &Placement, materials: [u8; 2]) -> bool {
    kinds(one) & !materials[0] == 0 && kinds(other) & !materials[1] == 0
}

//! A brute-force oracle: an independent implementation of the rules, cell by cell, with plain
//! enumeration.
//!
//! No code is shared with the engine. A board is a list of cells with rows and columns; images are
//! computed by counting rows and columns from other sides.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub mod decisions;
pub mod features;
pub mod orders;

/// The owner of a cell.
pub const EMPTY: u8 = 0;
pub const FIRST: u8 = 1;
pub const SECOND: u8 = 2;

/// The rules of a game, without the bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    pub rows: usize,
    pub cols: usize,
    pub center_allowed: bool,
    pub pieces: Option<usize>,
}

/// The owner of every cell, and the turn, from 1. The first player moves on odd turns.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Situation {
    pub cells: Vec<u8>,
    pub turn: usize,
}

impl Situation {
    pub fn mover(&self) -> u8 {
        if self.turn % 2 == 1 { FIRST } else { SECOND }
    }

    pub fn score(&self) -> i32 {
        let pieces = |owner| self.cells.iter().filter(|&&cell| cell == owner).count() as i32;
        pieces(FIRST) - pieces(SECOND)
    }
}

/// The possible continuations of a situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A placement on one of these cells.
    Place(Vec<usize>),
    Pass,
    Over,
}

impl Variant {
    pub fn standard(rows: usize, cols: usize) -> Variant {
        Variant { rows, cols, center_allowed: false, pieces: None }
    }

    /// The standard rules on all boards of this number of cells.
    pub fn boards(cells: std::ops::RangeInclusive<usize>) -> Vec<Variant> {
        let most = *cells.end();
        let sides = (1..=most).flat_map(|rows| (1..=most / rows).map(move |cols| (rows, cols)));
        let fits = sides.filter(|(rows, cols)| cells.contains(&(rows * cols)));
        fits.map(|(rows, cols)| Variant::standard(rows, cols)).collect()
    }

    /// The variants of a board: centre forbidden or allowed, pieces unlimited or limited to 1 to 4.
    pub fn variations(self) -> Vec<Variant> {
        let centers: &[bool] = if self.centre().is_some() { &[false, true] } else { &[false] };
        let limits = [None, Some(1), Some(2), Some(3), Some(4)];
        let both =
            |&center_allowed| limits.map(|pieces| Variant { center_allowed, pieces, ..self });
        centers.iter().flat_map(both).collect()
    }

    pub fn size(&self) -> usize {
        self.rows * self.cols
    }

    pub fn centre(&self) -> Option<usize> {
        (self.rows % 2 == 1 && self.cols % 2 == 1)
            .then_some(self.rows / 2 * self.cols + self.cols / 2)
    }

    pub fn start(&self) -> Situation {
        Situation { cells: vec![EMPTY; self.size()], turn: 1 }
    }

    /// The cells that share a side with a cell.
    pub fn beside(&self, cell: usize) -> Vec<usize> {
        let (row, col) = (cell / self.cols, cell % self.cols);
        let above = (row > 0).then(|| cell - self.cols);
        let left = (col > 0).then(|| cell - 1);
        let right = (col + 1 < self.cols).then(|| cell + 1);
        let below = (row + 1 < self.rows).then(|| cell + self.cols);
        [above, left, right, below].into_iter().flatten().collect()
    }

    /// The cells on which a player could place a piece, without the rule about the first move.
    fn open_to(&self, cells: &[u8], player: u8) -> Vec<usize> {
        let placed = cells.iter().filter(|&&cell| cell == player).count();
        if self.pieces == Some(placed) {
            return Vec::new();
        }
        let opponent = FIRST + SECOND - player;
        let free = |&cell: &usize| {
            cells[cell] == EMPTY && self.beside(cell).iter().all(|&near| cells[near] != opponent)
        };
        (0..self.size()).filter(free).collect()
    }

    pub fn next(&self, situation: &Situation) -> Next {
        let [first, second] = [FIRST, SECOND].map(|p| self.open_to(&situation.cells, p));
        if first.is_empty() && second.is_empty() {
            return Next::Over;
        }
        let mut own = if situation.mover() == FIRST { first } else { second };
        if situation.turn == 1 && !self.center_allowed {
            own.retain(|&cell| Some(cell) != self.centre());
        }
        if own.is_empty() { Next::Pass } else { Next::Place(own) }
    }

    pub fn place(&self, situation: &Situation, cell: usize) -> Situation {
        let mut cells = situation.cells.clone();
        cells[cell] = situation.mover();
        Situation { cells, turn: situation.turn + 1 }
    }

    /// The successors of a situation.
    pub fn children(&self, situation: &Situation) -> Vec<Situation> {
        match self.next(situation) {
            Next::Place(own) => own.into_iter().map(|c| self.place(situation, c)).collect(),
            Next::Pass => {
                vec![Situation { cells: situation.cells.clone(), turn: situation.turn + 1 }]
            }
            Next::Over => Vec::new(),
        }
    }

    /// The images of the cells under the symmetries of the board.
    pub fn images(&self, cells: &[u8]) -> BTreeSet<Vec<u8>> {
        let (rows, cols) = (self.rows, self.cols);
        let sides = (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c)));
        let mut images = BTreeSet::new();
        for from_below in [false, true] {
            for from_right in [false, true] {
                let at = |(r, c): (usize, usize)| {
                    let r = if from_below { rows - 1 - r } else { r };
                    let c = if from_right { cols - 1 - c } else { c };
                    cells[r * cols + c]
                };
                images.insert(sides.clone().map(at).collect());
                if rows == cols {
                    images.insert(sides.clone().map(|(r, c)| at((c, r))).collect());
                }
            }
        }
        images
    }

    /// The canonical image of a situation.
    pub fn merged(&self, situation: &Situation) -> Situation {
        let cells = self.images(&situation.cells).into_iter().next().expect("it is its own image");
        Situation { cells, turn: situation.turn }
    }

    /// All reachable situations; symmetric images count separately.
    pub fn reachable(&self) -> HashSet<Situation> {
        let mut seen = HashSet::from([self.start()]);
        let mut waiting = vec![self.start()];
        while let Some(situation) = waiting.pop() {
            for child in self.children(&situation) {
                if seen.insert(child.clone()) {
                    waiting.push(child);
                }
            }
        }
        seen
    }

    /// The number of playouts with each score, found by playing them one by one.
    pub fn playouts_one_by_one(&self) -> BTreeMap<i32, u128> {
        fn go(variant: &Variant, situation: &Situation, counts: &mut BTreeMap<i32, u128>) {
            let children = variant.children(situation);
            if children.is_empty() {
                *counts.entry(situation.score()).or_default() += 1;
            }
            children.iter().for_each(|child| go(variant, child, counts));
        }
        let mut counts = BTreeMap::new();
        go(self, &self.start(), &mut counts);
        counts
    }

    /// Solves all situations.
    pub fn solve(&self) -> Findings {
        let mut findings = Findings { variant: *self, known: HashMap::new() };
        findings.visit(&self.start());
        findings
    }
}

/// The solution of a situation.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The score under perfect play.
    pub value: i32,
    /// The number of playouts with each score from here on.
    pub playouts: BTreeMap<i32, u128>,
    /// The legal placements; empty if the mover passes or the game is over.
    pub moves: usize,
    pub over: bool,
}

/// The solutions of all situations of a game; symmetric images count separately.
pub struct Findings {
    variant: Variant,
    known: HashMap<Situation, Truth>,
}

impl Findings {
    fn visit(&mut self, situation: &Situation) {
        if self.known.contains_key(situation) {
            return;
        }
        let children = self.variant.children(situation);
        let mut playouts = BTreeMap::new();
        let mut values = Vec::new();
        for child in &children {
            self.visit(child);
            let truth = &self.known[child];
            values.push(truth.value);
            for (score, count) in &truth.playouts {
                *playouts.entry(*score).or_default() += count;
            }
        }
        let over = children.is_empty();
        if over {
            values.push(situation.score());
            playouts.insert(situation.score(), 1);
        }
        let wanted =
            if situation.mover() == FIRST { values.iter().max() } else { values.iter().min() };
        let moves = match self.variant.next(situation) {
            Next::Place(cells) => cells.len(),
            _ => 0,
        };
        let truth = Truth { value: *wanted.expect("a child or a score"), playouts, moves, over };
        self.known.insert(situation.clone(), truth);
    }

    pub fn of(&self, situation: &Situation) -> &Truth {
        &self.known[situation]
    }

    pub fn root(&self) -> &Truth {
        self.of(&self.variant.start())
    }

    /// One situation for each state, with its solution.
    pub fn states(&self) -> HashMap<Situation, &Truth> {
        self.known.iter().map(|(s, truth)| (self.variant.merged(s), truth)).collect()
    }
}

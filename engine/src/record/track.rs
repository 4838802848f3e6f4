//! Positions that moves lead through, one of them looked at.

/// A way through a game, whole or cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Track<P, M> {
    moves: Vec<M>,
    /// The position before each move, and after the last.
    positions: Vec<P>,
    at: usize,
}

impl<P, M: Copy + PartialEq> Track<P, M> {
    /// No move yet.
    pub fn new(start: P) -> Track<P, M> {
        Track { moves: Vec::new(), positions: vec![start], at: 0 }
    }

    /// The position that is looked at.
    pub fn position(&self) -> &P {
        &self.positions[self.at]
    }

    /// Every position, the first one included.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// Every move, those after the position that is looked at included.
    pub fn moves(&self) -> &[M] {
        &self.moves
    }

    /// How many moves lead to the position that is looked at.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Looks at the position after that many moves, or the last one.
    pub fn go_to(&mut self, at: usize) {
        self.at = at.min(self.moves.len());
    }

    /// Goes on from the position that is looked at. What followed there is forgotten, unless it was
    /// that move.
    pub fn play(&mut self, mv: M, next: P) {
        if self.moves.get(self.at) != Some(&mv) {
            self.moves.truncate(self.at);
            self.positions.truncate(self.at + 1);
            self.moves.push(mv);
            self.positions.push(next);
        }
        self.at += 1;
    }
}

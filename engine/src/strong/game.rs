//! The traits of a game that can be solved and of a visitor of its positions.

use crate::game::Player;

/// An acyclic game: every move leads from one turn to the next, so no position repeats. Positions
/// have 56-bit keys.
///
/// See the source of [`nim`](crate::nim) for a complete implementation.
pub trait AcyclicGame: Sync {
    /// A position in the representation that the search uses.
    type Node: Copy + Send + Sync;

    /// The key of a canonical position: equal for all symmetric images of a position, and for no
    /// other position. Between 1 and 2^56 - 1.
    fn key(&self, node: &Self::Node) -> u64;
    /// The player to move, who chooses among the children.
    fn to_move(&self, node: &Self::Node) -> Player;
    /// Adds the node to `edges`: with the keys of its children, with that of the child after a
    /// pass, or, if it is terminal, with its score, between -127 and 127.
    fn expand(&self, node: &Self::Node, edges: &mut Edges);
    /// The child after a move, or after a pass if `mv` is `None`.
    fn child(&self, node: &Self::Node, mv: Option<u8>) -> Self::Node;
    /// An upper bound on the number of moves in a position, at least 1.
    fn max_moves(&self) -> usize;
    /// An upper bound on the number of canonical positions, which determines the size of the table.
    fn max_positions(&self) -> u64;
}

/// The edges from a batch of nodes to their children, grouped by node.
pub struct Edges {
    /// The keys of the children, and their origins: 256 times the index of the parent in the batch
    /// plus the number of the move. Buffers of the greatest length that a batch can need, of which
    /// `len` elements are in use.
    keys: Vec<u64>,
    origins: Vec<u16>,
    len: usize,
    /// The parents.
    pub(super) sources: Vec<Source>,
}

/// A parent.
#[derive(Clone, Copy)]
pub(super) struct Source {
    /// The legal moves as a bit set; empty for a pass and in a terminal position.
    pub moves: u64,
    /// The end of its children among the edges.
    pub end: u32,
    /// The score if there are no children.
    pub score: i32,
}

/// The number of a pass in an origin.
const PASS: u16 = 0xff;

impl Edges {
    /// Edges with capacity for a batch of `nodes` nodes with at most `most_moves` moves each.
    pub(super) fn for_nodes(nodes: usize, most_moves: usize) -> Edges {
        let most = nodes * most_moves;
        Edges { keys: vec![0; most], origins: vec![0; most], len: 0, sources: Vec::new() }
    }

    /// Adds a node with moves, a nonempty set of numbers below 64. The caller writes, for each
    /// move, the key of the child to the first slice and the number of the move plus the returned
    /// tag to the second, in the same order.
    #[inline]
    pub fn add(&mut self, moves: u64) -> (&mut [u64], &mut [u16], u16) {
        self.add_source(moves, moves.count_ones() as usize, 0)
    }

    /// Adds a node in which the player to move has to pass, with the key of its only child.
    #[inline]
    pub fn add_pass(&mut self, key: u64) {
        let (keys, moves, tag) = self.add_source(0, 1, 0);
        (keys[0], moves[0]) = (key, tag | PASS);
    }

    /// Adds a terminal node with its score.
    #[inline]
    pub fn add_terminal(&mut self, score: i32) {
        self.add_source(0, 0, score);
    }

    #[inline]
    fn add_source(
        &mut self,
        moves: u64,
        children: usize,
        score: i32,
    ) -> (&mut [u64], &mut [u16], u16) {
        let new = self.len..self.len + children;
        self.len = new.end;
        let tag = (self.sources.len() as u16) << 8;
        self.sources.push(Source { moves, end: new.end as u32, score });
        (&mut self.keys[new.clone()], &mut self.origins[new], tag)
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.sources.clear();
    }

    #[inline]
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys[..self.len]
    }

    /// The index of the parent of an edge in the batch, and the move, `None` for a pass.
    #[inline]
    pub(super) fn origin(&self, edge: usize) -> (usize, Option<u8>) {
        let origin = self.origins[edge];
        let mv = Some(origin & 0xff).filter(|&mv| mv != PASS);
        ((origin >> 8) as usize, mv.map(|mv| mv as u8))
    }
}

/// Receives every position of a game once, in any order, with its moves and their values.
///
/// Parts of the game have visitors of their own, which are combined at the end.
pub trait Visitor<N>: Send + Sync + Sized {
    /// Creates an empty visitor for another part of the game.
    fn fresh(&self) -> Self;
    /// Receives a position, its moves as a bit set, and the value of each move, lowest first. If
    /// `moves` is empty, there is one value for a pass, or none in a terminal position. The node
    /// may be any symmetric image of the position.
    fn visit(&mut self, node: &N, moves: u64, values: &[i8]);
    /// Combines the results of another visitor with this one. The order must not matter.
    fn absorb(&mut self, other: Self);
}

impl<N> Visitor<N> for () {
    fn fresh(&self) {}
    fn visit(&mut self, _node: &N, _moves: u64, _values: &[i8]) {}
    fn absorb(&mut self, _other: ()) {}
}

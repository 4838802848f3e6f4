//! British Square as a game of the strong solution, and visits of all its states.

use super::board::{Cells, cells_of};
use super::count::state_bounds::{states_at_most, states_of_pieces};
use super::limits::{MAX_SOLVED_CELLS, TooLarge};
use super::retrograde;
use super::rules::{Move, Position, Rules};
use super::symmetry::{
    Half, ImageTable, Images, Kernel, PASS, Placements, SET_BITS, SET_MASK, TURN_SHIFT,
};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong::{AcyclicGame, DecodeKey, Edges, Solved, Visitor, solve_visiting};

/// Rules with the tables for fast move generation, on boards of at most
/// [`MAX_SOLVED_CELLS`](super::MAX_SOLVED_CELLS) cells.
///
/// Values are piece differences without the bias, which shifts all values alike.
#[derive(Clone, Debug)]
pub struct BritishSquare {
    rules: Rules,
    images: ImageTable,
    reach: Vec<Cells>,
    /// The position in which play begins.
    start: Position,
    /// Whether [`visit_states`](BritishSquare::visit_states) uses retrograde analysis.
    is_retrograde: bool,
}

/// A position of the search: all its symmetric images.
pub type Node = Images;

impl BritishSquare {
    /// Builds the tables for the given rules.
    pub fn new(rules: Rules) -> Result<BritishSquare, TooLarge> {
        BritishSquare::with_kernel(rules, Kernel::best())
    }

    /// Like [`new`](BritishSquare::new), with a given instruction set.
    pub fn with_kernel(rules: Rules, kernel: Kernel) -> Result<BritishSquare, TooLarge> {
        rules.check()?;
        if rules.board.cells() > MAX_SOLVED_CELLS {
            return Err(TooLarge::Search(rules.board));
        }
        let images = ImageTable::new(&rules.board, kernel);
        let reach = (0..rules.board.cells()).map(|cell| rules.board.reach(cell)).collect();
        let is_retrograde = retrograde::supports(&rules);
        let start = rules.start();
        Ok(BritishSquare { rules, images, reach, start, is_retrograde })
    }

    /// The same game begun in a position. Its states are those that play reaches from there, and are
    /// visited by depth-first search.
    ///
    /// ```
    /// use bsq_engine::monitor::Monitor;
    /// use bsq_engine::strong::solve;
    /// use bsq_games::british_square::{BritishSquare, Move, Rules};
    ///
    /// let rules = Rules::standard(3, 3).unwrap();
    /// let corner = rules.play(&rules.start(), Move::Place(0));
    /// let game = BritishSquare::new(rules).unwrap().begun_in(corner);
    /// assert_eq!(solve(&game, &game.root(), &Monitor::default()).unwrap().value(), 1);
    /// ```
    pub fn begun_in(self, start: Position) -> BritishSquare {
        BritishSquare { start, ..self.depth_first() }
    }

    /// The same game, whose states are visited by depth-first search under all rules.
    pub fn depth_first(self) -> BritishSquare {
        BritishSquare { is_retrograde: false, ..self }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The reach of each cell: the cell itself and the adjacent ones.
    pub fn reach(&self) -> &[Cells] {
        &self.reach
    }

    /// The position in which play begins.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The node of the position in which play begins.
    pub fn root(&self) -> Node {
        self.node(&self.start)
    }

    /// The node of a position.
    pub fn node(&self, position: &Position) -> Node {
        let [first, second] = position.pieces;
        let mut node = self.images.set(first, Half::Low).plus(&self.images.set(second, Half::High));
        for word in &mut node.0 {
            *word += u64::from(position.turn) << TURN_SHIFT;
        }
        node
    }

    /// Calls a visitor with every state and the values of its moves, in pieces without the bias.
    /// The positions may be any symmetric images. Uses [retrograde analysis](retrograde), or the
    /// depth-first search for rules that it does not support.
    ///
    /// # Errors
    ///
    /// [`SolveError::Stopped`] if the monitor stops it, and an error if it takes more memory than the
    /// monitor allows or than there is.
    ///
    /// ```
    /// use bsq_engine::monitor::Monitor;
    /// use bsq_engine::strong::Visitor;
    /// use bsq_games::british_square::{BritishSquare, Cells, Position, Rules};
    ///
    /// /// The number of states in which a mistake is possible.
    /// struct Risky(u64);
    ///
    /// impl Visitor<Position> for Risky {
    ///     fn fresh(&self) -> Risky {
    ///         Risky(0)
    ///     }
    ///     fn visit(&mut self, _: &Position, _: Cells, values: &[i8]) {
    ///         self.0 += u64::from(values.iter().min() != values.iter().max());
    ///     }
    ///     fn absorb(&mut self, other: Risky) {
    ///         self.0 += other.0;
    ///     }
    /// }
    ///
    /// let game = BritishSquare::new(Rules::standard(4, 4).unwrap()).unwrap();
    /// let Risky(states) = game.visit_states(Risky(0), &Monitor::default()).unwrap();
    /// assert_eq!(states, 6_070);
    /// ```
    pub fn visit_states<V: Visitor<Position>>(
        &self,
        visitor: V,
        monitor: &Monitor,
    ) -> Result<V, SolveError> {
        if self.is_retrograde {
            Ok(retrograde::visit_states(&self.rules, visitor, monitor)?.1)
        } else {
            Ok(self.solve_visiting(visitor, monitor)?.1)
        }
    }

    /// Solves the game by depth-first search, and calls a visitor with every state as
    /// [`visit_states`](BritishSquare::visit_states) does. Returns the values of all states as well.
    ///
    /// # Errors
    ///
    /// As for [`visit_states`](BritishSquare::visit_states).
    pub fn solve_visiting<V: Visitor<Position>>(
        &self,
        visitor: V,
        monitor: &Monitor,
    ) -> Result<(Solved, V), SolveError> {
        let visitor = OfNodes { game: self, visitor };
        let (solved, OfNodes { visitor, .. }) =
            solve_visiting(self, &self.root(), visitor, monitor)?;
        Ok((solved, visitor))
    }

    /// By cell, the score under perfect play after each legal move of a position that has been
    /// solved.
    pub fn move_values(&self, solved: &Solved, position: &Position) -> Vec<Option<i32>> {
        let mut values = vec![None; self.rules.board.cells()];
        for cell in cells_of(self.rules.legal(position, position.to_move)) {
            let child = self.node(&self.rules.play(position, Move::Place(cell)));
            values[cell] = solved.get(child.smallest()).map(|lead| lead - self.rules.bias);
        }
        values
    }

    /// Adds the node to `edges`, with a child for each cell of `cells`, which are legal placements.
    #[inline]
    pub(crate) fn expand_placements(&self, node: &Node, cells: Cells, edges: &mut Edges) {
        let (keys, moves, tag) = edges.add(cells);
        let places = Placements { words: keys, cells: moves, tag };
        self.images.place_each(node, self.half(node), cells, places);
    }

    /// The half of a word that contains the mover's pieces.
    #[inline]
    fn half(&self, node: &Node) -> Half {
        match self.to_move(node) {
            Player::First => Half::Low,
            Player::Second => Half::High,
        }
    }

    /// The position of a node's word or of a key. A key stands for the canonical
    /// position.
    pub fn position(&self, word: u64) -> Position {
        let turn = (word >> TURN_SHIFT) as u32;
        Position {
            pieces: [word & SET_MASK, word >> SET_BITS & SET_MASK],
            to_move: Player::on_turn(turn),
            turn,
        }
    }
}

impl Position {
    /// The word that its node contains under the identity, on boards of at most
    /// [`MAX_SOLVED_CELLS`] cells.
    pub(super) fn word(&self) -> u64 {
        let [first, second] = self.pieces;
        first | second << SET_BITS | u64::from(self.turn) << TURN_SHIFT
    }
}

impl AcyclicGame for BritishSquare {
    type Node = Node;

    #[inline]
    fn key(&self, node: &Node) -> u64 {
        node.smallest()
    }

    #[inline]
    fn to_move(&self, node: &Node) -> Player {
        Player::on_turn((node.word() >> TURN_SHIFT) as u32)
    }

    #[inline]
    fn expand(&self, node: &Node, edges: &mut Edges) {
        let word = node.word();
        let (first, second) = (word & SET_MASK, word >> SET_BITS & SET_MASK);
        let turn = (word >> TURN_SHIFT) as u32;
        let (mut cells, reply) = match Player::on_turn(turn) {
            Player::First => (self.rules.usable(first, second), self.rules.usable(second, first)),
            Player::Second => (self.rules.usable(second, first), self.rules.usable(first, second)),
        };
        if turn == 1 {
            cells &= !self.rules.forbidden_opening();
        }
        if cells != 0 {
            self.expand_placements(node, cells, edges);
        } else if reply != 0 {
            edges.add_pass(node.plus(&PASS).smallest());
        } else {
            edges.add_terminal(first.count_ones() as i32 - second.count_ones() as i32);
        }
    }

    #[inline]
    fn child(&self, node: &Node, mv: Option<u8>) -> Node {
        match mv {
            Some(cell) => self.images.place(node, self.half(node), cell as usize),
            None => node.plus(&PASS),
        }
    }

    fn max_moves(&self) -> usize {
        self.rules.board.cells()
    }

    fn max_positions(&self) -> u64 {
        // There are at most 3^25 pairs of sets of cells, and twice as many positions.
        let Rules { board, pieces, .. } = &self.rules;
        let of_pieces = pieces.map_or(u128::MAX, |most| states_of_pieces(board, most));
        states_at_most(board).min(of_pieces) as u64
    }
}

/// Passes the positions of nodes to a visitor of positions.
struct OfNodes<'a, V> {
    game: &'a BritishSquare,
    visitor: V,
}

impl<V: Visitor<Position>> Visitor<Node> for OfNodes<'_, V> {
    fn fresh(&self) -> Self {
        OfNodes { game: self.game, visitor: self.visitor.fresh() }
    }

    #[inline]
    fn visit(&mut self, node: &Node, moves: u64, values: &[i8]) {
        self.visitor.visit(&self.game.position(node.word()), moves, values);
    }

    fn absorb(&mut self, other: Self) {
        self.visitor.absorb(other.visitor);
    }
}

impl DecodeKey for BritishSquare {
    #[inline]
    fn decode(&self, key: u64) -> Node {
        self.node(&self.position(key))
    }
}

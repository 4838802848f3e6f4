//! A game that is given as a graph: its positions, the player to move in each, the moves between
//! them, and the results at the ends of play. Programs in any language can write one, as a
//! [file](Graph::read).
//!
//! ```
//! use bsq_engine::explore::{Limits, explore};
//! use bsq_engine::game::{Game, Player};
//! use bsq_engine::monitor::Monitor;
//! use bsq_games::graph::Graph;
//!
//! // Take one or two of three counters. Who takes the last one wins.
//! let file = "position,player,move,next\n\
//!             3 X,first,1,2 O\n3 X,first,2,1 O\n2 O,second,1,1 X\n2 O,second,2,0 X\n\
//!             1 O,second,1,0 X\n1 X,first,1,0 O\n0 X,first,second\n0 O,second,first\n";
//! let graph = Graph::read("counters.csv", file.as_bytes()).unwrap();
//! let monitor = Monitor::default();
//! let solution = explore(graph.clone(), Limits::default(), &monitor).unwrap().solve(&monitor).unwrap();
//! assert_eq!(solution.value(&graph.start()).unwrap().winner(), Some(Player::Second));
//! ```

mod file;
mod rules;
mod view;

pub use file::{FileError, parse_result};
pub use rules::{GraphError, Invalid, Node, Step};

use bsq_engine::definition::Info;
use bsq_engine::game::{Measure, Player, Value};
use std::collections::VecDeque;
use std::sync::Arc;

/// The short name of the game.
pub const NAME: &str = "graph";

/// The rules: a graph. The clones share it.
#[derive(Clone, Debug)]
pub struct Graph(Arc<Shared>);

/// What the clones of a graph share.
#[derive(Debug)]
struct Shared {
    info: Info,
    content: Content,
    /// The positions in the order of their texts.
    by_text: Vec<u32>,
    /// The number of the first move of each position, and that of all moves.
    first_moves: Vec<u32>,
    /// Whether play from the start can lead to each position.
    reachable: Vec<bool>,
    measure: Measure,
    /// What positions look like.
    board: view::Board,
}

/// The positions and moves of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The positions, the start first.
    pub positions: Vec<Entry>,
    /// The moves of all positions, in the order of the positions: the number of a name, and the
    /// number of the position after the move.
    pub moves: Vec<(u32, u32)>,
    /// The names of moves.
    pub names: Vec<Box<str>>,
}

/// A position of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// A line of text, different from those of all other positions.
    pub text: Box<str>,
    /// The player to move, at the end of play the player whose turn would be next.
    pub to_move: Player,
    /// The number of moves.
    pub moves: u32,
    /// The result of a position without moves: a win in 0 plies, a tie, or an integer of points. All
    /// results of a graph have points, or none has.
    pub result: Option<Value>,
}

impl PartialEq for Graph {
    fn eq(&self, other: &Graph) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.content() == other.content()
    }
}

impl Graph {
    /// A graph of positions and moves. `file` names it in commands, as the file that states it.
    ///
    /// # Errors
    ///
    /// If the graph is not a game: see [`GraphError`].
    pub fn new(file: &str, content: Content) -> Result<Graph, GraphError> {
        Ok(Graph(Arc::new(rules::checked(file, content)?)))
    }

    /// A small graph, which shows the notation: three counters, of which each move takes one or two.
    pub fn example() -> Graph {
        const FILE: &str = include_str!("example.csv");
        Graph::read("FILE", FILE.as_bytes()).expect("the example is a game")
    }

    /// The positions and moves.
    pub fn content(&self) -> &Content {
        &self.0.content
    }

    fn entry(&self, Node(position): Node) -> &Entry {
        &self.0.content.positions[position as usize]
    }

    /// The numbers of the moves of a position.
    fn moves_of(&self, Node(position): Node) -> std::ops::Range<u32> {
        let first = &self.0.first_moves[position as usize..];
        first[0]..first[1]
    }

    fn name(&self, Step(number): Step) -> &str {
        let (name, _) = self.0.content.moves[number as usize];
        &self.0.content.names[name as usize]
    }
}

/// Whether each position can be reached from the first one.
fn reachable(content: &Content, first_moves: &[u32]) -> Vec<bool> {
    let mut reachable = vec![false; content.positions.len()];
    let mut queue = VecDeque::from([0]);
    reachable[0] = true;
    while let Some(position) = queue.pop_front() {
        let moves = first_moves[position] as usize..first_moves[position + 1] as usize;
        for &(_, next) in &content.moves[moves] {
            let next = next as usize;
            if !std::mem::replace(&mut reachable[next], true) {
                queue.push_back(next);
            }
        }
    }
    reachable
}

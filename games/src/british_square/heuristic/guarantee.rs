//! The worst-case value of a heuristic: the score that a player who follows it from the start
//! achieves against best play.
//!
//! The follower plays only liked moves; the opponent plays any legal move. If several moves are
//! liked, the tie is broken in the worst or in the best way for the follower.

use super::decision::Decision;
use super::list::Heuristic;
use crate::british_square::{BritishSquare, Cells, Move, Node, Position, cells_of};
use bsq_engine::game::Player;
use bsq_engine::monitor::{Monitor, SolveError};
use bsq_engine::strong::{AcyclicGame, Edges, Solved, solve};

pub use crate::ties::Ties;

/// The worst-case value of a heuristic, and a principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarantee {
    /// The score, in pieces, under best play against the follower.
    pub score: i32,
    /// A principal variation. Of equal moves, the one on the lowest tile is played.
    pub line: Vec<Step>,
}

/// A move of the principal variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub mv: Move,
    /// Its cost compared with perfect play, in points.
    pub cost: u32,
}

/// Computes the worst-case value of `heuristic` for a follower who plays as `player`.
///
/// `solved` is the strong solution of the game, from which the costs of the moves are taken.
///
/// ```
/// use bsq_engine::game::Player;
/// use bsq_games::british_square::{BritishSquare, Rules};
/// use bsq_games::british_square::heuristic::by_name;
/// use bsq_games::british_square::heuristic::guarantee::{Ties, guarantee};
/// use bsq_engine::monitor::Monitor;
/// use bsq_engine::strong::solve;
///
/// let game = BritishSquare::new(Rules::standard(3, 3).unwrap()).unwrap();
/// let (greedy, monitor) = (by_name("greedy").unwrap(), Monitor::default());
/// let solved = solve(&game, &game.root(), &monitor).unwrap();
/// let sure = guarantee(&game, &solved, greedy, Player::First, Ties::Worst, &monitor).unwrap();
/// assert!(sure.score <= solved.value());
/// ```
pub fn guarantee(
    game: &BritishSquare,
    solved: &Solved,
    heuristic: &Heuristic,
    player: Player,
    ties: Ties,
    monitor: &Monitor,
) -> Result<Guarantee, SolveError> {
    let followed = Followed { game, heuristic, player, ties };
    let sure = solve(&followed, &game.root(), &monitor.holding(solved.bytes()))?;
    Ok(Guarantee { score: sure.value(), line: followed.line(&sure, solved) })
}

/// The game restricted to one player's liked moves.
struct Followed<'a> {
    game: &'a BritishSquare,
    heuristic: &'a Heuristic,
    player: Player,
    ties: Ties,
}

impl Followed<'_> {
    /// The placements allowed in a position: none if the mover has to pass or the game is over.
    fn choices(&self, position: &Position) -> Cells {
        let legal = self.game.rules().legal(position, position.to_move);
        if legal == 0 || position.to_move != self.player {
            return legal;
        }
        let (rules, reach) = (self.game.rules(), self.game.reach());
        self.heuristic.liked(&Decision::new(rules, reach, position, legal))
    }

    /// The player who chooses the mover's move. With worst ties the opponent chooses for the
    /// follower too.
    fn chooser(&self, mover: Player) -> Player {
        match self.ties {
            Ties::Worst => self.player.other(),
            Ties::Best => mover,
        }
    }

    /// The principal variation from the start. Each move is the lowest that keeps the worst-case
    /// value.
    fn line(&self, sure: &Solved, solved: &Solved) -> Vec<Step> {
        let rules = self.game.rules();
        let key = |position: &Position| self.game.node(position).smallest();
        let known = |solved: &Solved, position: &Position| {
            solved.get(key(position)).expect("every position on the way was solved")
        };
        let mut position = *self.game.start();
        let mut line = Vec::new();
        while !rules.is_terminal(&position) {
            let options: Vec<Move> = match self.choices(&position) {
                0 => vec![Move::Pass],
                cells => cells_of(cells).map(Move::Place).collect(),
            };
            let value = known(sure, &position);
            let mv = options
                .into_iter()
                .find(|&mv| known(sure, &rules.play(&position, mv)) == value)
                .expect("some choice keeps the value");
            let next = rules.play(&position, mv);
            let cost = known(solved, &position).abs_diff(known(solved, &next));
            line.push(Step { mv, cost });
            position = next;
        }
        line
    }
}

/// Here `to_move` returns the player who chooses the move.
impl AcyclicGame for Followed<'_> {
    type Node = Node;

    fn key(&self, node: &Node) -> u64 {
        self.game.key(node)
    }

    fn to_move(&self, node: &Node) -> Player {
        self.chooser(self.game.to_move(node))
    }

    fn expand(&self, node: &Node, edges: &mut Edges) {
        match self.choices(&self.game.position(node.word())) {
            0 => self.game.expand(node, edges),
            cells => self.game.expand_placements(node, cells, edges),
        }
    }

    fn child(&self, node: &Node, mv: Option<u8>) -> Node {
        self.game.child(node, mv)
    }

    fn max_moves(&self) -> usize {
        self.game.max_moves()
    }

    fn max_positions(&self) -> u64 {
        self.game.max_positions()
    }
}

//! Who chooses the moves of a player.

use crate::solution::Solution;
use bsq_games::british_square::heuristic::Heuristic;
use bsq_games::british_square::{Move, cells_of};

/// Who chooses the moves of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The person at the keyboard.
    You,
    /// A perfect move, the one of the lowest tile.
    Perfect,
    /// A move that the heuristic likes, the one of the lowest tile.
    Heuristic(Box<Heuristic>),
}

impl Side {
    /// What it is called.
    pub fn label(&self) -> String {
        match self {
            Side::You => "you".to_string(),
            Side::Perfect => "perfect".to_string(),
            Side::Heuristic(heuristic) => heuristic.label(),
        }
    }

    /// Whether it can only move where values are known.
    pub fn needs_values(&self) -> bool {
        matches!(self, Side::Perfect)
    }

    /// Its move; none for a person, at the end of the game, and where it lacks values.
    pub fn choose(&self, solution: &Solution) -> Option<Move> {
        let legal = solution.rules.moves(&solution.position);
        match self {
            Side::You => None,
            _ if legal.len() <= 1 => legal.first().copied(),
            Side::Perfect => solution.perfect().first().copied(),
            Side::Heuristic(heuristic) => {
                let liked = heuristic.liked_at(&solution.rules, &solution.position);
                cells_of(liked).next().map(Move::Place)
            }
        }
    }
}

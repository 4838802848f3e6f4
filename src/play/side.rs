//! The sides: a person, perfect play, or a heuristic.

use crate::usage::usage;
use anyhow::Result;
use bsq_engine::record::{GameRecord, Recorded};
use bsq_games::british_square::heuristic::Heuristic;

/// The side that chooses the moves of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The person at the keyboard.
    You,
    /// The first of the best moves.
    Perfect,
    /// In British Square, the first move that a heuristic prefers.
    Heuristic(Box<Heuristic>),
}

impl Side {
    /// Parses a name, in a game without heuristics.
    pub fn parse(text: &str, game: &str) -> Result<Side> {
        match text {
            "you" => Ok(Side::You),
            "perfect" => Ok(Side::Perfect),
            _ => Err(usage(format!("'{text}' does not play {game}; 'you' and 'perfect' do"))),
        }
    }

    /// The name.
    pub fn label(&self) -> String {
        match self {
            Side::You => "you".to_string(),
            Side::Perfect => "perfect".to_string(),
            Side::Heuristic(heuristic) => heuristic.label(),
        }
    }
}

/// The number of moves before the last decision of a person, if there was one.
pub fn last_decision<G: Recorded>(line: &GameRecord<G>, sides: &[Side; 2]) -> Option<usize> {
    let mover = |at: usize| line.rules().to_move(&line.positions()[at]);
    (0..line.at()).rev().find(|&at| sides[mover(at).index()] == Side::You)
}

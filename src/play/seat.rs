//! Who chooses the moves of a player, where nobody plays but people and perfect play.

use crate::usage::usage;
use anyhow::Result;

/// Who chooses the moves of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// The person at the keyboard.
    You,
    /// The first of the best moves.
    Perfect,
}

impl Seat {
    /// Who it is, by name, in the game of that name.
    pub fn parse(text: &str, game: &str) -> Result<Seat> {
        let both = [Seat::You, Seat::Perfect];
        let found = both.into_iter().find(|seat| seat.label() == text);
        found.ok_or_else(|| usage(format!("'{text}' does not play {game}; 'you' and 'perfect' do")))
    }

    /// What it is called.
    pub fn label(self) -> &'static str {
        match self {
            Seat::You => "you",
            Seat::Perfect => "perfect",
        }
    }

    /// Whom else there is to play.
    pub fn other(self) -> Seat {
        match self {
            Seat::You => Seat::Perfect,
            Seat::Perfect => Seat::You,
        }
    }
}

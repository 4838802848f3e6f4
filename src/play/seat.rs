//! Who chooses the moves of a player.

use crate::exit::usage;
use anyhow::Result;

/// Who chooses the moves of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The person at the keyboard.
    You,
    /// The first of the best moves.
    Perfect,
}

impl Side {
    /// Who it is, by name.
    pub fn parse(text: &str) -> Result<Side> {
        let both = [Side::You, Side::Perfect];
        let found = both.into_iter().find(|side| side.label() == text);
        found.ok_or_else(|| {
            usage(format!(
                "'{text}' does not play rock-paper-scissors-well; 'you' and 'perfect' do"
            ))
        })
    }

    /// What it is called.
    pub fn label(self) -> &'static str {
        match self {
            Side::You => "you",
            Side::Perfect => "perfect",
        }
    }

    /// Whom else there is to play.
    pub fn other(self) -> Side {
        match self {
            Side::You => Side::Perfect,
            Side::Perfect => Side::You,
        }
    }
}

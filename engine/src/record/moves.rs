//! Sequences of moves as text.

use crate::game::{Game, Notation};

/// Moves that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MovesError<E> {
    /// A word is not a move.
    #[error(transparent)]
    Word(E),
    /// A move is illegal in its position.
    #[error("{mv} is not legal{}", legal_at(at, legal))]
    Illegal {
        /// The move.
        mv: String,
        /// The position.
        at: String,
        /// The legal moves there.
        legal: Vec<String>,
    },
}

fn legal_at(at: &str, legal: &[String]) -> String {
    if legal.is_empty() {
        format!(": the game is over at {at}")
    } else {
        format!(" at {at}; legal are {}", legal.join(", "))
    }
}

/// Moves, each with the position after it.
pub type Played<G> = Vec<(<G as Game>::Move, <G as Game>::Position)>;

/// Splits a text at spaces and commas, and converts it to lower case.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c == ',' || c.is_whitespace());
    words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect()
}

/// Plays moves separated by spaces or commas, and returns each with the position after it. Upper
/// and lower case are equivalent if the notation uses lower case.
///
/// # Errors
///
/// If a word is not a move, or a move is illegal.
///
/// ```
/// use bsq_engine::game::Game;
/// use bsq_engine::nim::Nim;
/// use bsq_engine::record::play_all;
///
/// let rules = Nim([1, 2, 3]);
/// let played = play_all(&rules, &rules.start(), "b1, C3").unwrap();
/// assert_eq!(played[1].1.heaps, [1, 1, 0]);
/// assert!(play_all(&rules, &rules.start(), "b2 b1").is_err());
/// ```
pub fn play_all<G: Notation>(
    game: &G,
    start: &G::Position,
    text: &str,
) -> Result<Played<G>, MovesError<G::Error>> {
    let mut played: Played<G> = Vec::new();
    for word in words(text) {
        let position = played.last().map_or(start, |(_, position)| position);
        let mv = game.parse_move(position, &word).map_err(MovesError::Word)?;
        let legal = game.moves(position);
        if !legal.contains(&mv) {
            return Err(MovesError::Illegal {
                mv: game.format_move(position, mv),
                at: game.format_position(position),
                legal: legal.into_iter().map(|mv| game.format_move(position, mv)).collect(),
            });
        }
        let next = game.play(position, mv.clone());
        played.push((mv, next));
    }
    Ok(played)
}

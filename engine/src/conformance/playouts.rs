//! Pseudo-random playouts.

use crate::game::Game;
use std::collections::HashSet;

/// The number of playouts of a game.
const PLAYOUTS: usize = 24;
/// The number of moves after which a playout is cut.
const MAX_MOVES: usize = 200;

/// The positions of a playout, each with the move played there; none at the last.
pub type Playout<G> = Vec<(<G as Game>::Position, Option<<G as Game>::Move>)>;

/// Pseudo-random playouts from the start, the same ones at every call.
pub fn playouts<G: Game>(game: &G) -> impl Iterator<Item = Playout<G>> {
    let mut random = Random(1);
    let playout = move || {
        let (mut playout, mut position) = (Vec::new(), game.start());
        loop {
            let moves = game.moves(&position);
            if moves.is_empty() || playout.len() == MAX_MOVES {
                playout.push((position, None));
                return playout;
            }
            let mv = moves[random.below(moves.len())];
            let next = game.play(&position, mv);
            playout.push((std::mem::replace(&mut position, next), Some(mv)));
        }
    };
    std::iter::repeat_with(playout).take(PLAYOUTS)
}

/// The different positions of the playouts.
pub fn positions<G: Game>(game: &G) -> impl Iterator<Item = G::Position> {
    let mut seen = HashSet::new();
    let all = playouts(game).flatten().map(|(position, _)| position);
    all.filter(move |position| seen.insert(position.clone()))
}

/// The generator of pseudo-random numbers by Steele, Lea and Flood, *Fast splittable pseudorandom
/// number generators*, 2014.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number less than `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A character of the text, of ASCII, or any.
    pub fn character(&mut self, text: &[char]) -> char {
        match self.below(3) {
            0 => text[self.below(text.len())],
            1 => char::from(self.below(128) as u8),
            _ => char::from_u32(self.below(0x11_0000) as u32).unwrap_or('\n'),
        }
    }
}

//! Pseudo-random playouts.

use crate::game::Game;
use crate::random::Random;
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
            let mv = moves[random.below(moves.len())].clone();
            let next = game.play(&position, mv.clone());
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

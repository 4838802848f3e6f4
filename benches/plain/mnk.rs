//! A plain solver of any acyclic game, with which the explorer is compared: recursion on one
//! thread, with the positions in a hash map of the standard library.

use bsq_engine::game::{Game, Value};
use std::collections::HashMap;

/// The value of every position from the given one on. `representative` maps a position to the one
/// that is stored for it: itself, or its canonical image.
pub fn solve<G: Game>(
    game: &G,
    position: &G::Position,
    representative: impl Fn(&G::Position) -> G::Position + Copy,
    known: &mut HashMap<G::Position, Value>,
) -> Value {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let player = game.to_move(position);
    let mut best: Option<Value> = None;
    for mv in game.moves(position) {
        let after = representative(&game.play(position, mv));
        let value = solve(game, &after, representative, known);
        let value = Value { plies: value.plies.map(|plies| plies + 1), ..value };
        if best.is_none_or(|best| value.rank(player) > best.rank(player)) {
            best = Some(value);
        }
    }
    let value = best.or_else(|| game.result(position)).expect("a result in a terminal position");
    known.insert(position.clone(), value);
    value
}

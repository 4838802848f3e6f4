//! What a player sees who looks a few plies ahead.

use crate::game::{Game, Player};

/// The moves that lead to the best score after `plies` plies, or at the end of the game if that is
/// sooner, by alpha-beta search. A player who counts the points of positions and looks that far
/// ahead prefers them.
///
/// ```
/// use bsq_engine::explore::seen_ahead;
/// use bsq_engine::game::Game;
/// use bsq_engine::nim::Nim;
///
/// let nim = Nim([1, 1, 2]);
/// let start = nim.start();
/// assert_eq!(seen_ahead(&nim, &start, 1).len(), nim.moves(&start).len()); // nothing is decided yet
/// assert_eq!(seen_ahead(&nim, &start, 3).len(), 1); // takes the heap of two
/// ```
pub fn seen_ahead<G: Game>(game: &G, position: &G::Position, plies: u32) -> Vec<G::Move> {
    let after = |mv: &G::Move| {
        let rest = plies.saturating_sub(1);
        score(game, &game.play(position, mv.clone()), rest, i32::MIN, i32::MAX)
    };
    let moves = game.moves(position);
    let scores: Vec<i32> = moves.iter().map(after).collect();
    let best = match game.to_move(position) {
        Player::First => scores.iter().max(),
        Player::Second => scores.iter().min(),
    };
    let chosen = moves.iter().zip(&scores).filter(|(_, score)| Some(*score) == best);
    chosen.map(|(mv, _)| mv.clone()).collect()
}

/// The score after that many plies, or a bound on it outside of the window.
fn score<G: Game>(
    game: &G,
    position: &G::Position,
    plies: u32,
    mut low: i32,
    mut high: i32,
) -> i32 {
    let moves = if plies == 0 { Vec::new() } else { game.moves(position) };
    if moves.is_empty() {
        return game.score(position);
    }
    let player = game.to_move(position);
    for mv in moves {
        let found = score(game, &game.play(position, mv), plies - 1, low, high);
        match player {
            Player::First => low = low.max(found),
            Player::Second => high = high.min(found),
        }
        if low >= high {
            break;
        }
    }
    if player == Player::First { low } else { high }
}

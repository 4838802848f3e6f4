//! Sentences about values, moves and ends of games.

use crate::play::app::OFTEN;
use crate::play::joined;
use bsq_engine::game::{Game, Notation, Outcome, Player, Value};
use bsq_games::rpsw::{Evaluation, GameRecord, Move, Piece, Position, Rules, outcome_for};

/// A value for a player: `won in 13`.
pub fn short(value: &Value, player: Player) -> String {
    let outcome = outcome_for(player, value);
    value.plies.map_or(outcome.to_string(), |plies| format!("{outcome} in {plies}"))
}

/// A value as a sentence that names the winner.
pub fn sentence(value: &Value) -> String {
    match (value.outcome, value.plies.unwrap_or(0)) {
        (Outcome::Win(player), 1) => format!("The {player} player wins in 1 ply"),
        (Outcome::Win(player), plies) => format!("The {player} player wins in {plies} plies"),
        _ => "Drawn with best play".to_string(),
    }
}

/// The sentence about the end of the game, if it has ended.
pub fn ending(rules: &Rules, position: &Position) -> Option<String> {
    let Some(winner) = rules.winner(position) else {
        let player = position.to_move;
        let stuck = rules.moves(position).is_empty();
        return stuck.then(|| format!("The game is drawn: the {player} player cannot move"));
    };
    let [own, _] = position.seen_by(winner);
    let through = |kind: &Piece| {
        own[kind.index()].filter(|&square| usize::from(square) >= rules.board().open_squares())
    };
    let how = match Piece::ALL.into_iter().find_map(|kind| Some((kind, through(&kind)?))) {
        Some((kind, square)) => {
            let square = rules.square_name(rules.board().counted_by(winner, square));
            let verb = if kind == Piece::Scissors { "have" } else { "has" };
            format!("the {} {verb} reached {square}, on the other side", kind.name())
        }
        None => format!("the {} player has no piece left", winner.other()),
    };
    Some(format!("The {winner} player has won: {how}"))
}

/// A move with the piece that it captures: `b1b2, taking the rock`.
pub fn told(rules: &Rules, position: &Position, mv: Move) -> String {
    let name = rules.format_move(mv);
    match rules.piece_on(position, mv.to) {
        Some((_, kind)) => format!("{name}, taking the {}", kind.name()),
        None => name,
    }
}

/// The cost of a move, if it is known and not zero.
pub fn warning(rules: &Rules, player: Player, known: &Evaluation, mv: Move) -> Option<String> {
    let (before, now) = (known.value?, known.of(mv)?);
    let mv = rules.format_move(mv);
    let [then, plies] = [before, now].map(|value| value.plies.unwrap_or(0));
    (before != now).then(|| match (before.winner(), now.winner()) {
        (Some(one), Some(other)) if one == other && one == player => {
            format!("{mv} wins in {plies}, not in {then}")
        }
        (Some(one), Some(other)) if one == other => {
            format!("{mv} loses in {plies} already, not in {then}")
        }
        _ => {
            let [before, now] = [before, now].map(|value| short(&value, player));
            format!("{mv} is a mistake: what was {before} is {now}")
        }
    })
}

/// The sentence about a position that has occurred often.
pub fn repetition(line: &GameRecord) -> Option<String> {
    let times = line.times();
    let over = ending(line.rules(), line.position()).is_some();
    (times >= OFTEN && !over).then(|| format!("This position has come up {times} times"))
}

/// Names of moves, separated by spaces.
pub fn names(rules: &Rules, moves: impl Iterator<Item = Move>) -> String {
    joined(moves.map(|mv| rules.format_move(mv)))
}

/// A line for each kind of piece with the kinds that it captures.
pub fn captures(rules: &Rules) -> Vec<String> {
    let taken_by = |kind: Piece| {
        let taken = Piece::ALL.into_iter().filter(|&other| rules.takes(kind, other));
        let taken: Vec<&str> = taken.map(Piece::name).collect();
        let taken = if taken.is_empty() { "nothing".to_string() } else { taken.join(" and ") };
        let verb = if kind == Piece::Scissors { "take" } else { "takes" };
        format!("{} {verb} {taken}", kind.name())
    };
    Piece::ALL.into_iter().map(taken_by).collect()
}

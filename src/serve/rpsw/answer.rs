//! What is known of a position, as JSON.

use super::question::Question;
use bsq_engine::game::{Game, Notation, Player};
use bsq_games::rpsw::{JudgedMove, Move, Piece, Position, Rules, Square, Store, VerdictError};
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[error("the position cannot be looked up: {0}")]
pub struct Unanswered(pub String);

impl<E: Display> From<VerdictError<E>> for Unanswered {
    fn from(error: VerdictError<E>) -> Unanswered {
        Unanswered(match error {
            VerdictError::Store(error) => format!("the database {error}"),
            wrong @ VerdictError::Contradiction(_) => wrong.to_string(),
        })
    }
}

/// Everything about a position. Gives up when `stopped` says so.
pub fn json<S: Store<Error: Display>>(
    rules: &Rules,
    store: &S,
    question: &Question,
    stopped: &dyn Fn() -> bool,
) -> Result<Value, Unanswered> {
    let position = &question.position;
    let moves = rules.judged_moves(store, position)?;
    let verdict = match moves.first() {
        Some(best) => best.verdict,
        None => rules.verdict(store, position)?,
    };
    let line = line(rules, store, position, question.line, stopped)?;
    Ok(json!({
        "rules": rules_json(rules),
        "position": rules.format_position(position),
        "to_move": position.to_move.name(),
        "pieces": pieces(rules, position),
        "game_over": moves.is_empty(),
        "winner": rules.winner(position).map(Player::name),
        "result": verdict.result(),
        "plies": verdict.plies(),
        "moves": moves.iter().map(|judged| move_json(rules, position, judged)).collect::<Value>(),
        "line": words(rules, &line),
        "played": words(rules, &question.played),
    }))
}

/// The rules as far as they can differ.
pub fn rules_json(rules: &Rules) -> Value {
    let takes = |kind: Piece| -> Value {
        let taken = Piece::ALL.into_iter().filter(|&other| rules.takes(kind, other));
        taken.map(name).collect()
    };
    let takes: Map<String, Value> =
        Piece::ALL.into_iter().map(|kind| (name(kind).to_string(), takes(kind))).collect();
    json!({
        "board": format!("{}x{}", rules.cols(), rules.rows()),
        "pieces": rules.pieces(),
        "total": rules.total(),
        "takes": takes,
    })
}

fn name(kind: Piece) -> &'static str {
    ["rock", "paper", "scissors", "well"][kind.index()]
}

/// Best play, a move at a time, so that it can be given up between two.
fn line<S: Store<Error: Display>>(
    rules: &Rules,
    store: &S,
    position: &Position,
    most: usize,
    stopped: &dyn Fn() -> bool,
) -> Result<Vec<Move>, Unanswered> {
    let (mut position, mut line) = (*position, Vec::new());
    while line.len() < most && !stopped() {
        let Some(&mv) = rules.principal_variation(store, &position, 1)?.first() else { break };
        line.push(mv);
        position = rules.play(&position, mv);
    }
    Ok(line)
}

/// What stands where, from the first player's base row on.
fn pieces(rules: &Rules, position: &Position) -> Value {
    let squares = 0..rules.squares() as Square;
    let found = squares.filter_map(|square| {
        let (player, kind) = piece_on(rules, position, square)?;
        let square = rules.square_name(square);
        Some(json!({ "square": square, "player": player.name(), "kind": name(kind) }))
    });
    found.collect()
}

fn piece_on(rules: &Rules, position: &Position, square: Square) -> Option<(Player, Piece)> {
    let on = |player: Player| {
        let placement = &position.pieces[player.index()];
        let counted = Some(rules.counted_by(player, square));
        let kind = Piece::ALL.into_iter().find(|kind| placement[kind.index()] == counted);
        kind.map(|kind| (player, kind))
    };
    Player::BOTH.into_iter().find_map(on)
}

fn move_json(rules: &Rules, position: &Position, judged: &JudgedMove) -> Value {
    let JudgedMove { mv, verdict } = *judged;
    let capture = piece_on(rules, position, mv.to).map(|(_, kind)| name(kind));
    json!({
        "move": rules.format_move(mv),
        "from": rules.square_name(mv.from),
        "to": rules.square_name(mv.to),
        "capture": capture,
        "result": verdict.result(),
        "plies": verdict.plies(),
    })
}

fn words(rules: &Rules, moves: &[Move]) -> Value {
    moves.iter().map(|&mv| rules.format_move(mv)).collect()
}
